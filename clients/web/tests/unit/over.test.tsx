// The end in words: how an equality was decided, what this device has counted, and which button is which.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { skin } from "../../src/games/triqueta";
import type { View } from "../../src/games/triqueta/words";
import { speak, translation } from "../../src/i18n";
import type { RoomFrame } from "../../src/protocol/wire.gen";
import { announcements } from "../../src/shell/app_state";
import type { Connection } from "../../src/shell/connection";
import { loadSkin } from "../../src/shell/games_known";
import { Over } from "../../src/shell/over";
import { countPlayed } from "../../src/shell/played";
import { Room } from "../../src/shell/room";
import { sceneOf } from "../../src/shell/scene";
import frames from "../fixtures/triqueta.json";

const found = frames.find(({ name }) => name === "wolves_over") as unknown as {
  room: RoomFrame;
  view: View;
};
type Sheet = NonNullable<View["table"]["scores"]>[number];

let place: HTMLElement;
beforeEach(async () => {
  await speak("en");
  await loadSkin("triqueta");
  localStorage.clear();
  place = document.createElement("div");
});
afterEach(() => render(null, place));

/** By seat: points, and tokens. */
type Sheets = [total: number, tokens: number][];
const kByTokens: Sheets = [
  [12, 19],
  [12, 22],
  [9, 30],
];
const kTogether: Sheets = [
  [12, 19],
  [12, 19],
  [9, 30],
];
const kByPoints: Sheets = [
  [9, 19],
  [12, 22],
  [9, 30],
];

/** The end of the recorded game, had each seat had so many points and tokens. */
function ended(sheets: Sheets, winners: number[]): View {
  const { table } = found.view;
  const scores = table.scores!.map((sheet, seat): Sheet => {
    const [total, tokens] = sheets[seat]!;
    return { ...sheet, total, tokens };
  });
  return { ...found.view, table: { ...table, scores, winners } };
}

async function show(view: View, room = found.room): Promise<void> {
  const of = new Room({} as Connection, room.room, false);
  const scene = sceneOf(room, view.seat, translation.value);
  await act(() =>
    render(
      <Over
        fresh={false}
        room={of}
        frame={room}
        view={view as never}
        skin={skin}
        scene={scene}
        look={() => {}}
        replay={() => {}}
      />,
      place,
    ),
  );
}

describe("how an equality was decided stands under who has won", () => {
  const decided = () => place.querySelector("h1 + .over-decided")?.textContent;
  const name = (seat: number) => found.room.seats[seat]!.name!;

  test("by tokens, with their counts, and it is spoken", async () => {
    await show(ended(kByTokens, [1]));
    const wanted = `Equal points, so the tokens decide: ${name(1)} has 22 and ${name(0)} has 19.`;
    expect(decided()).toBe(wanted);
    expect(announcements.value.map(({ text }) => text)).toContain(wanted);
  });

  test("not at all: with equally many tokens they win together", async () => {
    await show(ended(kTogether, [0, 1]));
    expect(decided()).toBe("Equal points and equally many tokens: 19 each.");
  });

  test("nothing is said where the points have decided, though others are equal", async () => {
    await show(ended(kByPoints, [1]));
    expect(decided()).toBeUndefined();
  });

  test.each(["de", "fr"] as const)("%s", async (language) => {
    await speak(language);
    await show(ended(kByTokens, [1]));
    expect(decided()).toMatch(/22.*19/);
  });
});

test("what this device has counted is of the whole game, and is called so", async () => {
  countPlayed("triqueta", "1".repeat(32), true);
  countPlayed("triqueta", "2".repeat(32), false);
  await show(found.view);
  expect(place.querySelector(".over-head p")!.textContent).toBe("Hidden Wolves");
  expect(place.querySelector(".over-played")!.textContent).toBe(
    "On this device: 2 games of Triqueta, 1 won.",
  );
});

test("the look back stands beside another game, and no other button is like it", async () => {
  await show(found.view);
  const words = (where: string) =>
    [...place.querySelectorAll(`${where} :is(button, a)`)].map(({ textContent }) => textContent);
  expect(words(".over-first")).toContain("Look back");
  expect(words(".over-doors")).not.toContain("Look back");
  expect(words(".over-doors")).toContain("The table as it ended");
});

test("bots have a mark in the places", async () => {
  const seats = found.room.seats.map((seat) =>
    seat.seat === 1 ? { ...seat, kind: "bot" as const } : seat,
  );
  await show(found.view, { ...found.room, seats });
  expect(place.querySelectorAll(".standings li").length).toBe(3);
  expect(place.querySelectorAll(".standings .bot-mark").length).toBe(1);
});
