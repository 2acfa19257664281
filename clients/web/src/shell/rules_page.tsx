// The short rules of each game, as its skin tells them.
import { useEffect, useState } from "preact/hooks";
import { kGamesWithSkin } from "../games";
import { translation } from "../i18n";
import { Face } from "./face";
import { gameTitle, skinFor } from "./games_known";
import { Icon } from "./icons";
import { LessonLink } from "./lesson_link";
import { PageLink, Screen } from "./parts";
import { cameFromHere } from "./route";

export function RulesPage({ game }: { game?: string }) {
  const t = translation.value;
  const skin = game === undefined ? undefined : skinFor(game);
  const [came] = useState(cameFromHere);
  useEffect(() => {
    for (const each of kGamesWithSkin) skinFor(each);
  }, []);
  if (game !== undefined) {
    return (
      <Screen key={game} title={t("web.rules.of", { game: gameTitle(game) })} back={came}>
        {kGamesWithSkin.includes(game) && <LessonLink game={game} />}
        <div class="rules">{skin && <skin.Rules t={t} />}</div>
        {came && (
          <button type="button" class="big" onClick={() => history.back()}>
            <Icon name="back" />
            {t("web.rules.back")}
          </button>
        )}
      </Screen>
    );
  }
  return (
    <Screen title={t("web.rules.title")}>
      <ul class="games">
        {kGamesWithSkin.map((each) => (
          <li key={each}>
            <PageLink page="rules" word={each} class="card game">
              <Face game={each} />
            </PageLink>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
