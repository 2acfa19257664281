// The look back says who made a move where that was not the player: the clock, or a bot in their
// place. A bot of its own needs no word: its name says it. And which moves cost most.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { speak, translation } from "../../src/i18n";
import type { RoomFrame, ViewFrame } from "../../src/protocol/wire.gen";
import type { Connection } from "../../src/shell/connection";
import { genericSkin } from "../../src/shell/generic";
import { Replay } from "../../src/shell/replay";
import { Room, type ReplayStep } from "../../src/shell/room";
import type { AnySkin } from "../../src/skin";

const kMatch = "00112233445566778899aabbccddeeff";
const frame = {
  type: "room",
  room: "BCDFGH",
  match: kMatch,
  status: "over",
  game: "chess",
  seats: [
    { seat: 0, kind: "human", name: "Ada", presence: "here" },
    { seat: 1, kind: "bot", level: "greedy" },
  ],
} as unknown as RoomFrame;

/** Each step is made by whom the one before asked. */
const made: [by: ReplayStep["by"], asks: number][] = [
  [undefined, 0],
  ["player", 1],
  ["bot", 0],
  ["clock", 0],
  ["bot", 1],
];
const steps = made.map(([by, asks], rev) => ({
  rev,
  by,
  decisions: [{ id: rev + 1, kind: "turn", seats: [asks] }],
  table: {},
  happened: [],
  seats: [{}, {}],
})) as unknown as ReplayStep[];

let place: HTMLElement;
beforeEach(async () => {
  await speak("en");
  place = document.createElement("div");
  document.body.append(place);
});
afterEach(() => {
  render(null, place);
  place.remove();
});

/** What the server has thought out, in two pieces. */
const reviews = [
  { more: true, review: { steps: 4, looked_at: 0, acts: [] } },
  {
    more: false,
    review: {
      steps: 4,
      looked_at: 4,
      acts: [{ rev: 1, seat: 0, action: { do: "pass" }, better: { do: "take", row: 2 }, wins: 9 }],
    },
  },
];
const connection = (answers: unknown[]) =>
  ({
    request: () => {
      const answer = answers.shift();
      return answer === undefined ? Promise.reject(new Error("busy")) : Promise.resolve(answer);
    },
  }) as unknown as Connection;

test("the moves that cost most say so, and what would have been better", async () => {
  const room = new Room(connection([...reviews]), "BCDFGH", false);
  room.room.value = frame;
  room.past.value = { match: kMatch, steps };
  const page = { room, frame, skin: genericSkin("chess"), last: steps.length - 1, close: () => {} };
  await act(() => render(<Replay {...page} from={1} />, place));
  const said = () => place.querySelector(".banner")!.textContent;
  expect(said()).toBe("");
  await vi.waitFor(() => expect(room.review.value?.acts.length).toBe(1), { timeout: 120_000 });
  await act(() => {});
  expect(said()).toBe("That cost 9 of 100 games. Better: take · row 2.");
  expect(
    [...place.querySelectorAll("#replay-marks option")].map((mark) => mark.getAttribute("value")),
  ).toEqual(["1"]);
});

const games = import.meta.glob<{ skin: AnySkin }>("../../src/games/*/index.ts", { eager: true });
const tables = import.meta.glob<{ default: { room: RoomFrame; view: ViewFrame }[] }>(
  "../fixtures/*.json",
  { eager: true },
);

test.each(["en", "de", "fr"] as const)(
  "a game says what would have been better in its own words: %s",
  async (language) => {
    await speak(language);
    const t = translation.value;
    const said = new Set<string>();
    for (const [path, { skin }] of Object.entries(games)) {
      const game = path.split("/").at(-2)!;
      for (const { room, view } of tables[`../fixtures/${game}.json`]!.default) {
        for (const { action } of view.legal ?? []) {
          const scene = { me: view.seat, seats: room.seats, name: (seat: number) => `Ada ${seat}` };
          const text = skin.actText!(action, view as never, scene, t);
          expect(text, JSON.stringify(action)).not.toMatch(/[{}_]|undefined|^screen/);
          said.add(`${game} ${(action as { do: string }).do}`);
        }
      }
    }
    // Each kind of act that the tables offer.
    expect(said.size).toBeGreaterThan(10);
  },
);

test("moves of the clock and of a bot in somebody's place are labelled", async () => {
  const room = new Room(connection([]), "BCDFGH", false);
  room.room.value = frame;
  room.past.value = { match: kMatch, steps };
  const last = steps.length - 1;
  await act(() =>
    render(
      <Replay
        room={room}
        frame={frame}
        skin={genericSkin("chess")}
        last={last}
        from={0}
        close={() => {}}
      />,
      place,
    ),
  );
  const said: string[] = [];
  for (let step = 0; step <= last; ++step) {
    said.push(place.querySelector(".banner")!.textContent!);
    await act(() => place.querySelector<HTMLElement>('[aria-label="One step on"]')!.click());
  }
  expect(said).toEqual([
    "The game begins.",
    "",
    "",
    "Time was up: a bot moved.",
    "A bot moved for the player.",
  ]);
  expect(place.querySelector("main")!.dataset.rev).toBe(String(last));
});
