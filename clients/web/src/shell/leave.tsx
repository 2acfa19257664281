// The way out of a room for good: it is asked for, and says what it means.
import { useState } from "preact/hooks";
import { translation } from "../i18n";
import type { RoomFrame } from "../protocol/wire.gen";
import { client } from "./app_state";
import { Icon } from "./icons";
import type { Room } from "./room";
import { go, root } from "./route";
import { Sheet } from "./sheet";

export function Leave({ room, frame }: { room: Room; frame: RoomFrame }) {
  const t = translation.value;
  const [asking, setAsking] = useState(false);
  const me = room.me.value;
  const leave = () => {
    void client.leave(room.code);
    go(root.href);
  };
  if (me === undefined) {
    return (
      <button type="button" class="big" onClick={leave}>
        <Icon name="home" />
        {t("web.room.leave_watching")}
      </button>
    );
  }
  const others = frame.seats.some(({ kind, seat }) => kind === "human" && seat !== me);
  return (
    <>
      <button type="button" class="big" onClick={() => setAsking(true)}>
        <Icon name="leave" />
        {t("web.room.leave")}
      </button>
      {asking && (
        <Sheet title={t("web.room.leave_sure")} close={() => setAsking(false)}>
          <p>{t("web.room.leave_seat")}</p>
          {frame.host === me && <p>{t(others ? "web.room.leave_host" : "web.room.leave_last")}</p>}
          <div class="buttons">
            <button type="button" class="primary" onClick={leave}>
              {t("web.room.leave")}
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              {t("web.cancel")}
            </button>
          </div>
        </Sheet>
      )}
    </>
  );
}
