// The connection is cut at every bad moment: no tap is lost, none counts twice, and the board is the
// server's again.
import type { Page, WebSocketRoute } from "@playwright/test";
import { faults } from "./faults";
import { expect, kGames, test, type Frame, type Person, type Server } from "./table";

type Way = "up" | "down";

/** One connection of the page, and which ways are open. */
interface Connection {
  route: WebSocketRoute;
  up: boolean;
  down: boolean;
}

/** A wire that a test can hold up in either direction, and cut. */
class Wire {
  /** All that the page has sent, and what came through to it. */
  readonly sent: Frame[] = [];
  readonly heard: Frame[] = [];
  private readonly open = { up: true, down: true };
  private connections: Connection[] = [];

  static async on(page: Page): Promise<Wire> {
    const wire = new Wire();
    await page.routeWebSocket(/\/ws$/, (route) => {
      const server = route.connectToServer();
      const connection = { route, ...wire.open };
      wire.connections.push(connection);
      route.onMessage((message) => {
        wire.sent.push(JSON.parse(String(message)) as Frame);
        if (connection.up) server.send(message);
      });
      server.onMessage((message) => {
        if (!connection.down) return;
        wire.heard.push(JSON.parse(String(message)) as Frame);
        route.send(message);
      });
    });
    return wire;
  }

  /** Nothing more passes this way, on any connection. */
  hold(way: Way): void {
    this.open[way] = false;
    for (const connection of this.connections) connection[way] = false;
  }

  /** New connections are open. Those that were held up stay so: what is late on them is lost. */
  release(): void {
    this.open.up = this.open.down = true;
  }

  async cut(): Promise<void> {
    const connections = this.connections;
    this.connections = [];
    await Promise.all(connections.map(({ route }) => route.close({ code: 1011 })));
  }
}

const rev = (page: Page) => page.locator(".table").getAttribute("data-rev").then(Number);
const isAt = (page: Page, wanted: number) =>
  expect(page.locator(".table")).toHaveAttribute("data-rev", String(wanted));
const draw = (page: Page) => page.locator("[data-act=draw]:enabled").first().click();

interface Pair {
  mover: Person;
  waiter: Person;
}

/** Two people at a table in play. The wire of the one whose turn it is can be held up. */
async function pair(person: () => Promise<Person>): Promise<Pair & { wires: Map<Person, Wire> }> {
  const ada = await person();
  const karl = await person();
  const wires = new Map<Person, Wire>();
  for (const each of [ada, karl]) wires.set(each, await Wire.on(each.page));
  const code = await ada.create({ ...kGames[0]!, seats: 2 }, "Ada");
  await karl.join(`${karl.server.url}r/${code}`, "Karl");
  await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(2);
  await ada.page.locator(".lobby .primary").click();
  for (const each of [ada, karl]) await expect(each.page.locator(".table")).toBeVisible();
  const isMine = await ada.page.locator(".banner.mine").isVisible();
  return isMine ? { mover: ada, waiter: karl, wires } : { mover: karl, waiter: ada, wires };
}

test("(a) cut before the act is sent", async ({ person }) => {
  const { mover, waiter, wires } = await pair(person);
  const wire = wires.get(mover)!;
  wire.hold("up");
  await draw(mover.page);
  await expect.poll(() => wire.sent.some(({ type }) => type === "act")).toBe(true);
  expect(await rev(mover.page)).toBe(0);
  wire.release();
  await wire.cut();
  for (const each of [mover, waiter]) await isAt(each.page, 1);
});

test("(b) cut after the act is sent, before its answer", async ({ person }) => {
  const { mover, waiter, wires } = await pair(person);
  const wire = wires.get(mover)!;
  wire.hold("down");
  await draw(mover.page);
  await isAt(waiter.page, 1);
  expect(await rev(mover.page)).toBe(0);
  wire.release();
  await wire.cut();
  await isAt(mover.page, 1);
  // It was sent again and answered; nothing happened twice.
  const act = wire.sent.find(({ type }) => type === "act")!;
  await expect.poll(() => wire.heard.some(({ re }) => re === act.id)).toBe(true);
  expect(wire.sent.filter(({ id }) => id === act.id).length).toBeGreaterThan(1);
  expect(await rev(waiter.page)).toBe(1);
  await expect(mover.page.locator(".refused")).toHaveCount(0);
});

test("(c) cut during the other's turn", async ({ person }) => {
  const { mover, waiter, wires } = await pair(person);
  const wire = wires.get(waiter)!;
  wire.hold("down");
  await wire.cut();
  await draw(mover.page);
  await isAt(mover.page, 1);
  wire.release();
  await wire.cut();
  await isAt(waiter.page, 1);
  await expect(waiter.page.locator(".notice")).toBeVisible();
});

test("(d) the server restarts", async ({ person, server }) => {
  const { mover, waiter } = await pair(person);
  await draw(mover.page);
  for (const each of [mover, waiter]) await isAt(each.page, 1);
  await restart(server, mover.page);
  for (const each of [mover, waiter]) {
    await expect(each.page.locator(".link-bar")).toHaveCount(0);
    await isAt(each.page, 1);
  }
  const before = await rev(mover.page);
  await settled(mover.page);
  await mover.page.locator("[data-act]:enabled").first().click();
  for (const each of [mover, waiter]) await isAt(each.page, before + 1);
});

/** A tap on what a bar has just moved counts for nothing. */
const settled = (page: Page): Promise<void> => page.waitForTimeout(500);

async function restart(server: Server, page: Page): Promise<void> {
  await server.stop("SIGTERM");
  await expect(page.locator(".link-bar.restarting")).toBeVisible();
  await server.start();
}

test("(e) the page is loaded again with an act on its way", async ({ person }) => {
  const { mover, waiter, wires } = await pair(person);
  const wire = wires.get(mover)!;
  wire.hold("up");
  await draw(mover.page);
  await expect.poll(() => wire.sent.some(({ type }) => type === "act")).toBe(true);
  wire.release();
  await mover.page.reload();
  for (const each of [mover, waiter]) await isAt(each.page, 1);
});

test("(f) a second tab plays too", async ({ person }) => {
  const { mover, waiter } = await pair(person);
  const second = await mover.context.newPage();
  mover.listen(second);
  await second.goto(mover.page.url());
  await isAt(second, 0);
  await draw(second);
  for (const page of [mover.page, second, waiter.page]) await isAt(page, 1);
  // Both tabs stay: neither throws the other out.
  await mover.page.locator("[data-act]:enabled").first().click();
  for (const page of [mover.page, second, waiter.page]) await isAt(page, 2);
  for (const page of [mover.page, second]) await expect(page.locator(".link-bar")).toHaveCount(0);
});

test("(f) with a second tab a turn with nothing left to do ends once", async ({ person }) => {
  const ada = await person();
  const karl = await person();
  const code = await ada.create({ game: "card_triangles", variant: "usual", seats: 2 }, "Ada");
  await karl.join(`${karl.server.url}r/${code}`, "Karl");
  await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(2);
  await ada.page.locator(".lobby .primary").click();
  for (const { page } of [ada, karl]) await expect(page.locator(".table")).toBeVisible();
  const isMine = await ada.page.locator(".banner.mine").isVisible();
  const [mover, waiter] = isMine ? [ada, karl] : [karl, ada];
  const second = await mover.context.newPage();
  mover.listen(second);
  const wire = await Wire.on(second);
  await second.goto(mover.page.url());
  await isAt(second, 0);
  // Both hear that the card is gone; only one of them has sent that.
  await mover.page.locator("[data-at=pile]:enabled").click();
  for (const page of [mover.page, second]) await isAt(page, 1);
  await mover.page.locator(".ct-card.new").click();
  await mover.page.locator("[data-act=discard]:enabled").first().click();
  for (const page of [mover.page, second, waiter.page]) await isAt(page, 3);
  await expect(waiter.page.locator(".banner.mine")).toBeVisible();
  expect(wire.sent.filter(({ type }) => type === "act")).toEqual([]);
  for (const page of [mover.page, second]) await expect(page.locator(".refused")).toHaveCount(0);
});

test("(g) cut while a match begins", async ({ person }) => {
  const ada = await person();
  const karl = await person();
  const wire = await Wire.on(ada.page);
  const code = await ada.create({ ...kGames[0]!, seats: 2 }, "Ada");
  await karl.join(`${karl.server.url}r/${code}`, "Karl");
  await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(2);
  wire.hold("down");
  await ada.page.locator(".lobby .primary").click();
  // Ada does not hear that it is time to open what she has promised for the shuffle: it is called off.
  await expect(karl.page.locator(".lobby .notice")).toBeVisible();
  await expect(karl.page.locator(".table")).toHaveCount(0);
  wire.release();
  await wire.cut();
  // Her start is asked again: it is another one, for nothing came of the first.
  for (const { page } of [ada, karl]) await isAt(page, 0);
  await expect(ada.page.locator(".refused")).toHaveCount(0);
});

test("a new version is offered, and nothing is loaded by itself", async ({ person }) => {
  const { mover, waiter, wires } = await pair(person);
  const { page } = mover;
  const bar = page.locator(".link-bar.version");
  await expect(bar).toHaveCount(0);
  await page.route(/\/version$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), web: "another" } });
  });
  const loaded = await page.evaluate(() => performance.timeOrigin);
  await wires.get(mover)!.cut();
  await expect(bar).toBeVisible();
  await settled(page);
  await draw(page);
  for (const each of [mover, waiter]) await isAt(each.page, 1);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded);
  await bar.locator("button").click();
  await expect.poll(() => page.evaluate(() => performance.timeOrigin)).not.toBe(loaded);
  await isAt(page, 1);
});

test("with tabs from before the first seat, whoever sits down is who the browser stays", async ({
  person,
}) => {
  const ada = await person();
  const { page } = ada;
  const token = () => page.evaluate(() => localStorage.getItem("triquetra.token"));
  await page.goto(`${ada.server.url}#create`);
  await ada.introduce("Ada");
  await page.locator("form .more").waitFor();
  await expect.poll(token).not.toBeNull();
  const mine = await token();
  // The server keeps nobody without a seat, so the other tab comes as somebody else.
  const other = await ada.context.newPage();
  ada.listen(other);
  await other.goto(ada.server.url);
  await expect.poll(async () => [null, mine].includes(await token())).toBe(false);
  await ada.create({ ...kGames[0]!, seats: 2 }, "Ada");
  await page.reload();
  await expect(page.locator(".lobby")).toBeVisible();
  await expect(page.locator(".seat:not(.empty)")).toHaveCount(1);
});

test("the page is loaded again with a new room on its way: one room, and what was promised counts", async ({
  person,
}) => {
  const ada = await person();
  const { page } = ada;
  const wire = await Wire.on(page);
  await page.addInitScript(() => localStorage.setItem("triquetra.name", "Ada"));
  await page.goto(`${ada.server.url}#bots`);
  await page.locator("form .more").waitFor();
  await expect.poll(() => wire.heard.some(({ type }) => type === "welcome")).toBe(true);
  wire.hold("down");
  await page.locator("form .primary").click();
  const creates = () => wire.sent.filter(({ type }) => type === "create");
  await expect.poll(() => creates().length).toBe(1);
  wire.release();
  await page.reload();
  await expect(page.locator(".table")).toBeVisible();
  expect(new Set(creates().map(({ id, entropy_hash }) => `${id} ${entropy_hash}`)).size).toBe(1);
  const opened = wire.sent.find(({ type }) => type === "reveal_entropy");
  expect(opened).toBeDefined();
  await expect.poll(() => wire.heard.find(({ re }) => re === opened!.id)?.type).toBe("ok");
  await page.goto(ada.server.url);
  await expect(page.locator(".continue a")).toHaveCount(1);
});

test("a code brings the same player to another device", async ({ person }) => {
  const { mover, waiter } = await pair(person);
  const room = mover.page.url();
  const tab = await mover.context.newPage();
  mover.listen(tab);
  await tab.goto(`${mover.server.url}#settings`);
  await tab.locator(".say").waitFor();
  await tab.locator("[aria-labelledby=device-title] > button").click();
  const code = await tab.locator(".invite-code b").textContent();
  const phone = await person();
  await phone.page.goto(`${mover.server.url}#settings`);
  await phone.page.locator(".say input").fill(code!);
  await phone.page.locator(".say button").click();
  // Home again, where the room waits.
  await phone.page.locator(".continue a").click();
  expect(phone.page.url()).toBe(room);
  await isAt(phone.page, 0);
  await phone.page.reload();
  await isAt(phone.page, 0);
  await draw(phone.page);
  for (const page of [mover.page, waiter.page, phone.page]) await isAt(page, 1);
});

/** Turns what follows it around, so nobody may be called so. */
const kRefused = "Ada\u202E";

test("a name that the server does not want is said at its field and kept nowhere", async ({
  person,
}) => {
  const ada = await person();
  const { page } = ada;
  const field = page.locator("input[autocomplete=nickname]");
  const kept = () => page.evaluate(() => localStorage.getItem("triquetra.name"));
  await page.goto(`${ada.server.url}#create`);
  await ada.introduce(kRefused);
  await expect(page.locator("[role=alert]")).toHaveText(/name cannot be used/);
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(/name cannot be used/);
  expect(await kept()).toBeNull();
  expect(await faults(page)).toEqual([]);
  await page.reload();
  await ada.introduce("Ada");
  await page.locator("form .more").waitFor();
  expect(await kept()).toBe("Ada");
  // Later, too: the name of before stays.
  await page.goto(`${ada.server.url}#settings`);
  await ada.introduce(kRefused);
  await expect(page.locator("[role=alert]")).toBeVisible();
  expect(await kept()).toBe("Ada");
  await ada.create({ ...kGames[0]!, seats: 2 }, "Ada");
  await expect(page.locator(".seat:not(.empty)")).toContainText("Ada");
});

test("a name that was kept and is not wanted any more is asked for anew", async ({ person }) => {
  const ada = await person();
  const { page } = ada;
  await page.goto(ada.server.url);
  await page.evaluate((name) => localStorage.setItem("triquetra.name", name), kRefused);
  await page.goto(`${ada.server.url}#create`);
  await page.reload();
  await expect(page.locator("[role=alert]")).toHaveText(/name cannot be used/);
  await ada.introduce("Ada");
  await page.locator("form .more").waitFor();
  expect(await page.evaluate(() => localStorage.getItem("triquetra.name"))).toBe("Ada");
});

test("after too many wrong device codes the right one waits for its turn", async ({ person }) => {
  const ada = await person();
  const code = await ada.create({ ...kGames[0]!, seats: 2 }, "Ada");
  await ada.page.goto(`${ada.server.url}#settings`);
  await ada.page.locator("[aria-labelledby=device-title] > button").click();
  const device = await ada.page.locator(".invite-code b").textContent();
  const phone = await person();
  await phone.page.clock.install();
  await phone.page.goto(`${phone.server.url}#settings`);
  // As many as a household may guess, and then some.
  await phone.page.evaluate(async () => {
    const socket = new WebSocket(new URL("/ws", location.href).href.replace("http", "ws"));
    await new Promise((resolve) => (socket.onopen = resolve));
    for (let i = 0, refused = ""; refused !== "too_fast"; ++i) {
      socket.send(JSON.stringify({ type: "hello", id: `${i}`, protocol: 1, device: "WRONG" }));
      const heard = await new Promise<MessageEvent>((resolve) => (socket.onmessage = resolve));
      refused = (JSON.parse(String(heard.data)) as Frame).code!;
    }
    socket.close();
  });
  await phone.page.locator(".say input").fill(device!);
  await phone.page.locator(".say button").click();
  await expect(phone.page.locator(".link-bar")).toHaveText(/^Too fast.*Trying again in \d+ s/);
  // Whenever its time has come it is said again, until the server lets it through.
  await expect
    .poll(async () => {
      await phone.page.clock.fastForward(76_000);
      return phone.page.locator(".continue a").count();
    })
    .toBe(1);
  await phone.page.locator(".continue a").click();
  expect(phone.page.url()).toContain(code);
});
