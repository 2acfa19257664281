// The short rules of each game, as its skin tells them.
import { useEffect } from "preact/hooks";
import { kGamesWithSkin } from "../games";
import { translation } from "../i18n";
import { gameTitle, skinFor } from "./games_known";
import { Icon } from "./icons";
import { PageLink, Screen } from "./parts";

export function RulesPage({ game }: { game?: string }) {
  const t = translation.value;
  const skin = game === undefined ? undefined : skinFor(game);
  useEffect(() => {
    for (const each of kGamesWithSkin) skinFor(each);
  }, []);
  if (game !== undefined) {
    return (
      <Screen title={gameTitle(game)}>
        <div class="rules">{skin && <skin.Rules t={t} />}</div>
        <button type="button" class="big" onClick={() => history.back()}>
          <Icon name="back" />
          {t("web.rules.back")}
        </button>
      </Screen>
    );
  }
  return (
    <Screen title={t("web.rules.title")}>
      <ul class="menu">
        {kGamesWithSkin.map((each) => (
          <li key={each}>
            <PageLink page="rules" word={each} class="button">
              <Icon name="book" />
              {gameTitle(each)}
            </PageLink>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
