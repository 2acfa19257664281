// The one WebSocket: says hello, comes back when it is lost, sends every request until it is
// answered, always under the same id, so that a tap counts exactly once. Knows frames, no rooms.
import { signal } from "@preact/signals";
import type {
  ClientRequest,
  ErrorFrame,
  HelloRequest,
  OkFrame,
  ServerFrame,
  WelcomeFrame,
} from "../protocol/wire.gen";
import { randomBytes } from "./entropy";
import { hex } from "./sha256";
import { store } from "./store";

/**
 * connecting: the first time. online: greeted. lost: trying again at `retry_at`. offline: the
 * device says that it has no network. restarting: the server said so. outdated: another protocol.
 */
export type LinkState = "connecting" | "online" | "lost" | "offline" | "restarting" | "outdated";
export interface Link {
  state: LinkState;
  since: number;
  retry_at?: number;
  /** Nothing has been heard for a while, though we asked. */
  slow?: boolean;
}

export const kProtocol = 1;
const kShortestWait = 250;
const kLongestWait = 8000;
const kPingEvery = 20_000;
const kPongWithin = 8000;
const kSlowAfter = 2500;
/** More than this is no finger on a phone. */
const kMostUnanswered = 32;
/** Refusals that say "not now": nothing was changed, the same request may come again. */
const kPassing = new Set(["busy", "too_fast", "restarting", "storage_unavailable"]);
const kMostRetries = 5;
/** Refusals of what was sent again after a cut that say: it was done at the first time. */
const kDoneBefore = new Set([
  "start already_started",
  "remove_bot no_such_seat",
  "kick no_such_seat",
  "rematch not_over",
  "leave not_in_room",
]);

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Request = WithoutId<Exclude<ClientRequest, HelloRequest>>;

/** The server's no. */
export class Refused extends Error {
  constructor(
    readonly code: ErrorFrame["code"],
    readonly args: ErrorFrame["args"],
  ) {
    super(code);
  }
}

interface Unanswered {
  frame: ClientRequest;
  tries: number;
  /** Sent again after a cut: the first one may have been heard. */
  repeated?: boolean;
  resolve(ok: OkFrame): void;
  reject(refused: Refused): void;
}

export interface Listener {
  /** Greeted, for the first time or again; `again` is sent once what it returns has been sent. */
  welcome(frame: WelcomeFrame): void;
  heard(frame: ServerFrame): void;
}

export class Connection {
  readonly link = signal<Link>({ state: "connecting", since: Date.now() });
  /** Round trip of the last ping, in ms. */
  readonly latency = signal<number | undefined>(undefined);
  welcomed?: WelcomeFrame;

  private socket?: WebSocket;
  private greeted = false;
  private readonly prefix = hex(randomBytes(6));
  private count = 0;
  private readonly unanswered = new Map<string, Unanswered>();
  private attempts = 0;
  private retry_timer?: number;
  private ping_timer?: number;
  private pong_timer?: number;
  private slow_timer?: number;
  private ping?: { id: string; at: number };
  private name?: string;
  private device?: string;
  /** Who this page is, until it goes: another tab may have come as somebody else. */
  private token?: string;
  /** The token of the last hello, and the one that was refused once. */
  private said?: string;
  private doubted?: string;

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {}

  start(): void {
    window.addEventListener("online", () => this.retryNow());
    window.addEventListener("offline", () => this.networkGone());
    window.addEventListener("pageshow", () => this.check());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.check();
    });
    this.open();
  }

  freshId(): string {
    return `${this.prefix}-${++this.count}`;
  }

  /** Sends now or when we are back. The promise ends with the server's answer, however late. */
  request(request: Request, id = this.freshId()): Promise<OkFrame> {
    return new Promise((resolve, reject) => {
      if (this.unanswered.size >= kMostUnanswered) return reject(new Refused("busy", {}));
      const frame = { ...request, id } as ClientRequest;
      this.unanswered.set(id, { frame, tries: 0, resolve, reject });
      if (this.greeted) this.send(frame);
    });
  }

  /** Asks to be called this; at once if that is possible. */
  introduce(name: string): void {
    if (name === this.name) return;
    this.name = name;
    // The name is said in hello only.
    if (this.greeted) this.reopen();
  }

  /** Becomes the player of another device. */
  become(device: string): void {
    this.device = device;
    this.reopen();
  }

  retryNow(): void {
    const { state } = this.link.value;
    if (state === "online" || state === "outdated" || this.socket) return;
    this.open();
  }

  private reopen(): void {
    this.drop();
    this.open();
  }

  private set(state: LinkState, more: Partial<Link> = {}): void {
    this.link.value = { state, since: Date.now(), ...more };
  }

  private open(): void {
    window.clearTimeout(this.retry_timer);
    this.drop();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    // A network that swallows everything never says no.
    this.pong_timer = window.setTimeout(() => this.lost(socket), kPongWithin);
    socket.onopen = () => this.hello();
    socket.onmessage = (event) => {
      if (socket === this.socket && typeof event.data === "string") this.hear(event.data);
    };
    socket.onclose = () => this.lost(socket);
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = undefined;
    this.greeted = false;
    this.ping = undefined;
    window.clearTimeout(this.ping_timer);
    window.clearTimeout(this.pong_timer);
    window.clearTimeout(this.slow_timer);
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private lost(socket: WebSocket): void {
    if (socket !== this.socket) return;
    const { state, retry_at } = this.link.value;
    this.drop();
    if (state === "outdated") return;
    if (!navigator.onLine) return this.networkGone();
    const wait = Math.min(kLongestWait, kShortestWait * 2 ** this.attempts++);
    const jittered = wait * (0.75 + Math.random() / 2);
    const at = Math.max(Date.now() + jittered, state === "restarting" ? (retry_at ?? 0) : 0);
    this.link.value = {
      state: state === "connecting" || state === "restarting" ? state : "lost",
      since: state === "lost" || state === "connecting" ? this.link.value.since : Date.now(),
      retry_at: at,
    };
    this.retry_timer = window.setTimeout(() => this.open(), at - Date.now());
  }

  private networkGone(): void {
    window.clearTimeout(this.retry_timer);
    this.drop();
    this.set("offline");
    // Some devices are wrong about being offline.
    this.retry_timer = window.setTimeout(() => this.open(), kLongestWait);
  }

  private send(frame: ClientRequest): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private hello(): void {
    const token = this.token ?? store.get("token") ?? undefined;
    const hello: HelloRequest = {
      type: "hello",
      id: this.freshId(),
      protocol: kProtocol,
      locale: document.documentElement.lang.slice(0, 16),
    };
    if (this.device) hello.device = this.device;
    else if (token) hello.token = token;
    this.said = hello.token;
    if (this.name && !this.device) hello.name = this.name;
    this.send(hello);
  }

  private hear(text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    window.clearTimeout(this.pong_timer);
    if (frame.type === "welcome") return this.welcome(frame);
    if (frame.type === "pong") return this.pong(frame.re);
    if (frame.type === "ok") {
      const asked = this.unanswered.get(frame.re);
      this.unanswered.delete(frame.re);
      // Who has a seat is who this browser comes back as, whatever another tab has kept meanwhile.
      const seats = asked?.frame.type === "create" || asked?.frame.type === "join";
      if (seats && this.token) store.set("token", this.token);
      this.listener.heard(frame);
      return asked?.resolve(frame);
    }
    if (frame.type === "error") return this.refused(frame);
    if (frame.type === "bye" && frame.room === undefined) {
      const retry_at = Date.now() + (frame.retry_ms ?? 0);
      if (frame.code === "restarting") this.set("restarting", { retry_at });
      else this.link.value = { ...this.link.value, retry_at };
    }
    this.listener.heard(frame);
  }

  private welcome(frame: WelcomeFrame): void {
    this.token = frame.token ?? this.said;
    if (frame.token) store.set("token", frame.token);
    this.doubted = undefined;
    this.device = undefined;
    this.welcomed = frame;
    this.greeted = true;
    this.attempts = 0;
    this.set("online");
    // Rooms are entered again before what was asked of them is asked again.
    this.listener.welcome(frame);
    for (const asked of this.unanswered.values()) {
      asked.repeated = true;
      this.send(asked.frame);
    }
    this.pingLater();
  }

  private refused(frame: ErrorFrame): void {
    if (!this.greeted && frame.code === "bad_token" && this.said) {
      // Another tab may just be taking its first seat, which makes the token good: so ask twice.
      if (this.doubted === this.said) {
        // The server has forgotten us: come as a new guest.
        if (store.get("token") === this.said) store.set("token", null);
        this.token = undefined;
      }
      this.doubted = this.said;
      return this.hello();
    }
    if (!this.greeted && frame.code === "bad_device") {
      this.device = undefined;
      this.listener.heard(frame);
      return this.hello();
    }
    if (frame.code === "unsupported_protocol") {
      this.drop();
      return this.set("outdated");
    }
    const asked = frame.re === undefined ? undefined : this.unanswered.get(frame.re);
    if (!asked) return this.listener.heard(frame);
    if (kPassing.has(frame.code) && asked.tries < kMostRetries) {
      asked.tries += 1;
      const wait = Math.min(60_000, Math.max(500 * asked.tries, frame.args.retry_ms ?? 0));
      window.setTimeout(() => {
        if (this.greeted && this.unanswered.has(asked.frame.id)) this.send(asked.frame);
      }, wait);
      return;
    }
    this.unanswered.delete(frame.re!);
    if (asked.repeated && kDoneBefore.has(`${asked.frame.type} ${frame.code}`)) {
      return asked.resolve({ type: "ok", re: asked.frame.id });
    }
    asked.reject(new Refused(frame.code, frame.args));
  }

  // ---- Is anybody there?

  private pingLater(): void {
    window.clearTimeout(this.ping_timer);
    this.ping_timer = window.setTimeout(() => this.check(), kPingEvery);
  }

  /** Asks the server for a sign of life; without one the connection is given up. */
  check(): void {
    if (!this.greeted) return this.retryNow();
    if (this.ping) return;
    const socket = this.socket!;
    this.ping = { id: this.freshId(), at: performance.now() };
    this.send({ type: "ping", id: this.ping.id });
    window.clearTimeout(this.pong_timer);
    this.pong_timer = window.setTimeout(() => this.lost(socket), kPongWithin);
    this.slow_timer = window.setTimeout(() => {
      this.link.value = { ...this.link.value, slow: true };
    }, kSlowAfter);
    this.pingLater();
  }

  private pong(re: string): void {
    if (re !== this.ping?.id) return;
    this.latency.value = Math.round(performance.now() - this.ping.at);
    this.ping = undefined;
    window.clearTimeout(this.slow_timer);
    if (this.link.value.slow) this.set("online");
  }
}
