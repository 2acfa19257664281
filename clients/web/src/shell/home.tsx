// The first screen: play with friends, join by code, play against bots, or go on.
import { useState } from "preact/hooks";
import { kGamesWithSkin } from "../games";
import { translation } from "../i18n";
import { client, forget, knownRooms } from "./app_state";
import { Face } from "./face";
import { gameTitle } from "./games_known";
import { Icon, Knot } from "./icons";
import { LessonLink } from "./lesson_link";
import { Opponents } from "./opponents";
import { PageLink, Screen } from "./parts";
import { codeIn, go, roomLink } from "./route";
import { useScreen } from "./screen";
import { useLobby } from "./use";
import { LanguageChoice } from "./settings_page";

export function Home() {
  const t = translation.value;
  const heading = useScreen("");
  return (
    <main class="home">
      <header class="home-head">
        <Knot size={84} />
        <h1 ref={heading} tabIndex={-1}>
          {t("web.title")}
        </h1>
        <p>{t("web.home.claim")}</p>
      </header>
      <nav class="home-doors" aria-label={t("web.home.doors")}>
        <PageLink page="create" class="door first">
          <Icon name="people" size={30} />
          <span>{t("web.home.friends")}</span>
        </PageLink>
        <PageLink page="join" class="door">
          <Icon name="qr" size={30} />
          <span>{t("web.home.join")}</span>
        </PageLink>
        <PageLink page="bots" class="door">
          <Icon name="bot" size={30} />
          <span>{t("web.home.bots")}</span>
        </PageLink>
      </nav>
      <Continue />
      <section class="games" aria-labelledby="games-title">
        <h2 id="games-title">{t("web.home.try")}</h2>
        <Opponents />
        <ul>
          {kGamesWithSkin.map((game) => (
            <li key={game}>
              <PageLink page="try" word={game} class="card game">
                <Face game={game} />
              </PageLink>
              <LessonLink game={game} />
            </li>
          ))}
        </ul>
      </section>
      <footer class="home-foot">
        <LanguageChoice />
        <p class="home-links">
          <PageLink page="rules">{t("web.rules.title")}</PageLink>
          <PageLink page="settings">{t("web.settings.title")}</PageLink>
          <PageLink page="about">{t("web.about.title")}</PageLink>
          <PageLink page="diagnostics">{t("web.diagnostics.title")}</PageLink>
        </p>
      </footer>
    </main>
  );
}

/** A card for each room in which I hold a seat. */
function Continue() {
  const t = translation.value;
  const held = client.welcome.value?.seats ?? [];
  const known = knownRooms.value;
  if (held.length === 0) return null;
  const rooms = held
    .map(
      ({ room }) =>
        known.find((each) => each.room === room) ?? {
          room,
          game: "",
          names: [],
          over: false,
          at: 0,
        },
    )
    .sort((a, b) => b.at - a.at);
  return (
    <section class="continue" aria-labelledby="continue-title">
      <h2 id="continue-title">{t("web.home.continue")}</h2>
      <ul>
        {rooms.map(({ room, game, names, over }) => (
          <li key={room}>
            <a
              class="card"
              href={roomLink(room)}
              onClick={(event) => {
                event.preventDefault();
                go(roomLink(room));
              }}
            >
              <b>{game ? gameTitle(game) : room}</b>
              <small>
                {names.length > 0 ? t.list(names) : room}
                {over && ` · ${t("web.home.over")}`}
              </small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `wrong`: what stood in a link where a code should be. */
export function JoinPage({ wrong }: { wrong?: string }) {
  const t = translation.value;
  const [code, setCode] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    if (code.length < 4) return;
    forget(code);
    go(roomLink(code));
  };
  return (
    <Screen title={t("web.join.title")}>
      <form class="card form" onSubmit={submit}>
        {wrong !== undefined && (
          <p class="refused" role="alert">
            {t("web.join.wrong", { code: wrong })}
          </p>
        )}
        <label>
          {t("web.join.code")}
          <input
            class="code-input"
            value={code}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            onInput={(event) => setCode(codeIn(event.currentTarget.value))}
          />
        </label>
        <button type="submit" class="big primary" disabled={code.length < 4}>
          {t("web.join.go")}
        </button>
      </form>
      <Listed />
    </Screen>
  );
}

/** Rooms that their hosts want to be found. */
function Listed() {
  const t = translation.value;
  useLobby();
  const rooms = client.lobby.value;
  if (rooms.length === 0) return null;
  return (
    <section aria-labelledby="listed-title">
      <h2 id="listed-title">{t("web.join.listed")}</h2>
      <ul class="listed">
        {rooms.map(({ room, game, taken, seats, status }) => (
          <li key={room}>
            <a
              class="card"
              href={roomLink(room)}
              onClick={(event) => {
                event.preventDefault();
                go(roomLink(room));
              }}
            >
              <b>{gameTitle(game)}</b>
              <small>
                {t("web.join.seats", { taken, seats })} ·{" "}
                {status === "open" ? t("web.join.open") : t("web.join.playing")}
              </small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
