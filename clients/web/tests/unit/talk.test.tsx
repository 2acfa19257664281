// What I am about to say stays until the server has taken it, and what others say is not silent.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import { speak } from "../../src/i18n";
import type { RoomFrame, ServerFrame } from "../../src/protocol/wire.gen";
import type { Connection } from "../../src/shell/connection";
import { Room } from "../../src/shell/room";
import { announcements } from "../../src/shell/app_state";
import { Bubble, Talk, TalkButton, useTalk } from "../../src/shell/talk";
import type { Scene } from "../../src/skin";

const frame = { type: "room", room: "BCDFGH", chat: "text" } as unknown as RoomFrame;
const scene = { name: () => "Ada" } as unknown as Scene;

let said: { text: string }[];
let answer: (how: "ok" | "bad_text") => void;
let room: Room;
let place: HTMLElement;
beforeEach(async () => {
  await speak("en");
  said = [];
  const connection = {
    request: (request: { text: string }) => {
      said.push(request);
      return new Promise((resolve, reject) => {
        answer = (how) => (how === "ok" ? resolve({}) : reject({ code: how, args: {} }));
      });
    },
  };
  room = new Room(connection as unknown as Connection, "BCDFGH", false);
  place = document.createElement("div");
  show();
});
afterEach(() => render(null, place));

const show = () =>
  act(() => render(<Talk room={room} frame={frame} scene={scene} done={() => {}} />, place));
const field = () => place.querySelector("input")!;
const type = (text: string) =>
  act(() => {
    field().value = text;
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
const send = () =>
  act(() => {
    place
      .querySelector("form")!
      .dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  });
const hear = (how: "ok" | "bad_text") =>
  act(async () => {
    answer(how);
    await new Promise((later) => setTimeout(later));
  });

test("a text that is refused stays in its field, also when the talk is closed and opened", async () => {
  await type("a\u202eb");
  await send();
  await send();
  expect(said).toHaveLength(1);
  await hear("bad_text");
  expect(field().value).toBe("a\u202eb");
  render(null, place);
  await show();
  expect(field().value).toBe("a\u202eb");
});

test("a text that is taken leaves the field, and what was typed meanwhile stays", async () => {
  await type("well played");
  await send();
  await hear("ok");
  expect(field().value).toBe("");
  await type("once more?");
  await send();
  await type("once more? yes");
  await hear("ok");
  expect(field().value).toBe("once more? yes");
});

test("everything that is waved has a picture of its own, and its words", async () => {
  const buttons = [...place.querySelectorAll(".reactions button")];
  expect(buttons).toHaveLength(8);
  const drawn = buttons.map((each) => each.querySelector("svg.reaction")!.innerHTML);
  expect(new Set(drawn).size).toBe(8);
  expect(buttons.map(({ textContent }) => textContent)).not.toContain("");
});

const seats = [
  { seat: 0, kind: "human", name: "Ada" },
  { seat: 1, kind: "human", name: "Karl" },
];

function Around() {
  useTalk(room);
  return (
    <>
      <TalkButton room={room} frame={room.room.value!} />
      <Bubble room={room} seat={1} name="Karl" />
    </>
  );
}

test("what arrives is heard, stands at the seat, and is counted until it is read", async () => {
  render(null, place);
  room.room.value = { ...frame, seats } as unknown as RoomFrame;
  room.seat.value = 0;
  announcements.value = [];
  await act(() => render(<Around />, place));
  const hears = (frame: object) =>
    act(async () => {
      await new Promise((later) => setTimeout(later, 2));
      room.hear(frame as ServerFrame);
    });
  await hears({ type: "said", room: "BCDFGH", seat: 1, text: "Good luck" });
  const heard = () => announcements.value.map(({ text }) => text);
  expect(heard()).toEqual(["Karl: Good luck"]);
  expect(place.querySelector(".bubble")?.textContent).toBe("Good luck");
  expect(place.querySelector(".unread")?.textContent).toBe("1");
  expect(place.querySelector("button")?.getAttribute("aria-label")).toBe("Talk, 1 new message");
  await hears({ type: "reaction", room: "BCDFGH", seat: 1, reaction: "clap" });
  expect(heard()).toEqual(["Karl: Good luck", "Karl: Well done!"]);
  expect(place.querySelector(".bubble")?.textContent).toBe("Well done!");
  expect(place.querySelector(".bubble .reaction.clap")).not.toBeNull();
  // What I say myself is no news.
  await hears({ type: "said", room: "BCDFGH", seat: 0, text: "Thanks" });
  expect(heard()).toHaveLength(2);
  expect(place.querySelector(".unread")?.textContent).toBe("1");
  await act(() => place.querySelector("button")!.click());
  expect(place.querySelector(".unread")).toBeNull();
  expect(place.querySelector(".said")?.textContent).toContain("Good luck");
});
