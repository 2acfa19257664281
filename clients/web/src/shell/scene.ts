// A room's frames as a skin wants them.
import type { RoomFrame } from "../protocol/wire.gen";
import type { Scene, Translator } from "../skin";

export function seatName(seats: RoomFrame["seats"], seat: number, t: Translator): string {
  const found = seats.find((each) => each.seat === seat);
  if (found?.name !== undefined) return found.name;
  if (found?.kind === "empty") return t("web.lobby.empty");
  return t("web.bot_name", { seat: seat + 1 });
}

export const sceneOf = (frame: RoomFrame, me: number | undefined, t: Translator): Scene => ({
  me,
  seats: frame.seats,
  name: (seat) => seatName(frame.seats, seat, t),
});
