// The way back to the games before this one: a list of those that ended here, newest first, and
// their views, fetched page by page, one match at a time.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, expect, test } from "vitest";
import { speak } from "../../src/i18n";
import { rememberEnd } from "../../src/shell/app_state";
import { Refused, type Connection, type Request } from "../../src/shell/connection";
import { EarlierGames } from "../../src/shell/earlier";
import { Room } from "../../src/shell/room";

const nameOf = (n: number) => String(n).padStart(32, "0");

beforeEach(() => speak("en"));

test("the games that ended are listed, the newest first, without the one of now", async () => {
  const place = document.createElement("div");
  const shown = async (match: string) => {
    await act(() => render(<EarlierGames room="BCDFGH" match={match} />, place));
    return [...place.querySelectorAll("a")].map((link) => link.querySelector("b")!.textContent);
  };
  expect(await shown(nameOf(1))).toEqual([]);
  rememberEnd("BCDFGH", nameOf(1), ["Ada"]);
  rememberEnd("BCDFGH", nameOf(1), ["Ada"]);
  rememberEnd("CDFGHJ", nameOf(9), ["Zoé"]);
  expect(await shown(nameOf(1))).toEqual([]);
  rememberEnd("BCDFGH", nameOf(2), ["Ada", "Karl"]);
  rememberEnd("BCDFGH", nameOf(3), []);
  expect(await shown(nameOf(4))).toEqual([
    "Nobody has won.",
    "Ada and Karl win together",
    "Ada has won",
  ]);
  expect(place.querySelector("a")!.href).toContain(`r/BCDFGH#replay/0/${nameOf(3)}`);
  // The server keeps four of a room.
  for (const n of [4, 5, 6]) rememberEnd("BCDFGH", nameOf(n), [`Player ${n}`]);
  expect(await shown(nameOf(7))).toHaveLength(4);
  expect(await shown(nameOf(6))).toHaveLength(3);
});

test("looking at another match begins anew, and what comes late for the first is passed over", async () => {
  const asked: (Request & { type: "replay" })[] = [];
  const waiting: (() => void)[] = [];
  const connection = {
    request: (request: Request & { type: "replay" }) => {
      asked.push(request);
      const steps = [{ rev: request.from, table: request.match }];
      return new Promise((resolve) =>
        waiting.push(() => resolve({ steps, more: request.from === 0 })),
      );
    },
  };
  const room = new Room(connection as unknown as Connection, "BCDFGH", false);
  const first = room.lookBack(nameOf(1));
  const second = room.lookBack(nameOf(2));
  for (let i = 0; i < 3; ++i) {
    waiting.splice(0).forEach((go) => go());
    await new Promise((resolve) => setTimeout(resolve));
  }
  await Promise.all([first, second]);
  expect(room.past.value!.match).toBe(nameOf(2));
  expect(room.past.value!.steps).toHaveLength(2);
  expect(asked.map(({ match, from }) => [Number(match), from])).toEqual([
    [1, 0],
    [2, 0],
    [2, 1],
  ]);
});

test("a match that is not kept any more is no record, and no complaint", async () => {
  const connection = { request: () => Promise.reject(new Refused("no_such_match", {})) };
  const room = new Room(connection as unknown as Connection, "BCDFGH", false);
  expect(await room.record(nameOf(1))).toBeUndefined();
  expect(room.refused.value).toBeUndefined();
});
