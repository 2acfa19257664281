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
export type Json = {
    [key: string]: any;
};
export type LegalAct = {
    action: Json;
    preview?: number;
    worth?: number;
};
export type Decision = {
    id: number;
    kind: "turn" | "ballot" | "window";
    seats: number[];
};
export type View = {
    room: string;
    match: string;
    rev: number;
    decisions: Decision[];
    table: Json;
    happened: Json[];
    seat?: number;
    mine?: Json;
    legal?: LegalAct[];
    answer?: Json;
};
export type WeighedAct = {
    action?: Json;
    wins: number;
    points?: number;
};
export type Hint = {
    rev: number;
    decision: number;
    action?: Json;
    acts: WeighedAct[];
};
export type ReviewedAct = {
    rev: number;
    seat: number;
    action: Json;
    better: Json;
    wins: number;
    points?: number;
};
export type Review = {
    steps: number;
    looked_at: number;
    acts: ReviewedAct[];
};
export type Answer = {
    type: string;
    re?: string;
    code?: string;
    args?: Json;
    [key: string]: any;
};
export type Plan = {
    create?: Json;
    bots?: number;
    level?: string;
    seat?: number;
    password?: string;
    matches?: number;
};
export type Asked = {
    frame: Json;
    then: (answer: Answer) => void | Promise<void>;
    sent: boolean;
    repeated: boolean;
    putOff: boolean;
};
/** The server said no, and asking again would not help. */
export declare class Refused extends Error {
    code: string;
    /** @param {string} code @param {Json} request @param {Json} [args] */
    constructor(code: string, request: Json, args?: Json);
}
/** The first connection could not be opened, or too many in a row did not last. */
export declare class NoConnection extends Error {
}
/**
 * Of the connection to the server. connecting: it is being opened. greeting: hello is said. online:
 * welcome was heard. waiting: for the next try. ended: nothing is tried any more.
 */
export declare const LinkState: Readonly<{
    connecting: "connecting";
    greeting: "greeting";
    online: "online";
    waiting: "waiting";
    ended: "ended";
}>;
/**
 * How long to wait after so many losses in a row (from 1) of connections that did not last: 250 ms
 * doubled up to 8 s, give or take a quarter.
 * @param {number} losses
 * @param {number} chance anywhere in [0, 1)
 */
export declare const waitAfter: (losses: number, chance: number) => number;
/**
 * How long until what was refused as "not now" may come again, in ms: what the server asked for, a
 * second if it said nothing, and up to a quarter more.
 * @param {number | undefined} retryMs
 * @param {number} chance anywhere in [0, 1)
 */
export declare const pauseOf: (retryMs: number | undefined, chance: number) => number;
/** Override choose(); call main(), or await play(). */
export declare class Bot {
    server: string;
    token: string | undefined;
    name: string;
    /** @type {Record<string, number>} */
    refusals: Record<string, number>;
    acts: number;
    /** @type {Json[]} */
    records: Json[];
    /** @type {string | undefined} */
    room: string | undefined;
    isTalking: boolean;
    /** In choose(): what came of wantsHint(). @type {Hint | undefined} */
    hint: Hint | undefined;
    wantsReviews: boolean;
    static botName: string;
    /**
     * @param {string} [server]
     * @param {string} [token] who this bot is, from an earlier `bot.token`: it gets its seat back
     */
    constructor(server?: string, token?: string);
    /**
     * One element of `legal`, which is never empty; undefined lets a window pass.
     * @param {View} view
     * @param {LegalAct[]} legal
     * @returns {LegalAct | undefined | Promise<LegalAct | undefined>}
     */
    choose(view: View, legal: LegalAct[]): LegalAct | undefined | Promise<LegalAct | undefined>;
    /**
     * What each act or lapse did: every rev of a match once, in order, before choose().
     * @param {number} _rev
     * @param {Json[]} _events
     * @returns {void | Promise<void>}
     */
    onHappened(_rev: number, _events: Json[]): void | Promise<void>;
    /**
     * A match is over: its record, in which nothing is hidden any more.
     * @param {Json} _record
     * @returns {void | Promise<void>}
     */
    onOver(_record: Json): void | Promise<void>;
    /**
     * The room has changed: people, status.
     * @param {Json} _room
     * @returns {void | Promise<void>}
     */
    onRoom(_room: Json): void | Promise<void>;
    /**
     * Whether to ask the server what an expert would do, before choose(): it stands in `hint` then.
     * The table hears of it. Ten may be asked for at once, and one in six seconds.
     * @param {View} _view
     * @returns {boolean}
     */
    wantsHint(_view: View): boolean;
    /**
     * What a look at the match that is over has come to, some seconds after onOver().
     * @param {Review} _review
     * @returns {void | Promise<void>}
     */
    onReview(_review: Review): void | Promise<void>;
    /**
     * Joins `room`, or makes one by the fields `create` with `bots` bots of the server's in it, and
     * plays so many matches there (0: until the room closes). Gives their records.
     * @param {string | undefined} room
     * @param {Plan} [plan]
     * @returns {Promise<Json[]>}
     */
    play(room: string | undefined, plan?: Plan): Promise<Json[]>;
    /** Plays as the command line says; for Node. */
    static main(): Promise<void>;
}
