// One room as this browser knows it: its newest frames, the log of the match, and the acts of mine
// that are on their way. Knows no game.
import { computed, signal } from "@preact/signals";
import type {
  NewsFrame,
  OkFrame,
  ReactionFrame,
  RoomFrame,
  ServerFrame,
  ViewFrame,
} from "../protocol/wire.gen";
import type { Connection } from "./connection";
import { Refused } from "./connection";
import {
  drawEntropy,
  forgetEntropy,
  isFor,
  keepEntropy,
  keptEntropy,
  type Entropy,
} from "./entropy";
import { keepOwnPart, ownParts } from "./own_parts";
import { tabStore } from "./store";

export interface LogEntry {
  rev: number;
  events: unknown[];
  /** What my seat knew then. The server's history has none of it: this tab has, of what I did here. */
  mine?: unknown;
}
/** An event of any game: whose it is, if it is somebody's. */
interface Happened {
  seat?: number;
}
/** One revision of a finished match: what everybody saw, and in `seats` what each seat saw. */
export type ReplayStep = NonNullable<OkFrame["steps"]>[number];
/** An act of a finished match, and what an expert would have done. */
export type ReviewedAct = NonNullable<OkFrame["review"]>["acts"][number];
/** What a look back needs to know of the record of a finished match. */
export interface MatchRecord {
  match: string;
  options: unknown;
  seats: Pick<RoomFrame["seats"][number], "kind" | "name" | "level">[];
  steps: unknown[];
}
export interface Reaction {
  seat: number;
  reaction: ReactionFrame["reaction"];
  at: number;
}
export interface Said {
  seat: number;
  text: string;
  at: number;
}
/** An act of mine, until I see what it did. Kept by the tab until it is answered: a reload loses no tap. */
interface PendingAct {
  id: string;
  match: string;
  decision: number;
  action: unknown;
  /** It follows from my act before, and nobody has tapped for it. */
  follows?: boolean;
  /** Answered: the view of this revision, or a later one, is still to come. */
  rev?: number;
}

interface SoonAct {
  decision: number;
  action: unknown;
  timer: number;
}

/** So long a promise of somebody who is there may be on its way. */
const kPromiseMs = 2000;
/** Between two questions about what comes out slowly. */
const kReviewPauseMs = 1000;
/** Talk that is older than this many lines is forgotten. */
const kMostSaid = 100;

/** Whether everybody who is there has promised their chance for the next match. */
const hasAllPromises = ({ status, seats }: RoomFrame) =>
  status === "open" &&
  seats.every(
    ({ kind, presence, entropy }) => kind !== "human" || presence !== "here" || entropy === true,
  );

export class Room {
  readonly room = signal<RoomFrame | undefined>(undefined);
  readonly view = signal<ViewFrame | undefined>(undefined);
  readonly log = signal<LogEntry[]>([]);
  /** All that has happened in the match, as far as it is known here. */
  readonly happened = computed(() => this.log.value.flatMap(({ events }) => events));
  readonly pending = signal<PendingAct | undefined>(undefined);
  /** The revision that the last act from here has led to: another tab or device of mine may act too. */
  readonly acted = signal<{ match: string; rev: number } | undefined>(undefined);
  /** An act that waits a moment before it is sent, so that it can be taken back. */
  readonly soon = signal<SoonAct | undefined>(undefined);
  readonly reactions = signal<Reaction[]>([]);
  readonly said = signal<Said[]>([]);
  /** How much of that has not been looked at. */
  readonly unread = signal(0);
  /** What I am about to say: it stays until the server has taken it. */
  readonly draft = signal("");
  /** What happened last to the people here, until it is read. */
  readonly news = signal<NewsFrame | undefined>(undefined);
  /** Names of those whom I do not want to hear in this room. */
  readonly muted = signal<ReadonlySet<string>>(new Set());
  /** The last refusal of an act or a request, until the next one goes well. */
  readonly refused = signal<Refused | undefined>(undefined);
  /** What an expert would do, once I have asked for it. */
  readonly hint = signal<OkFrame["hint"]>(undefined);
  /** Why I am not in this room: a code of an error or of a bye. */
  readonly gone = signal<string | undefined>(undefined);
  /** Moves that were made while the connection was lost. */
  readonly missed = signal(0);
  /** The revision that I saw last before that, for a mark in the log. */
  readonly seen = signal<number | undefined>(undefined);
  /** A finished match, step by step, as far as it has been fetched for looking back. */
  readonly past = signal<{ match: string; steps: ReplayStep[] } | undefined>(undefined);

  /** What the acts of a finished match have cost, as far as it has been thought out. */
  readonly review = signal<{ match: string; acts: ReviewedAct[] } | undefined>(undefined);

  /** My seat. */
  readonly me = computed(() => this.view.value?.seat ?? this.seat.value);
  readonly seat = signal<number | undefined>(undefined);
  /** The decision that asks me. */
  readonly asked = computed(() => {
    const view = this.view.value;
    if (view?.seat === undefined) return undefined;
    // Whom the table has sent away only looks on.
    if (this.room.value?.seats.find(({ seat }) => seat === view.seat)?.sent_away) return undefined;
    return view.decisions.find(
      ({ id, seats }) => seats.includes(view.seat!) && this.late.value !== `${view.match}/${id}`,
    );
  });

  /** The decision for which I came too late: it asks nobody any more, though the view may still say so. */
  private readonly late = signal("");

  private password?: string;
  private fetching = false;
  /** The revision that was shown when the connection was lost, until the next view is there. */
  private left_at?: number;

  constructor(
    private readonly connection: Connection,
    readonly code: string,
    private watching: boolean,
  ) {
    const kept = tabStore.get(`pending.${code}`);
    if (kept) this.pending.value = JSON.parse(kept) as PendingAct;
    const muted = tabStore.get(`muted.${code}`);
    if (muted) this.muted.value = new Set(JSON.parse(muted) as string[]);
  }

  /** Sits down, or comes back to my seat, or watches. */
  enter(how: { watch?: boolean; seat?: number; password?: string } = {}): Promise<OkFrame> {
    return this.enterAs(how, false);
  }

  /** The same after a loss; however often the server says "not now". */
  enterAgain(): Promise<OkFrame> {
    return this.enterAs({}, true);
  }

  private async enterAs(
    how: { watch?: boolean; seat?: number; password?: string },
    patient: boolean,
  ): Promise<OkFrame> {
    this.watching = how.watch ?? this.watching;
    if (how.password) this.password = how.password;
    this.left_at = this.view.value?.rev;
    const password = this.password ? { password: this.password } : {};
    try {
      const ok = await this.connection.request(
        this.watching
          ? { type: "watch", room: this.code, ...password }
          : {
              type: "join",
              room: this.code,
              ...(how.seat === undefined ? {} : { seat: how.seat }),
              // Counts when a seat is taken, and changes nothing for who has one.
              entropy_hash: this.chanceToJoin().hash,
              ...password,
            },
        { patient },
      );
      this.entered(ok);
      return ok;
    } catch (refused) {
      this.gone.value = (refused as Refused).code;
      throw refused;
    }
  }

  private entered(ok: OkFrame): void {
    this.gone.value = undefined;
    this.seat.value = ok.seat;
    const pending = this.pending.value;
    // The view that comes now is the newest: it shows what was answered before.
    if (pending?.rev !== undefined) this.setPending({ ...pending, rev: 0 });
    else if (pending) this.sendPending();
  }

  hear(frame: ServerFrame): void {
    if (frame.type === "room") return this.hearRoom(frame);
    if (frame.type === "view") return this.hearView(frame);
    if (frame.type === "reaction") {
      const { seat, reaction } = frame;
      const others = this.reactions.value.filter((each) => each.seat !== seat);
      this.reactions.value = [...others, { seat, reaction, at: Date.now() }];
    } else if (frame.type === "said") {
      const { seat, text } = frame;
      this.said.value = [...this.said.value, { seat, text, at: Date.now() }].slice(-kMostSaid);
      const name = this.room.value?.seats.find((each) => each.seat === seat)?.name;
      const counts = seat !== this.me.value && (!name || !this.muted.value.has(name));
      if (counts) this.unread.value = Math.min(kMostSaid, this.unread.value + 1);
    } else if (frame.type === "news") {
      // Whoever asked for the hint sees that; and the host knows what the host has changed.
      const host = this.room.value?.host;
      const isMine =
        (frame.what === "hinted" && frame.seat === this.me.value) ||
        (frame.what === "options" && host !== undefined && host === this.me.value);
      if (!isMine) this.news.value = frame;
    } else if (frame.type === "bye") {
      this.gone.value = frame.why === "admin" ? "closed_admin" : frame.code;
    }
  }

  private hearRoom(frame: RoomFrame): void {
    const next = this.room.value && this.room.value.match !== frame.match;
    if (next) this.forgetMatch();
    this.room.value = frame;
    if (this.seat.value === undefined) return;
    if (frame.status === "open") this.promiseEntropy(frame);
    else if (frame.status === "starting") this.openEntropy(frame.match);
    else this.spendEntropy(frame.match);
  }

  // ---- My chance in the shuffle

  /** What this tab has drawn, should another tab keep something else in the same moment. */
  private chance?: Entropy;
  private promisedFor?: string;
  private openedFor?: string;

  private chanceToJoin(): Entropy {
    const kept = keptEntropy(this.code);
    if (kept) return kept;
    const chance = drawEntropy();
    // Who has a seat already has promised something else, here or elsewhere.
    const seats = this.connection.welcomed?.seats ?? [];
    const seated = this.seat.value !== undefined || seats.some(({ room }) => room === this.code);
    if (seated) this.chance = chance;
    else keepEntropy(this.code, chance);
    return chance;
  }

  /**
   * A match gathers: what I have promised is for it. If the server has no promise of mine, or one
   * that this browser cannot open, it gets another; before the first match it takes none after join.
   */
  private promiseEntropy({ match, seats }: RoomFrame): void {
    const kept = keptEntropy(this.code);
    const promised = seats.find(({ seat }) => seat === this.me.value)?.entropy ?? false;
    if (promised && kept && isFor(kept, match)) return keepEntropy(this.code, { ...kept, match });
    if (this.promisedFor === match) return;
    this.promisedFor = match;
    const drawn = [kept, this.chance].find((each) => each && isFor(each, match)) ?? drawEntropy();
    this.chance = { ...drawn, match };
    keepEntropy(this.code, this.chance);
    const entropy_hash = this.chance.hash;
    this.connection.request({ type: "rematch", room: this.code, entropy_hash }).catch(() => {});
  }

  /** All promises are in. Kept until the deal: a reload before that opens it again. */
  private openEntropy(match: string): void {
    if (this.openedFor === match) return;
    this.openedFor = match;
    const kept = keptEntropy(this.code);
    if (kept && isFor(kept, match)) keepEntropy(this.code, { ...kept, match });
    const mine = [kept, this.chance].flatMap((each) => (each && isFor(each, match) ? [each] : []));
    for (const entropy of new Set(mine.map((each) => each.entropy))) {
      // Refused if it is not what was promised: then it counts for nothing.
      this.connection.request({ type: "reveal_entropy", room: this.code, entropy }).catch(() => {});
    }
  }

  private spendEntropy(match: string): void {
    this.chance = undefined;
    if (keptEntropy(this.code)?.match === match) forgetEntropy(this.code);
  }

  private forgetMatch(): void {
    this.takeBack();
    this.view.value = undefined;
    this.log.value = [];
    this.missed.value = 0;
    this.seen.value = undefined;
    this.setPending(undefined);
  }

  private hearView(frame: ViewFrame): void {
    const before = this.view.value;
    if (before && before.match !== frame.match) this.forgetMatch();
    else if (before && before.rev > frame.rev) return;
    this.view.value = frame;
    // The start closes empty seats: mine may have another number since.
    if (frame.seat !== undefined) this.seat.value = frame.seat;
    const { match, rev, seat, mine } = frame;
    const events = frame.happened as Happened[];
    if (seat !== undefined && mine !== undefined && events.some((each) => each.seat === seat)) {
      keepOwnPart({ code: this.code, match, seat }, rev, mine);
    }
    const last = this.log.value.at(-1)?.rev ?? 0;
    if (rev === last + 1) {
      this.log.value = [...this.log.value, { rev, events, mine }];
    } else if (frame.rev > last + 1) {
      void this.catchUp();
    }
    // My own act, sent again, is nothing that I missed.
    if (this.left_at !== undefined && this.left_at < frame.rev && !this.pending.value) {
      if (this.missed.value === 0) this.seen.value = this.left_at;
      this.missed.value += frame.rev - this.left_at;
    }
    this.left_at = undefined;
    if (this.soon.value && this.asked.value?.id !== this.soon.value.decision) this.takeBack();
    const pending = this.pending.value;
    if (pending && (pending.match !== frame.match || frame.rev >= (pending.rev ?? Infinity))) {
      this.setPending(undefined);
    }
  }

  /** Fills the log up to the newest view from the server's history. */
  private async catchUp(): Promise<void> {
    if (this.fetching) return;
    this.fetching = true;
    try {
      for (;;) {
        const view = this.view.value;
        const last = this.log.value.at(-1)?.rev ?? 0;
        if (!view || last >= view.rev) break;
        const ok = await this.connection.request({
          type: "history",
          room: this.code,
          match: view.match,
          after: last,
        });
        if (this.view.value?.match !== view.match) break;
        const pages = ok.pages ?? [];
        if (pages.length === 0) break;
        const known = new Map(this.log.value.map((entry) => [entry.rev, entry]));
        const { match, seat } = view;
        const own = seat === undefined ? undefined : ownParts({ code: this.code, match, seat });
        for (const { rev, happened } of pages) {
          const mine = own?.get(rev) ?? (rev === view.rev ? view.mine : undefined);
          known.set(rev, { rev, events: happened as unknown[], mine });
        }
        this.log.value = [...known.values()].sort((a, b) => a.rev - b.rev);
      }
    } catch {
      // The log has a gap then; the table does not.
    } finally {
      this.fetching = false;
    }
  }

  private lookingAt?: string;

  /** Fetches the views of a match that is over; a refusal is shown. */
  async lookBack(match: string): Promise<void> {
    if (this.lookingAt === match) return;
    this.lookingAt = match;
    let steps = this.past.value?.match === match ? this.past.value.steps : [];
    for (let more = true; more;) {
      const ok = await this.ask({ type: "replay", room: this.code, match, from: steps.length });
      // By now another match may be looked at.
      if (!ok?.steps || this.lookingAt !== match) break;
      steps = [...steps, ...ok.steps];
      this.past.value = { match, steps };
      more = ok.more ?? false;
    }
    if (this.lookingAt === match) this.lookingAt = undefined;
  }

  /** Has the server think about a match that is over, and hears what comes out while it is wanted. */
  async lookAt(match: string, isWanted: () => boolean): Promise<void> {
    for (let more = true; more && isWanted();) {
      const ask = { type: "review", room: this.code, match } as const;
      const ok = await this.connection.request(ask).catch(() => undefined);
      if (!ok?.review || !isWanted()) return;
      this.review.value = { match, acts: ok.review.acts };
      more = ok.more ?? false;
      if (more) await new Promise((resolve) => setTimeout(resolve, kReviewPauseMs));
    }
  }

  /** What the server keeps of a finished match; undefined if it does not, or not any more. */
  async record(match: string): Promise<MatchRecord | undefined> {
    try {
      const ok = await this.connection.request({ type: "record", room: this.code, match });
      return ok.record as MatchRecord;
    } catch {
      return undefined;
    }
  }

  // ---- What I do

  /**
   * Sends an act for the decision that asks me. Nothing while another one is on its way. One that `follows`
   * from another act may come too late without a word.
   */
  act(action: unknown, follows?: boolean): void {
    const view = this.view.value;
    const decision = this.asked.value;
    if (!view || !decision || this.pending.value) return;
    this.setPending({
      id: this.connection.freshId(),
      match: view.match,
      decision: decision.id,
      action,
      ...(follows && { follows }),
    });
    this.sendPending();
  }

  /** The same after a while, unless `takeBack` comes before. */
  actSoon(action: unknown, after_ms: number): void {
    const decision = this.asked.value;
    if (!decision || this.pending.value || this.soon.value) return;
    const timer = window.setTimeout(() => this.sendSoon(), after_ms);
    this.soon.value = { decision: decision.id, action, timer };
    window.addEventListener("pagehide", this.leaving);
  }

  /** Nobody who leaves the page loses a tap. */
  private readonly leaving = () => this.sendSoon();

  takeBack(): void {
    window.removeEventListener("pagehide", this.leaving);
    window.clearTimeout(this.soon.value?.timer);
    this.soon.value = undefined;
  }

  /** Sends what waits, now. */
  sendSoon(): void {
    const soon = this.soon.value;
    this.takeBack();
    if (soon && this.asked.value?.id === soon.decision) this.act(soon.action);
  }

  private sendPending(): void {
    const { id, match, decision, action, follows } = this.pending.value!;
    const done = (refused?: Refused, rev?: number) => {
      const isLate = refused?.code === "too_late";
      this.refused.value = isLate && follows ? undefined : refused;
      if (isLate) this.late.value = `${match}/${decision}`;
      if (rev !== undefined) this.acted.value = { match, rev };
      const pending = this.pending.value;
      if (pending?.id !== id) return;
      const view = this.view.value;
      // Until the view is here, the one that is shown still asks what I have answered.
      const waits = rev !== undefined && view?.match === match && view.rev < rev;
      this.setPending(waits ? { ...pending, rev } : undefined);
    };
    this.connection.request({ type: "act", room: this.code, match, decision, action }, { id }).then(
      ({ rev }) => done(undefined, rev),
      (refused: Refused) => done(refused),
    );
  }

  private setPending(pending: PendingAct | undefined): void {
    this.pending.value = pending;
    const kept = pending?.rev === undefined ? pending : undefined;
    tabStore.set(`pending.${this.code}`, kept ? JSON.stringify(kept) : null);
  }

  /** A request about this room; its refusal is shown. */
  async ask(request: Parameters<Connection["request"]>[0]): Promise<OkFrame | undefined> {
    try {
      const ok = await this.connection.request(request);
      this.refused.value = undefined;
      return ok;
    } catch (refused) {
      this.refused.value = refused as Refused;
      return undefined;
    }
  }

  /**
   * Opens the next match for all who sit here; nothing changes if somebody did before. Whoever is the host
   * may `start` it with the same tap: once all who are there have promised their chance, or soon.
   */
  async playAgain(start: boolean): Promise<void> {
    const opened = await this.ask({ type: "rematch", room: this.code });
    if (!opened || !start) return;
    let forget = () => {};
    await new Promise<void>((resolve) => {
      window.setTimeout(resolve, kPromiseMs);
      forget = this.room.subscribe((frame) => {
        if (frame && hasAllPromises(frame)) resolve();
      });
    });
    forget();
    await this.ask({ type: "start", room: this.code });
  }

  async askHint(): Promise<void> {
    const ok = await this.ask({ type: "hint", room: this.code });
    if (ok?.hint) this.hint.value = ok.hint;
  }

  mute(name: string, on: boolean): void {
    const others = [...this.muted.value].filter((each) => each !== name);
    this.muted.value = new Set(on ? [...others, name] : others);
    tabStore.set(`muted.${this.code}`, JSON.stringify([...this.muted.value]));
  }

  get isWatching(): boolean {
    return this.watching;
  }
}
