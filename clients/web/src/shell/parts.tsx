// Small parts that several screens share.
import type { ComponentChildren } from "preact";
import { translation } from "../i18n";
import type { RoomFrame } from "../protocol/wire.gen";
import type { Scene } from "../skin";
import { Icon } from "./icons";
import type { Room } from "./room";
import { go, pageLink, type Page } from "./route";
import { playerName } from "./app_state";
import { useScreen } from "./screen";
import { hue, sign } from "./settings";

/** A link to a screen of this page: works without a reload, and with a new tab. */
export function PageLink(props: {
  page: Page;
  word?: string;
  class?: string;
  children: ComponentChildren;
}) {
  const address = pageLink(props.page, props.word);
  return (
    <a
      href={address}
      class={props.class}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go(address);
      }}
    >
      {props.children}
    </a>
  );
}

export function Dismiss({ close }: { close(): void }) {
  const t = translation.value;
  return (
    <button type="button" class="round" aria-label={t("web.close")} onClick={close}>
      <Icon name="close" size={18} />
    </button>
  );
}

/** To where one came from. */
export function BackButton() {
  const t = translation.value;
  return (
    <button
      type="button"
      class="round"
      aria-label={t("web.rules.back")}
      onClick={() => history.back()}
    >
      <Icon name="back" />
    </button>
  );
}

/** A screen that is not the table: title, way back, content. `back`: to where one came from. */
export function Screen(props: { title: string; back?: boolean; children: ComponentChildren }) {
  const t = translation.value;
  const heading = useScreen(props.title);
  return (
    <main class="screen">
      <header class="screen-head">
        {props.back ? (
          <BackButton />
        ) : (
          <PageLink page="home" class="round">
            <Icon name="back" />
            <span class="hidden">{t("web.home.back")}</span>
          </PageLink>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {props.title}
        </h1>
      </header>
      {props.children}
    </main>
  );
}

/** The shape of a table while it is on its way. */
export function Waiting() {
  const t = translation.value;
  return (
    <main class="skeleton" aria-busy="true">
      <h1 class="hidden">{t("web.link.connecting")}</h1>
      <div />
      <div />
      <div />
      <div />
    </main>
  );
}

/** One of a few: looks like buttons, is a group of radio buttons. */
export function Choice<T extends string>(props: {
  legend: string;
  name: string;
  value: T;
  options: readonly { value: T; label: string }[];
  choose(value: T): void;
}) {
  return (
    <fieldset class="choice">
      <legend>{props.legend}</legend>
      <div class="choice-options">
        {props.options.map(({ value, label }) => (
          <label key={value} class={value === props.value ? "chosen" : ""}>
            <input
              type="radio"
              name={props.name}
              value={value}
              checked={value === props.value}
              onChange={() => props.choose(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Switch(props: {
  label: string;
  text?: string;
  on: boolean;
  disabled?: boolean;
  set(on: boolean): void;
}) {
  return (
    <label class="switch">
      <span>
        {props.label}
        {props.text && <small>{props.text}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={props.on}
        disabled={props.disabled}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
    </label>
  );
}

/** Whose column or line this is, where there is little room: shortened to be seen, whole to be heard. */
export const SeatHead = ({ seat, name }: { seat: number; name: string }) => (
  <span class="seat-head" title={name}>
    <Avatar seat={seat} name={name} />
    <span>{name}</span>
  </span>
);

/** A letter, or the number of a bot, in a shape and a colour for each seat, so that no two look alike. */
export function Avatar({ seat, name }: { seat: number; name: string }) {
  if (name === playerName.value && (sign.value !== "letter" || hue.value !== "seat")) {
    return <OwnAvatar seat={seat} name={name} />;
  }
  const letter = /^\S+ (\d)$/.exec(name)?.[1] ?? [...name][0]?.toUpperCase();
  return <span class={`avatar seat-${seat % 8}`} data-letter={letter ?? "?"} aria-hidden="true" />;
}

/** What a bot is known by, beside its name; to be seen only. */
export const BotMark = ({ scene, seat }: { scene: Pick<Scene, "seats">; seat: number }) =>
  scene.seats.some((each) => each.seat === seat && each.kind === "bot") ? (
    <span class="bot-mark">
      <Icon name="bot" size={16} />
    </span>
  ) : null;

/** Who did what is marked here: their sign in the corner of a piece or a place; to be seen only. */
export const By = ({ seat, name }: { seat: number; name: string }) => (
  <span class="by" aria-hidden="true">
    <Avatar seat={seat} name={name} />
  </span>
);

const kSigns = {
  star: "M12 3l2.700 6 6.300.600-4.800 4.200 1.500 6.200L12 16.700 6.300 20l1.500-6.200L3 9.600 9.300 9z",
  moon: "M19 14.500A8 8 0 0 1 9.500 5a8 8 0 1 0 9.500 9.500z",
  heart:
    "M12 20C6 15.500 3.500 12.500 3.500 9A4.300 4.300 0 0 1 12 7.500 4.300 4.300 0 0 1 20.500 9c0 3.500-2.500 6.500-8.500 11z",
  leaf: "M5 19C4 9 10 4.500 20 4.500 20 14.500 15 20 7 17.500M5 19q4-6 9-8.500",
  sun: "M12 7.500a4.500 4.500 0 1 0 .01 0zM11 2h2v3h-2zM11 19h2v3h-2zM2 11h3v2H2zM19 11h3v2h-3z",
  crown: "M3.500 8l4.500 4 4-7 4 7 4.500-4-1.500 11h-14z",
  bolt: "M13.500 2.500L5 13.500h5.500L9.500 21.500 19 10h-6z",
};

/** The sign and the colour that I have chosen for myself. The shape stays that of my seat. */
function OwnAvatar({ seat, name }: { seat: number; name: string }) {
  const own = sign.value === "letter" ? undefined : kSigns[sign.value];
  return (
    <span
      class={`avatar own seat-${seat % 8} ${hue.value === "seat" ? "" : `hue-${hue.value}`}`}
      data-letter={own ? undefined : [...name][0]?.toUpperCase()}
      aria-hidden="true"
    >
      {own && (
        <svg viewBox="0 0 24 24" focusable="false">
          <path d={own} />
        </svg>
      )}
    </span>
  );
}

/** What happened last to the people of a room, until it is read. */
export function RoomNews({ room }: { room: Room }) {
  const t = translation.value;
  const news = room.news.value;
  if (!news) return null;
  return (
    <p class="notice" role="status">
      <span>{t(`news.${news.what}`, { name: news.name ?? "" })}</span>
      <Dismiss close={() => (room.news.value = undefined)} />
    </p>
  );
}

/** Who may come in: for the host. */
export function DoorButtons({ room, frame }: { room: Room; frame: RoomFrame }) {
  const t = translation.value;
  const shut = frame.door_closed ?? false;
  const set = (wish: { open?: boolean; spectators?: boolean; forgive?: boolean }) =>
    void room.ask({ type: "door", room: room.code, ...wish });
  return (
    <div class="buttons">
      <button
        type="button"
        // An open door is open to those as well who were sent away.
        onClick={() => set(shut ? { open: true, forgive: true } : { open: false })}
      >
        {shut ? t("web.lobby.open_door") : t("web.lobby.close_door")}
      </button>
      <button type="button" onClick={() => set({ spectators: !frame.spectators })}>
        {frame.spectators ? t("web.lobby.end_watching") : t("web.lobby.let_watch")}
      </button>
    </div>
  );
}

/** The server's last no in this room, in words. */
export function Refusal({ room }: { room: Room }) {
  const t = translation.value;
  const refused = room.refused.value;
  if (!refused) return null;
  return (
    <p class="refused" role="alert">
      {refused.code === "too_few_players" ? t("web.lobby.too_few") : t(`error.${refused.code}`)}
      {refused.args.rule && ` (${refused.args.rule})`}
      <Dismiss close={() => (room.refused.value = undefined)} />
    </p>
  );
}
