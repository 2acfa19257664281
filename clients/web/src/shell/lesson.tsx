// A first game that plays itself through whoever looks: the real board, and a table that a real server
// has once sent (src/games/<game>/lesson.json, written by tests/fixtures/lessons.py). Needs no server.
import { useEffect, useMemo, useState } from "preact/hooks";
import { lessonOf } from "../games";
import { translation } from "../i18n";
import type { RoomFrame, ViewFrame } from "../protocol/wire.gen";
import type { AnySkin } from "../skin";
import { announce, playerName } from "./app_state";
import { Explain } from "./explain";
import { gameTitle, skinFor } from "./games_known";
import { eventText } from "./log";
import { Opponents } from "./opponents";
import { BackButton, PageLink, Screen, Waiting } from "./parts";
import { Players, PlayerSheet } from "./players";
import { sceneOf } from "./scene";
import { useScreen } from "./screen";
import { settings } from "./settings";
import { play, wakeSound } from "./sound";

export interface Lesson {
  room: RoomFrame;
  /** What is said at the view of this revision, where one act is to be done: web.<game>.lesson.<say>. */
  steps: { say: string; rev: number }[];
  /** As my seat saw them; of what was legal, the act of the step alone. */
  views: ViewFrame[];
}

/** So long one looks at what the others do. */
const kOthersMs = 1600;

export function LessonPage({ game }: { game: string }) {
  const t = translation.value;
  const skin = skinFor(game);
  const [lesson, setLesson] = useState<Lesson | "none" | undefined>(undefined);
  useEffect(() => {
    lessonOf<Lesson>(game).then(
      (found) => setLesson(found ?? "none"),
      () => setLesson("none"),
    );
  }, [game]);
  if (lesson === "none") {
    return (
      <Screen title={gameTitle(game)}>
        <p role="alert">{t("web.link.lost")}</p>
      </Screen>
    );
  }
  if (!skin || !lesson) return <Waiting />;
  return <LessonTable game={game} lesson={lesson} skin={skin} />;
}

function LessonTable({ game, lesson, skin }: { game: string; lesson: Lesson; skin: AnySkin }) {
  const t = translation.value;
  const { views, steps, room } = lesson;
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState<number | undefined>(undefined);
  const view = views[at]!;
  const step = steps.findIndex(({ rev }) => rev === view.rev);
  const isOver = at === views.length - 1;
  const me = view.seat!;
  const frame = useMemo(
    () => ({
      ...room,
      seats: room.seats.map((seat) =>
        seat.seat === me ? { ...seat, name: playerName.value || t("web.lesson.you") } : seat,
      ),
    }),
    [room, t, playerName.value],
  );
  const scene = useMemo(() => sceneOf(frame, me, t), [frame, t]);
  const past = useMemo(() => views.slice(0, at + 1).flatMap((each) => each.happened), [at]);
  const happened = (view.happened as unknown[])
    .flatMap((event) => eventText(skin, event, scene, t, view.mine) ?? [])
    .join(" ");
  const say = isOver
    ? t(`web.${game}.lesson.done`)
    : step < 0
      ? happened
      : t(`web.${game}.lesson.${steps[step]!.say}`);

  useEffect(() => {
    // What led to it first, then what is to be done.
    if (at > 0 && happened) announce(happened);
    if (isOver) announce(t("web.lesson.done"));
    if (say !== happened) announce(say);
    const sounds = (view.happened as unknown[]).flatMap(
      (event) => skin.sound?.(event as never) ?? [],
    );
    sounds.slice(-1).forEach(play);
    if (step >= 0 || isOver) return;
    const timer = window.setTimeout(() => setAt(at + 1), kOthersMs);
    return () => window.clearTimeout(timer);
  }, [at, t]);

  const title = gameTitle(game);
  const heading = useScreen(title);
  const Board = skin.Board;
  return (
    <main class="table replay lesson" data-rev={view.rev}>
      <header class="top-bar">
        <BackButton />
        <h1 class="top-status" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <span class="lesson-step">
          {t("web.lesson.step", {
            step: Math.min(steps.length, steps.filter(({ rev }) => rev <= view.rev).length),
            steps: steps.length,
          })}
        </span>
      </header>
      <div class={`banner coach ${isOver ? "done" : step >= 0 ? "mine" : ""}`}>
        <p>
          {isOver && <b>{t("web.lesson.done")}</b>}
          <span>{say}</span>
        </p>
      </div>
      <Players
        view={view}
        scene={scene}
        skin={skin}
        options={frame.options}
        past={past}
        open={setShown}
      />
      <div class="board">
        <Board
          {...scene}
          view={view as never}
          options={frame.options as never}
          legal={(step >= 0 ? view.legal : []) as never}
          act={() => {
            wakeSound();
            setAt(at + 1);
          }}
          announce={announce}
          t={t}
          settings={settings.value}
          live
        />
      </div>
      {isOver && (
        <div class="lesson-end">
          <PageLink page="try" word={game} class="big primary button">
            {t("web.home.bots")}
          </PageLink>
          <PageLink page="create" class="big button">
            {t("web.home.friends")}
          </PageLink>
          <button type="button" class="big" onClick={() => setAt(0)}>
            {t("web.lesson.again")}
          </button>
          <PageLink page="rules" word={game} class="big button">
            {t("web.rules.title")}
          </PageLink>
          <Opponents />
        </div>
      )}
      <Explain skin={skin} />
      {shown !== undefined && (
        <PlayerSheet
          frame={frame}
          view={view}
          skin={skin}
          scene={scene}
          seat={shown}
          past={past}
          close={() => setShown(undefined)}
        />
      )}
    </main>
  );
}
