/**
 * Write a bot for Triquetra: one class with one method. docs/BOTS.md shows how.
 *
 * This one file is the whole kit. It uses the WebSocket that Node 22 and browsers have, else the
 * package ws (Debian: node-ws), and knows no game: the server sends the acts that are possible, the
 * bot returns one of them. Reconnection, coming back to the seat, request ids, and asking again
 * under the same id until there is an answer are in here, as docs/CLIENTS.md tells it: states and
 * events have its names.
 *
 * @typedef {{[key: string]: any}} Json
 * @typedef {{action: Json, preview?: number, worth?: number}} LegalAct
 *   An act that is open to this seat, and what it is worth where that can be told.
 * @typedef {{id: number, kind: "turn" | "ballot" | "window", seats: number[]}} Decision
 *   An open question, and the seats that it still waits for.
 * @typedef {{room: string, match: string, rev: number, decisions: Decision[], table: Json,
 *   happened: Json[], seat?: number, mine?: Json, legal?: LegalAct[], answer?: Json}} View
 *   The whole table as this seat may see it. `table`, `happened` and `mine` are the game's own.
 * @typedef {{action?: Json, wins: number, points?: number}} WeighedAct
 *   What an act promises: matches that it wins out of a hundred, and the points of this seat at the
 *   end. Without an action a window is left to its clock.
 * @typedef {{rev: number, decision: number, action?: Json, acts: WeighedAct[]}} Hint
 *   What an expert would do in this seat, by what the seat knows; and the best few acts.
 * @typedef {{rev: number, seat: number, action: Json, better: Json, wins: number,
 *   points?: number}} ReviewedAct
 *   An act of a finished match, what an expert would have done, and what that would have been better
 *   by.
 * @typedef {{steps: number, looked_at: number, acts: ReviewedAct[]}} Review
 *   The acts that cost most, of all players but the server's bots, the costliest first.
 * @typedef {{type: string, re?: string, code?: string, args?: Json, [key: string]: any}} Answer
 * @typedef {{create?: Json, bots?: number, level?: string, seat?: number,
 *   password?: string, matches?: number}} Plan
 * @typedef {{frame: Json, then: (answer: Answer) => void | Promise<void>, sent: boolean,
 *   repeated: boolean, putOff: boolean}} Asked
 *   A request without an answer. sent: on this connection. repeated: sent on one that was lost, so it
 *   may have been heard there. putOff: refused as "not now".
 */

/** The server said no, and asking again would not help. */
export class Refused extends Error {
  /** @param {string} code @param {Json} request @param {Json} [args] */
  constructor(code, request, args = {}) {
    super(`${request.type} refused: ${code} ${JSON.stringify(args)}`);
    this.code = code;
  }
}

/** The first connection could not be opened, or too many in a row did not last. */
export class NoConnection extends Error {}

/**
 * Of the connection to the server. connecting: it is being opened. greeting: hello is said. online:
 * welcome was heard. waiting: for the next try. ended: nothing is tried any more.
 */
export const LinkState = Object.freeze({ connecting: "connecting", greeting: "greeting",
  online: "online", waiting: "waiting", ended: "ended" });

/** Answers that mean: nothing was changed, the same request again, later. */
const NOT_NOW = new Set(["busy", "too_fast", "restarting", "storage_unavailable"]);
const HELLO_NOT_NOW = new Set([...NOT_NOW, "internal_error"]);
/** Answers to an act that mean: somebody or the clock was faster; the newest view tells. */
const STALE = new Set(["too_late", "not_your_turn", "not_started"]);
/** Requests that come before all others: only who is in the room is told of it. */
const ENTERING = new Set(["create", "join", "watch"]);
/** Answers to what was sent again after a loss that mean: it was done at the first time. */
const DONE_BEFORE = new Set(["start already_started", "reveal_entropy entropy_not_asked",
  "rematch not_over", "leave not_in_room", "remove_bot no_such_seat", "kick no_such_seat"]);
const GREETING_MS = 10_000; // a connection has this long to be opened and hello to be answered
const LASTING_MS = 10_000; // after its welcome, or an act before: then a connection has lasted
const MOST_LOSSES = 42; // in a row: five minutes at 8 s each
const REVIEW_MS = 1000; // between two looks at what has come out of it
const PING_MS = 20_000; // the built-in WebSocket does not notice by itself that a peer is gone
const SILENCE_MS = 30_000;

/**
 * How long to wait after so many losses in a row (from 1) of connections that did not last: 250 ms
 * doubled up to 8 s, give or take a quarter.
 * @param {number} losses
 * @param {number} chance anywhere in [0, 1)
 */
export const waitAfter = (losses, chance) =>
  250 * 2 ** Math.min(losses - 1, 5) * (0.75 + chance / 2);

/**
 * How long until what was refused as "not now" may come again, in ms: what the server asked for, a
 * second if it said nothing, and up to a quarter more.
 * @param {number | undefined} retryMs
 * @param {number} chance anywhere in [0, 1)
 */
export const pauseOf = (retryMs, chance) =>
  (retryMs === undefined ? 1000 : Math.min(60_000, Math.max(250, retryMs))) * (1 + chance / 4);

/** Override choose(); call main(), or await play(). */
export class Bot {
  static botName = "JavaScript bot";

  /**
   * @param {string} [server]
   * @param {string} [token] who this bot is, from an earlier `bot.token`: it gets its seat back
   */
  constructor(server = "ws://localhost:8080", token = undefined) {
    this.server = server;
    this.token = token;
    this.name = /** @type {typeof Bot} */ (this.constructor).botName;
    /** @type {Record<string, number>} */
    this.refusals = {};
    this.acts = 0;
    /** @type {Json[]} */
    this.records = [];
    /** @type {string | undefined} */
    this.room = undefined;
    this.isTalking = false; // tells the room's code on standard output
    /** In choose(): what came of wantsHint(). @type {Hint | undefined} */
    this.hint = undefined;
    this.wantsReviews = false; // after each match, onReview()
  }

  // Each of these may be async, but for wantsHint(). What they throw ends the bot, and says where.

  /**
   * One element of `legal`, which is never empty; undefined lets a window pass.
   * @param {View} view
   * @param {LegalAct[]} legal
   * @returns {LegalAct | undefined | Promise<LegalAct | undefined>}
   */
  choose(view, legal) {
    throw new Error(`choose() is yours to write (${view.room}, ${legal.length} acts)`);
  }

  /**
   * What each act or lapse did: every rev of a match once, in order, before choose().
   * @param {number} _rev
   * @param {Json[]} _events
   * @returns {void | Promise<void>}
   */
  onHappened(_rev, _events) {}

  /**
   * A match is over: its record, in which nothing is hidden any more.
   * @param {Json} _record
   * @returns {void | Promise<void>}
   */
  onOver(_record) {}

  /**
   * The room has changed: people, status.
   * @param {Json} _room
   * @returns {void | Promise<void>}
   */
  onRoom(_room) {}

  /**
   * Whether to ask the server what an expert would do, before choose(): it stands in `hint` then.
   * The table hears of it. Ten may be asked for at once, and one in six seconds.
   * @param {View} _view
   * @returns {boolean}
   */
  wantsHint(_view) {
    return false;
  }

  /**
   * What a look at the match that is over has come to, some seconds after onOver().
   * @param {Review} _review
   * @returns {void | Promise<void>}
   */
  onReview(_review) {}

  /**
   * Joins `room`, or makes one by the fields `create` with `bots` bots of the server's in it, and
   * plays so many matches there (0: until the room closes). Gives their records.
   * @param {string | undefined} room
   * @param {Plan} [plan]
   * @returns {Promise<Json[]>}
   */
  async play(room, plan = {}) {
    return new Visit(this, room, plan).run();
  }

  /** Plays as the command line says; for Node. */
  static async main() {
    const { parseArgs } = await import("node:util");
    const usage = `${this.botName}: CODE | --game GAME [--options JSON] [--seats N] [--bots N]
  [--level L] [--server URL] [--name NAME] [--seat N] [--password P] [--matches N] [--json]`;
    /** @type {Json} */
    let values;
    /** @type {string[]} */
    let rooms;
    try {
      const text = { type: /** @type {const} */ ("string") };
      const options = { server: text, game: text, options: text, seats: text, bots: text,
        level: text, name: text, seat: text, password: text, matches: text,
        json: { type: /** @type {const} */ ("boolean") } };
      ({ values, positionals: rooms } = parseArgs({ options, allowPositionals: true }));
      if ((rooms.length === 1) === (values.game !== undefined)) throw new Error(usage);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exit(2);
    }
    const bots = Number(values.bots ?? 0);
    const seats = values.seats ? Number(values.seats) : bots ? bots + 1 : undefined;
    const create = values.game && {
      game: values.game, options: JSON.parse(values.options ?? "{}"), ...(seats ? { seats } : {}),
    };
    const bot = new this(values.server ?? process.env.TRIQUETRA_SERVER);
    bot.name = values.name ?? this.botName;
    bot.isTalking = true;
    try {
      await bot.play(rooms[0], { create, bots, level: values.level, password: values.password,
        seat: values.seat === undefined ? undefined : Number(values.seat),
        matches: Number(values.matches ?? 1) });
    } catch (error) {
      const isOurs = error instanceof Refused || error instanceof NoConnection;
      // What the author's code throws says in which file and line.
      const words = isOurs ? error.message : error instanceof Error ? error.stack : error;
      console.error(`${bot.name}: ${words}`);
      process.exit(1);
    }
    if (values.json) {
      console.log(JSON.stringify({ name: bot.name, matches: bot.records.length, acts: bot.acts,
        refusals: bot.refusals }));
    }
  }
}

/** The built-in WebSocket, or that of the package ws. */
async function webSocketClass() {
  if (globalThis.WebSocket) return globalThis.WebSocket;
  const { createRequire } = await import("node:module");
  try {
    // Not import: only require looks where Debian puts packages.
    return createRequire(import.meta.url)("ws");
  } catch {
    throw new Error("this JavaScript has no WebSocket: take Node 22, or install ws (node-ws)");
  }
}

/** The built-in cryptography, which Node 18 does not show by itself. */
async function cryptography() {
  return globalThis.crypto ?? (await import("node:crypto")).webcrypto;
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One bot's time in one room, over as many connections as it takes. */
class Visit {
  /** @param {Bot} bot @param {string | undefined} room @param {Plan} plan */
  constructor(bot, room, plan) {
    this.bot = bot;
    this.room = room;
    this.plan = plan;
    /** @type {string} */
    this.state = LinkState.connecting;
    /** @type {any} */
    this.socket = null; // while there is a connection
    this.wasOpen = false; // ever
    this.helloId = "";
    /** @type {any} */
    this.linkTimer = undefined; // the end of the greeting
    /** @type {any} */
    this.lastingTimer = undefined; // since the welcome
    /** Of what is sent again after a pause. @type {Set<any>} */
    this.later = new Set();
    /** Leaves this connection. @type {(why: string) => void} */
    this.drop = () => {};
    this.losses = 0; // in a row, of connections that did not last
    this.pauseMs = 0; // that a bye asked for
    this.welcomed = false; // ever
    this.done = false;
    /** @type {Map<string, Asked>} */
    this.inFlight = new Map();
    /** @type {Json[]} */
    this.records = [];
    this.idPrefix = "";
    this.idCount = 0;
    /** @type {number | undefined} */
    this.mySeat = undefined;
    this.drawn = ""; // entropy whose hash was sent
    this.entropy = ""; // the same once the server has taken the hash, until it is opened
    /** @type {string | undefined} */
    this.match = undefined;
    /** @type {Set<string>} */
    this.over = new Set();
    /** @type {Set<string>} */
    this.started = new Set();
    this.promisedFor = new Set(); // matches, after a start that was called off
    /** @type {View | undefined} */
    this.view = undefined;
    this.toldRev = 0;
    this.isCatchingUp = false;
    /** What comes after the history that is asked for. @type {(() => Promise<void>) | undefined} */
    this.afterHistory = undefined;
    this.question = ""; // match and decision that were answered last
    this.hintWanted = ""; // match and decision
    this.hintHeard = "";
    this.answeredRev = 0; // of the view that the answer was chosen by
    /** @type {Answer | undefined} */
    this.doubted = undefined; // an act that was illegal, until a view tells why
    this.reused = ""; // match and decision that were answered under an id that was known
    /** What the author's code threw, or a refusal. @type {{error: unknown} | undefined} */
    this.failure = undefined;
    this.heardAt = 0;
  }

  // --- The connection

  async run() {
    const Socket = await webSocketClass();
    const random = (await cryptography()).getRandomValues(new Uint8Array(6));
    this.idPrefix = hex(random); // ids must be new also for the next process
    try {
      for (;;) {
        const reason = await this.connection(new Socket(this.address()));
        if (this.failure) throw this.failure.error;
        if (this.done) break;
        this.wasOpen ||= await this.isStarting();
        await pause(this.lost(reason));
        this.due();
      }
    } finally {
      this.state = LinkState.ended;
      for (const timer of this.later) clearTimeout(timer);
    }
    return this.records;
  }

  /** Whether a server is there that has just been started: a WebSocket does not tell why it failed. */
  async isStarting() {
    const url = this.address().replace(/^ws/, "http").replace(/ws$/, "readyz");
    const signal = AbortSignal.timeout(GREETING_MS);
    return fetch(url, { signal }).then(({ status }) => status === 503, () => false);
  }

  address() {
    let server = this.bot.server.replace(/^http/, "ws").replace(/\/$/, "");
    if (!server.includes("://")) server = `ws://${server}`;
    return server.endsWith("/ws") ? server : `${server}/ws`;
  }

  /**
   * One connection, from its opening to its end; why it went.
   * @param {any} socket
   * @returns {Promise<string>}
   */
  connection(socket) {
    return new Promise((resolve) => {
      let reason = "";
      // Frames are taken one after the other, also when a choice takes its time.
      let turn = Promise.resolve();
      const ended = () => {
        clearTimeout(this.linkTimer);
        clearTimeout(this.lastingTimer);
        clearInterval(beat);
        this.socket = null;
        resolve(reason);
      };
      this.drop = (why) => {
        reason = why;
        // What says nothing may not even say goodbye.
        socket.onopen = socket.onmessage = socket.onclose = null;
        if (socket.terminate) socket.terminate();
        else socket.close();
        turn.then(ended);
      };
      this.linkTimer = setTimeout(() => this.silent("no answer"), GREETING_MS);
      const beat = setInterval(() => {
        if (Date.now() - this.heardAt > SILENCE_MS) this.silent("silence");
        else if (this.state === LinkState.online) this.send({ type: "ping", id: this.freshId() });
      }, PING_MS);
      this.heardAt = Date.now();
      socket.onopen = () => {
        this.socket = socket;
        this.opened();
      };
      socket.onmessage = (/** @type {{data: string}} */ event) => {
        this.heardAt = Date.now();
        turn = turn.then(async () => {
          if (this.done || this.failure) return;
          await this.hear(JSON.parse(event.data));
        }).catch((error) => { this.failure = { error }; }).then(() => {
          if (this.done || this.failure) socket.close();
        });
      };
      // onclose follows, but says less.
      socket.onerror = (/** @type {{message?: string}} */ event) => { reason = event.message ?? ""; };
      socket.onclose = (/** @type {{code: number}} */ event) => {
        reason ||= `closed with ${event.code}`;
        turn.then(ended);
      };
    });
  }

  opened() {
    this.wasOpen = true;
    this.state = LinkState.greeting;
    this.hello();
  }

  /** @param {string} why */
  silent(why) {
    this.drop(why);
  }

  /**
   * The connection went: how long to wait before the next one.
   * @param {string} reason
   */
  lost(reason) {
    if (!this.wasOpen || this.losses >= MOST_LOSSES) {
      throw new NoConnection(`no connection to ${this.bot.server}: ${reason}`);
    }
    this.state = LinkState.waiting;
    for (const asked of this.inFlight.values()) {
      asked.repeated ||= asked.sent;
      asked.sent = false;
    }
    this.losses += 1;
    const waitMs = Math.max(waitAfter(this.losses, Math.random()), this.pauseMs);
    this.pauseMs = 0;
    console.warn(`connection lost (${reason}), trying again in ${(waitMs / 1000).toFixed(1)} s`);
    return waitMs;
  }

  due() {
    this.state = LinkState.connecting;
  }

  lasted() {
    this.losses = 0;
  }

  /** @param {Json} frame */
  send(frame) {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(frame));
  }

  // --- Requests: each has an id of its own and is sent until it is answered.

  freshId() {
    return `${this.idPrefix}-${++this.idCount}`;
  }

  /** @param {Json} request @param {(answer: Answer) => void | Promise<void>} then */
  ask({ type, ...fields }, then) {
    const frame = { type, id: this.freshId(), ...fields };
    this.inFlight.set(frame.id, { frame, then, sent: false, repeated: false, putOff: false });
    this.sendAll();
  }

  /** Whatever may go now: only who is in a room is told of it, so the way in comes first. */
  sendAll() {
    if (this.state !== LinkState.online) return;
    const isEntering = (/** @type {Asked} */ asked) => ENTERING.has(asked.frame.type);
    const all = [...this.inFlight.values()];
    const isOnTheWayIn = all.some(isEntering);
    for (const asked of all) {
      if (asked.sent || asked.putOff || (isOnTheWayIn && !isEntering(asked))) continue;
      asked.sent = true;
      this.send(asked.frame);
    }
  }

  hello() {
    const token = this.bot.token === undefined ? {} : { token: this.bot.token };
    this.helloId = this.freshId();
    this.send({ type: "hello", id: this.helloId, protocol: 1, name: this.bot.name, bot: true,
      ...token });
    clearTimeout(this.linkTimer);
    this.linkTimer = setTimeout(() => this.silent("no answer to hello"), GREETING_MS);
  }

  async enter() {
    const entered = (/** @type {Answer} */ answer) => this.entered(answer);
    const { create, seat, password } = this.plan;
    if (create && this.room === undefined) {
      this.ask({ type: "create", ...create, entropy_hash: await this.promise() }, entered);
      return;
    }
    /** @type {Json} */
    const join = { type: "join", room: this.room };
    if (this.mySeat === undefined) {
      join.entropy_hash = await this.promise();
      if (seat !== undefined) join.seat = seat;
      if (password) join.password = password;
    }
    this.ask(join, entered);
  }

  /** Draws entropy for the shuffle, keeps it, and gives its hash. */
  async promise() {
    const crypto = await cryptography();
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    this.drawn = hex(bytes);
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  }

  // --- What the server says

  /** @param {Json} frame */
  async hear(frame) {
    if (frame.type === "welcome") await this.welcome(frame);
    else if (frame.type === "ok") await this.answered(/** @type {Answer} */ (frame));
    else if (frame.type === "error") await this.refused(/** @type {Answer} */ (frame));
    else if (frame.type === "bye") this.bye(frame);
    else if (frame.type === "room" && frame.room === this.room) await this.roomChanged(frame);
    else if (frame.type === "view" && frame.room === this.room) {
      await this.viewed(/** @type {View} */ (frame));
    }
    // Newer servers may say more, which is passed over.
  }

  /** @param {Json} frame */
  async welcome(frame) {
    clearTimeout(this.linkTimer);
    if (frame.token !== undefined) this.bot.token = frame.token;
    this.state = LinkState.online;
    this.lastingTimer = setTimeout(() => this.lasted(), LASTING_MS);
    if (this.welcomed) await this.resume();
    else {
      this.welcomed = true;
      await this.enter();
    }
  }

  /** @param {Json} frame */
  helloRefused(frame) {
    clearTimeout(this.linkTimer);
    if (frame.code === "bad_token" && this.bot.token !== undefined) {
      this.bot.token = undefined; // this server does not know us: come as somebody new
      this.hello();
    } else if (HELLO_NOT_NOW.has(frame.code)) {
      const pauseMs = pauseOf(frame.args?.retry_ms, Math.random());
      this.linkTimer = setTimeout(() => this.hello(), pauseMs);
      console.warn(`hello refused (${frame.code}), again in ${(pauseMs / 1000).toFixed(1)} s`);
    } else throw new Refused(frame.code, { type: "hello" }, frame.args);
  }

  /** Back: enters the room again, before what has no answer is sent again. */
  async resume() {
    const kinds = [...this.inFlight.values()].map((asked) => asked.frame.type);
    if (!kinds.some((kind) => ENTERING.has(kind) || kind === "leave")) await this.enter();
    this.sendAll();
  }

  /** @param {Answer} frame */
  async answered(frame) {
    const asked = this.inFlight.get(frame.re ?? "");
    if (!asked) return;
    this.inFlight.delete(asked.frame.id);
    if (asked.frame.type === "act") this.lasted();
    this.sendAll();
    await asked.then(frame);
  }

  /** @param {Answer} frame */
  async refused(frame) {
    if (this.state === LinkState.greeting) {
      if ((frame.re ?? this.helloId) === this.helloId) this.helloRefused(frame);
      return;
    }
    const asked = this.inFlight.get(frame.re ?? "");
    if (!asked) return;
    const code = frame.code ?? "";
    if (NOT_NOW.has(code)) {
      this.notNow(asked, frame);
      return;
    }
    this.inFlight.delete(asked.frame.id);
    if (asked.repeated && DONE_BEFORE.has(`${asked.frame.type} ${code}`)) {
      await asked.then({ type: "ok", re: asked.frame.id });
      return;
    }
    this.bot.refusals[code] = (this.bot.refusals[code] ?? 0) + 1;
    await asked.then({ ...frame, asked: asked.frame });
  }

  /** @param {Asked} asked @param {Answer} frame */
  notNow(asked, frame) {
    asked.sent = false;
    asked.putOff = true;
    this.after(pauseOf(frame.args?.retry_ms, Math.random()), () => {
      asked.putOff = false;
      this.sendAll();
    });
  }

  /** @param {number} delayMs @param {() => void} then */
  after(delayMs, then) {
    const timer = setTimeout(() => {
      this.later.delete(timer);
      then();
    }, delayMs);
    this.later.add(timer);
  }

  /** @param {Json} frame */
  bye(frame) {
    if (frame.room === undefined) this.pauseMs = pauseOf(frame.retry_ms, Math.random());
    else if (frame.room === this.room) {
      this.done = true;
      if (frame.code === "kicked") throw new Refused("kicked", { type: "join" });
      console.warn(`out of the room: ${frame.code}`);
    }
  }

  /** @param {Answer} answer */
  must(answer) {
    if (answer.type === "error") throw new Refused(answer.code ?? "", answer.asked, answer.args);
  }

  // --- The room

  /** @param {Answer} answer */
  entered(answer) {
    this.must(answer);
    const isNew = this.room === undefined;
    this.room = this.bot.room = answer.room;
    if (this.mySeat === undefined) {
      this.mySeat = answer.seat;
      this.entropy = this.drawn;
    }
    if (!isNew) return;
    if (this.bot.isTalking) console.log(`Room ${this.room}`);
    for (let i = 0; i < (this.plan.bots ?? 0); ++i) {
      const level = this.plan.level ?? "normal";
      this.ask({ type: "add_bot", room: this.room, level }, (added) => this.must(added));
    }
  }

  /** @param {Json} room */
  async roomChanged(room) {
    await this.bot.onRoom(room);
    const may = () => {};
    if (room.status === "starting" && this.entropy && room.reveal?.length > 0) {
      const entropy = this.entropy;
      this.entropy = "";
      this.ask({ type: "reveal_entropy", room: this.room, entropy }, may);
    }
    if (room.status === "open" && room.called_off && !this.promisedFor.has(room.match)) {
      // What was promised for the start that was called off is spent, or may be known by now.
      this.promisedFor.add(room.match);
      const entropy_hash = await this.promise();
      this.ask({ type: "rematch", room: this.room, entropy_hash }, (taken) => {
        if (taken.type === "ok") this.entropy = this.drawn;
      });
    }
    const isFull = room.seats.every((/** @type {Json} */ seat) => seat.kind !== "empty");
    const isMine = this.plan.create && room.host === this.mySeat;
    if (room.status === "open" && isFull && isMine && !this.started.has(room.match)) {
      this.started.add(room.match);
      this.ask({ type: "start", room: this.room }, (answer) => this.must(answer));
    }
    // A match may have ended, and the next one opened, while we were not there.
    const ended = room.status === "over" || room.match === this.match ? room.match : this.match;
    if ((room.status === "over" || ended !== room.match) && ended && !this.over.has(ended)) {
      this.over.add(ended);
      this.ask({ type: "record", room: this.room, match: ended },
        (answer) => this.ended(ended, answer));
    }
  }

  /** @param {string} match @param {Answer} answer */
  async ended(match, answer) {
    if (this.isCatchingUp && match === this.match) {
      // What happened last is told before the end is, and before anybody leaves.
      this.afterHistory = () => this.ended(match, answer);
      return;
    }
    if (answer.type === "ok") {
      this.records.push(answer.record);
      this.bot.records.push(answer.record);
      await this.bot.onOver(answer.record);
    }
    if (this.bot.wantsReviews) this.review(match);
    else await this.next();
  }

  /** @param {string} match */
  review(match) {
    this.ask({ type: "review", room: this.room, match }, async (answer) => {
      if (answer.more) { // the server is still thinking
        this.after(REVIEW_MS, () => this.review(match));
        return;
      }
      if (answer.review) await this.bot.onReview(answer.review);
      await this.next();
    });
  }

  /** Leaves after the last match, or asks for another. */
  async next() {
    const matches = this.plan.matches ?? 1;
    if (matches > 0 && this.over.size >= matches) {
      this.ask({ type: "leave", room: this.room }, () => { this.done = true; });
    } else {
      const entropy_hash = await this.promise();
      this.ask({ type: "rematch", room: this.room, entropy_hash }, (taken) => {
        if (taken.type === "ok") this.entropy = this.drawn;
      });
    }
  }

  // --- The game

  /** @param {View} view */
  async viewed(view) {
    if (view.match !== this.match) {
      if (this.over.has(view.match)) return;
      this.match = view.match;
      this.view = undefined;
      this.toldRev = 0;
      this.isCatchingUp = false;
    }
    if (this.view && view.rev < this.view.rev) return;
    this.view = view;
    if (this.doubted) this.judge(view);
    this.mySeat = view.seat ?? this.mySeat; // start may have renumbered the seats
    await this.catchUp();
  }

  /**
   * Tells the bot what happened, in order, then lets it choose. A slow reader gets only the newest
   * view; the history has what the others said.
   */
  async catchUp() {
    const view = this.view;
    if (!view || this.isCatchingUp) return;
    if (view.rev > this.toldRev + 1) {
      this.isCatchingUp = true;
      this.ask({ type: "history", room: this.room, match: view.match, after: this.toldRev },
        (answer) => this.history(view.match, answer));
      return;
    }
    if (view.rev === this.toldRev + 1) {
      this.toldRev = view.rev;
      await this.bot.onHappened(view.rev, view.happened);
    }
    await this.choose(view);
  }

  /** @param {string} match @param {Answer} answer */
  async history(match, answer) {
    if (this.view && match === this.match) {
      this.isCatchingUp = false;
      if (!answer.pages?.length) this.toldRev = this.view.rev; // nobody knows any more
      for (const page of answer.pages ?? []) {
        if (page.rev !== this.toldRev + 1) continue;
        this.toldRev = page.rev;
        await this.bot.onHappened(page.rev, page.happened);
      }
      await this.catchUp();
    }
    const then = this.afterHistory;
    this.afterHistory = undefined;
    await then?.();
  }

  /** @param {View} view */
  async choose(view) {
    const { legal, seat } = view;
    const mine = view.decisions.find((decision) => decision.seats.includes(seat ?? -1));
    if (!legal?.length || !mine || this.question === `${view.match} ${mine.id}`) return;
    if (!this.hasHint(view, mine.id)) return;
    const chosen = await this.bot.choose(view, legal);
    if (chosen === undefined || chosen === null) return;
    if (!legal.includes(chosen)) {
      throw new TypeError(`choose() must return one of the legal acts: ${JSON.stringify(chosen)}`);
    }
    this.question = `${view.match} ${mine.id}`;
    this.answeredRev = view.rev;
    const { match } = view;
    this.ask({ type: "act", room: this.room, match, decision: mine.id, action: chosen.action },
      (answer) => this.acted(answer));
  }

  /**
   * Whether all is there for a choice; if a hint is wanted, it is asked for once.
   * @param {View} view @param {number} decision
   */
  hasHint(view, decision) {
    const question = `${view.match} ${decision}`;
    if (question === this.hintHeard) return true;
    if (question === this.hintWanted) return false;
    this.bot.hint = undefined;
    if (!this.bot.wantsHint(view)) return true;
    this.hintWanted = question;
    this.ask({ type: "hint", room: this.room }, async (answer) => {
      this.hintHeard = question;
      // None where a room has no hints, or it is too late.
      this.bot.hint = answer.hint?.decision === decision ? answer.hint : undefined;
      if (this.view) await this.choose(this.view);
    });
    return false;
  }

  /** @param {Answer} answer */
  async acted(answer) {
    if (answer.type === "ok") this.bot.acts += 1;
    else if (answer.code === "illegal" && this.view) {
      // Somebody's act in a window beside this turn may have changed what is possible.
      this.doubted = answer;
      if (this.view.rev > this.answeredRev) {
        this.judge(this.view);
        await this.choose(this.view);
      } else await this.enter(); // which always answers with the newest view
    } else if (answer.code === "id_reused" && this.view) await this.idReused(answer);
    else if (!STALE.has(answer.code ?? "")) this.must(answer);
  }

  /** This act was never made: answers again under another id, once. @param {Answer} answer */
  async idReused(answer) {
    const question = `${answer.asked.match} ${answer.asked.decision}`;
    if (this.reused === question) this.must(answer);
    this.reused = question;
    this.question = "";
    if (this.view) await this.choose(this.view);
  }

  /** @param {View} view */
  judge(view) {
    const doubted = /** @type {Answer} */ (this.doubted);
    this.doubted = undefined;
    this.question = "";
    if (view.rev === this.answeredRev) this.must(doubted);
    const { refusals } = this.bot;
    refusals.illegal -= 1;
    if (refusals.illegal === 0) delete refusals.illegal;
    refusals.overtaken = (refusals.overtaken ?? 0) + 1;
  }
}
