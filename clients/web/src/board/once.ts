// A double tap counts once: its second half may meet a table that has changed under the finger.

/** For the click of a button; keys are not counted, and two columns may be tapped in a row. */
export const once = (does: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) does();
};
