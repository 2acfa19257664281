// The way to a first game of each; the first game itself is fetched when somebody wants it.
import { translation } from "../i18n";
import { gameTitle } from "./games_known";
import { Icon } from "./icons";
import { later } from "./later";
import { PageLink } from "./parts";

export const LessonPage = later<{ game: string }>(
  async () => (await import("./lesson")).LessonPage,
);

/** `name`: with that of the game; `meanwhile`: for who waits anyway. */
export function LessonLink(props: { game: string; name?: boolean; meanwhile?: boolean }) {
  const t = translation.value;
  const { game, name, meanwhile } = props;
  return (
    <PageLink page="learn" word={game} class="button learn">
      <Icon name="play" size={18} />
      {name
        ? t("web.lesson.offer_of", { game: gameTitle(game) })
        : t(meanwhile ? "web.lobby.learn" : "web.lesson.offer")}
    </PageLink>
  );
}
