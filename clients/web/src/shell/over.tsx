// After the end: the score sheet of the game, and what may come next.
import { useEffect, useMemo, useState } from "preact/hooks";
import { translation } from "../i18n";
import type { RoomFrame, ViewFrame } from "../protocol/wire.gen";
import type { AnySkin, Scene, Translator } from "../skin";
import { announce } from "./app_state";
import { copyText } from "./copy";
import { EarlierGames } from "./earlier";
import { gameTitle } from "./games_known";
import { Icon } from "./icons";
import { Leave } from "./leave";
import { OverArt } from "./over_art";
import { Avatar, BotMark, PageLink, Refusal } from "./parts";
import { played } from "./played";
import type { Room } from "./room";
import { useScreen } from "./screen";
import { wayTitle } from "./ways";
import { settings } from "./settings";
import { Bubble, TalkButton } from "./talk";

/** The result in one text, to be sent to others. */
function asText(
  result: { totals: number[]; winners: number[] },
  scene: Scene,
  { title, decided }: { title: string; decided: string | undefined },
  t: Translator,
): string {
  const lines = result.totals
    .map((total, seat) => ({ total, name: scene.name(seat) }))
    .sort((a, b) => b.total - a.total)
    .map(({ total, name }) => `${name}: ${total}`);
  // Of a game without points: who has won, as anybody would say it.
  if (lines.length === 0) lines.push(winnersText(result.winners, { ...scene, me: undefined }, t));
  return [title, ...lines, ...(decided ? [decided] : [])].join("\n");
}

function winnersText(winners: number[], scene: Scene, t: Translator): string {
  if (scene.me !== undefined && winners.includes(scene.me)) {
    return winners.length === 1 ? t("web.over.you_won") : t("web.over.you_won_too");
  }
  if (winners.length === 0) return t("web.over.nobody");
  return t("web.over.won", {
    names: t.list(winners.map((seat) => scene.name(seat))),
    count: winners.length,
  });
}

interface Place {
  seat: number;
  total: number;
  won: boolean;
  place: number;
  /** Somebody else has the same. */
  shared: boolean;
}

/** Who came where: the best first, and who are equal share the better place. */
function placesOf(totals: number[], winners: number[]): Place[] {
  type Standing = Omit<Place, "place" | "shared">;
  const order = (a: Standing, b: Standing) => Number(b.won) - Number(a.won) || b.total - a.total;
  const sorted = totals
    .map((total, seat) => ({ total, seat, won: winners.includes(seat) }))
    .sort(order);
  return sorted.map((one) => ({
    ...one,
    place: 1 + sorted.findIndex((other) => order(one, other) === 0),
    shared: sorted.some((other) => other !== one && order(one, other) === 0),
  }));
}

/** Who share a place are seen to do so. */
const placeSign = (place: number, shared: boolean, t: Translator) =>
  `${shared ? "=" : ""}${t.number(place)}`;

function Standings(props: {
  places: Place[];
  scene: Scene;
  room: Room;
  skin: AnySkin;
  view: ViewFrame;
}) {
  const { places, scene, room, skin, view } = props;
  const t = translation.value;
  return (
    <ol class="standings">
      {places.map(({ total, seat, won, place, shared }) => (
        <li key={seat} class={won ? "won" : ""}>
          <span class="place">
            <span class="hidden">
              {t("web.over.place", { place, shared: shared ? "yes" : "no" })}
            </span>
            <span aria-hidden="true">{placeSign(place, shared, t)}</span>
          </span>
          <Avatar seat={seat} name={scene.name(seat)} />
          <span class="seat-name">
            {scene.name(seat)} <BotMark scene={scene} seat={seat} />
            {seat === scene.me && <b class="you">{t("web.lobby.you")}</b>}
            <Bubble room={room} seat={seat} name={scene.name(seat)} />
          </span>
          <b data-total={seat}>{t("web.over.points", { points: total })}</b>
          {skin.Points && (
            <span class="came" aria-hidden="true">
              <skin.Points view={view as never} seat={seat} t={t} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Who has played, where there are no points: what they have left and say stands beside them. */
function People(props: { scene: Scene; room: Room; skin: AnySkin; view: ViewFrame }) {
  const { scene, room, skin, view } = props;
  const t = translation.value;
  const seats = skin.ranking?.(view as never) ?? scene.seats.map(({ seat }) => seat);
  return (
    <ul class="over-people" aria-label={t("web.table.players")}>
      {seats.map((seat) => (
        <li key={seat}>
          <Avatar seat={seat} name={scene.name(seat)} />
          <span class="seat-name">
            {scene.name(seat)} <BotMark scene={scene} seat={seat} />
            {seat === scene.me && <b class="you">{t("web.lobby.you")}</b>}
            <Bubble room={room} seat={seat} name={scene.name(seat)} />
          </span>
          <span class="hidden">{skin.badge?.(view as never, seat, t)}</span>
          {skin.Badge && <skin.Badge view={view as never} seat={seat} />}
        </li>
      ))}
    </ul>
  );
}

const kPieces = 36;

/** A short rain of paper, for an end that was just seen. */
function Confetti() {
  const pieces = useMemo(() => Array.from({ length: kPieces }, () => Math.random()), []);
  return (
    <div class="confetti" aria-hidden="true">
      {pieces.map((random, i) => (
        <i
          key={i}
          class={`piece-${i % 4}`}
          style={{ "--x": `${(i * 100) / kPieces}%`, "--random": random }}
        />
      ))}
    </div>
  );
}

export function Over(props: {
  /** It ended before this person's eyes. */
  fresh: boolean;
  room: Room;
  frame: RoomFrame;
  view: ViewFrame;
  skin: AnySkin;
  scene: Scene;
  look(): void;
  replay(): void;
}) {
  const { fresh, room, frame, view, skin, scene, look, replay } = props;
  const t = translation.value;
  const [shared, setShared] = useState(false);
  const result = skin.result(view as never);
  const title = wayTitle(frame, skin, t) ?? gameTitle(frame.game);
  const mine = scene.me === undefined ? undefined : played.value[frame.game];
  const headline = result ? winnersText(result.winners, scene, t) : t("web.table.over");
  const heading = useScreen(headline);
  const decided = result && skin.decided?.(view as never, scene, t);
  useEffect(() => {
    announce(headline);
    if (decided) announce(decided);
  }, [headline, decided]);
  const places = result ? placesOf(result.totals, result.winners) : [];
  const best = skin.best?.(view as never, scene, t, room.happened.value as never);
  const picture = async () => {
    const { sharePicture } = await import("./picture");
    const winners = (result?.winners ?? []).map((seat) => ({
      seat,
      won: true,
      place: 1,
      shared: (result?.winners.length ?? 0) > 1,
      total: undefined,
    }));
    const lines = (places.length > 0 ? places : winners).map((each) => ({
      place: placeSign(each.place, each.shared, t),
      name: scene.name(each.seat),
      points: each.total === undefined ? "" : t("web.over.points", { points: each.total }),
      won: each.won,
    }));
    const day = new Intl.DateTimeFormat(t.language, { dateStyle: "long" }).format(new Date());
    const said = winnersText(result?.winners ?? [], { ...scene, me: undefined }, t);
    await sharePicture({ game: title, headline: said, lines, foot: `${t("web.title")} · ${day}` });
  };
  const canShare = typeof navigator.share === "function";
  const share = async () => {
    if (!result) return;
    const text = asText(result, scene, { title, decided }, t);
    if (!canShare) return setShared(await copyText(text));
    // Refused when they changed their mind.
    await navigator.share({ text }).then(
      () => setShared(true),
      () => {},
    );
  };
  // For whoever lost it would be mockery.
  const hasWon = scene.me === undefined || result?.winners.includes(scene.me);
  return (
    <main class="screen over">
      {fresh && hasWon && settings.value.motion_ms > 0 && <Confetti />}
      <header class="over-head">
        <OverArt />
        <p>{title}</p>
        <h1 ref={heading} tabIndex={-1}>
          {headline}
        </h1>
        {decided && <p class="over-decided">{decided}</p>}
        <div class="over-first">
          {scene.me !== undefined && (
            <button
              type="button"
              class="big primary"
              onClick={() => void room.playAgain(frame.host === scene.me)}
            >
              {t(frame.host === scene.me ? "web.over.rematch" : "web.over.propose")}
            </button>
          )}
          <button type="button" class="big over-replay" onClick={replay}>
            <Icon name="play" />
            {t("web.over.replay")}
          </button>
          <TalkButton room={room} frame={frame} />
        </div>
      </header>
      <div class="over-columns">
        <div>
          {places.length > 0 && (
            <Standings places={places} scene={scene} room={room} skin={skin} view={view} />
          )}
          {places.length === 0 && <People {...{ scene, room, skin, view }} />}
          {best && (
            <figure class="best-trio">
              <span class="best-picture" aria-hidden="true">
                {best.picture}
              </span>
              <figcaption>
                <Avatar seat={best.seat} name={scene.name(best.seat)} />
                {best.text}
                {best.seat === scene.me && <b class="you">{t("web.lobby.you")}</b>}
              </figcaption>
            </figure>
          )}
        </div>
        <div>
          <skin.ScoreSheet
            {...scene}
            view={view as never}
            options={frame.options as never}
            t={t}
            settings={settings.value}
          />
          {mine && mine.played > 1 && (
            <p class="note over-played">
              {t("web.over.played", {
                game: gameTitle(frame.game),
                played: mine.played,
                won: mine.won,
              })}
            </p>
          )}
        </div>
      </div>
      <Refusal room={room} />
      <div class="over-doors">
        {scene.me !== undefined && frame.host === scene.me && (
          <button type="button" class="big" onClick={() => void room.playAgain(false)}>
            <Icon name="cog" />
            {t("web.over.change")}
          </button>
        )}
        <button type="button" class="big" onClick={look}>
          <Icon name="eye" />
          {t("web.over.table")}
        </button>
        {result && (
          <button type="button" class="big" onClick={() => void share()}>
            <Icon name={shared ? "check" : "share"} />
            {t(shared && !canShare ? "web.lobby.copied" : "web.over.share")}
          </button>
        )}
        {result && (
          <button type="button" class="big" onClick={() => void picture()}>
            <Icon name="picture" />
            {t("web.over.picture")}
          </button>
        )}
        <PageLink page="home" class="big button">
          <Icon name="home" />
          {t("web.over.home")}
        </PageLink>
        <Leave room={room} frame={frame} />
      </div>
      <EarlierGames room={room.code} match={frame.match} />
    </main>
  );
}
