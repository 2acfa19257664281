// A server that knows one table: the frames of a fixture, which a real server once sent.
import type { Page, WebSocketRoute } from "@playwright/test";

export interface Fixture {
  name: string;
  room: Record<string, unknown> & { room: string };
  view: Record<string, unknown> & { rev: number; seat: number };
}

/**
 * Answers for the server, but for acts, which take their time; with `refusal` nobody may join. Gives
 * back how the server goes on.
 */
export async function oneTable(
  page: Page,
  { room, view }: Fixture,
  refusal?: string,
): Promise<(frame: object) => void> {
  const routes: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/ws$/, (route) => {
    routes.push(route);
    const say = (frame: object) => route.send(JSON.stringify(frame));
    route.onMessage((text) => {
      const { type, id } = JSON.parse(String(text)) as { type: string; id: string };
      if (type === "act") return;
      if (type === "hello") {
        const seats = [{ room: room.room, seat: view.seat }];
        const server = { name: "triquetra", version: "0" };
        say({ type: "welcome", re: id, protocol: 1, player: "Ada", seats, limits: {}, server });
      } else if (type === "join" && refusal) {
        say({ type: "error", re: id, code: refusal, args: {} });
      } else {
        say({ type: "ok", re: id, room: room.room, seat: view.seat, pages: [], more: false });
        if (type === "join") [room, view].forEach(say);
      }
    });
  });
  return (frame) => routes.at(-1)!.send(JSON.stringify(frame));
}
