// Who begins: an option that every game has so far. The one who makes the room has its first seat.
import type { OptionChoice } from "../skin";

export const firstSeat: OptionChoice<any> = {
  option: "first_seat",
  key: "web.create.first",
  values: [undefined, 0],
  label: (value, t) => t(value === undefined ? "web.create.first_lot" : "web.create.first_me"),
};
