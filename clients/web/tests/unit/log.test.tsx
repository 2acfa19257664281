// What has happened since my last act begins after it, in the strip and where the log is divided; bots are known.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { speak, translation } from "../../src/i18n";
import type { RoomFrame } from "../../src/protocol/wire.gen";
import type { Connection } from "../../src/shell/connection";
import { genericSkin } from "../../src/shell/generic";
import { LogList, sinceMine, type Line } from "../../src/shell/log";
import { Room } from "../../src/shell/room";
import { sceneOf } from "../../src/shell/scene";

const kMe = 0;
/** Lines of these seats; "-" is of nobody. */
const linesOf = (seats: string): Line[] =>
  [...seats].map((seat, i) => ({
    key: `${i}`,
    rev: i + 1,
    text: `${i}${seat}`,
    event: seat === "-" ? {} : { seat: Number(seat) },
    mine: undefined,
  }));

describe("since my last act", () => {
  test.each([
    ["012", "12"],
    ["0012", "12"],
    // The end of a round is since, too.
    ["0-12", "-12"],
    // What I do in the turn that has begun.
    ["0120", "120"],
    ["01200", "1200"],
    // Only the last act before others acted counts.
    ["010120", "120"],
    ["01012", "12"],
  ])("of %s it is %s", (all, since) => {
    const { lines, acted } = sinceMine(linesOf(all), kMe);
    expect(lines.map(({ text }) => text.slice(-1)).join("")).toBe(since);
    expect(acted).toBe(true);
  });

  test("if I have done nothing before, it is everything", () => {
    for (const all of ["", "12", "120", "00"]) {
      const { lines, acted } = sinceMine(linesOf(all), kMe);
      expect([lines.length, acted]).toEqual([all.length, false]);
    }
  });
});

let place: HTMLElement;
beforeEach(async () => {
  await speak("en");
  place = document.createElement("div");
});
afterEach(() => render(null, place));

test("the log is divided after my act, and bots have a mark in it", async () => {
  const room = new Room({} as Connection, "BCDFGH", false);
  room.room.value = {
    seats: [
      { seat: 0, kind: "human", name: "Ada" },
      { seat: 1, kind: "bot" },
    ],
  } as unknown as RoomFrame;
  room.log.value = [0, 0, 1, 1].map((seat, i) => ({
    rev: i + 1,
    events: [{ event: "moved", seat }],
  }));
  const scene = sceneOf(room.room.value, kMe, translation.value);
  await act(() =>
    render(
      <LogList room={room} skin={genericSkin("chess")} scene={scene} looksBack={false} />,
      place,
    ),
  );
  const lines = [...place.querySelectorAll("li")];
  expect(lines.map(({ className }) => className)).toEqual(["", "", "since", "", ""]);
  const marks = lines.map((line) => line.querySelectorAll(".bot-mark").length);
  expect(marks).toEqual([0, 0, 0, 1, 1]);
});
