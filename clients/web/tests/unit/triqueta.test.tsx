// The skin of Triqueta on tables that a real server sent (tests/fixtures): every legal act can be
// reached, and none that is not legal; big moves are asked for again; each event has its sentence.
// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import path from "node:path";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, test } from "vitest";
import { skin } from "../../src/games/triqueta";
import { controlsOf } from "../../src/games/triqueta/controls";
import { tokenFlights } from "../../src/games/triqueta/flight";
import type { Action, Event, Options, View } from "../../src/games/triqueta/words";
import { kLanguages, translator, type Language, type Messages } from "../../src/i18n";
import type { RoomFrame } from "../../src/protocol/wire.gen";
import type { Settings } from "../../src/skin";
import frames from "../fixtures/triqueta.json";

const root = path.resolve(import.meta.dirname, "../../../..");
const translators = Object.fromEntries(
  kLanguages.map((language) => {
    const file = path.join(root, "i18n", `${language}.json`);
    return [language, translator(JSON.parse(readFileSync(file, "utf8")) as Messages, language)];
  }),
) as Record<Language, ReturnType<typeof translator>>;

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
const kSettings: Settings = { motion_ms: 0, confirm: "never", theme: "light", shortcuts: true };

/** A board of its own, and what it sent. */
function shown(frame: Recorded, settings: Partial<Settings> = {}, language: Language = "en") {
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
        t={translators[language]}
        settings={{ ...kSettings, ...settings }}
        live
      />,
      host,
    ),
  );
  const buttons = () =>
    [...host.querySelectorAll<HTMLButtonElement>("button")].filter(
      (button) =>
        !button.disabled &&
        button.ariaDisabled !== "true" &&
        button.getAttribute("aria-disabled") !== "true" &&
        !button.matches(".tq-strip"),
    );
  const end = () => {
    render(null, host);
    host.remove();
  };
  return { host, sent, buttons, end };
}

/** Every act that some taps lead to; at most `depth` of them. */
function reachable(frame: Recorded, settings: Partial<Settings>, depth = 4): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (let ways: number[][] = [[]]; ways.length > 0;) {
    const longer: number[][] = [];
    for (const taps of ways) {
      const board = shown(frame, settings);
      for (const tap of taps) act(() => board.buttons()[tap]!.click());
      const asked = board.host.querySelector(".tq-bar [data-role=commit]");
      // Two tokens of one animal are asked for in the same words.
      const state = (asked ? taps.join() : "") + board.host.innerHTML;
      for (const action of board.sent) found.add(JSON.stringify(action));
      if (board.sent.length === 0 && !seen.has(state) && taps.length < depth) {
        seen.add(state);
        // What is asked for again can be said yes to. The button that leaves the column to chance, and
        // the way back, lead nowhere new.
        board.buttons().forEach((button, i) => {
          if (asked && button !== asked) return;
          if (!button.matches(".tq-draw, .tq-cancel")) longer.push([...taps, i]);
        });
      }
      board.end();
    }
    ways = longer;
  }
  return found;
}

afterEach(() => (document.body.innerHTML = ""));

describe("every legal act can be reached, and nothing else", () => {
  for (const frame of recorded) {
    // One way of asking each is enough for most: they differ by a step, not by what can be reached.
    const all = ["duo_two", "duo_turn", "base_full"].includes(frame.name);
    for (const confirm of all ? (["never", "taking", "always"] as const) : (["taking"] as const)) {
      test(`${frame.name}, asked again: ${confirm}`, () => {
        const legal = (frame.view.legal ?? []).map(({ action }) => JSON.stringify(action));
        expect([...reachable(frame, { confirm })].sort()).toEqual(legal.sort());
      });
    }
  }

  test("the fixture has every kind of act", () => {
    const kinds = recorded.flatMap(({ view }) => (view.legal ?? []).map(({ action }) => action.do));
    expect([...new Set(kinds)].sort()).toEqual([
      "discard",
      "draw",
      "keep",
      "place",
      "reveal",
      "take",
      "tower",
    ]);
  });

  test("the button that draws any token sends a legal draw", () => {
    for (const name of ["base_turn", "wolves_turn", "duo_turn"]) {
      const frame = find(name);
      const board = shown(frame);
      act(() => board.host.querySelector<HTMLButtonElement>(".tq-draw")!.click());
      const draws = controlsOf(frame.view.legal!).draw.map(({ action }) => action);
      expect(draws).toContainEqual(board.sent[0]);
      board.end();
    }
  });
});

describe("by keyboard", () => {
  const press = (key: string, code = "") =>
    act(() => {
      document.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true }));
    });

  test("a digit begins to take a row, Escape takes it back, Enter does it", () => {
    const board = shown(find("base_turn"), { confirm: "taking" });
    press("&", "Digit1");
    expect(board.sent).toEqual([]);
    press("Escape");
    expect(board.host.querySelector("[data-role=commit]")).toBeNull();
    press("&", "Digit1");
    press("Enter");
    expect(board.sent).toEqual([{ do: "take", row: 0 }]);
    board.end();
  });

  test("letters follow the language, and can be switched off with the digits", () => {
    for (const [language, draw] of [
      ["en", "d"],
      ["de", "z"],
      ["fr", "p"],
    ] as const) {
      const board = shown(find("base_turn"), {}, language);
      press(draw);
      expect(board.sent).toHaveLength(1);
      board.end();
      const silent = shown(find("base_turn"), { shortcuts: false }, language);
      press(draw);
      expect(silent.sent).toEqual([]);
      press("0", "Digit0");
      expect(silent.sent).toEqual([]);
      silent.end();
    }
  });

  test("9 hides, 8 puts into the box", () => {
    const board = shown(find("duo_two"));
    press("8", "Digit8");
    expect(board.sent[0]!.do).toBe("discard");
    press("9", "Digit9");
    expect(board.sent[1]!.do).toBe("keep");
    board.end();
  });

  test("columns, the other token and hidden tokens have digits", () => {
    const wolves = shown(find("wolves_turn"));
    act(() => {
      const how = { key: "#", code: "Digit4", shiftKey: true, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", how));
    });
    expect(wolves.sent).toEqual([{ do: "draw", columns: [3] }]);
    wolves.end();

    const two = shown(find("duo_two"));
    press("7", "Digit7");
    press("9", "Digit9");
    const tokens = find("duo_two").view.mine!.drawn.map(({ token }) => token);
    expect(two.sent).toEqual([{ do: "keep", token: tokens[1] }]);
    two.end();

    const ballot = shown(find("base_reveal"));
    const before = [...ballot.host.querySelectorAll(".tq-card")].map((each) =>
      each.getAttribute("aria-pressed"),
    );
    press("1", "Digit1");
    press("0", "Digit0");
    const keep = before.map((each, i) => (each === "true") !== (i === 0));
    expect(ballot.sent).toEqual([{ do: "reveal", keep }]);
    ballot.end();
  });

  test("the same tap takes back what is to be confirmed", () => {
    const board = shown(find("base_turn"), { confirm: "taking" });
    const tap = () => act(() => board.host.querySelector<HTMLElement>(".tq-row.can")!.click());
    tap();
    expect(board.host.querySelector("[data-role=commit]")).not.toBeNull();
    tap();
    expect(board.host.querySelector("[data-role=commit]")).toBeNull();
    expect(board.sent).toEqual([]);
    board.end();
  });

  test("the letters of the skin are not those of the shell", () => {
    for (const language of kLanguages) {
      const t = translators[language];
      const keys = [
        t("web.keys.log_key"),
        t("web.keys.mine_key"),
        t("web.keys.summary_key"),
        t("web.keys.mute_key"),
        t("web.triqueta.keys.draw_key"),
        t("web.triqueta.keys.keep_key"),
        t("web.triqueta.keys.discard_key"),
      ];
      expect(new Set(keys).size, language).toBe(keys.length);
    }
  });
});

test("the second half of a double tap does nothing", () => {
  const board = shown(find("base_resolve"));
  const row = board.host.querySelector<HTMLButtonElement>('.tq-row[data-act="place"]')!;
  const tap = (detail: number) =>
    act(() => {
      row.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
    });
  tap(2);
  expect(board.sent).toEqual([]);
  tap(1);
  expect(board.sent).toEqual([{ do: "place", token: 0, row: 0 }]);
  board.end();
});

describe("what a row brings", () => {
  /** The row of points that a board shows, in the words of the server. */
  const badges = (frame: Recorded) => {
    const board = shown(frame);
    const rows = [...board.host.querySelectorAll(".tq-row")].map((row) => ({
      points: row.querySelector(".tq-points")?.textContent ?? undefined,
      rock: row.querySelector(".tq-rock")?.textContent ?? undefined,
      heard: row.querySelector(".hidden")!.textContent!,
    }));
    board.end();
    return rows;
  };
  /** Three rows, the first with two bears, and what a server would say of them. */
  function table(phase: "turn" | "resolve", rock: number, taken: number[]): Recorded {
    const from = find(phase === "turn" ? "wolves_start" : "wolves_resolve");
    const me = from.view.seat!;
    const rows = [["bear", "bear"], [], []].map((tokens, row) =>
      taken.includes(row) ? { tokens: [], taken_by: (me + 1) % 3 } : { tokens },
    ) as View["table"]["rows"];
    const open = rows.flatMap((each, row) => (each.taken_by === undefined ? [row] : []));
    const change = Number(open.length === 1) - Number(rock === me);
    const brings = (row: number) => rows[row]!.tokens.length;
    const legal = open.map((row): NonNullable<View["legal"]>[number] =>
      phase === "turn"
        ? { action: { do: "take", row }, preview: brings(row) + change }
        : { action: { do: "place", token: 0, row }, preview: 0, worth: brings(row) + 1 },
    );
    return { ...from, view: { ...from.view, legal, table: { ...from.view.table, rows, rock } } };
  }
  const me = find("wolves_start").view.seat!;

  test("an empty row says the same of its animals whoever has the rock, and the rock apart", () => {
    for (const [rock, taken, mark] of [
      [me, [], "\u22121"],
      [me + 1, [], undefined],
      [me + 1, [0, 1], "+1"],
      // Who has it and takes the last row keeps it.
      [me, [0, 1], undefined],
    ] as const) {
      const row = badges(table("turn", rock, [...taken]))[2]!;
      expect(row.points).toBe("0");
      expect(row.rock).toBe(mark);
      expect(/rock/.test(row.heard)).toBe(mark !== undefined);
    }
  });

  test("placing says what taking then says", () => {
    const rows = badges(table("resolve", find("wolves_resolve").view.seat!, []));
    expect(rows.map(({ points }) => points)).toEqual(["+3", "+1", "+1"]);
    expect(rows.every(({ rock }) => rock === undefined)).toBe(true);
    expect(badges(table("turn", me, [])).map(({ points }) => points)).toEqual(["+2", "0", "0"]);
  });

  test("what is asked again says the same as its row, in words too", () => {
    for (const [rock, taken, words] of [
      [me, [], "and give up the rock"],
      [me + 1, [0, 1], "and get the rock"],
      [me + 1, [], "and get nothing"],
    ] as const) {
      const board = shown(table("turn", rock, [...taken]), { confirm: "taking" });
      act(() => board.host.querySelectorAll<HTMLElement>(".tq-row")[2]!.click());
      expect(board.host.querySelector(".tq-bar .tq-about")!.textContent).toContain(words);
      expect(board.host.querySelector(".tq-commit .tq-points")!.textContent).toBe("0");
      board.end();
    }
  });
});

describe("shadow tokens of my own", () => {
  /** A table of Hidden Wolves on which I have these. */
  function dark(shadow: string[], up: Record<string, number>, seen = true): Recorded {
    const frame = find("wolves_turn");
    const seats = frame.view.table.seats.map((seat, i) =>
      i === frame.view.seat ? { ...seat, up, down: 0, shadow: shadow.length } : seat,
    );
    const mine = seen ? { ...frame.view.mine!, down: [], shadow } : undefined;
    const view = { ...frame.view, mine, table: { ...frame.view.table, seats } } as View;
    return { ...frame, view };
  }
  const strip = (frame: Recorded) => {
    const board = shown(frame);
    const found = board.host.querySelector(".tq-strip")!;
    board.end();
    return found;
  };
  const dots = (found: Element, animal: string) =>
    [...found.querySelectorAll(`.tq-cell:has([data-at=mine-${animal}]) .tq-dots i`)]
      .map((each) => each.className || "none")
      .join(" ");

  test("stand in the place of their animal, apart from what lies open", () => {
    const found = strip(dark(["wolf", "wolf", "owl"], { owl: 1 }));
    expect(dots(found, "wolf")).toBe("dark dark none");
    expect(dots(found, "owl")).toBe("full dark none");
    expect(dots(found, "bear")).toBe("none none none");
    expect(found.querySelector(".hidden")!.textContent).toMatch(/2\s×\swolf and owl/);
    const more = strip(dark(["wolf", "wolf", "wolf", "wolf"], {}));
    expect(more.querySelector(".tq-dots.beyond.dark")!.textContent).toBe("3+1");
    expect(dots(strip(dark(["wolf"], {}, false)), "wolf")).toBe("none none none");
  });

  test("are one piece of each kind with how many there are", () => {
    const pieces = (found: Element) =>
      [...found.querySelectorAll(".tq-hidden .token")].map(
        (each) =>
          `${each.getAttribute("data-why")} ${each.querySelector(".count")?.textContent ?? 1}`,
      );
    expect(pieces(strip(dark(["wolf", "wolf", "wolf"], {})))).toEqual(["shadow 1", "wolf 3"]);
    // More kinds than there is room for: their back counts all.
    const many = strip(dark(["wolf", "wolf", "ram", "bear"], {}));
    expect(pieces(many)).toEqual(["shadow 4", "bear 1"]);
    expect(pieces(strip(dark(["wolf", "ram"], {})))).toEqual(["shadow 1", "wolf 1", "ram 1"]);
  });

  test("are explained once, when the first is drawn", async () => {
    const host = document.createElement("div");
    const from = dark([], {});
    const said: string[] = [];
    const see = (rev: number, shadow: string[], happened: Event[]) => {
      const frame = dark(shadow, {});
      act(() =>
        render(
          <skin.Board
            {...sceneOf(from)}
            view={{ ...frame.view, rev, happened }}
            options={from.room.options as Options}
            legal={[]}
            act={() => {}}
            announce={(text) => said.push(text)}
            t={translators.en}
            settings={kSettings}
            live
          />,
          host,
        ),
      );
      return host.querySelector(".tq-note")?.textContent;
    };
    const me = from.view.seat!;
    const drew = (seat: number, back: "light" | "shadow"): Event => ({
      event: "drew",
      seat,
      columns: [0],
      backs: [back],
    });
    const text = translators.en("web.triqueta.first_shadow");
    expect(see(1, [], [])).toBeUndefined();
    expect(see(2, ["wolf"], [drew(me, "shadow")])).toBe(text);
    await expect.poll(() => said).toEqual([text]);
    expect(see(3, ["wolf"], [drew(me + 1, "shadow")])).toBe(text);
    expect(see(4, ["wolf"], [drew(me, "light")])).toBeUndefined();
    expect(see(5, ["wolf", "ram"], [drew(me, "shadow")])).toBeUndefined();
    expect(said).toEqual([text]);
    render(null, host);
  });
});

test("choosing a tower says that all are alike and what it gives", () => {
  const board = shown(find("wolves_tower"));
  expect(board.host.querySelector(".tq-choice p")!.textContent).toMatch(/alike.*tree.*1 point/);
  expect(board.host.querySelectorAll(".tq-card")).toHaveLength(3);
  board.end();
});

test("what three are worth stands under each animal", () => {
  const board = shown(find("wolves_turn"));
  const values = [...board.host.querySelectorAll(".tq-strip .tq-value")];
  expect(values.map((each) => each.textContent)).toEqual(["5", "6", "7", "8", "9", "10", "11"]);
  board.end();
});

test("the lesson tells of the tokens that its table has", () => {
  const lesson = readFileSync(
    path.join(root, "clients/web/src/games/triqueta/lesson.json"),
    "utf8",
  );
  const { views, steps } = JSON.parse(lesson) as {
    views: View[];
    steps: { say: string; rev: number }[];
  };
  const held = (say: string) => {
    const { rev } = steps.find((step) => step.say === say)!;
    return views.find((view) => view.rev === rev)!.mine!.drawn[0]!.animal;
  };
  expect(held("place")).toBe("bear");
  expect(held("keep")).toBe("rabbit");
  const last = views.at(-1)!;
  expect(last.table.seats[last.seat!]!.up).toEqual({ bear: 3 });
});

test("who is out of the round is told so", () => {
  for (const name of ["duo_waiting", "base_waiting"]) {
    const frame = find(name);
    const seat = frame.view.table.seats[frame.view.seat!]!;
    for (const row of [0, undefined]) {
      const seats = frame.view.table.seats.map((each) => (each === seat ? { ...each, row } : each));
      const board = shown({
        ...frame,
        view: { ...frame.view, table: { ...frame.view.table, seats } },
      });
      const says = board.host.querySelector(".tq-bar")!.textContent!;
      const last = frame.view.table.round === 4 ? "yes" : "no";
      expect(says.includes(translators.en("web.triqueta.out", { last }))).toBe(row !== undefined);
      board.end();
    }
  }
});

test("every button has a name", () => {
  for (const frame of recorded) {
    const board = shown(frame);
    for (const button of board.host.querySelectorAll("button")) {
      const name = button.getAttribute("aria-label") ?? button.textContent;
      expect(name?.trim(), frame.name).toBeTruthy();
      expect(name, frame.name).not.toMatch(/web\.|triqueta\.|[{}]/);
    }
    board.end();
  }
});

test("nothing flies without motion, and what flies is what happened", () => {
  const events: Event[] = [
    { event: "drew", seat: 0, columns: [2, 2], backs: ["light", "shadow"] },
    { event: "placed", seat: 1, token: 0, row: 3, animal: "owl" },
    { event: "took", seat: 0, row: 1, animals: ["bear", "bear", "ram"] },
  ];
  const scene = { ...sceneOf(find("base_start")), me: 0 };
  expect(tokenFlights(events, scene).map(({ face, from, to }) => `${face} ${from} ${to}`)).toEqual([
    "light column-2 bar",
    "shadow column-2 hidden",
    "owl seat-1 row-3-owl",
    "bear row-1 mine-bear",
    "ram row-1 mine-ram",
  ]);
});

const kSentences: [Event, Record<Language, string>][] = [
  [
    { event: "drew", seat: 0, columns: [1], backs: ["light"] },
    {
      en: "Ada draws a token from column 2.",
      de: "Ada zieht ein Plättchen aus Säule 2.",
      fr: "Ada pioche un jeton dans la colonne 2.",
    },
  ],
  [
    { event: "drew", seat: 1, columns: [0, 4], backs: ["shadow", "light"] },
    {
      en: "You draw 2 tokens from columns 1 and 5; a shadow token stays face down.",
      de: "Du ziehst 2 Plättchen aus den Säulen 1 und 5; ein Schattenplättchen bleibt verdeckt.",
      fr: "Vous piochez 2 jetons dans les colonnes 1 et 5\u202f; un jeton d’ombre reste caché.",
    },
  ],
  [
    { event: "placed", seat: 0, token: 0, row: 2, animal: "bear" },
    {
      en: "Ada places a token in row 3: bear.",
      de: "Ada legt ein Plättchen in Reihe 3: Bär.",
      fr: "Ada place un jeton dans la rangée 3\u202f: ours.",
    },
  ],
  [
    { event: "kept", seat: 0, token: 0 },
    {
      en: "Ada hides a token.",
      de: "Ada versteckt ein Plättchen.",
      fr: "Ada cache un jeton.",
    },
  ],
  [
    { event: "discarded", seat: 1, token: 1 },
    {
      en: "You put a token into the box.",
      de: "Du legst ein Plättchen in die Schachtel.",
      fr: "Vous mettez un jeton dans la boîte.",
    },
  ],
  [
    { event: "took", seat: 0, row: 0, animals: ["owl", "bear", "owl"] },
    {
      en: "Ada takes row 1: 2 × owl and bear.",
      de: "Ada nimmt Reihe 1: 2 × Eule und Bär.",
      fr: "Ada prend la rangée 1\u202f: 2 × hibou et ours.",
    },
  ],
  [
    { event: "round_over", round: 1, rock: 0, boxed: { light: 1, shadow: 2 } },
    {
      en: "Round 1 is over. Ada gets the rock; 3 tokens go into the box.",
      de: "Runde 1 ist vorbei. Ada bekommt den Stein; 3 Plättchen kommen in die Schachtel.",
      fr: "Fin de la manche 1. Ada reçoit le rocher\u202f; 3 jetons vont dans la boîte.",
    },
  ],
  [
    { event: "tower", seat: 0, tower: 2, round: 2 },
    {
      en: "Ada chooses tower 3. Round 2 begins.",
      de: "Ada wählt Turm 3. Runde 2 beginnt.",
      fr: "Ada choisit la tour 3. La manche 2 commence.",
    },
  ],
  [
    { event: "answered", seat: 0 },
    {
      en: "Ada has decided about the hidden tokens.",
      de: "Ada hat über die versteckten Plättchen entschieden.",
      fr: "Ada a décidé pour les jetons cachés.",
    },
  ],
  [
    { event: "revealed", seat: 0, light: ["ram"], boxed: 1, shadow: ["wolf", "wolf"] },
    {
      en: "Ada adds hidden tokens: ram; 1 goes into the box; shadow tokens: 2 × wolf.",
      de: "Ada nimmt versteckte Plättchen dazu: Widder; 1 kommt in die Schachtel; Schattenplättchen: 2 × Wolf.",
      fr: "Ada ajoute des jetons cachés\u202f: bélier\u202f; 1 va dans la boîte\u202f; jetons d’ombre\u202f: 2 × loup.",
    },
  ],
  [
    { event: "over", totals: [12, 9], winners: [0] },
    {
      en: "The game is over. The winner is Ada.",
      de: "Das Spiel ist vorbei. Es gewinnt Ada.",
      fr: "La partie est finie. Victoire : Ada.",
    },
  ],
];

describe("each event in each language", () => {
  const scene = { me: 1, seats: [], name: (seat: number) => ["Ada", "Karl"][seat]! };
  for (const language of kLanguages) {
    for (const [event, sentences] of kSentences) {
      test(`${language}: ${event.event}`, () => {
        const t = translators[language];
        const { key, values } = skin.describe(event, scene, t)!;
        // French puts a narrow space before some marks, of one kind or the other.
        const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, " ");
        expect(plain(t(key, values))).toBe(plain(sentences[language]));
      });
    }
  }

  test("that is all kinds that the recorded games had", () => {
    const kinds = new Set(recorded.flatMap(({ view }) => view.happened.map(({ event }) => event)));
    const said = new Set(kSentences.map(([{ event }]) => event));
    for (const kind of kinds) expect(said).toContain(kind);
  });
});

test("the summary tells rows, turn and what I have", () => {
  const frame = find("wolves_turn");
  const text = skin.summary(frame.view, sceneOf(frame), translators.en);
  expect(text).toContain("Row 1:");
  expect(text).toContain("Row 3:");
  expect(text).toContain("Draw or take a row");
  expect(text).not.toMatch(/web\.|[{}]|undefined/);
});

test("the score sheet shows the server's numbers and explains each", () => {
  for (const name of ["base_over", "wolves_over", "duo_over"]) {
    const frame = find(name);
    const host = document.createElement("div");
    const sheet = (
      <skin.ScoreSheet
        {...sceneOf(frame)}
        view={frame.view}
        options={frame.room.options as Options}
        t={translators.en}
        settings={kSettings}
      />
    );
    act(() => render(sheet, host));
    const totals = [...host.querySelectorAll(".total td b")].map((each) =>
      Number(each.textContent!.replace("\u2212", "-")),
    );
    expect(totals).toEqual(frame.view.table.scores!.map(({ total }) => total));
    expect(skin.result(frame.view)!.totals).toEqual(totals);
    for (const button of host.querySelectorAll<HTMLButtonElement>("td button")) {
      act(() => button.click());
      expect(host.querySelector(".tq-why")!.textContent).toBe(
        button.querySelector(".hidden")!.textContent,
      );
    }
  }
});

test("a short account leaves out what was drawn if it then tells where it went", () => {
  const drew = { event: "drew", seat: 1, columns: [0], backs: ["light"] } as const;
  const placed = { event: "placed", seat: 1, token: 0, row: 0, animal: "owl" } as const;
  const account = [{ ...drew }, placed, { ...drew }] as Event[];
  const minor = account.map((event) => skin.isMinor!(event, account));
  expect(minor).toEqual([true, false, false]);
});
