// Arrow keys inside a group of buttons of which only one can be reached by Tab.

/**
 * For the keydown of the group: moves the focus. Which button Tab reaches is the board's to say, and
 * stays so: if it moved too, it could go with a card that leaves the table.
 */
export function focusNext(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const group = event.currentTarget;
  if (!(group instanceof HTMLElement)) return;
  const buttons = [...group.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const ends: Record<string, number> = { Home: 0, End: buttons.length - 1 };
  const to = step === undefined ? ends[event.key] : (at + step + buttons.length) % buttons.length;
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  buttons[to]!.focus();
}
