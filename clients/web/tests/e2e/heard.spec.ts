// What a screen reader's user hears: a sentence for every kind of event in each language, and a table
// of which every part has a name. The frames are those that a real server once sent.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page, WebSocketRoute } from "@playwright/test";
import { expect, test, type Person } from "./table";

const read = (file: string) =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, "..", file), "utf8")) as unknown;

interface Fixture {
  name: string;
  room: Record<string, unknown> & { room: string };
  view: Record<string, unknown> & { rev: number; seat: number };
}
const fixtures = read("fixtures/triqueta.json") as Fixture[];
/** What shall be said, by language, in the order of the events. */
const expected = read("fixtures/heard.json") as Record<string, string[]>;

const kEvents: object[] = [
  { event: "drew", seat: 1, columns: [2], backs: ["light"] },
  { event: "drew", seat: 0, columns: [0, 4], backs: ["light", "shadow"] },
  { event: "placed", seat: 1, token: 0, row: 2, animal: "bear" },
  { event: "placed", seat: 0, token: 0, row: 0, animal: "owl" },
  { event: "kept", seat: 1, token: 0 },
  { event: "kept", seat: 0, token: 0 },
  { event: "discarded", seat: 1, token: 0 },
  { event: "took", seat: 1, row: 1, animals: ["bear", "bear", "rabbit"] },
  { event: "took", seat: 0, row: 1, animals: [] },
  { event: "round_over", round: 1, rock: 1, boxed: { light: 3, shadow: 1 } },
  { event: "tower", seat: 1, round: 2, tower: 2 },
  { event: "answered", seat: 1 },
  { event: "revealed", seat: 1, light: ["ram"], shadow: ["wolf", "wolf"], boxed: 1 },
  { event: "over", totals: [3, 9], winners: [1] },
];

/** A server that knows one table; gives back how it goes on. */
async function tableOf(page: Page, { room, view }: Fixture): Promise<(view: object) => void> {
  const routes: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/ws$/, (route) => {
    routes.push(route);
    const say = (frame: object) => route.send(JSON.stringify(frame));
    route.onMessage((text) => {
      const { type, id } = JSON.parse(String(text)) as { type: string; id: string };
      if (type === "hello") {
        const seats = [{ room: room.room, seat: view.seat }];
        const server = { name: "triquetra", version: "0" };
        say({ type: "welcome", re: id, protocol: 1, player: "Ada", seats, limits: {}, server });
      } else {
        say({ type: "ok", re: id, room: room.room, seat: view.seat, pages: [], more: false });
        if (type === "join") [room, view].forEach(say);
      }
    });
  });
  return (frame) => routes.at(-1)!.send(JSON.stringify(frame));
}

async function open(person: Person, name: string) {
  const fixture = fixtures.find((each) => each.name === name)!;
  const say = await tableOf(person.page, fixture);
  await person.page.goto(`${person.server.url}r/${fixture.room.room}`);
  await person.page.locator(".table").waitFor();
  return { fixture, say };
}

for (const language of ["en", "de", "fr"] as const) {
  test(`every event is said: ${language}`, async ({ person }) => {
    const ada = await person({ language });
    const { fixture, say } = await open(ada, "wolves_waiting");
    const heard = ada.page.locator("[role=log][aria-live=polite] p");
    const said: string[] = [];
    for (const [i, event] of kEvents.entries()) {
      const rev = fixture.view.rev + i + 1;
      say({ ...fixture.view, rev, happened: [event] });
      await expect(ada.page.locator(".table")).toHaveAttribute("data-rev", String(rev));
      await expect(heard).not.toHaveText(said.at(-1) ?? "");
      said.push((await heard.textContent())!);
    }
    expect(said).toEqual(expected[language]);
  });

  test(`every part of the table has a name: ${language}`, async ({ person }) => {
    const ada = await person({ language, width: 1280, height: 800 });
    await open(ada, "wolves_resolve");
    await expect(ada.page.locator("main")).toMatchAriaSnapshot({ name: `table-${language}.yml` });
  });
}

test("whose turn it is is said politely, and that time runs out at once", async ({ person }) => {
  const ada = await person();
  const { fixture, say } = await open(ada, "base_waiting");
  const status = ada.page.locator(".banner [role=status]");
  await expect(status).toContainText("choosing");
  const turn = fixtures.find(({ name }) => name === "base_turn")!.view;
  const decisions = [{ id: 900, kind: "turn", seats: [fixture.view.seat] }];
  const left_ms = [{ decision: 900, ms: 10_400 }];
  const mine = { ...turn, seat: fixture.view.seat, room: fixture.room.room };
  say({ ...mine, match: fixture.view.match, rev: fixture.view.rev + 1, decisions, left_ms });
  await expect(status).toContainText("Your turn");
  await expect(ada.page.locator("[aria-live=assertive] p")).toContainText("10 seconds");
});
