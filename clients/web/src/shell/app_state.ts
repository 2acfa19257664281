// What the whole page shares: the connection with its rooms, what this browser remembers of rooms,
// the player's name, and the text that screen readers hear.
import { signal } from "@preact/signals";
import { translation } from "../i18n";
import type { RoomFrame } from "../protocol/wire.gen";
import { Client, socketUrl } from "./client";
import { root } from "./route";
import { store } from "./store";

export const client = new Client(socketUrl(root.href), new URL("version", root));

// ---- The name of the player

export const kLongestName = 24;
/** What the server has called me because I asked for it; empty if I never did. */
export const playerName = signal(store.get("name") ?? "");
/** What it did not want to call me, until I ask for something else. */
export const refusedName = signal("");

/** Asks to be called this; whether the server does. A name is kept once it is accepted. */
export async function setPlayerName(name: string): Promise<boolean> {
  const clean = name.trim().slice(0, kLongestName);
  if (!clean) return false;
  refusedName.value = "";
  try {
    playerName.value = await client.connection.introduce(clean);
  } catch {
    refusedName.value = clean;
    return false;
  }
  store.set("name", playerName.value);
  return true;
}

/** Introduces who was here before. What is not wanted any more is asked for anew. */
export async function introduceAgain(): Promise<void> {
  const kept = playerName.value;
  if (kept === "" || (await setPlayerName(kept))) return;
  playerName.value = "";
  store.set("name", null);
}

// ---- Rooms that were entered here, for the cards on the first screen

export interface KnownRoom {
  room: string;
  game: string;
  names: string[];
  over: boolean;
  at: number;
}
const kMostKnown = 12;

function readKnown(): KnownRoom[] {
  try {
    return JSON.parse(store.get("rooms") ?? "[]") as KnownRoom[];
  } catch {
    return [];
  }
}
export const knownRooms = signal<KnownRoom[]>(readKnown());

export function remember(frame: RoomFrame): void {
  const names = frame.seats.flatMap((seat) => (seat.name === undefined ? [] : [seat.name]));
  const over = frame.status === "over" || frame.status === "closed";
  const known = { room: frame.room, game: frame.game, names, over, at: Date.now() };
  const others = knownRooms.value.filter((each) => each.room !== frame.room);
  knownRooms.value = [known, ...others].slice(0, kMostKnown);
  store.set("rooms", JSON.stringify(knownRooms.value));
}

export function forget(code: string): void {
  knownRooms.value = knownRooms.value.filter((each) => each.room !== code);
  store.set("rooms", JSON.stringify(knownRooms.value));
}

// ---- Games that ended while this browser looked on, for the way back to them

interface EndedMatch {
  room: string;
  match: string;
  at: number;
  /** Names, as they were then. */
  winners: string[];
}
/** As many as the server keeps of one room. */
const kMostEnded = 4;

function readEnded(): EndedMatch[] {
  try {
    return JSON.parse(store.get("ended") ?? "[]") as EndedMatch[];
  } catch {
    return [];
  }
}
const ended = signal<EndedMatch[]>(readEnded());

/** Of this room, the oldest first. */
export const endedIn = (code: string) =>
  ended.value.filter(({ room }) => room === code).slice(-kMostEnded);

export function rememberEnd(room: string, match: string, winners: string[]): void {
  // Another tab may have added to it.
  const known = readEnded();
  if (!known.some((each) => each.match === match)) {
    known.push({ room, match, at: Date.now(), winners });
  }
  ended.value = known.slice(-kMostEnded * kMostKnown);
  store.set("ended", JSON.stringify(ended.value));
}

// ---- What screen readers hear

/** The newest lines, in the order in which they are to be read: each is an element of its own. */
export const announcements = signal<{ id: number; text: string }[]>([]);
/** What cannot wait until they have finished a sentence. */
export const alarm = signal("");

/** Older lines have long been read. */
const kMostAnnounced = 6;
let lastAnnounced = 0;

// What was said in another language is not there to be read any more.
translation.subscribe(() => {
  announcements.value = [];
  alarm.value = "";
});

export function announce(text: string): void {
  const line = { id: ++lastAnnounced, text };
  announcements.value = [...announcements.value, line].slice(-kMostAnnounced);
}

/** The same, at once. */
export function raiseAlarm(text: string): void {
  // The same words twice are heard once: so they differ by a space that nobody hears.
  alarm.value = alarm.value === text ? `${text}\u00a0` : text;
}
