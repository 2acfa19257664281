// The face of a game: its picture, its name, for how many it is and how long it takes, and a sentence.
import { translation } from "../i18n";
import { kGamesWithSkin } from "../games";
import { gameName } from "./games_known";
import { root } from "./route";

/** Only what the catalogue knows: of a game without a skin, the name. */
export function Face({ game }: { game: string }) {
  const t = translation.value;
  const known = kGamesWithSkin.includes(game);
  return (
    <>
      {known && (
        <img
          class="face"
          src={new URL(`games/${game}.svg`, root).href}
          alt=""
          width={160}
          height={100}
        />
      )}
      <span class="face-words">
        <b>{gameName(game)}</b>
        {t.has(`web.${game}.for`) && <small>{t(`web.${game}.for`)}</small>}
        {t.has(`web.${game}.about`) && <span>{t(`web.${game}.about`)}</span>}
      </span>
    </>
  );
}
