// The way to a first game of each; the first game itself is fetched when somebody wants it.
import { translation } from "../i18n";
import { gameTitle } from "./games_known";
import { Icon } from "./icons";
import { later } from "./later";
import { PageLink } from "./parts";

export const LessonPage = later<{ game: string }>(
  async () => (await import("./lesson")).LessonPage,
);

export function LessonLink({ game, name = false }: { game: string; name?: boolean }) {
  const t = translation.value;
  return (
    <PageLink page="learn" word={game} class="button learn">
      <Icon name="play" size={18} />
      {name ? t("web.lesson.offer_of", { game: gameTitle(game) }) : t("web.lesson.offer")}
    </PageLink>
  );
}
