// The people at the table: who is missing, what a bot may do about it, and whom I do not want to hear.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { speak, translation } from "../../src/i18n";
import type { RoomFrame, ViewFrame } from "../../src/protocol/wire.gen";
import type { Connection } from "../../src/shell/connection";
import { genericSkin } from "../../src/shell/generic";
import { LogList } from "../../src/shell/log";
import { RoomNews } from "../../src/shell/parts";
import { Absent, Players, Silent } from "../../src/shell/players";
import { Room } from "../../src/shell/room";
import { sceneOf } from "../../src/shell/scene";

const kMatch = "00112233445566778899aabbccddeeff";
const frameWith = (karl: object, more: object = {}) =>
  ({
    type: "room",
    room: "BCDFGH",
    match: kMatch,
    status: "playing",
    game: "chess",
    seats: [
      { seat: 0, kind: "human", name: "Ada", presence: "here" },
      { seat: 1, kind: "human", name: "Karl", presence: "here", ...karl },
    ],
    ...more,
  }) as unknown as RoomFrame;
const viewAt = (rev: number, seats = [1]) =>
  ({
    type: "view",
    room: "BCDFGH",
    match: kMatch,
    rev,
    seat: 0,
    decisions: [{ id: rev + 1, kind: "turn", seats }],
    table: {},
    happened: [{ event: "moved", to: rev }],
  }) as unknown as ViewFrame;

const requests: object[] = [];
const connection = {
  request: async (request: object) => {
    requests.push(request);
    return { seat: 0, pages: [] };
  },
};
const newRoom = () => new Room(connection as unknown as Connection, "BCDFGH", false);

let place: HTMLElement;
beforeEach(async () => {
  await speak("en");
  sessionStorage.clear();
  requests.length = 0;
  place = document.createElement("div");
});
afterEach(() => {
  render(null, place);
  vi.useRealTimers();
});

describe("somebody is away", () => {
  const show = (frame: RoomFrame, view = viewAt(3), me: number | undefined = 0) => {
    const scene = sceneOf(frame, me, translation.value);
    return act(() => render(<Absent room={room} frame={frame} view={view} scene={scene} />, place));
  };
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  const buttons = () => [...place.querySelectorAll("button")];
  const cover = () => buttons().find((each) => each.textContent!.includes("bot play"));
  let room: Room;
  beforeEach(() => {
    vi.useFakeTimers();
    room = newRoom();
  });

  test("after ten seconds it is said, after a minute a bot may be asked", async () => {
    await show(frameWith({ presence: "away" }));
    await pass(8000);
    expect(place.textContent).toBe("");
    await pass(4000);
    expect(place.textContent).toContain("Karl is away");
    expect(cover()).toBeUndefined();
    await pass(50_000);
    await act(() => cover()!.click());
    expect(requests).toEqual([{ type: "cover", room: "BCDFGH", seat: 1 }]);
    await show(frameWith({ presence: "away", covered: true }));
    expect(place.textContent).toBe("");
  });

  test("with a clock the clock sees to it, and who watches only sees it", async () => {
    await show(frameWith({ presence: "away" }, { clock: 60 }));
    await pass(70_000);
    expect(place.textContent).toContain("Karl is away");
    expect(cover()).toBeUndefined();
    render(null, place);
    await act(() => {
      const frame = frameWith({ presence: "away" });
      const scene = sceneOf(frame, undefined, translation.value);
      render(<Absent room={room} frame={frame} view={viewAt(3)} scene={scene} />, place);
    });
    await pass(70_000);
    expect(place.textContent).toContain("Karl is away");
    expect(cover()).toBeUndefined();
  });

  test("it can be read and put away, until the next time", async () => {
    const frame = frameWith({ presence: "away" });
    await show(frame);
    await pass(12_000);
    await act(() => place.querySelector<HTMLElement>("[aria-label=Close]")!.click());
    await pass(60_000);
    expect(place.textContent).toBe("");
    await show(frameWith({}));
    await show(frame);
    await pass(12_000);
    expect(place.textContent).toContain("Karl is away");
  });

  test("who is not waited for, and who comes back, is no news", async () => {
    await show(frameWith({ presence: "away" }), viewAt(3, [0]));
    await pass(70_000);
    expect(place.textContent).toBe("");
    await show(frameWith({ presence: "away" }));
    await pass(9000);
    await show(frameWith({}));
    await show(frameWith({ presence: "away" }));
    await pass(9000);
    expect(place.textContent).toBe("");
  });
});

describe("somebody is here and does nothing", () => {
  const show = (frame: RoomFrame, view = viewAt(3)) => {
    const scene = sceneOf(frame, 0, translation.value);
    return act(() => render(<Silent room={room} frame={frame} view={view} scene={scene} />, place));
  };
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  let room: Room;
  beforeEach(() => {
    vi.useFakeTimers();
    room = newRoom();
  });

  test("after five minutes without an act a bot may be asked", async () => {
    await show(frameWith({}));
    await pass(200_000);
    await show(frameWith({}), viewAt(4)); // an act: it counts anew
    await pass(200_000);
    expect(place.textContent).toBe("");
    await pass(110_000);
    expect(place.textContent).toContain("Karl has not acted");
    await act(() => place.querySelector("button")!.click());
    expect(requests).toEqual([{ type: "cover", room: "BCDFGH", seat: 1 }]);
    await show(frameWith({ covered: true }), viewAt(4));
    expect(place.textContent).toBe("");
  });

  test("where a clock runs, that sees to it", async () => {
    await show(frameWith({}, { clock: 60 }));
    await pass(400_000);
    expect(place.textContent).toBe("");
  });
});

test("what happened to the people of a room is said until it is read", async () => {
  const room = newRoom();
  room.hear({ type: "news", room: "BCDFGH", what: "sent_away", seat: 1, name: "Karl" });
  await act(() => render(<RoomNews room={room} />, place));
  expect(place.textContent).toContain("Karl was sent away");
  await act(() => place.querySelector<HTMLElement>("[aria-label=Close]")!.click());
  expect(place.textContent).toBe("");
});

test("that somebody asked for a hint is said to all others", async () => {
  const room = newRoom();
  room.hear(viewAt(4));
  const hinted = (seat: number, name: string) =>
    room.hear({ type: "news", room: "BCDFGH", what: "hinted", seat, name });
  hinted(room.me.value!, "Ada");
  expect(room.news.value).toBeUndefined();
  hinted(1, "Karl");
  await act(() => render(<RoomNews room={room} />, place));
  expect(place.textContent).toContain("Karl asked for a hint");
});

test("whom I do not want to hear waves unseen, also after a reload", async () => {
  const room = newRoom();
  const frame = frameWith({});
  const scene = sceneOf(frame, 0, translation.value);
  const skin = genericSkin("chess");
  const bubbles = async (of: Room) => {
    of.hear({ type: "reaction", room: "BCDFGH", seat: 1, reaction: "clap" });
    await act(() =>
      render(
        <Players
          room={of}
          view={viewAt(3)}
          scene={scene}
          skin={skin}
          options={{}}
          past={[]}
          open={() => {}}
        />,
        place,
      ),
    );
    return place.querySelectorAll(".bubble").length;
  };
  expect(await bubbles(room)).toBe(1);
  room.mute("Karl", true);
  expect(await bubbles(room)).toBe(0);
  expect(await bubbles(newRoom())).toBe(0);
  room.mute("Karl", false);
  expect(await bubbles(room)).toBe(1);
});

test("the log marks what happened since I was away", async () => {
  const room = newRoom();
  room.room.value = frameWith({});
  for (const rev of [1, 2, 3]) room.hear(viewAt(rev));
  await room.enter();
  room.hear(viewAt(6));
  room.log.value = [1, 2, 3, 4, 5, 6].map((rev) => ({ rev, events: [{ event: "moved" }] }));
  expect(room.missed.value).toBe(3);
  const scene = sceneOf(room.room.value, 0, translation.value);
  await act(() =>
    render(
      <LogList room={room} skin={genericSkin("chess")} scene={scene} looksBack={false} />,
      place,
    ),
  );
  const lines = [...place.querySelectorAll("li")].map(({ className }) => className === "since");
  expect(lines).toEqual([false, false, false, true, false, false, false]);
});

test("everybody has a letter, and a bot its number", () => {
  const seats = [
    { seat: 0, kind: "human", name: "Ada", presence: "here" },
    { seat: 1, kind: "bot", level: "greedy" },
    { seat: 2, kind: "bot", level: "greedy" },
  ];
  const frame = frameWith({}, { seats });
  const t = translation.value;
  const parts = { view: viewAt(1), scene: sceneOf(frame, 0, t), skin: genericSkin("chess") };
  act(() => render(<Players {...parts} options={{}} past={[]} open={() => {}} />, place));
  const letters = [...place.querySelectorAll<HTMLElement>(".avatar")].map(
    ({ dataset }) => dataset.letter,
  );
  expect(letters).toEqual(["A", "2", "3"]);
});
