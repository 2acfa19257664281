// The one WebSocket, as docs/CLIENTS.md tells it: says hello, comes back when it is lost, sends every
// request until it is answered, always under the same id, so that a tap counts exactly once. States
// and events have the names of that page. Knows frames, no rooms.
import { signal } from "@preact/signals";
import type {
  ByeFrame,
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
 * connecting: a connection is being opened. greeting: hello is said. online: welcome was heard.
 * waiting: for the next try at `retry_at`. ended: nothing is tried any more.
 */
export type LinkState = "connecting" | "greeting" | "online" | "waiting" | "ended";
export interface Link {
  state: LinkState;
  /** When it came online, or when the trouble began. */
  since: number;
  /** It was online, is not now, and is to be again. */
  lost?: boolean;
  /** When a connection is tried again, or what was refused as "not now" is said again. */
  retry_at?: number;
  /** The device has no network, the server restarts, or what it has refused hello or a request with. */
  why?: "offline" | "restarting" | ErrorFrame["code"];
  /** Nothing has been heard for a while, though we asked. */
  slow?: boolean;
}

export const kProtocol = 1;
const kShortestWait = 250;
const kLongestWait = 8000;
/** A connection has this long to be opened, and then hello to be answered. */
const kGreetingTime = 10_000;
/** After its welcome, if no act was taken before: then a connection has lasted. */
const kLastingTime = 10_000;
const kPingEvery = 20_000;
const kPongWithin = 8000;
const kSlowAfter = 2500;
/** A pause below this is not worth a word. */
const kLongPause = 3000;
/** More than this is no finger on a phone. */
const kMostInFlight = 32;
/** Of one request that is refused as "not now"; then the refusal is shown. */
const kMostTries = 8;
/** Refusals that say "not now": nothing was changed, the same request may come again. */
const kNotNow = new Set(["busy", "too_fast", "restarting", "storage_unavailable"]);
const kHelloNotNow = new Set([...kNotNow, "internal_error"]);
/** Requests that come before all others: only who is in the room is told of it. */
const kEntering = new Set(["create", "join", "watch"]);
/** What was said twice would be heard twice. */
const kNeverAgain = new Set(["say", "react"]);
/** Refusals of what was sent again after a loss that say: it was done at the first time. */
const kDoneBefore = new Set([
  "start already_started",
  "reveal_entropy entropy_not_asked",
  "rematch not_over",
  "leave not_in_room",
  "remove_bot no_such_seat",
  "kick no_such_seat",
]);

/**
 * How long to wait, in ms, after so many losses in a row (from 1) of connections that did not last:
 * a quarter of a second doubled up to eight, give or take a quarter. `chance` is anywhere in [0, 1).
 */
export const waitAfter = (losses: number, chance: number) =>
  Math.min(kLongestWait, kShortestWait * 2 ** Math.min(losses - 1, 5)) * (0.75 + chance / 2);

/** What a server asked for, a second if it said nothing, and up to a quarter more. */
export const pauseOf = (retry_ms: number | undefined, chance: number) =>
  Math.min(60_000, Math.max(kShortestWait, retry_ms ?? 1000)) * (1 + chance / 4);

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Request = WithoutId<Exclude<ClientRequest, HelloRequest>>;

/** The server's no; or nobody knows whether it has heard, and what was asked is not sent again. */
export class Refused extends Error {
  constructor(
    readonly code: ErrorFrame["code"] | "unheard",
    readonly args: ErrorFrame["args"],
  ) {
    super(code);
  }
}

interface Asked {
  frame: ClientRequest;
  /** However often it is refused as "not now". */
  patient: boolean;
  tries: number;
  /** On this connection. */
  sent: boolean;
  /** Sent on one that was lost: it may have been heard there. */
  repeated: boolean;
  /** Refused as "not now". */
  put_off: boolean;
  answer: Promise<OkFrame>;
  resolve(ok: OkFrame): void;
  reject(refused: Refused): void;
}

/** A name that the server has not accepted yet. */
interface Wish {
  name: string;
  resolve(name: string): void;
  reject(refused: Refused): void;
}

export interface Listener {
  /** Greeted, for the first time or again: the time to enter rooms, before all else is sent. */
  welcome(frame: WelcomeFrame): void;
  heard(frame: ServerFrame): void;
}

export class Connection {
  readonly link = signal<Link>({ state: "connecting", since: Date.now() });
  /** Round trip of the last ping, in ms. */
  readonly latency = signal<number | undefined>(undefined);
  welcomed?: WelcomeFrame;

  private socket?: WebSocket;
  private readonly prefix = hex(randomBytes(6));
  private count = 0;
  private readonly in_flight = new Map<string, Asked>();
  /** In a row, of connections that did not last. */
  private losses = 0;
  /** What a bye asked for: no try of our own before. */
  private not_before = 0;
  /** Hello was refused as "not now", and is said again when its timer says so. */
  private put_off = false;
  private hello_id = "";
  /** The end of the greeting, or of a wait. */
  private link_timer?: number;
  private lasting_timer?: number;
  private ping_timer?: number;
  private pong_timer?: number;
  private slow_timer?: number;
  private ping?: { id: string; at: number };
  /** What the server calls me because I asked for it. */
  private name?: string;
  private wish?: Wish;
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

  /**
   * Sends now or when we are back. The promise ends with the server's answer, however late; if it is
   * `patient`, never with "not now".
   */
  request(
    request: Request,
    { id = this.freshId(), patient = false }: { id?: string; patient?: boolean } = {},
  ): Promise<OkFrame> {
    const known = this.in_flight.get(id);
    if (known) return known.answer;
    if (this.in_flight.size >= kMostInFlight) return Promise.reject(new Refused("busy", {}));
    const frame = { ...request, id } as ClientRequest;
    const fresh = { tries: 0, sent: false, repeated: false, put_off: false };
    const asked = { frame, patient, ...fresh } as Asked;
    asked.answer = new Promise((resolve, reject) => Object.assign(asked, { resolve, reject }));
    this.in_flight.set(id, asked);
    this.sendAll();
    return asked.answer;
  }

  /** Whether this room is being entered or left: what was asked has no answer yet. */
  isOnTheWay(room: string): boolean {
    const leaves = [...this.in_flight.values()].some(
      ({ frame }) => frame.type === "leave" && frame.room === room,
    );
    return leaves || this.isEntering(room);
  }

  /**
   * Asks to be called this, at once if that is possible. Resolves with the name as the server has
   * it; rejects if it does not want it, and then it is not said again.
   */
  introduce(name: string): Promise<string> {
    if (name === this.name && !this.wish) return Promise.resolve(name);
    const answer = new Promise<string>((resolve, reject) => {
      this.wish = { name, resolve, reject };
    });
    // The name is said in hello only.
    const { state } = this.link.value;
    if (state === "online" || (state === "greeting" && !this.put_off)) this.reopen();
    return answer;
  }

  /** Becomes the player of another device. */
  become(device: string): void {
    this.device = device;
    this.reopen();
  }

  retryNow(): void {
    if (this.link.value.state === "waiting") this.open();
  }

  private reopen(): void {
    this.set({ since: Date.now() });
    this.open();
  }

  private set(more: Partial<Link>): void {
    this.link.value = { ...this.link.value, ...more };
  }

  // ---- The connection

  private open(): void {
    window.clearTimeout(this.link_timer);
    this.drop();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.set({ state: "connecting", retry_at: undefined });
    // A network that swallows everything never says no.
    this.link_timer = window.setTimeout(() => this.silent(), kGreetingTime);
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => {
      if (socket === this.socket && typeof event.data === "string") this.hear(event.data);
    };
    socket.onclose = () => socket === this.socket && this.lost();
  }

  private opened(): void {
    this.set({ state: "greeting" });
    this.hello();
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = undefined;
    this.ping = undefined;
    this.put_off = false;
    window.clearTimeout(this.link_timer);
    window.clearTimeout(this.lasting_timer);
    window.clearTimeout(this.ping_timer);
    window.clearTimeout(this.pong_timer);
    window.clearTimeout(this.slow_timer);
    for (const asked of this.in_flight.values()) {
      asked.repeated ||= asked.sent;
      if (!asked.sent || !kNeverAgain.has(asked.frame.type)) {
        asked.sent = false;
        continue;
      }
      this.in_flight.delete(asked.frame.id);
      asked.reject(new Refused("unheard", {}));
    }
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private silent(): void {
    this.lost();
  }

  private lost(): void {
    this.drop();
    if (!navigator.onLine) return this.networkGone();
    this.losses += 1;
    const now = Date.now();
    const at = Math.max(now + waitAfter(this.losses, Math.random()), this.not_before);
    const why = this.link.value.why === "restarting" ? "restarting" : undefined;
    this.waitUntil(at, why);
    this.link_timer = window.setTimeout(() => this.due(), at - now);
  }

  private networkGone(): void {
    if (this.link.value.state === "ended") return;
    this.drop();
    this.waitUntil(undefined, "offline");
    // Some devices are wrong about being offline.
    this.link_timer = window.setTimeout(() => this.due(), kLongestWait);
  }

  private waitUntil(retry_at: number | undefined, why: Link["why"]): void {
    const { state, since, lost } = this.link.value;
    const trouble = state === "online" ? { since: Date.now(), lost: true } : { since, lost };
    this.link.value = { state: "waiting", ...trouble, retry_at, why };
  }

  private due(): void {
    this.open();
  }

  private lasted(): void {
    this.losses = 0;
  }

  private send(frame: ClientRequest): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private hear(text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    window.clearTimeout(this.pong_timer);
    if (frame.type === "welcome") return this.welcome(frame);
    if (frame.type === "pong") return this.pong(frame.re);
    if (frame.type === "ok") return this.answered(frame);
    if (frame.type === "error") return this.refused(frame);
    if (frame.type === "bye" && frame.room === undefined) this.bye(frame);
    this.listener.heard(frame);
  }

  private bye(frame: ByeFrame): void {
    this.not_before = Date.now() + pauseOf(frame.retry_ms, Math.random());
    if (frame.code === "restarting") this.set({ why: "restarting" });
  }

  // ---- hello

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
    const name = this.wish?.name ?? this.name;
    if (name && !this.device) hello.name = name;
    this.hello_id = hello.id;
    this.put_off = false;
    this.send(hello);
    window.clearTimeout(this.link_timer);
    this.link_timer = window.setTimeout(() => this.silent(), kGreetingTime);
  }

  private welcome(frame: WelcomeFrame): void {
    window.clearTimeout(this.link_timer);
    this.token = frame.token ?? this.said;
    if (frame.token) store.set("token", frame.token);
    this.doubted = undefined;
    if (this.device) this.name = frame.player;
    this.device = undefined;
    if (this.wish) {
      this.name = frame.player;
      this.wish.resolve(frame.player);
      this.wish = undefined;
    }
    this.welcomed = frame;
    this.not_before = 0;
    this.link.value = { state: "online", since: Date.now() };
    this.lasting_timer = window.setTimeout(() => this.lasted(), kLastingTime);
    this.resume(frame);
    this.pingLater();
  }

  private helloRefused(frame: ErrorFrame): void {
    window.clearTimeout(this.link_timer);
    const { code, args } = frame;
    if (code === "bad_token" && this.said) {
      // Another tab may just be taking its first seat, which makes the token good: so ask twice.
      if (this.doubted === this.said) {
        // The server has forgotten us: come as a new guest.
        if (store.get("token") === this.said) store.set("token", null);
        this.token = undefined;
      }
      this.doubted = this.said;
      return this.hello();
    }
    if (code === "bad_device" && this.device) {
      this.device = undefined;
      this.listener.heard(frame);
      return this.hello();
    }
    if (code === "bad_text" && args.field === "name" && (this.wish || this.name)) {
      // Said at its field, and never again.
      const { wish } = this;
      if (wish) this.wish = undefined;
      else this.name = undefined;
      wish?.reject(new Refused(code, args));
      return this.hello();
    }
    if (!kHelloNotNow.has(code)) {
      this.drop();
      return this.set({ state: "ended", since: Date.now(), why: code });
    }
    const pause = pauseOf(args.retry_ms, Math.random());
    this.put_off = true;
    this.set({ why: code, retry_at: Date.now() + pause });
    this.link_timer = window.setTimeout(() => this.hello(), pause);
  }

  /** Rooms are entered again, each before what has no answer there is sent again. */
  private resume(frame: WelcomeFrame): void {
    this.listener.welcome(frame);
    this.sendAll();
  }

  // ---- Requests

  /** Whatever may go now: only who is in a room is told of it, so the way in comes first. */
  private sendAll(): void {
    if (this.link.value.state !== "online") return;
    for (const asked of this.in_flight.values()) {
      const { frame, sent, put_off } = asked;
      const room = kEntering.has(frame.type) || !("room" in frame) ? undefined : frame.room;
      if (sent || put_off || (room !== undefined && this.isEntering(room))) continue;
      asked.sent = true;
      this.send(frame);
    }
  }

  private isEntering(room: string): boolean {
    return [...this.in_flight.values()].some(
      ({ frame }) => (frame.type === "join" || frame.type === "watch") && frame.room === room,
    );
  }

  private answered(frame: OkFrame): void {
    const asked = this.in_flight.get(frame.re);
    this.forget(frame.re);
    if (asked?.frame.type === "act") this.lasted();
    // Who has a seat is who this browser comes back as, whatever another tab has kept meanwhile.
    const seats = asked?.frame.type === "create" || asked?.frame.type === "join";
    if (seats && this.token) store.set("token", this.token);
    this.listener.heard(frame);
    asked?.resolve(frame);
  }

  private refused(frame: ErrorFrame): void {
    if (this.link.value.state === "greeting") {
      if ((frame.re ?? this.hello_id) === this.hello_id) this.helloRefused(frame);
      return;
    }
    const asked = frame.re === undefined ? undefined : this.in_flight.get(frame.re);
    if (!asked) return this.listener.heard(frame);
    const again = asked.patient || asked.tries < kMostTries;
    if (kNotNow.has(frame.code) && again) return this.notNow(asked, frame);
    this.forget(asked.frame.id);
    if (asked.repeated && kDoneBefore.has(`${asked.frame.type} ${frame.code}`)) {
      return asked.resolve({ type: "ok", re: asked.frame.id });
    }
    asked.reject(new Refused(frame.code, frame.args));
  }

  private notNow(asked: Asked, { code, args }: ErrorFrame): void {
    asked.tries += 1;
    asked.sent = false;
    asked.put_off = true;
    const pause = pauseOf(args.retry_ms, Math.random());
    if (pause > kLongPause) this.set({ why: code, retry_at: Date.now() + pause });
    window.setTimeout(() => {
      asked.put_off = false;
      this.sendAll();
    }, pause);
  }

  private forget(id: string): void {
    this.in_flight.delete(id);
    // Nothing of what was put off is left.
    const { state, why } = this.link.value;
    const isPutOff = [...this.in_flight.values()].some(({ put_off }) => put_off);
    if (state === "online" && why && why !== "restarting" && !isPutOff) {
      this.set({ why: undefined, retry_at: undefined });
    }
    this.sendAll();
  }

  // ---- Is anybody there?

  private pingLater(): void {
    window.clearTimeout(this.ping_timer);
    this.ping_timer = window.setTimeout(() => this.check(), kPingEvery);
  }

  /** Asks the server for a sign of life; without one the connection is given up. */
  check(): void {
    if (this.link.value.state !== "online") {
      if (Date.now() >= this.not_before) this.retryNow();
      return;
    }
    if (this.ping) return;
    this.ping = { id: this.freshId(), at: performance.now() };
    this.send({ type: "ping", id: this.ping.id });
    window.clearTimeout(this.pong_timer);
    this.pong_timer = window.setTimeout(() => this.silent(), kPongWithin);
    this.slow_timer = window.setTimeout(() => this.set({ slow: true }), kSlowAfter);
    this.pingLater();
  }

  private pong(re: string): void {
    if (re !== this.ping?.id) return;
    this.latency.value = Math.round(performance.now() - this.ping.at);
    this.ping = undefined;
    window.clearTimeout(this.slow_timer);
    if (this.link.value.slow) this.set({ slow: false });
  }
}
