// The skin of Triangle Mayhem on tables that a real server sent: every legal act can be reached, and
// none that is not legal; each event has its sentence.
// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import path from "node:path";
import { render } from "preact";
import { act } from "preact/test-utils";
import { describe, expect, test } from "vitest";
import { skin } from "../../src/games/mayhem";
import type { Action, Event, Options, View } from "../../src/games/mayhem/words";
import { kLanguages, translator, type Language, type Messages } from "../../src/i18n";
import type { RoomFrame } from "../../src/protocol/wire.gen";
import frames from "../fixtures/mayhem.json";

const root = path.resolve(import.meta.dirname, "../../../..");
const speak = (language: Language) => {
  const file = path.join(root, "i18n", `${language}.json`);
  return translator(JSON.parse(readFileSync(file, "utf8")) as Messages, language);
};
const english = speak("en");
const settings = { motion_ms: 0, confirm: "never", theme: "light", shortcuts: true } as const;

interface Recorded {
  name: string;
  room: RoomFrame;
  view: View;
}
const recorded = frames as unknown as Recorded[];
const sceneOf = ({ room, view }: Recorded) => ({
  me: view.seat,
  seats: room.seats,
  name: (seat: number) => room.seats[seat]!.name!,
});

function shown(frame: Recorded) {
  const host = document.createElement("div");
  document.body.append(host);
  const sent: Action[] = [];
  act(() =>
    render(
      <skin.Board
        {...sceneOf(frame)}
        view={frame.view}
        options={frame.room.options as Options}
        legal={frame.view.legal ?? []}
        act={(action) => sent.push(action)}
        announce={() => {}}
        t={english}
        settings={settings}
        live
      />,
      host,
    ),
  );
  const buttons = () => [...host.querySelectorAll("button")].filter((button) => !button.disabled);
  return { host, sent, buttons, end: () => (render(null, host), host.remove()) };
}

for (const frame of recorded) {
  test(`every legal act can be reached, and nothing else: ${frame.name}`, () => {
    const found = new Set<string>();
    const first = shown(frame);
    const count = first.buttons().length;
    first.end();
    for (let i = 0; i < count; ++i) {
      const board = shown(frame);
      act(() => board.buttons()[i]!.click());
      const more = board.sent.length > 0 ? 0 : board.buttons().length;
      for (let j = 0; j < more; ++j) act(() => board.buttons()[j]?.click());
      for (const action of board.sent) found.add(JSON.stringify(action));
      board.end();
    }
    const legal = (frame.view.legal ?? []).map(({ action }) => JSON.stringify(action));
    expect([...found].sort()).toEqual([...new Set(legal)].sort());
  });
}

const red = { cut: "centered", color: "red" } as const;
const kSentences: [Event, Record<Language, string>][] = [
  [
    {
      event: "play",
      seat: 0,
      triangle: 1,
      how: "start",
      fast: false,
      card: { cut: "vertical", number: 2, color: "red" },
    },
    {
      en: "Ada starts triangle 1 with vertical 2 red.",
      de: "Ada beginnt Dreieck 1 mit senkrecht 2 rot.",
      fr: "Ada commence le triangle 1 avec vertical 2 rouge.",
    },
  ],
  [
    {
      event: "triangle",
      seat: 0,
      triangle: 1,
      cards: [1, 2, 3].map((number) => ({ ...red, number })),
      pure: true,
      points: 6,
    },
    {
      en: "Ada takes centered 1 red, centered 2 red and centered 3 red: 6 points, a pure triangle.",
      de: "Ada nimmt mittig 1 rot, mittig 2 rot und mittig 3 rot: 6 Punkte, ein reines Dreieck.",
      fr: "Ada prend centré 1 rouge, centré 2 rouge et centré 3 rouge : 6 points, un triangle pur.",
    },
  ],
  [
    { event: "draw", seat: 0, count: 1 },
    { en: "Ada draws a card.", de: "Ada zieht eine Karte.", fr: "Ada pioche une carte." },
  ],
  [
    { event: "skip", seat: 0 },
    {
      en: "Ada has no cards left.",
      de: "Ada hat keine Karten mehr.",
      fr: "Ada n’a plus de cartes.",
    },
  ],
  [
    { event: "window_open", seat: 0, cards: 3 },
    { en: "Ada may play fast.", de: "Ada darf schnell spielen.", fr: "Ada peut jouer vite." },
  ],
  [
    { event: "over", scores: [3, 6], winners: [1] },
    {
      en: "The game is over. The winner is Karl.",
      de: "Das Spiel ist aus. Es gewinnt Karl.",
      fr: "La partie est finie. Vainqueur : Karl.",
    },
  ],
];

describe("each event in each language", () => {
  const scene = { me: 1, seats: [], name: (seat: number) => ["Ada", "Karl"][seat]! };
  const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, " ");
  for (const language of kLanguages) {
    for (const [event, sentences] of kSentences) {
      test(`${language}: ${event.event}`, () => {
        const t = speak(language);
        const { key, values } = skin.describe(event, scene, t)!;
        expect(plain(t(key, values))).toBe(plain(sentences[language]));
      });
    }
  }
});

test("the result is the server's", () => {
  for (const frame of recorded.filter(({ name }) => name.endsWith("over"))) {
    const { totals, winners } = skin.result(frame.view)!;
    expect(totals).toEqual(frame.view.table.seats.map(({ sheet }) => sheet!.points));
    expect(winners).toEqual(frame.view.table.winners);
  }
});
