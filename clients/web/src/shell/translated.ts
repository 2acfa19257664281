// Browsers that translate put other nodes in the place of our texts. Preact goes on writing to the texts
// that it made, so they are put back before a part of the page is drawn anew; the browser then translates
// what has changed. Without this, words would freeze in the middle of a game.
import { options, type VNode } from "preact";

/** What hooks and signals use of Preact, too; the lock file holds its version. */
interface Internal {
  /** The real node. */
  __e?: Node | null;
  /** Its children. */
  __k?: (Drawn | null)[] | null;
  /** Its parent. */
  __?: Drawn | null;
}
type Drawn = VNode & Internal;
interface Hooks {
  /** Before a component is drawn. */
  __r?(vnode: Drawn): void;
  /** After everything has been drawn. */
  __c?(vnode: Drawn, queue: unknown[]): void;
}

/** Our texts that are not there, and what stands in the place of each. */
const replaced = new Map<Text, ChildNode>();

function learn(records: MutationRecord[]): void {
  const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]));
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
    for (const text of removedNodes) {
      if (!(text instanceof Text) || text.isConnected) continue;
      const near = [...addedNodes, previousSibling, nextSibling];
      const other = near.find((each) => each && added.has(each) && each.isConnected);
      if (other) replaced.set(text, other as ChildNode);
    }
  }
}

/** The real nodes at the top of what was drawn here before. */
const nodesOf = (drawn: Drawn): Node[] =>
  typeof drawn.type === "function"
    ? (drawn.__k ?? []).flatMap((child) => (child ? nodesOf(child) : []))
    : drawn.__e
      ? [drawn.__e]
      : [];

function putBack(drawn: Drawn): void {
  let above = drawn.__;
  while (above && typeof above.type !== "string") above = above.__;
  const parts = nodesOf(drawn);
  for (const [text, other] of replaced) {
    const isHere = parts.some((part) => part === text || part.contains(other));
    if (!isHere && other.parentNode !== above?.__e) continue;
    replaced.delete(text);
    if (other.isConnected) other.replaceWith(text);
  }
}

/** From now on, until the page is left. */
export function followTranslation(page: Node): void {
  const watch = new MutationObserver(learn);
  watch.observe(page, { childList: true, subtree: true });
  const hooks = options as Hooks;
  const { __r: before, __c: after } = hooks;
  let drawing = false;
  hooks.__r = (drawn) => {
    // What has happened since the last drawing was not our doing.
    if (!drawing) learn(watch.takeRecords());
    drawing = true;
    if (replaced.size > 0) putBack(drawn);
    before?.(drawn);
  };
  hooks.__c = (drawn, queue) => {
    watch.takeRecords();
    drawing = false;
    after?.(drawn, queue);
  };
}
