// An act stays pending until its view is there: between the answer and the view the old question
// stands on the table still. Nothing pends for ever, whatever comes instead of that view.
// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import type { OkFrame } from "../../src/protocol/wire.gen";
import { Refused, type Connection, type Request } from "../../src/shell/connection";
import { Room } from "../../src/shell/room";

interface Asked {
  request: Request;
  id: string;
  ok(more?: Partial<OkFrame>): Promise<void>;
  no(code: Refused["code"]): Promise<void>;
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

/** A tab with this room, and all that it has asked. */
function open() {
  const asked: Asked[] = [];
  let count = 0;
  const connection = {
    freshId: () => `id${++count}`,
    request: (request: Request, { id = `id${++count}` }: { id?: string } = {}) =>
      new Promise<Partial<OkFrame>>((resolve, reject) => {
        asked.push({
          request,
          id,
          ok: (more = {}) => (resolve({ re: id, ...more }), settled()),
          no: (code) => (reject(new Refused(code, {})), settled()),
        });
      }),
  };
  const room = new Room(connection as unknown as Connection, "BCDFGH", false);
  const hear = (frame: object) => room.hear({ room: "BCDFGH", ...frame } as never);
  const view = (rev: number, match = "one", seats = [0]) =>
    hear({
      type: "view",
      match,
      rev,
      decisions: [{ id: rev + 1, kind: "turn", seats }],
      table: {},
      happened: [],
      seat: 0,
      mine: {},
      legal: [],
    });
  const last = (type: Request["type"]) =>
    asked.filter((each) => each.request.type === type).at(-1)!;
  return {
    room,
    hear,
    view,
    last,
    acts: () => asked.filter((each) => each.request.type === "act"),
  };
}

/** The same, in the first question of a match, with an act on its way. */
function acting() {
  const tab = open();
  tab.view(0);
  tab.room.act("draw");
  return tab;
}

beforeEach(() => sessionStorage.clear());

test.each([
  ["its own view", 1],
  ["a later one", 3],
])("until %s has come, and nothing else is sent meanwhile", async (_, rev) => {
  const { room, view, last, acts } = acting();
  await last("act").ok({ rev: 1 });
  expect(room.pending.value).toBeDefined();
  room.act("draw");
  expect(acts().length).toBe(1);
  view(rev);
  expect(room.pending.value).toBeUndefined();
  room.act("draw");
  expect(acts().length).toBe(2);
});

test("an older view that was still on its way does not end it", async () => {
  const { room, view, last } = acting();
  await last("act").ok({ rev: 2 });
  view(1);
  expect(room.pending.value).toBeDefined();
  view(2);
  expect(room.pending.value).toBeUndefined();
});

test("if the view was first, it ends with the answer", async () => {
  const { room, view, last } = acting();
  view(1);
  expect(room.pending.value).toBeDefined();
  await last("act").ok({ rev: 1 });
  expect(room.pending.value).toBeUndefined();
});

test.each(["too_late", "illegal", "storage_unavailable"] as const)("%s ends it", async (code) => {
  const { room, last } = acting();
  await last("act").no(code);
  expect(room.pending.value).toBeUndefined();
  expect(room.refused.value?.code).toBe(code);
  // Whoever came too late is asked by the next view alone, whatever this one still says.
  expect(room.asked.value === undefined).toBe(code === "too_late");
});

test("the last act of a match ends with the last view", async () => {
  const { room, hear, view, last } = acting();
  await last("act").ok({ rev: 1 });
  hear({ type: "room", match: "one", status: "over", seats: [] });
  view(1, "one", []);
  expect(room.pending.value).toBeUndefined();
});

test.each(["room", "view"] as const)("a rematch ends it: %s", async (first) => {
  const { room, hear, view, last } = acting();
  hear({ type: "room", match: "one", status: "playing", seats: [] });
  await last("act").ok({ rev: 9 });
  if (first === "room") hear({ type: "room", match: "two", status: "open", seats: [] });
  else view(0, "two");
  expect(room.pending.value).toBeUndefined();
});

test("an answer for the match before ends it", async () => {
  const { room, view, last } = acting();
  const act = last("act");
  view(0, "two");
  expect(room.pending.value).toBeUndefined();
  await act.ok({ rev: 9 });
  expect(room.pending.value).toBeUndefined();
});

test("when the line was lost after the answer, the next view decides", async () => {
  const { room, view, last, acts } = acting();
  await last("act").ok({ rev: 5 });
  const back = room.enter();
  expect(room.pending.value).toBeDefined();
  await last("join").ok({ seat: 0 });
  await back;
  // It was answered: nothing is sent twice.
  expect(acts().length).toBe(1);
  expect(room.pending.value).toBeDefined();
  view(2);
  expect(room.pending.value).toBeUndefined();
  expect(room.missed.value).toBe(0);
});

test("when the line was lost before the answer, it is sent again under its id", async () => {
  const { room, view, last, acts } = acting();
  const back = room.enter();
  await last("join").ok({ seat: 0 });
  await back;
  view(1);
  expect(acts().map(({ id }) => id)).toEqual(["id1", "id1"]);
  await last("act").ok({ rev: 1 });
  expect(room.pending.value).toBeUndefined();
});

test("a page that is loaded again sends what was not answered, and only that", async () => {
  const { last } = acting();
  const enter = async () => {
    const tab = open();
    const back = tab.room.enter();
    await tab.last("join").ok({ seat: 0 });
    await back;
    return tab;
  };
  const again = await enter();
  expect(again.acts().map(({ id }) => id)).toEqual(["id1"]);
  await last("act").ok({ rev: 1 });
  const later = await enter();
  expect(later.acts()).toEqual([]);
  expect(later.room.pending.value).toBeUndefined();
});

/** A view in which somebody has drawn. */
const drawn = (rev: number, drawer: number, match = "one", seat = 0) => ({
  type: "view",
  match,
  rev,
  decisions: [],
  table: {},
  happened: [{ event: "drew", seat: drawer }],
  seat,
  mine: { at: rev },
  legal: [],
});
/** The server's history, in which 0 and 1 have drawn in turn. */
const history = (...revs: number[]) => ({
  pages: revs.map((rev) => ({ rev, happened: [{ event: "drew", seat: (rev + 1) % 2 }] })),
});
const learned = ({ room }: { room: Room }) => room.log.value.map(({ mine }) => mine);

test("of my own acts a page that is loaded again knows what I alone learned", async () => {
  const first = open();
  first.hear(drawn(1, 0));
  first.hear(drawn(2, 1));
  const again = open();
  again.hear(drawn(3, 0));
  await again.last("history").ok(history(1, 2, 3));
  expect(learned(again)).toEqual([{ at: 1 }, undefined, { at: 3 }]);
  // What came by itself after a gap is kept as well.
  const third = open();
  third.hear(drawn(4, 1));
  await third.last("history").ok(history(1, 2, 3, 4));
  expect(learned(third)).toEqual([{ at: 1 }, undefined, { at: 3 }, { at: 4 }]);
  // Who sits in another seat has never known it.
  const other = open();
  other.hear(drawn(4, 0, "one", 1));
  await other.last("history").ok(history(1, 2, 3, 4));
  expect(learned(other)).toEqual([undefined, undefined, undefined, { at: 4 }]);
  // No more than the newest are kept, and none of a match before.
  for (let rev = 1; rev <= 200; ++rev) again.hear(drawn(rev, 0, "two"));
  const kept = JSON.parse(sessionStorage.getItem("triquetra.own")!) as {
    match: string;
    parts: [number, unknown][];
  };
  expect(kept.match).toBe("two");
  expect(kept.parts.map(([rev]) => rev)).toEqual(Array.from({ length: 120 }, (_, i) => 81 + i));
});

test("what comes of an act is known, though the log is still being read", async () => {
  const before = acting();
  before.hear(drawn(2, 1));
  // The page is loaded again with the act on its way.
  const again = open();
  again.hear(drawn(2, 1));
  again.hear(drawn(3, 0));
  await again.last("history").ok(history(1, 2, 3));
  expect(learned(again)).toEqual([undefined, { at: 2 }, { at: 3 }]);
  const later = open();
  later.hear(drawn(4, 1));
  await later.last("history").ok(history(1, 2, 3, 4));
  expect(learned(later)).toEqual([undefined, undefined, { at: 3 }, { at: 4 }]);
});

test("what follows from my act may come too late without a word", async () => {
  const { room, view, last } = acting();
  await last("act").ok({ rev: 1 });
  expect(room.acted.value).toEqual({ match: "one", rev: 1 });
  view(1);
  room.act("end", true);
  await last("act").no("too_late");
  expect(room.refused.value).toBeUndefined();
  expect(room.asked.value).toBeUndefined();
  view(2);
  room.act("draw");
  await last("act").no("too_late");
  expect(room.refused.value?.code).toBe("too_late");
  expect(room.acted.value).toEqual({ match: "one", rev: 1 });
});
