// What the tests in browsers share: a server of their own, people with browsers of their own, and a
// watch over what no page may do: ask another host, complain in the console, break the policy.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  expect,
  test as base,
  type Browser,
  type BrowserContext,
  type Page,
} from "@playwright/test";
import { again, Chance, kSeed } from "./chance";

export type Game = { game: string; variant: string; seats: number; bots?: number };
export const kGames: Game[] = [
  { game: "triqueta", variant: "base", seats: 3 },
  { game: "triqueta", variant: "wolves", seats: 3 },
  { game: "triqueta", variant: "duo", seats: 2 },
];

/** With nine cards each, 21/15/9 is at its shortest. */
export const kDeckGames: Game[] = [
  { game: "mayhem", variant: "checked", seats: 3 },
  { game: "card_triangles", variant: "usual", seats: 6, bots: 3 },
];

const program =
  process.env.TRIQUETRAD ??
  path.resolve(import.meta.dirname, "../../../../build/dev/server/triquetrad");

const client =
  process.env.TRIQUETRA ??
  path.resolve(import.meta.dirname, "../../../../build/dev/clients/cli/triquetra");

/** How a match ended: without points `scores` is empty. */
export interface End {
  winners: number[];
  scores: number[];
  table: { seats: { hand: number }[] };
}

/** The end as the C++ rules have it: the record of the match, played again without the server. */
export function recount(record: unknown): End {
  const said = execFileSync(client, ["verify", "--json", "-"], { input: JSON.stringify(record) });
  return JSON.parse(said.toString()) as End;
}

/** A name of the same machine that browsers do not take for their own (see playwright.config.ts). */
const kSharedHost = "games.example.org";
const kFlags = ["--data", "data", "--bot-delay-ms", "0", "--test-seed", kSeed];
kFlags.push("--allow-host", kSharedHost);

/** A server that may be stopped and started again on the same port. */
export class Server {
  port = 0;
  private child?: ChildProcess;
  private readonly folder = mkdtempSync(path.join(tmpdir(), "triquetra-e2e-"));

  constructor(private readonly flags: string[] = []) {}

  get url(): string {
    return `http://localhost:${this.port}/`;
  }

  /** Where others reach it. */
  get sharedUrl(): string {
    return `http://${kSharedHost}:${this.port}/`;
  }

  async start(): Promise<void> {
    const child = spawn(program, [...kFlags, "--port", String(this.port), ...this.flags], {
      cwd: this.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child = child;
    this.port = await new Promise<number>((resolve, reject) => {
      let said = "";
      const hear = (bytes: Buffer) => {
        said += bytes.toString();
        const found = /listening on http:\/\/[^:]+:(\d+)/.exec(said);
        if (found) resolve(Number(found[1]));
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.on("exit", () => reject(new Error(`the server ended: ${said}`)));
    });
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  }

  async end(): Promise<void> {
    await this.stop("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface Look {
  /** qps: words that are longer by two fifths. */
  language?: "en" | "de" | "fr" | "qps";
  width?: number;
  height?: number;
  dark?: boolean;
  still?: boolean;
  /** Opens the page by the address by which others reach it: then an invitation has a picture for cameras. */
  shared?: boolean;
}

/** A person: a browser of their own, and all that it complained about. */
export class Person {
  readonly complaints: string[] = [];
  readonly foreign: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly server: Server,
    readonly chance: Chance,
    /** Where they find the first page. */
    readonly home = server.url,
  ) {
    this.listen(page);
  }

  listen(page: Page): void {
    page.on("console", (message) => {
      const text = message.text();
      // While a test has stopped the server, or without TLS, the browser says so.
      if (
        /Service Worker registration blocked|Cross-Origin-Opener-Policy header has been ignored|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|WebSocket connection/.test(
          text,
        )
      )
        return;
      if (["error", "warning"].includes(message.type())) this.complaints.push(text);
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.host !== new URL(this.home).host && url.protocol !== "data:") {
        this.foreign.push(request.url());
      }
    });
  }

  /** Makes a room with the page's own buttons; gives back its code. */
  async create(game: Game, name: string): Promise<string> {
    const { page } = this;
    await page.goto(`${this.home}#create`);
    await page.locator("form").waitFor();
    if (await page.locator("input[autocomplete=nickname]").isVisible()) await this.introduce(name);
    await this.choose(game.game);
    await page
      .locator("input[name=variant]")
      .nth(Math.max(0, ["base", "wolves", "duo"].indexOf(game.variant)))
      .check();
    const seats = page.locator(`input[name=seats][value="${game.seats}"]`);
    if ((await seats.count()) > 0) await seats.check();
    await page.locator("form .primary").click();
    await page.locator(".lobby").waitFor();
    return /r\/([A-Z]+)/.exec(page.url())![1]!;
  }

  /** On the form for a new room: which game. */
  async choose(game: string): Promise<void> {
    await this.page.locator("form .more").waitFor();
    const choice = this.page.locator(`input[name=game][value="${game}"]`);
    if ((await choice.count()) > 0) await choice.check();
  }

  async introduce(name: string): Promise<void> {
    const field = this.page.locator("input[autocomplete=nickname]");
    await field.fill(name);
    await field.press("Enter");
  }

  /** Until it is this person's turn. Bots that begin may end a short game before: then another. */
  async turn(): Promise<void> {
    for (;;) {
      await this.page.locator(".banner.mine, .over").first().waitFor();
      if (!(await this.isOver.isVisible())) return;
      await this.page.locator(".over .primary").click();
    }
  }

  /** What a camera reads in the drawing of the lobby: the address of the room. */
  async scanned(): Promise<string> {
    const qr = this.page.locator(".qr:has(path)");
    await qr.waitFor();
    const said = execFileSync(
      "zbarimg",
      ["--quiet", "--raw", "--nodbus", "-Sdisable", "-Sqrcode.enable", "-"],
      {
        input: await qr.screenshot(),
      },
    );
    return said.toString().trim();
  }

  async join(address: string, name: string): Promise<void> {
    await this.page.goto(address);
    await this.introduce(name);
    await this.page.locator(".lobby").waitFor();
  }

  /** The parts of the board that can be pressed now. */
  get acts() {
    return this.page.locator(".board button:enabled, .board-sheet button:enabled");
  }

  get isOver() {
    return this.page.locator(".over");
  }
}

export type Frame = Record<string, unknown> & { type: string; code?: string };

/** What the server answers when the page's own player asks something about the match by hand. */
export async function answer(person: Person, code: string, request: object): Promise<Frame> {
  const { page } = person;
  return page.evaluate(
    async ({ code, request }) => {
      const socket = new WebSocket(new URL("/ws", location.href).href.replace("http", "ws"));
      const token = localStorage.getItem("triquetra.token") ?? undefined;
      const say = (frame: object) => socket.send(JSON.stringify(frame));
      return new Promise<Frame>((resolve) => {
        socket.onopen = () => say({ type: "hello", id: "1", protocol: 1, token });
        socket.onmessage = ({ data }) => {
          const frame = JSON.parse(String(data)) as Frame;
          if (frame.type === "welcome") say({ type: "join", id: "2", room: code });
          if (frame.type === "room") say({ ...request, id: "3", room: code, match: frame.match });
          if (frame.re !== "3") return;
          socket.close();
          resolve(frame);
        };
      });
    },
    { code, request },
  );
}

interface Fixtures {
  chance: Chance;
  server: Server;
  person(look?: Look): Promise<Person>;
}

export const test = base.extend<Fixtures>({
  chance: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, info) => {
      await use(new Chance(info.titlePath.join(" ")));
      if (info.errors.length > 0) console.log(`With the same chance again: ${again(info)}`);
    },
    { auto: true },
  ],
  // oxlint-disable-next-line no-empty-pattern
  server: async ({}, use) => {
    const server = new Server();
    await server.start();
    await use(server);
    await server.end();
  },
  person: async ({ browser, server, chance }, use) => {
    const people: Person[] = [];
    await use(async (look = {}) => {
      const person = await newPerson(browser, server, look, chance.for(`${people.length}`));
      people.push(person);
      return person;
    });
    for (const person of people) {
      expect.soft(person.complaints, "in the console").toEqual([]);
      expect.soft(person.foreign, "requests to other hosts").toEqual([]);
      await person.context.close();
    }
  },
});

async function newPerson(
  browser: Browser,
  server: Server,
  look: Look,
  chance: Chance,
): Promise<Person> {
  const { width = 390, height = 844 } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    locale: look.language === "qps" ? "en" : (look.language ?? "en"),
    colorScheme: look.dark ? "dark" : "light",
    reducedMotion: look.still ? "reduce" : "no-preference",
    hasTouch: width < 500,
    isMobile: width < 500,
    serviceWorkers: "block",
  });
  await chance.fix(context);
  if (look.language === "qps") {
    await context.addInitScript(() => localStorage.setItem("triquetra.language", "qps"));
  }
  const home = look.shared ? server.sharedUrl : server.url;
  return new Person(context, await context.newPage(), server, chance, home);
}

export { expect };
