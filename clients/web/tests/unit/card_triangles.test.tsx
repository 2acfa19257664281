// The skin of 21/15/9-Card Triangles on tables that a real server sent: every legal act can be
// reached by taps, and none that is not legal; warnings, calls and dialogs; each event's sentence.
// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import path from "node:path";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, test } from "vitest";
import { skin } from "../../src/games/card_triangles";
import { flightsOf } from "../../src/games/card_triangles/flight";
import {
  isDeadEnd,
  spotOf,
  spotsOf,
  triangles,
  type Action,
  type Event,
  type Options,
  type View,
} from "../../src/games/card_triangles/words";
import { kLanguages, translator, type Language, type Messages } from "../../src/i18n";
import type { RoomFrame } from "../../src/protocol/wire.gen";
import type { Settings } from "../../src/skin";
import { cardText, type Card } from "../../src/triangles/pieces";
import frames from "../fixtures/card_triangles.json";

const root = path.resolve(import.meta.dirname, "../../../..");
const speak = (language: Language) => {
  const file = path.join(root, "i18n", `${language}.json`);
  return translator(JSON.parse(readFileSync(file, "utf8")) as Messages, language);
};
const english = speak("en");

interface Recorded {
  name: string;
  room: RoomFrame;
  view: View;
}
const recorded = frames as unknown as Recorded[];
const find = (name: string) => recorded.find((each) => each.name === name)!;
const sceneOf = ({ room, view }: Recorded) => ({
  me: view.seat,
  seats: room.seats,
  name: (seat: number) => room.seats[seat]!.name!,
});

function shown(frame: Recorded, confirm: Settings["confirm"] = "taking") {
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
        settings={{ motion_ms: 0, confirm, theme: "light", shortcuts: true }}
        live
      />,
      host,
    ),
  );
  const able = (selector: string) =>
    [...host.querySelectorAll<HTMLButtonElement>(selector)].find(
      (each) => !each.disabled && each.getAttribute("aria-disabled") !== "true",
    );
  /** Whether there was such a button to be tapped. */
  const tap = (selector: string): boolean => {
    const button = able(selector);
    if (button) act(() => button.click());
    return button !== undefined;
  };
  return { host, sent, tap, able };
}
type Shown = ReturnType<typeof shown>;

/** The taps that lead to an act, as a person would make them. */
function take(board: Shown, action: Action): void {
  const spot = (card: Card, from: "hand" | "saved") => `[data-at="${spotOf(card, from)}"]`;
  const byText = (selector: string, text: string) => {
    const found = [...board.host.querySelectorAll<HTMLButtonElement>(selector)].find((each) =>
      each.textContent!.includes(text),
    );
    expect(found, text).toBeDefined();
    act(() => found!.click());
  };
  switch (action.do) {
    case "draw":
      board.tap(`[data-at=${action.from}]`);
      break;
    case "discard":
      board.tap(spot(action.card, "hand"));
      board.tap("[data-act=discard]");
      break;
    case "complete":
      for (const each of spotsOf(action)) {
        const button = board.able(`[data-at="${each}"]`)!;
        expect(button, each).toBeDefined();
        if (button.getAttribute("aria-pressed") !== "true") act(() => button.click());
      }
      if (board.host.querySelectorAll(".ct-way").length > 0) {
        byText(".ct-way", `Save ${cardText(english, action.save[0]!)}`);
      } else board.tap("[data-role=commit]");
      break;
    case "joker":
      board.tap(spot(action.card, "hand"));
      if (action.steal) {
        const heads = [...board.host.querySelectorAll(".ct-joker section")];
        const from = heads.find((each) =>
          each.getAttribute("aria-labelledby")!.endsWith(`-${action.steal!.seat}`),
        )!;
        const way = [...from.querySelectorAll<HTMLButtonElement>(".ct-way")].find((each) =>
          each.textContent!.includes(cardText(english, action.steal!.card)),
        )!;
        act(() => way.click());
      } else board.tap(".ct-joker .primary");
      break;
    case "end":
      byText(".ct-bar button", action.last_round ? "Call" : "End");
      break;
  }
  if (board.sent.length === 0) board.tap("[data-role=commit]");
}

function clear(): void {
  for (const host of document.body.children) render(null, host);
  document.body.innerHTML = "";
}
afterEach(clear);

describe("every legal act can be reached by taps", () => {
  const asking = recorded.filter(({ name, view }) => view.legal?.length && !name.endsWith("start"));
  for (const frame of asking) {
    // One way of asking is enough for most: they differ by a step, not by what can be reached.
    const all = ["two_call", "six_discard", "three_joker"].includes(frame.name);
    for (const confirm of all ? (["never", "taking", "always"] as const) : (["taking"] as const)) {
      test(`${frame.name}, asked again: ${confirm}`, () => {
        for (const { action } of frame.view.legal!) {
          const board = shown(frame, confirm);
          take(board, action);
          expect(board.sent).toEqual([action]);
        }
      });
    }
  }

  test("the fixture has every kind of act", () => {
    const acts = recorded.flatMap(({ view }) => (view.legal ?? []).map(({ action }) => action));
    const kinds = new Set(acts.map((each) => each.do));
    expect([...kinds].sort()).toEqual(["complete", "discard", "draw", "end", "joker"]);
    expect(acts.some((each) => each.do === "joker" && each.steal)).toBe(true);
    expect(acts.some((each) => each.do === "end" && each.last_round)).toBe(true);
  });
});

test("any hundred taps send what is legal, or nothing", () => {
  let seed = 7;
  const chance = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (const frame of recorded) {
    const legal = (frame.view.legal ?? []).map(({ action }) => JSON.stringify(action));
    const board = shown(frame);
    for (let taps = 0; taps < 100; ++taps) {
      const buttons = [...board.host.querySelectorAll<HTMLButtonElement>("button:enabled")];
      if (buttons.length > 0) act(() => buttons[chance(buttons.length)]!.click());
    }
    for (const action of board.sent) expect(legal).toContain(JSON.stringify(action));
  }
});

test("the button shows one triangle after the other", () => {
  const board = shown(find("two_first"));
  const seen = new Set<string>();
  const count = Number(/\d+/.exec(board.able(".ct-next")!.textContent!)![0]);
  const next = () =>
    act(
      () => void document.dispatchEvent(new KeyboardEvent("keydown", { key: "t", code: "KeyT" })),
    );
  next();
  for (let i = 0; i < count; ++i) {
    const chosen = [...board.host.querySelectorAll(".ct-card[aria-pressed=true]")];
    seen.add(chosen.map((each) => each.getAttribute("data-at")).join());
    next();
  }
  expect(seen.size).toBe(count);
});

test("a call that may be made is offered first; a bluff is not", () => {
  const sure = shown(find("two_call"));
  expect(sure.able(".ct-bar .primary")!.textContent).toMatch(/^Call the last round/);
  const bluff = shown(find("three_call"));
  expect(bluff.able(".ct-bar .primary")!.textContent).toMatch(/^End without calling/);
  expect(bluff.able(".ct-call")).toBeDefined();
});

test("who leaves the game by an act is warned", () => {
  const piece = (cut: Card["cut"], number: number): Card => ({ cut, number, color: "red" });
  expect(isDeadEnd(2, [])).toBe(true);
  expect(isDeadEnd(2, [piece("vertical", 1)])).toBe(false);
  expect(isDeadEnd(1, [piece("vertical", 1), piece("centered", 2)])).toBe(true);
  expect(isDeadEnd(1, [piece("vertical", 1), piece("vertical", 2)])).toBe(false);
  expect(isDeadEnd(3, [])).toBe(false);
  const frame = find("two_call");
  const table = structuredClone(frame.view.table);
  table.seats[frame.view.seat!]!.saved = [];
  const board = shown({ ...frame, view: { ...frame.view, table } });
  expect(board.host.querySelector(".ct-warning")?.textContent).toContain("dead end");
});

test("saved pieces are put together as far as they go", () => {
  const saved = find("two_over").view.table.seats[0]!.saved;
  const made = triangles(saved);
  expect(made.flat().length).toBe(saved.length);
  for (const each of made) {
    expect(new Set(each.map(({ cut }) => cut)).size).toBe(1);
    expect(new Set(each.map(({ number }) => number)).size).toBe(each.length);
  }
});

test("cards fly between hand, piles and what is saved", () => {
  const v2: Card = { cut: "vertical", number: 2, color: "red" };
  const v3: Card = { cut: "vertical", number: 3, color: "red" };
  const happened: Event[] = [
    { event: "drew", seat: 1, from: "pile" },
    { event: "drew", seat: 0, from: "discard", card: v2 },
    { event: "discarded", seat: 1, card: v3 },
    { event: "completed", seat: 0, pieces: [], pure: false, saved: [v2], discarded: [v3] },
    { event: "joker", seat: 1, card: { cut: "vertical", color: "red" } },
    { event: "stole", seat: 1, victim: 0, card: v2 },
  ];
  const scene = { me: 0, seats: [], name: () => "" };
  expect(flightsOf(happened, scene).map(({ from, to }) => `${from} ${to}`)).toEqual([
    "pile seat-1",
    "discard hand-v2r",
    "seat-1 discard",
    "hand-v3r discard",
    "hand-v2r saved-v2r",
    "seat-1 jokers",
    "saved-v2r seat-1",
  ]);
});

const v = (number: number): Card => ({ cut: "vertical", number, color: "red" });
const kSentences: [Event, Record<Language, string>][] = [
  [
    { event: "drew", seat: 0, from: "discard", card: v(2) },
    {
      en: "Ada draws vertical 2 red from the discard pile.",
      de: "Ada zieht Rot 2 senkrecht vom Ablagestapel.",
      fr: "Ada pioche vertical 2 rouge dans la défausse.",
    },
  ],
  [
    { event: "drew", seat: 0, from: "pile" },
    { en: "Ada draws a card.", de: "Ada zieht eine Karte.", fr: "Ada pioche une carte." },
  ],
  [
    { event: "discarded", seat: 0, card: { cut: "centered", color: "pink" } },
    {
      en: "Ada discards joker (centered, pink).",
      de: "Ada wirft Joker (zur Mitte, rosa) ab.",
      fr: "Ada défausse joker (centré, rose).",
    },
  ],
  [
    {
      event: "completed",
      seat: 0,
      pieces: [1, 2, 3].map((number) => ({ card: v(number), from: "hand" as const })),
      pure: true,
      saved: [v(1), v(2), v(3)],
      discarded: [],
    },
    {
      en: "Ada completes a pure triangle: vertical 1 red, vertical 2 red and vertical 3 red. Ada saves vertical 1 red, vertical 2 red and vertical 3 red.",
      de: "Ada vollendet ein reines Dreieck: Rot 1 senkrecht, Rot 2 senkrecht und Rot 3 senkrecht. Ada behält Rot 1 senkrecht, Rot 2 senkrecht und Rot 3 senkrecht.",
      fr: "Ada complète un triangle pur : vertical 1 rouge, vertical 2 rouge et vertical 3 rouge. Ada garde vertical 1 rouge, vertical 2 rouge et vertical 3 rouge.",
    },
  ],
  [
    { event: "joker", seat: 0, card: { cut: "vertical", color: "green" } },
    {
      en: "Ada plays the joker vertical green.",
      de: "Ada spielt den Joker Grün senkrecht.",
      fr: "Ada joue le joker vertical vert.",
    },
  ],
  [
    { event: "stole", seat: 0, victim: 1, card: v(3) },
    {
      en: "Ada takes vertical 3 red from you.",
      de: "Ada nimmt Rot 3 senkrecht von dir.",
      fr: "Ada vous prend vertical 3 rouge.",
    },
  ],
  [
    { event: "last_round", seat: 0 },
    {
      en: "Ada calls the last round!",
      de: "Ada sagt die letzte Runde an!",
      fr: "Ada annonce le dernier tour !",
    },
  ],
  [
    { event: "dead_end", seat: 0, hand: [v(1)], saved: [] },
    {
      en: "Ada is in a dead end and out of the game. Hand: vertical 1 red. Saved: none.",
      de: "Ada steckt in einer Sackgasse und ist aus dem Spiel. Hand: Rot 1 senkrecht. Behalten: nichts.",
      fr: "Ada est dans une impasse et hors du jeu. Main : vertical 1 rouge. Réserve : rien.",
    },
  ],
  [
    { event: "over", winners: [0], reason: "played_out" },
    {
      en: "Ada has no cards left and wins.",
      de: "Ada hat keine Karten mehr und gewinnt.",
      fr: "Ada n’a plus de cartes et gagne.",
    },
  ],
];

describe("each event in each language", () => {
  const scene = { me: 1, seats: [], name: (seat: number) => ["Ada", "Karl"][seat]! };
  const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, " ");
  for (const language of kLanguages) {
    for (const [event, sentences] of kSentences) {
      test(`${language}: ${event.event} ${"from" in event ? event.from : ""}`, () => {
        const t = speak(language);
        const { key, values } = skin.describe(event, scene, t)!;
        expect(plain(t(key, values))).toBe(plain(sentences[language]));
      });
    }
  }

  test("the turns themselves say nothing", () => {
    expect(skin.describe({ event: "turn", seat: 0 }, scene, english)).toBeUndefined();
    expect(skin.describe({ event: "ended", seat: 0 }, scene, english)).toBeUndefined();
  });
});

test("the result is the server's, and the sheet says why", () => {
  for (const frame of recorded.filter(({ name }) => name.endsWith("over"))) {
    const { table } = frame.view;
    expect(skin.result(frame.view)).toEqual({ totals: [], winners: table.winners });
    const host = document.createElement("div");
    const props = { ...sceneOf(frame), view: frame.view, options: {}, t: english };
    const settings = { motion_ms: 0, confirm: "never", theme: "light", shortcuts: true } as const;
    act(() => render(<skin.ScoreSheet {...props} settings={settings} />, host));
    const left = [...host.querySelectorAll("[data-total]")].map((each) => each.textContent);
    const order = skin.ranking!(frame.view);
    expect(table.winners).toContain(order[0]);
    const cards = (seat: number) => (table.seats[seat]!.out ? "\u2013" : table.seats[seat]!.hand);
    expect(left).toEqual(order.map((seat) => String(cards(seat))));
    expect([...left].sort((a, b) => Number(a) - Number(b))).toEqual(left);
    expect(skin.decided!(frame.view, props, english)).toContain("has no cards left and wins");
    expect(host.querySelectorAll(".won").length).toBe(table.winners!.length);
  }
});

describe("a card that can do nothing says why, until the next tap", () => {
  const why = (frame: Recorded, card: (from: HTMLElement) => Element | null | undefined) => {
    const board = shown(frame);
    act(() => (card(board.host) as HTMLElement).click());
    expect(board.sent).toEqual([]);
    return board.host.querySelector(".ct-why")?.textContent;
  };
  const unable = (at: string) => (host: HTMLElement) =>
    host.querySelector(`.ct-card[aria-disabled="true"][data-at^="${at}"]`);
  const find = (name: string) => recorded.find((each) => each.name === name)!;

  test("the turn of somebody else", () => {
    const frame = recorded.find(
      ({ view }) =>
        view.table.turn !== undefined && view.table.turn !== view.seat && view.mine?.hand.length,
    )!;
    expect(why({ ...frame, view: { ...frame.view, legal: [] } }, unable("hand"))).toMatch(
      /is to play/,
    );
  });

  test("what is saved is not discarded", () => {
    expect(why(find("three_discard"), unable("saved"))).toMatch(/What is saved stays/);
  });

  test("a joker without a triangle", () => {
    const frame = recorded.find(
      ({ view }) =>
        view.legal?.some(({ action }) => action.do === "draw") &&
        view.mine?.hand.some((card) => card.number === undefined),
    )!;
    const joker = frame.view.mine!.hand.find((card) => card.number === undefined)!;
    const told = why(frame, unable(spotOf(joker, "hand")));
    expect(told).toBe("A joker follows a triangle that it fits, in cut or colour.");
  });
});

describe("Enter does what is offered first", () => {
  test("a call that may be made has the focus before the end of the turn", () => {
    const { host } = shown(find("two_call"));
    expect(host.querySelector("[data-first]")!.matches(".ct-call")).toBe(true);
  });

  test("in a joker's dialog the focus is on what the joker does", () => {
    const board = shown(find("three_joker"));
    board.tap(".ct-card.can[data-at*=J]");
    expect(document.activeElement!.closest(".ct-joker")).not.toBeNull();
  });

  test("where only pieces can be tapped, the first of them is the next thing", () => {
    const frame = find("three_first");
    const legal = frame.view.legal!.filter(({ action }) => action.do === "complete");
    expect(legal.length).toBeGreaterThan(0);
    const { host } = shown({ ...frame, view: { ...frame.view, legal } });
    expect(host.querySelector("[data-first]")!.matches(".ct-card.can")).toBe(true);
  });

  test("arrows lead from one way to save to the next", () => {
    for (const frame of recorded) {
      clear();
      const board = shown(frame);
      if (!board.tap(".ct-next")) continue;
      const ways = [...board.host.querySelectorAll<HTMLElement>(".ct-way")];
      if (ways.length < 2) continue;
      ways[0]!.focus();
      const event = { key: "ArrowRight", bubbles: true, cancelable: true };
      act(() => void ways[0]!.dispatchEvent(new KeyboardEvent("keydown", event)));
      expect(document.activeElement).toBe(ways[1]);
      return;
    }
    expect.unreachable("no frame has several ways");
  });
});

describe("number keys choose among several", () => {
  const digit = (each: number) =>
    act(() => {
      const event = { key: String(each), code: `Digit${each}`, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", event));
    });

  test("the piece that is saved", () => {
    let seen = 0;
    for (const frame of recorded) {
      clear();
      const board = shown(frame);
      if (!board.tap(".ct-next")) continue;
      const ways = [...board.host.querySelectorAll(".ct-way")];
      if (ways.length < 2) continue;
      digit(2);
      const [sent] = board.sent as Extract<Action, { do: "complete" }>[];
      expect(ways[1]!.textContent).toContain(cardText(english, sent!.save[0]!));
      ++seen;
    }
    expect(seen).toBeGreaterThan(0);
  });

  test("what a joker does", () => {
    const frame = find("three_joker");
    const count = frame.view.legal!.filter(({ action }) => action.do === "joker").length;
    const first = shown(frame);
    first.tap(".ct-card.can[data-at*=J]");
    const buttons = first.host.querySelectorAll("dialog .ct-joker button").length;
    expect(Math.min(count, buttons)).toBeGreaterThan(1);
    for (let number = 1; number <= buttons; ++number) {
      clear();
      const [byKey, byTap] = [shown(frame), shown(frame)];
      byTap.tap(".ct-card.can[data-at*=J]");
      act(() =>
        byTap.host.querySelectorAll<HTMLElement>("dialog .ct-joker button")[number - 1]!.click(),
      );
      render(null, byTap.host);
      byKey.tap(".ct-card.can[data-at*=J]");
      digit(number);
      expect(byKey.sent).toEqual(byTap.sent);
      expect(byKey.sent.length).toBe(1);
    }
  });
});

describe("Enter, where nothing has the focus that could be pressed", () => {
  const press = () =>
    act(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      const event = { key: "Enter", bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", event));
    });

  test("discards what is chosen", () => {
    const board = shown(find("three_discard"));
    press();
    act(() => board.able(".ct-card.can")!.click());
    expect(board.sent).toEqual([]);
    press();
    expect(board.sent.map((each) => each.do)).toEqual(["discard"]);
  });

  test("completes a triangle that saves in one way, and leads to the choice among several", () => {
    const seen = new Set<boolean>();
    for (const frame of recorded) {
      clear();
      const board = shown(frame);
      if (!board.tap(".ct-next") || !board.able("[data-role=commit]")) continue;
      const several = board.able(".ct-way") !== undefined;
      press();
      expect(board.sent.length, frame.name).toBe(several ? 0 : 1);
      if (several) expect(document.activeElement?.matches(".ct-way")).toBe(true);
      seen.add(several);
    }
    expect(seen).toEqual(new Set([true, false]));
  });
});
