/**
 * Write a bot for Triquetra: one class with one method. docs/BOTS.md shows how.
 *
 * This one file is the whole kit. It uses the WebSocket that Node 22 and browsers have, else the
 * package ws (Debian: node-ws), and knows no game: the server sends the acts that are possible, the
 * bot returns one of them. Reconnection, coming back to the seat, request ids, and asking again
 * under the same id until there is an answer are in here.
 *
 * @typedef {{[key: string]: any}} Json
 * @typedef {{action: Json, preview?: number}} LegalAct
 *   An act that is open to this seat, and what it is worth where that can be told.
 * @typedef {{id: number, kind: "turn" | "ballot" | "window", seats: number[]}} Decision
 *   An open question, and the seats that it still waits for.
 * @typedef {{room: string, match: string, rev: number, decisions: Decision[], table: Json,
 *   happened: Json[], seat?: number, mine?: Json, legal?: LegalAct[], answer?: Json}} View
 *   The whole table as this seat may see it. `table`, `happened` and `mine` are the game's own.
 * @typedef {{type: string, re?: string, code?: string, args?: Json, [key: string]: any}} Answer
 * @typedef {{create?: Json, bots?: number, seat?: number, password?: string, matches?: number}} Plan
 */

/** The server said no, and asking again would not help. */
export class Refused extends Error {
  /** @param {string} code @param {Json} request @param {Json} [args] */
  constructor(code, request, args = {}) {
    super(`${request.type} refused: ${code} ${JSON.stringify(args)}`);
    this.code = code;
  }
}

/** Answers that mean: the same request again, later. */
const LATER = new Set(["busy", "too_fast", "restarting", "storage_unavailable"]);
/** Answers to an act that mean: somebody or the clock was faster; the newest view tells. */
const STALE = new Set(["too_late", "not_your_turn", "not_started"]);
/** Answers to what was sent again after a cut that mean: it was done at the first time. */
const DONE_BEFORE = new Set(["start already_started", "rematch not_over", "leave not_in_room"]);
const LAST_ATTEMPT = 42; // five minutes at 8 s each
const PING_MS = 20_000; // the built-in WebSocket does not notice by itself that a peer is gone
const SILENCE_MS = 45_000;

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
  }

  /**
   * One element of `legal`, which is never empty; undefined lets a window pass. May be async.
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
   */
  onHappened(_rev, _events) {}

  /**
   * A match is over: its record, in which nothing is hidden any more.
   * @param {Json} _record
   */
  onOver(_record) {}

  /**
   * The room has changed: people, status.
   * @param {Json} _room
   */
  onRoom(_room) {}

  /**
   * Joins `room`, or makes one by the fields `create` with `bots` bots of the server's in it, and
   * plays so many matches there (0: until the room closes). Gives their records.
   * @param {string | undefined} room
   * @param {Plan} [plan]
   * @returns {Promise<Json[]>}
   */
  async play(room, plan = {}) {
    await new Visit(this, room, plan).run();
    return this.records;
  }

  /** Plays as the command line says; for Node. */
  static async main() {
    const { parseArgs } = await import("node:util");
    const usage = `${this.botName}: CODE | --game GAME [--options JSON] [--seats N] [--bots N]
  [--server URL] [--name NAME] [--seat N] [--password P] [--matches N] [--json]`;
    /** @type {Json} */
    let values;
    /** @type {string[]} */
    let rooms;
    try {
      const text = { type: /** @type {const} */ ("string") };
      const options = { server: text, game: text, options: text, seats: text, bots: text,
        name: text, seat: text, password: text, matches: text,
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
      await bot.play(rooms[0], { create, bots, password: values.password,
        seat: values.seat === undefined ? undefined : Number(values.seat),
        matches: Number(values.matches ?? 1) });
    } catch (error) {
      console.error(`${bot.name}: ${error instanceof Error ? error.message : error}`);
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
    /** @type {any} */
    this.socket = null; // while there is a connection
    this.greeted = false; // on this connection
    this.welcomed = false; // ever
    this.done = false;
    /** @type {Map<string, {frame: Json, then: (answer: Answer) => void | Promise<void>}>} */
    this.unanswered = new Map();
    /** Ids of what was sent again after a cut. @type {Set<string>} */
    this.repeated = new Set();
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
    /** @type {View | undefined} */
    this.view = undefined;
    this.toldRev = 0;
    this.isCatchingUp = false;
    this.answered = ""; // match and decision
    this.answeredRev = 0; // of the view that the answer was chosen by
    /** @type {Answer | undefined} */
    this.doubted = undefined; // an act that was illegal, until a view tells why
    this.pauseMs = 0; // that the server asked for in its bye
    /** @type {unknown} */
    this.failure = undefined;
    this.heardAt = 0;
  }

  // --- The connection

  async run() {
    const Socket = await webSocketClass();
    const random = (await cryptography()).getRandomValues(new Uint8Array(6));
    this.idPrefix = hex(random); // ids must be new also for the next process
    for (let attempt = 0; !this.done; ++attempt) {
      if (await this.converse(new Socket(this.address()))) attempt = 0;
      if (this.failure) throw this.failure;
      if (this.done) break;
      if (!this.welcomed || attempt >= LAST_ATTEMPT) {
        throw new Error(`no connection to ${this.bot.server}`);
      }
      // 0.25 s doubled up to 8 s, and not all bots at the same moment.
      const delayMs = Math.min(8000, 250 * 2 ** Math.min(attempt, 5)) * (0.8 + 0.4 * Math.random());
      await pause(Math.max(delayMs, this.pauseMs));
      this.pauseMs = 0;
    }
  }

  address() {
    let server = this.bot.server.replace(/^http/, "ws").replace(/\/$/, "");
    if (!server.includes("://")) server = `ws://${server}`;
    return server.endsWith("/ws") ? server : `${server}/ws`;
  }

  /**
   * One connection, until it ends; whether it was open.
   * @param {any} socket
   * @returns {Promise<boolean>}
   */
  converse(socket) {
    return new Promise((resolve) => {
      let wasOpen = false;
      // Frames are taken one after the other, also when a choice takes its time.
      let turn = Promise.resolve();
      const beat = setInterval(() => {
        if (Date.now() - this.heardAt > SILENCE_MS) socket.close();
        else if (this.greeted) this.send({ type: "ping", id: this.freshId() });
      }, PING_MS);
      this.heardAt = Date.now();
      const ended = () => {
        clearInterval(beat);
        this.socket = null;
        this.greeted = false;
        resolve(wasOpen);
      };
      socket.onopen = () => {
        wasOpen = true;
        this.socket = socket;
        this.hello();
      };
      socket.onmessage = (/** @type {{data: string}} */ event) => {
        this.heardAt = Date.now();
        turn = turn.then(async () => {
          if (this.done || this.failure) return;
          await this.hear(JSON.parse(event.data));
        }).catch((error) => { this.failure = error; }).then(() => {
          if (this.done || this.failure) socket.close();
        });
      };
      socket.onerror = () => {}; // onclose follows
      socket.onclose = () => { turn.then(ended); };
    });
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
    this.unanswered.set(frame.id, { frame, then });
    if (this.greeted) this.send(frame);
  }

  hello() {
    const token = this.bot.token === undefined ? {} : { token: this.bot.token };
    this.send({ type: "hello", id: this.freshId(), protocol: 1, name: this.bot.name, bot: true,
      ...token });
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
    else if (frame.type === "ok" || frame.type === "error") {
      await this.answer(/** @type {Answer} */ (frame));
    } else if (frame.type === "bye") this.bye(frame);
    else if (frame.type === "room" && frame.room === this.room) await this.roomChanged(frame);
    else if (frame.type === "view" && frame.room === this.room) {
      await this.viewed(/** @type {View} */ (frame));
    }
    // Newer servers may say more, which is passed over.
  }

  /** @param {Json} frame */
  async welcome(frame) {
    if (frame.token !== undefined) this.bot.token = frame.token;
    this.greeted = true;
    if (!this.welcomed) {
      this.welcomed = true;
      await this.enter();
      return;
    }
    const waiting = [...this.unanswered.values()];
    if (!waiting.some(({ frame: asked }) => ["create", "join", "leave"].includes(asked.type))) {
      await this.enter(); // first of all: only who is in the room is told of it
    }
    for (const { frame: asked } of waiting) {
      this.repeated.add(asked.id);
      this.send(asked);
    }
  }

  /** @param {Answer} frame */
  async answer(frame) {
    if (frame.type === "error" && !this.greeted) {
      if (frame.code === "bad_token" && this.bot.token !== undefined) {
        this.bot.token = undefined; // this server does not know us: come as somebody new
        this.hello();
        return;
      }
      throw new Refused(frame.code ?? "", { type: "hello" }, frame.args);
    }
    const id = frame.re ?? "";
    const asked = this.unanswered.get(id);
    if (!asked) return;
    if (frame.type === "error" && LATER.has(frame.code ?? "")) {
      const delayMs = Math.min(60_000, Math.max(1000, frame.args?.retry_ms ?? 0));
      setTimeout(() => {
        if (this.greeted && this.unanswered.has(id)) this.send(asked.frame);
      }, delayMs);
      return;
    }
    this.unanswered.delete(id);
    if (this.repeated.delete(id) && DONE_BEFORE.has(`${asked.frame.type} ${frame.code}`)) {
      frame = { type: "ok", re: id };
    }
    if (frame.type === "error") {
      const code = frame.code ?? "";
      this.bot.refusals[code] = (this.bot.refusals[code] ?? 0) + 1;
      frame.asked = asked.frame;
    }
    await asked.then(frame);
  }

  /** @param {Json} frame */
  bye(frame) {
    if (frame.room === undefined) this.pauseMs = frame.retry_ms ?? 0;
    else if (frame.room === this.room) {
      this.done = true;
      if (frame.code === "kicked") throw new Refused("kicked", { type: "join" });
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
    const isNew = this.bot.room === undefined;
    this.room = this.bot.room = answer.room;
    if (this.mySeat === undefined) {
      this.mySeat = answer.seat;
      this.entropy = this.drawn;
    }
    if (!isNew) return;
    if (this.bot.isTalking) console.log(`Room ${this.room}`);
    for (let i = 0; i < (this.plan.bots ?? 0); ++i) {
      this.ask({ type: "add_bot", room: this.room }, (added) => this.must(added));
    }
  }

  /** @param {Json} room */
  async roomChanged(room) {
    this.bot.onRoom(room);
    const may = () => {};
    if (room.status === "starting" && this.entropy && room.reveal?.length > 0) {
      const entropy = this.entropy;
      this.entropy = "";
      this.ask({ type: "reveal_entropy", room: this.room, entropy }, may);
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
      this.ask({ type: "record", room: this.room, match: ended }, (answer) => this.ended(answer));
    }
  }

  /** @param {Answer} answer */
  async ended(answer) {
    if (answer.type === "ok") {
      this.bot.records.push(answer.record);
      this.bot.onOver(answer.record);
    }
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
      this.bot.onHappened(view.rev, view.happened);
    }
    await this.choose(view);
  }

  /** @param {string} match @param {Answer} answer */
  async history(match, answer) {
    if (!this.view || match !== this.match) return;
    this.isCatchingUp = false;
    if (!answer.pages?.length) this.toldRev = this.view.rev; // nobody knows any more
    for (const page of answer.pages ?? []) {
      if (page.rev !== this.toldRev + 1) continue;
      this.toldRev = page.rev;
      this.bot.onHappened(page.rev, page.happened);
    }
    await this.catchUp();
  }

  /** @param {View} view */
  async choose(view) {
    const { legal, seat } = view;
    const mine = view.decisions.find((decision) => decision.seats.includes(seat ?? -1));
    if (!legal?.length || !mine || this.answered === `${view.match} ${mine.id}`) return;
    const chosen = await this.bot.choose(view, legal);
    if (chosen === undefined || chosen === null) return;
    if (!legal.includes(chosen)) {
      throw new TypeError(`choose() must return one of the legal acts: ${JSON.stringify(chosen)}`);
    }
    this.answered = `${view.match} ${mine.id}`;
    this.answeredRev = view.rev;
    const { match } = view;
    this.ask({ type: "act", room: this.room, match, decision: mine.id, action: chosen.action },
      (answer) => this.acted(answer));
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
    } else if (!STALE.has(answer.code ?? "")) this.must(answer);
  }

  /** @param {View} view */
  judge(view) {
    const doubted = /** @type {Answer} */ (this.doubted);
    this.doubted = undefined;
    this.answered = "";
    if (view.rev === this.answeredRev) this.must(doubted);
    const { refusals } = this.bot;
    refusals.illegal -= 1;
    if (refusals.illegal === 0) delete refusals.illegal;
    refusals.overtaken = (refusals.overtaken ?? 0) + 1;
  }
}
