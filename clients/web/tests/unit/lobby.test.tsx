// Before the game: who came by an invitation sees that they are in; the host who is missed by nobody sees
// how to invite others; and no address is offered to others that is theirs only by name.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import { speak } from "../../src/i18n";
import type { RoomFrame } from "../../src/protocol/wire.gen";
import type { Connection } from "../../src/shell/connection";
import { isOwnAddress, Lobby } from "../../src/shell/lobby";
import { NameForm } from "../../src/shell/name_form";
import { Room } from "../../src/shell/room";

const human = (seat: number, name: string) => ({ seat, kind: "human", name, presence: "here" });
const bot = (seat: number) => ({ seat, kind: "bot", level: "normal" });
const empty = (seat: number) => ({ seat, kind: "empty" });

let place: HTMLElement;
beforeEach(async () => {
  await speak("en");
  place = document.createElement("div");
});
afterEach(() => render(null, place));

async function show(seats: object[], me: number | undefined): Promise<void> {
  const room = new Room({} as Connection, "BCDFGH", false);
  room.seat.value = me;
  const frame = {
    type: "room",
    room: "BCDFGH",
    match: "00112233445566778899aabbccddeeff",
    status: "open",
    game: "triqueta",
    host: 0,
    watching: 0,
    chat: "off",
    options: {},
    seats,
  } as unknown as RoomFrame;
  await act(() => render(<Lobby room={room} frame={frame} />, place));
}
const said = () => place.querySelector(".lobby-in")?.textContent;
const isInviteFirst = () => place.querySelector(".wanting") !== null;
const isFolded = () => place.querySelector("details .invite") !== null;

test("a guest is in, waits for the host, and may learn the game", async () => {
  await show([human(0, "Otter"), human(1, "Robin"), empty(2)], 1);
  expect(said()).toBe("You are in. Waiting for Otter to start.");
  expect([isInviteFirst(), isFolded()]).toEqual([false, true]);
  const links = [...place.querySelectorAll(".lobby-meanwhile a")].map(
    ({ textContent }) => textContent,
  );
  expect(links).toEqual(["Learn it meanwhile", "Rules"]);
});

test("who watches is told so", async () => {
  await show([human(0, "Otter"), empty(1)], undefined);
  expect(said()).toBe("You are watching.");
  expect(isFolded()).toBe(true);
});

test.each([
  ["alone", [human(0, "Otter"), empty(1), empty(2)], true],
  ["with bots", [human(0, "Otter"), bot(1), empty(2)], true],
  ["with somebody", [human(0, "Otter"), human(1, "Robin"), empty(2)], false],
  ["with a full table", [human(0, "Otter"), bot(1), bot(2)], false],
])("the host %s", async (_, seats, isFirst) => {
  await show(seats, 0);
  expect(said()).toBeUndefined();
  expect([isInviteFirst(), isFolded()]).toEqual([isFirst, false]);
});

test("a free seat is no button, and a bot has a mark", async () => {
  await show([human(0, "Otter"), bot(1), empty(2)], 0);
  expect(place.querySelector(".seat.empty .avatar")!.innerHTML).toBe("");
  expect(place.querySelectorAll(".seats .bot-mark").length).toBe(1);
});

test("nobody is offered a name that somebody has", async () => {
  await act(() => render(<NameForm taken={["Otter", "Ada"]} />, place));
  const names = [...place.querySelectorAll(".names button")].map(({ textContent }) => textContent);
  expect(names.length).toBe(7);
  expect(names).not.toContain("Otter");
});

test.each([
  ["http://localhost:8080/", true],
  ["http://table.localhost/", true],
  ["http://127.0.0.1:8080/", true],
  ["http://127.1.2.3/", true],
  ["http://[::1]:8080/", true],
  ["http://192.168.0.7:8080/", false],
  ["https://games.example.org/", false],
  ["https://localhost.example.org/", false],
  ["http://127.example.org/", false],
])("%s means every computer itself: %s", (address, isOwn) => {
  expect(isOwnAddress(new URL(address))).toBe(isOwn);
});
