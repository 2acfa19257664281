// A server that knows one table: the frames of a fixture, which a real server once sent.
import type { Page, WebSocketRoute } from "@playwright/test";

export interface Fixture {
  name: string;
  room: Record<string, unknown> & { room: string };
  view: Record<string, unknown> & {
    rev: number;
    seat: number;
    legal?: { action: unknown }[];
    decisions?: { id: number; seats: number[] }[];
  };
}

export interface Asked {
  type: string;
  id: string;
  after?: number;
  action?: unknown;
}

/** What the server says no to, and with which code. */
interface Refusals {
  join?: string;
  act?: string;
}

/**
 * Answers for the server, but for acts that are not refused: those take their time. Gives back how the
 * server goes on, and keeps in `acts` what it was sent.
 */
export async function oneTable(
  page: Page,
  { room, view }: Fixture,
  refusals: Refusals = {},
  acts: Asked[] = [],
): Promise<(frame: object) => void> {
  const routes: WebSocketRoute[] = [];
  const told = [view];
  await page.routeWebSocket(/\/ws$/, (route) => {
    routes.push(route);
    const say = (frame: object) => route.send(JSON.stringify(frame));
    route.onMessage((text) => {
      const asked = JSON.parse(String(text)) as Asked;
      const { type, id, after = 0 } = asked;
      if (type === "act") acts.push(asked);
      if (type === "hello") {
        const seats = [{ room: room.room, seat: view.seat }];
        const server = { name: "triquetra", version: "0" };
        say({ type: "welcome", re: id, protocol: 1, player: "Ada", seats, limits: {}, server });
      } else if (type in refusals) {
        say({ type: "error", re: id, code: refusals[type as keyof Refusals], args: {} });
      } else if (type !== "act") {
        const known = told.filter(({ rev }) => type === "history" && after < rev);
        const pages = known.map(({ rev, happened }) => ({ rev, happened }));
        const at = { room: room.room, seat: view.seat, pages, more: false };
        // Any act may be advised.
        const { action } = view.legal?.[0] ?? {};
        const hint = { decision: view.decisions?.[0]?.id, rev: view.rev, action, acts: [] };
        say({ type: "ok", re: id, ...at, ...(type === "hint" && { hint }) });
        if (type === "join") [room, told.at(-1)!].forEach(say);
      }
    });
  });
  return (frame) => {
    if ("happened" in frame) told.push(frame as unknown as Fixture["view"]);
    routes.at(-1)!.send(JSON.stringify(frame));
  };
}
