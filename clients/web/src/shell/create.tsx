// Where a room is made: for friends, or at once against bots. Everything has a default, so that one
// tap is enough.
import { useEffect, useState } from "preact/hooks";
import { kGamesWithSkin } from "../games";
import { translation } from "../i18n";
import { client, playerName } from "./app_state";
import { Refused } from "./connection";
import { Face } from "./face";
import { games, loadGames, skinFor, type KnownGame } from "./games_known";
import { LessonLink } from "./lesson_link";
import { isMaking, kLevels, makeRoom, type Wish } from "./making";
import { NameForm } from "./name_form";
import { Choice, Screen, Switch } from "./parts";
import { go, roomLink } from "./route";
import { botCount, botLevel, kChoices, kids } from "./settings";
import { MoreChoices, playedBy, SeatsChoice, WayChoice, type Chosen } from "./ways";

/** `trial`: the game that shall begin at once, as it usually is, against the bots that this device remembers. */
export function CreatePage({ bots, trial }: { bots: boolean; trial?: string }) {
  const t = translation.value;
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    loadGames().catch(() => setFailed(true));
  }, []);
  const known = games.value;
  const tried = known?.find(({ name }) => name === trial);
  return (
    <Screen
      key={playerName.value === "" ? "name" : "form"}
      title={bots ? t("web.home.bots") : t("web.home.friends")}
    >
      {known ? (
        tried ? (
          <Trial kind={tried} />
        ) : (
          <CreateForm games={known} bots={bots} />
        )
      ) : (
        <p role="status">{failed ? t("web.link.lost") : t("web.link.connecting")}</p>
      )}
    </Screen>
  );
}

/** Nothing is asked but the name, and that only once. */
function Trial({ kind }: { kind: KnownGame }) {
  const t = translation.value;
  const [refused, setRefused] = useState<string | undefined>(undefined);
  const named = playerName.value !== "";
  useEffect(() => {
    if (!named || isMaking.value) return;
    const game = kind.name;
    const { options, seats } = playedBy(
      kind,
      skinFor(game),
      { more: {} },
      { usual: +botCount.value + 1 },
    );
    const wish: Wish = { type: "create", game, options, seats, hints: true, chat: "off" };
    makeRoom(client, wish, { count: seats - 1, level: botLevel.value }).then(
      (room) => go(roomLink(room), true),
      (error) => setRefused(error instanceof Refused ? error.code : "internal_error"),
    );
  }, [named]);
  if (!named) return <NameForm />;
  return <p role="status">{refused ? t(`error.${refused}`) : t("room.starting")}</p>;
}

function CreateForm({ games: known, bots }: { games: KnownGame[]; bots: boolean }) {
  const t = translation.value;
  const [game, setGame] = useState(known[0]!.name);
  const [chosen, choose] = useState<Chosen>({ more: {} });
  // Whoever has chosen before wants that again.
  const level = botLevel.value;
  const [clock, setClock] = useState("0");
  const [hints, setHints] = useState(true);
  const [listed, setListed] = useState(false);
  const [spectators, setSpectators] = useState(true);
  const [chat, setChat] = useState<"off" | "reactions" | "text">("reactions");
  const [refused, setRefused] = useState<string | undefined>(undefined);
  // With hints, and without a clock.
  const isForKids = kids.value === "on";

  const kind = known.find((each) => each.name === game)!;
  const played = playedBy(kind, skinFor(game), chosen, bots ? { usual: +botCount.value + 1 } : {});
  const { options, seats } = played;
  const choosing = { played, chosen, choose };
  const chooseSeats = (now: Chosen) => {
    choose(now);
    const count = kChoices.bots.find((each) => Number(each) + 1 === now.seats);
    if (bots && count) botCount.value = count;
  };

  const create = async () => {
    setRefused(undefined);
    try {
      const wish: Wish = {
        type: "create",
        game,
        options,
        seats,
        hints: hints || isForKids,
        chat,
        spectators,
        visibility: listed ? "listed" : "unlisted",
      };
      if (clock !== "0" && !isForKids) wish.clock = Number(clock);
      go(roomLink(await makeRoom(client, wish, bots ? { count: seats - 1, level } : undefined)));
    } catch (error) {
      setRefused(error instanceof Refused ? error.code : "internal_error");
    }
  };

  if (!playerName.value) return <NameForm />;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      {known.length > 1 && (
        <fieldset class="variants faces">
          <legend>{t("web.create.game")}</legend>
          {known.map(({ name }) => (
            <label key={name} class={`card game ${name === game ? "chosen" : ""}`}>
              <input
                type="radio"
                name="game"
                value={name}
                checked={name === game}
                onChange={() => {
                  setGame(name);
                  choose({ more: {} });
                }}
              />
              <Face game={name} />
            </label>
          ))}
        </fieldset>
      )}
      {bots && kGamesWithSkin.includes(game) && <LessonLink game={game} name />}
      <WayChoice {...choosing} />
      <SeatsChoice
        {...choosing}
        choose={chooseSeats}
        legend={bots ? t("web.create.seats_bots") : t("web.create.seats")}
      />
      {bots && (
        <Choice
          legend={t("web.create.level")}
          name="level"
          value={level}
          options={kLevels.map((value) => ({ value, label: t(`web.level.${value}`) }))}
          choose={(value) => (botLevel.value = value)}
        />
      )}
      {bots && <p class="note">{t(`web.level.${level}_text`)}</p>}
      <details class="more">
        <summary>{t("web.create.more")}</summary>
        <MoreChoices {...choosing} />
        {!isForKids && (
          <Switch
            label={t("web.create.hints")}
            text={t("web.create.hints_text")}
            on={hints}
            set={setHints}
          />
        )}
        {!bots && (
          <>
            <Switch
              label={t("web.create.listed")}
              text={t("web.create.listed_text")}
              on={listed}
              set={setListed}
            />
            <Switch label={t("web.create.spectators")} on={spectators} set={setSpectators} />
            <Choice
              legend={t("web.create.chat")}
              name="chat"
              value={chat}
              options={[
                { value: "off", label: t("web.create.chat_off") },
                { value: "reactions", label: t("web.create.chat_reactions") },
                { value: "text", label: t("web.create.chat_text") },
              ]}
              choose={(value) => setChat(value)}
            />
          </>
        )}
        {!isForKids && (
          <Choice
            legend={t("web.create.clock")}
            name="clock"
            value={clock}
            options={["0", "30", "60", "120"].map((value) => ({
              value,
              label:
                value === "0"
                  ? t("web.create.clock_none")
                  : t("web.create.clock_seconds", { seconds: Number(value) }),
            }))}
            choose={setClock}
          />
        )}
      </details>
      {refused && (
        <p class="refused" role="alert">
          {t(`error.${refused}`)}
        </p>
      )}
      <button type="submit" class="big primary" disabled={isMaking.value}>
        {bots ? t("web.create.play") : t("web.create.create")}
      </button>
    </form>
  );
}
