// Each browser with a seat adds to every shuffle, and can open what it has promised: after reloads
// at any moment, in second tabs, over a resumed connection, on a second device. Against a stand-in
// for the server that keeps to docs/FAIRNESS.md.
// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import type { OkFrame, RoomFrame } from "../../src/protocol/wire.gen";
import { Refused, type Connection, type Request } from "../../src/shell/connection";
import { Room } from "../../src/shell/room";
import { hex, sha256 } from "../../src/shell/sha256";

const bytes = (text: string) => Uint8Array.from(text.match(/../g)!, (pair) => parseInt(pair, 16));

/** A table for one person; what others do comes from the test. */
class Server {
  status: RoomFrame["status"] = "open";
  match = 1;
  seated = false;
  hash?: string;
  opened?: string;
  /** All that was ever opened, by match. */
  readonly dealt = new Map<string, string | undefined>();
  readonly tabs = new Set<Tab>();

  get name(): string {
    return `match${this.match}`;
  }

  frame(): RoomFrame {
    const entropy = this.hash === undefined ? {} : { entropy: true };
    return {
      type: "room",
      room: "BCDFGH",
      status: this.status,
      match: this.name,
      seats: [{ seat: 0, kind: "human", name: "Ada", ...entropy }],
    } as RoomFrame;
  }

  tell(): void {
    for (const tab of this.tabs) tab.room.hear(this.frame());
  }

  answer(request: Request): Partial<OkFrame> {
    if (request.type === "join") {
      if (!this.seated) this.hash = request.entropy_hash;
      this.seated = true;
      return { room: "BCDFGH", seat: 0 };
    }
    if (request.type === "rematch") {
      if (this.status === "over") this.openNext();
      else if (this.status !== "open" || this.match === 1) throw new Refused("not_over", {});
      this.hash = request.entropy_hash ?? this.hash;
      this.tell();
    } else if (request.type === "start") {
      this.start();
    } else if (request.type === "reveal_entropy") {
      if (this.status !== "starting" || !this.hash) throw new Refused("entropy_not_asked", {});
      if (hex(sha256(bytes(request.entropy))) !== this.hash) {
        throw new Refused("entropy_mismatch", {});
      }
      this.opened = request.entropy;
    }
    return {};
  }

  start(): void {
    this.status = "starting";
    this.tell();
  }

  deal(): string | undefined {
    this.dealt.set(this.name, this.opened);
    this.status = "playing";
    this.tell();
    return this.opened;
  }

  end(): void {
    this.status = "over";
    this.tell();
  }

  /** Another player asks for the next match. */
  openNext(): void {
    this.match += 1;
    this.status = "open";
    this.hash = this.opened = undefined;
    this.tell();
  }
}

/** One page. It is closed when it goes off the server's list. */
class Tab {
  readonly room: Room;
  /** Requests are held back while the connection is lost. */
  lost = false;

  constructor(readonly server: Server) {
    const connection = {
      welcomed: { seats: server.seated ? [{ room: "BCDFGH", seat: 0 }] : [] },
      request: async (request: Request) => {
        if (this.lost) return new Promise(() => {});
        return server.answer(request);
      },
    };
    this.room = new Room(connection as unknown as Connection, "BCDFGH", false);
  }

  static async open(server: Server): Promise<Tab> {
    const tab = new Tab(server);
    server.tabs.add(tab);
    await tab.enter();
    return tab;
  }

  async enter(): Promise<void> {
    await this.room.enter();
    this.room.hear(this.server.frame());
    await settled();
  }

  close(): void {
    this.server.tabs.delete(this);
    this.lost = true;
  }

  async reload(): Promise<Tab> {
    this.close();
    return Tab.open(this.server);
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

let server: Server;
beforeEach(() => {
  localStorage.clear();
  server = new Server();
});

/** From the lobby to the deal: what the player added to it. */
async function dealt(): Promise<string | undefined> {
  server.start();
  await settled();
  const opened = server.deal();
  await settled();
  return opened;
}

describe("the first match", () => {
  test("is shuffled with what was promised on joining", async () => {
    await Tab.open(server);
    expect(await dealt()).toMatch(/^[0-9a-f]{64}$/);
  });

  test("also after a reload in the lobby", async () => {
    const tab = await Tab.open(server);
    await tab.reload();
    expect(await dealt()).toBeDefined();
  });

  test("also after a reload in the moment in which it is to be opened", async () => {
    const tab = await Tab.open(server);
    tab.lost = true;
    server.start();
    await tab.reload();
    expect(server.deal()).toBeDefined();
  });

  test("also when only a second tab is left", async () => {
    const tab = await Tab.open(server);
    await Tab.open(server);
    tab.close();
    expect(await dealt()).toBeDefined();
  });

  test("also over a connection that was lost and came back", async () => {
    const tab = await Tab.open(server);
    tab.lost = true;
    tab.lost = false;
    await tab.enter();
    expect(await dealt()).toBeDefined();
  });
});

describe("a rematch", () => {
  async function played(): Promise<Tab> {
    const tab = await Tab.open(server);
    await dealt();
    server.end();
    await settled();
    return tab;
  }

  test("is shuffled with something new", async () => {
    await played();
    for (let match = 2; match < 5; ++match) {
      server.openNext();
      await settled();
      expect(await dealt()).toBeDefined();
      server.end();
    }
    expect(new Set(server.dealt.values()).size).toBe(4);
  });

  test("also for the one who asks for it", async () => {
    const tab = await played();
    await tab.room.ask({ type: "rematch", room: "BCDFGH" });
    await settled();
    expect(await dealt()).toBeDefined();
    expect(new Set(server.dealt.values()).size).toBe(2);
  });

  test("also for the host, who asks for it and starts it by one tap", async () => {
    const tab = await played();
    await tab.room.playAgain(true);
    await settled();
    expect(server.status).toBe("starting");
    expect(server.deal()).toBeDefined();
    expect(new Set(server.dealt.values()).size).toBe(2);
  });

  test("also for a page that is loaded after it was asked for", async () => {
    const tab = await played();
    tab.close();
    server.openNext();
    await Tab.open(server);
    expect(await dealt()).toBeDefined();
    expect(new Set(server.dealt.values()).size).toBe(2);
  });

  test.each(["lobby", "playing", "over"] as const)("also after a reload: %s", async (when) => {
    let tab = await Tab.open(server);
    if (when === "lobby") tab = await tab.reload();
    await dealt();
    if (when === "playing") tab = await tab.reload();
    server.end();
    if (when === "over") tab = await tab.reload();
    server.openNext();
    await settled();
    await tab.reload();
    expect(await dealt()).toBeDefined();
    expect(new Set(server.dealt.values()).size).toBe(2);
  });

  test("also after a reload in the moment in which it is to be opened", async () => {
    const tab = await played();
    server.openNext();
    await settled();
    tab.lost = true;
    server.start();
    await tab.reload();
    expect(server.deal()).toBeDefined();
  });

  test("also when it was asked for and begun over a lost connection", async () => {
    const tab = await played();
    server.tabs.delete(tab);
    server.openNext();
    server.tabs.add(tab);
    await tab.enter();
    expect(await dealt()).toBeDefined();
    expect(new Set(server.dealt.values()).size).toBe(2);
  });

  test("two tabs agree, whichever is left", async () => {
    for (const closes of [0, 1]) {
      server = new Server();
      localStorage.clear();
      const tabs = [await played(), await Tab.open(server)];
      server.openNext();
      await settled();
      tabs[closes]!.close();
      expect(await dealt(), `tab ${closes} is closed`).toBeDefined();
    }
  });

  test("a tab that wakes late spends nothing that is for the next match", async () => {
    await played();
    const late = new Tab(server);
    await late.room.enter();
    const old = server.frame();
    server.openNext();
    await settled();
    late.room.hear(old);
    expect(await dealt()).toBeDefined();
  });

  test("a second device adds its own when it is the one that is left", async () => {
    const first = await played();
    server.openNext();
    await settled();
    first.close();
    localStorage.clear();
    await Tab.open(server);
    expect(await dealt()).toBeDefined();
  });

  test("a player with another number since the start adds too", async () => {
    const tab = await played();
    tab.room.seat.value = 3;
    tab.room.hear({
      ...({ type: "view", room: "BCDFGH", decisions: [], happened: [] } as object),
      match: server.name,
      rev: 0,
      seat: 0,
    } as never);
    server.openNext();
    await settled();
    expect(tab.room.me.value).toBe(0);
    expect(server.hash).toBeDefined();
  });
});
