// A piece can be carried to its place, by mouse, pen or finger: what taps and keys do anyway. Whoever points at
// a piece with a mouse, or has led the focus to it by keyboard, sees where it may go. A finger points at nothing:
// it would see that only after its tap, when it asks nothing any more.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** By names of places on the board (data-at): what is done when the piece is put down there. */
export type Targets = ReadonlyMap<string, () => void>;
const kNone: Targets = new Map();
/** A finger that taps is never quite still. */
const kStillPx = 10;

const placeOf = (element: EventTarget | null) =>
  element instanceof Element ? element.closest<HTMLElement>("[data-at]") : null;

function mark(board: HTMLElement, targets: Targets): void {
  for (const each of board.querySelectorAll("[data-target]")) each.removeAttribute("data-target");
  for (const name of targets.keys()) {
    board.querySelector(`[data-at="${name}"]`)?.setAttribute("data-target", "");
  }
}

/** What is carried, under the pointer. */
function pictureOf(piece: HTMLElement): HTMLElement {
  const face = piece.querySelector<HTMLElement>(".token, .tri-card") ?? piece;
  const { width } = face.getBoundingClientRect();
  const picture = face.cloneNode(true) as HTMLElement;
  picture.className += " carried";
  picture.ariaHidden = "true";
  picture.removeAttribute("data-at");
  picture.style.setProperty("--tok", `${width}px`);
  picture.style.setProperty("--card-width", `${width}px`);
  return picture;
}

/** `targetsOf`: where the piece at the place of this name may go. */
export function useCarry(
  root: RefObject<HTMLElement | null>,
  targetsOf: (from: string) => Targets,
): void {
  const newest = useRef(targetsOf);
  newest.current = targetsOf;
  const again = useRef(() => {});
  useLayoutEffect(() => again.current());
  useLayoutEffect(() => {
    const board = root.current!;
    let down: { piece: HTMLElement; x: number; y: number } | undefined;
    let picture: HTMLElement | undefined;
    const targets = (piece: HTMLElement | null) =>
      piece ? newest.current(piece.dataset.at!) : kNone;
    let pointed: HTMLElement | null = null;
    const look = (piece: HTMLElement | null) => {
      pointed = piece;
      if (!picture) mark(board, targets(pointed));
    };
    const point = ({ target, pointerType }: PointerEvent) =>
      look(pointerType === "touch" ? null : placeOf(target));
    const focus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(":focus-visible")) look(placeOf(target));
    };
    const hide = () => picture || mark(board, kNone);
    // What lay under the pointer may have been played: then it goes nowhere any more.
    again.current = () => {
      if (!picture)
        mark(board, pointed?.matches(":hover, :focus-visible") ? targets(pointed) : kNone);
    };
    const drop = () => {
      picture?.remove();
      picture = undefined;
      down = undefined;
      mark(board, kNone);
    };
    const press = (event: PointerEvent) => {
      const piece = placeOf(event.target);
      if (!event.isPrimary || event.button !== 0 || !piece || targets(piece).size === 0) return;
      down = { piece, x: event.clientX, y: event.clientY };
    };
    const move = ({ clientX, clientY }: PointerEvent) => {
      if (!down) return;
      if (!picture) {
        if (Math.hypot(clientX - down.x, clientY - down.y) < kStillPx) return;
        picture = pictureOf(down.piece);
        board.append(picture);
        mark(board, targets(down.piece));
      }
      picture.style.translate = `${clientX}px ${clientY}px`;
    };
    const release = ({ clientX, clientY }: PointerEvent) => {
      if (!down || !picture) return drop();
      const place = placeOf(document.elementFromPoint(clientX, clientY));
      const act = targets(down.piece).get(place?.dataset.at ?? "");
      drop();
      // Of what was carried, the click that follows is no tap.
      const swallow = (event: Event) => {
        event.preventDefault();
        event.stopPropagation();
      };
      document.addEventListener("click", swallow, true);
      window.setTimeout(() => document.removeEventListener("click", swallow, true));
      act?.();
    };
    const escape = ({ key }: KeyboardEvent) => key === "Escape" && drop();
    const stop = new AbortController();
    const { signal } = stop;
    board.addEventListener("pointerover", point, { signal });
    board.addEventListener("pointerout", hide, { signal });
    board.addEventListener("focusin", focus, { signal });
    board.addEventListener("focusout", hide, { signal });
    board.addEventListener("pointerdown", press, { signal });
    document.addEventListener("pointermove", move, { signal });
    document.addEventListener("pointerup", release, { signal });
    document.addEventListener("pointercancel", drop, { signal });
    document.addEventListener("keydown", escape, { signal });
    return () => {
      stop.abort();
      drop();
    };
  }, []);
}
