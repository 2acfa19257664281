// Nobody leaves a room by mistake: it is asked for, and says what becomes of the seat and of the host.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test, vi } from "vitest";
import { speak } from "../../src/i18n";
import type { RoomFrame } from "../../src/protocol/wire.gen";
import { client } from "../../src/shell/app_state";
import { Leave } from "../../src/shell/leave";
import { Room } from "../../src/shell/room";

const seats = [
  { seat: 0, kind: "human", name: "Ada" },
  { seat: 1, kind: "human", name: "Karl" },
];

test.each([
  [0, 0, /else at the table becomes the host/],
  [1, 0, /Your seat becomes free/],
] as const)("seat %d of a room whose host sits at %d", async (me, host, words) => {
  await speak("en");
  const leave = vi.spyOn(client, "leave").mockResolvedValue();
  const room = new Room(undefined as never, "BCDFGH", false);
  room.seat.value = me;
  const frame = { type: "room", room: "BCDFGH", seats, host } as unknown as RoomFrame;
  const place = document.createElement("div");
  document.body.append(place);
  await act(() => render(<Leave room={room} frame={frame} />, place));
  await act(() => place.querySelector("button")!.click());
  expect(leave).not.toHaveBeenCalled();
  expect(place.querySelector("dialog")!.textContent).toMatch(words);
  await act(() => place.querySelector<HTMLButtonElement>("dialog .buttons .primary")!.click());
  expect(leave).toHaveBeenCalledWith("BCDFGH");
  leave.mockRestore();
  render(null, place);
});
