// A room's frames as a skin wants them.
import type { RoomFrame, ViewFrame } from "../protocol/wire.gen";
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

/** More names than these are no answer to "who is it?". */
const kMostNames = 2;

/** Who is waited for, and what for, if `what` says it. A window beside a turn holds nobody up. */
export function waitingText(
  { decisions }: Pick<ViewFrame, "decisions">,
  scene: Scene,
  t: Translator,
  what: string | undefined,
): string {
  const turns = decisions.filter(({ kind }) => kind !== "window");
  const asked = turns.length > 0 ? turns : decisions;
  const seats = [...new Set(asked.flatMap((decision) => decision.seats))];
  const count = seats.length;
  if (what === undefined || count === 0) {
    return t("web.table.waiting", { names: t.list(seats.map(scene.name)), count });
  }
  const names =
    count > kMostNames
      ? t("web.table.some_players", { count })
      : t.list(seats.map((seat) => scene.name(seat)));
  return t("web.table.waiting_for", { names, what });
}
