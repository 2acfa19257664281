// Who invites to what: a table as whoever has its code is told of it before they go in.
import { useEffect, useState } from "preact/hooks";
import { translation } from "../i18n";
import { Face } from "./face";
import { gameTitle } from "./games_known";
import { root } from "./route";

/** What the server answers: see docs/PROTOCOL.md. Of a table that does not let everybody in, nothing. */
interface Invited {
  game?: string;
  host?: string;
  seats: number;
  taken: number;
}

/** What is told of a table; undefined until then, and if nothing is. */
export function useInvitation(code: string): Invited | undefined {
  const [told, setTold] = useState<Invited | undefined>(undefined);
  useEffect(() => {
    // Without it, one goes in as before.
    fetch(new URL(`api/v1/rooms/${code}`, root), { cache: "no-store" })
      .then(async (answer) => answer.ok && setTold((await answer.json()) as Invited))
      .catch(() => {});
  }, [code]);
  return told;
}

export function Invitation({ told }: { told: Invited | undefined }) {
  const t = translation.value;
  if (!told?.game) return null;
  const { game, host, taken, seats } = told;
  return (
    <section class="card game invited" aria-labelledby="invited-title">
      <Face game={game} />
      <div>
        <h2 id="invited-title">
          {host === undefined
            ? t("web.room.invites_nobody", { game: gameTitle(game) })
            : t("web.room.invites", { name: host, game: gameTitle(game) })}
        </h2>
        <p>{t("web.join.seats", { taken, seats })}</p>
      </div>
    </section>
  );
}
