// The connection and the rooms that this tab is in: joined again whenever the connection is back.
import { signal } from "@preact/signals";
import type { ServerFrame, WelcomeFrame } from "../protocol/wire.gen";
import { Connection } from "./connection";
import { forgetOwnParts } from "./own_parts";
import { Room } from "./room";

/** The address of the WebSocket beside this page, wherever a proxy has put it. */
export function socketUrl(base: string): string {
  const url = new URL("ws", base);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.search = "";
  url.hash = "";
  return url.href;
}

export class Client {
  readonly connection: Connection;
  readonly welcome = signal<WelcomeFrame | undefined>(undefined);
  /** The version that the server had when this page was opened, and another one since. */
  readonly newVersion = signal(false);
  /** Why the code of another device was refused. */
  readonly deviceRefused = signal<string | undefined>(undefined);
  /** What whoever runs the server has said last, until it is read. */
  readonly notice = signal<string | undefined>(undefined);
  readonly lobby = signal<Extract<ServerFrame, { type: "lobby" }>["rooms"]>([]);
  readonly rooms = new Map<string, Room>();
  /** The room that was entered last: its turns are called out on every screen. */
  readonly here = signal<Room | undefined>(undefined);
  private readonly entered = new Set<string>();

  private build?: string;
  private became?: () => void;

  /** `version` is where the server tells which client it has. */
  constructor(
    url: string,
    private readonly version: URL,
  ) {
    this.connection = new Connection(url, {
      welcome: (frame) => this.welcomed(frame),
      heard: (frame) => this.heard(frame),
    });
  }

  /** After each hello: does the server hand out another client than when this page was opened? */
  private async compareVersions(): Promise<void> {
    try {
      const answer = await fetch(this.version, { cache: "no-store" });
      const { web } = (await answer.json()) as { web: string };
      if (this.build !== undefined && this.build !== web) this.newVersion.value = true;
      this.build ??= web;
    } catch {
      // Then the next time.
    }
  }

  private welcomed(frame: WelcomeFrame): void {
    const before = this.welcome.value;
    this.welcome.value = frame;
    void this.compareVersions();
    this.became?.();
    this.became = undefined;
    if (!before) return;
    for (const code of this.entered) {
      if (this.connection.isOnTheWay(code)) continue;
      // Who is not let in again is out.
      this.rooms
        .get(code)
        ?.enterAgain()
        .catch(() => this.entered.delete(code));
    }
  }

  private heard(frame: ServerFrame): void {
    if (frame.type === "lobby") this.lobby.value = frame.rooms;
    else if (frame.type === "notice") this.notice.value = frame.text;
    else if (frame.type === "error" && frame.code === "bad_device") {
      this.deviceRefused.value = frame.code;
      this.became = undefined;
    } else if ("room" in frame && frame.room !== undefined && frame.type !== "ok") {
      if (frame.type === "bye") this.entered.delete(frame.room);
      this.rooms.get(frame.room)?.hear(frame);
    }
  }

  /** The room of this code; it is made known here first, so that its frames are heard. */
  room(code: string, watching = false): Room {
    let room = this.rooms.get(code);
    if (!room) {
      room = new Room(this.connection, code, watching);
      this.rooms.set(code, room);
    }
    return room;
  }

  /** Enters and stays: also after the connection was lost. */
  async enter(
    code: string,
    how: { watch?: boolean; seat?: number; password?: string } = {},
  ): Promise<Room> {
    const room = this.room(code, how.watch);
    await room.enter(how);
    this.entered.add(code);
    this.here.value = room;
    return room;
  }

  /**
   * Becomes the player of another device, with the one-use code that was shown there. Resolves when
   * that is so; if the code is refused, `deviceRefused` says why.
   */
  become(device: string): Promise<void> {
    this.deviceRefused.value = undefined;
    this.rooms.clear();
    this.entered.clear();
    this.here.value = undefined;
    forgetOwnParts();
    this.connection.become(device);
    return new Promise((resolve) => (this.became = resolve));
  }

  /** This tab goes; a seat in play stays mine. */
  async leave(code: string): Promise<void> {
    this.entered.delete(code);
    const room = this.rooms.get(code);
    this.rooms.delete(code);
    if (this.here.value === room) this.here.value = undefined;
    await room?.ask({ type: "leave", room: code });
  }
}
