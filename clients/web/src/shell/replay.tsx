// Looking back at a finished match, step by step, on the same board: as everybody saw it, as one
// seat saw it, or with everything open. The server made the views; this page knows no rule.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { translation } from "../i18n";
import type { RoomFrame, ViewFrame } from "../protocol/wire.gen";
import type { AnySkin, Scene } from "../skin";
import { actText } from "./generic";
import { Icon, type IconName } from "./icons";
import { isTyping } from "./keys";
import { eventText } from "./log";
import { Refusal } from "./parts";
import { Players, PlayerSheet } from "./players";
import type { ReplayStep, ReviewedAct, Room } from "./room";
import { replayLink } from "./route";
import { sceneOf } from "./scene";
import { useScreen } from "./screen";
import { settings } from "./settings";

const kSpeeds = { slow: 2400, normal: 1200, fast: 500 } as const;
type Speed = keyof typeof kSpeeds;
const kSpeedNames = Object.keys(kSpeeds) as Speed[];
const kNextSpeed = { slow: "normal", normal: "fast", fast: "slow" } as const;

/** Who looks: everybody, one seat, or everybody at whoever is asked, with everything open. */
type Eyes = "public" | "all" | number;

/** Browsers allow few changes of the address in a short time. */
const kAddressPauseMs = 300;

/** Where we are, and all ways to move. */
function useSteps({ room, match }: RoomFrame, last: number, from: number) {
  const [step, setStep] = useState(from);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>("normal");
  const at = Math.min(step, last);
  useLayoutEffect(() => setStep(from), [from]);
  useEffect(() => {
    if (!playing) return;
    if (at >= last) return setPlaying(false);
    const timer = window.setTimeout(() => setStep(at + 1), kSpeeds[speed]);
    return () => window.clearTimeout(timer);
  }, [playing, speed, at, last]);
  useEffect(() => {
    const timer = window.setTimeout(
      () => history.replaceState(null, "", replayLink(room, match, at)),
      kAddressPauseMs,
    );
    return () => window.clearTimeout(timer);
  }, [at]);
  return {
    at,
    last,
    playing,
    speed,
    go: (to: number) => {
      setPlaying(false);
      setStep(Math.max(0, Math.min(last, to)));
    },
    toggle: () => {
      if (!playing && at >= last) setStep(0);
      setPlaying(!playing);
    },
    faster: () => setSpeed(kNextSpeed[speed]),
  };
}
type Steps = ReturnType<typeof useSteps>;

/** On the slider these are the browser's own. */
const kSliderKeys = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

function useKeys(steps: Steps, close: () => void): void {
  // Always the newest: the next key may come before the effects of the last one.
  const now = useRef(steps);
  now.current = steps;
  // Whoever sees the replay may press a key.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target, key } = event;
      const onSlider = target instanceof HTMLInputElement && target.type === "range";
      if ((isTyping(target) && !onSlider) || document.querySelector("dialog[open]")) return;
      if (onSlider && kSliderKeys.has(key)) return;
      const { at, last, go, toggle } = now.current;
      const moves: Record<string, (() => void) | undefined> = {
        ArrowLeft: () => go(at - 1),
        ArrowRight: () => go(at + 1),
        Home: () => go(0),
        End: () => go(last),
        Escape: close,
        " ": target instanceof HTMLButtonElement ? undefined : toggle,
        ...(settings.value.shortcuts && { "[": () => go(at - 1), "]": () => go(at + 1) }),
      };
      const move = moves[key];
      if (!move) return;
      event.preventDefault();
      move();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** Whose hidden things are shown: with everything open, those of the one who is asked. */
function seatSeen(eyes: Eyes, step: ReplayStep): number | undefined {
  if (eyes === "public") return undefined;
  if (eyes !== "all") return eyes;
  const asked = step.decisions.flatMap(({ seats }) => seats);
  return asked.length === 1 ? asked[0] : undefined;
}

/** A step as the view that those eyes had. */
function viewOf(frame: RoomFrame, step: ReplayStep, seat: number | undefined): ViewFrame {
  const { rev, decisions, table, happened, seats } = step;
  const own = seat === undefined ? {} : { seat, mine: seats[seat] };
  return {
    type: "view",
    room: frame.room,
    match: frame.match,
    rev,
    decisions,
    table,
    happened,
    ...own,
  };
}

export function Replay(props: {
  room: Room;
  /** The room as it was in that match. */
  frame: RoomFrame;
  skin: AnySkin;
  /** How many revisions the match has. */
  last: number;
  from: number;
  close(): void;
  /** What else is to be known meanwhile. */
  children?: ComponentChildren;
}) {
  const { room, frame, skin, last, from, close } = props;
  const t = translation.value;
  const past = room.past.value;
  const all = past?.match === frame.match ? past.steps : [];
  const [eyes, setEyes] = useState<Eyes>("public");
  const [shown, setShown] = useState<number | undefined>(undefined);
  const steps = useSteps(frame, last, from);
  useKeys(steps, close);
  const heading = useScreen(t("web.over.replay"));
  useEffect(() => {
    if (all.length <= last) void room.lookBack(frame.match);
  }, [room, frame.match]);

  useEffect(() => {
    let wanted = true;
    void room.lookAt(frame.match, () => wanted);
    return () => {
      wanted = false;
    };
  }, [room, frame.match]);
  const costly = room.review.value?.match === frame.match ? room.review.value.acts : [];

  const step = all[steps.at];
  const happened = useMemo(
    () => all.slice(0, steps.at + 1).flatMap((each) => each.happened as unknown[]),
    [all, steps.at],
  );
  const seat = step && seatSeen(eyes, step);
  const scene = useMemo(() => sceneOf(frame, seat, t), [frame, seat, t]);
  const view = useMemo(() => step && viewOf(frame, step, seat), [frame, step, seat]);
  return (
    <main class="table replay" data-rev={view?.rev}>
      <header class="top-bar">
        <button type="button" class="round" aria-label={t("web.replay.close")} onClick={close}>
          <Icon name="back" />
        </button>
        <h1 class="top-status" ref={heading} tabIndex={-1}>
          {view ? skin.status(view as never, t) : t("web.over.replay")}
        </h1>
        <EyesChoice scene={scene} eyes={eyes} choose={setEyes} />
      </header>
      <div class="banner" tabIndex={0}>
        <p role="status">
          {view && step ? (
            <span>
              {[
                happenedText(all, step, skin, eyes === "all" ? { ...scene, me: undefined } : scene),
                costText(costly, step.rev, all, skin, frame),
              ]
                .filter(Boolean)
                .join(" ")}
            </span>
          ) : (
            <span>{t("web.replay.loading")}</span>
          )}
        </p>
      </div>
      {view && step && (
        <>
          <Players
            view={view}
            scene={scene}
            skin={skin}
            options={frame.options}
            past={happened}
            mineOf={eyes === "all" ? (each) => step.seats[each] : undefined}
            open={setShown}
          />
          <StillBoard view={view} frame={frame} scene={scene} skin={skin} />
        </>
      )}
      <ReplayBar
        steps={steps}
        marks={[
          ...useMilestones(all, skin, scene),
          ...costly.map(({ rev }) => ({ rev, what: costText(costly, rev, all, skin, frame) })),
        ].sort((one, other) => one.rev - other.rev)}
      />
      <div class="notices">
        <Refusal room={room} />
        {props.children}
      </div>
      {view && step && shown !== undefined && (
        <PlayerSheet
          frame={frame}
          view={eyes === "all" ? viewOf(frame, step, shown) : view}
          skin={skin}
          scene={eyes === "all" ? { ...scene, me: shown } : scene}
          seat={shown}
          past={happened}
          close={() => setShown(undefined)}
        />
      )}
    </main>
  );
}

/** What led to this step, and whether somebody else than the player did it. */
function happenedText(all: ReplayStep[], step: ReplayStep, skin: AnySkin, scene: Scene): string {
  const t = translation.value;
  if (step.rev === 0) return t("web.replay.start");
  const events = step.happened as unknown[];
  const mine = scene.me === undefined ? undefined : step.seats[scene.me];
  const said = events.flatMap((event) => eventText(skin, event, scene, t, mine) ?? []);
  const asked = all[step.rev - 1]!.decisions.flatMap(({ seats }) => seats);
  const person = scene.seats.some(({ seat, kind }) => kind === "human" && asked[0] === seat);
  if (step.by === "clock") said.push(t("web.replay.by_clock"));
  else if (step.by === "bot" && asked.length === 1 && person) said.push(t("web.replay.by_bot"));
  return said.join(" ");
}

/** What this step has cost, if it is one of those that cost most, and what would have been better. */
function costText(
  costly: ReviewedAct[],
  rev: number,
  all: ReplayStep[],
  skin: AnySkin,
  frame: RoomFrame,
): string {
  const t = translation.value;
  const act = costly.find((each) => each.rev === rev);
  const before = all[rev - 1];
  if (!act || !before) return "";
  const view = viewOf(frame, before, act.seat);
  const better =
    skin.actText?.(act.better, view as never, sceneOf(frame, act.seat, t), t) ??
    actText(act.better);
  return t("web.review.cost", { wins: act.wins, better });
}

/** A step that many want to see, and why. */
interface Mark {
  rev: number;
  what: string;
}

function useMilestones(all: ReplayStep[], skin: AnySkin, scene: Scene): Mark[] {
  const t = translation.value;
  return useMemo(
    () =>
      all.flatMap(({ rev, happened }) => {
        const ends = (happened as unknown[]).filter((event) => skin.isMilestone?.(event as never));
        const said = ends.flatMap((event) => eventText(skin, event, scene, t) ?? []);
        return ends.length > 0 ? [{ rev, what: said.join(" ") }] : [];
      }),
    [all, skin, scene, t],
  );
}

function EyesChoice(props: { scene: Scene; eyes: Eyes; choose(eyes: Eyes): void }) {
  const { scene, eyes, choose } = props;
  const t = translation.value;
  return (
    <label class="eyes">
      <span>{t("web.replay.seen_by")}</span>
      <select
        value={String(eyes)}
        onChange={({ currentTarget: { value } }) =>
          choose(value === "public" || value === "all" ? value : Number(value))
        }
      >
        <option value="public">{t("web.replay.public")}</option>
        {scene.seats
          .filter(({ kind }) => kind !== "empty")
          .map(({ seat }) => (
            <option key={seat} value={String(seat)}>
              {scene.name(seat)}
            </option>
          ))}
        <option value="all">{t("web.replay.all")}</option>
      </select>
    </label>
  );
}

function StillBoard(props: { view: ViewFrame; frame: RoomFrame; scene: Scene; skin: AnySkin }) {
  const { view, frame, scene, skin } = props;
  const Board = skin.Board;
  return (
    <div class="board">
      <Board
        {...scene}
        view={view as never}
        options={frame.options as never}
        legal={[]}
        act={() => {}}
        announce={() => {}}
        t={translation.value}
        settings={settings.value}
        live={false}
      />
    </div>
  );
}

function ReplayBar({ steps, marks }: { steps: Steps; marks: Mark[] }) {
  const t = translation.value;
  const { at, last } = steps;
  const button = (icon: IconName, label: string, press: () => void, off = false, more = "") => (
    <button
      type="button"
      class={`round ${more}`}
      aria-label={t(label)}
      disabled={off}
      onClick={press}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="replay-bar">
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        list="replay-marks"
        aria-label={t("web.replay.step")}
        aria-valuetext={t("web.replay.of", { step: at, steps: last })}
        onInput={(event) => steps.go(Number(event.currentTarget.value))}
      />
      <datalist id="replay-marks">
        {marks.map(({ rev, what }) => (
          <option key={`${rev} ${what}`} value={rev} label={what} />
        ))}
      </datalist>
      <select
        class="replay-jump"
        aria-label={t("web.replay.marks")}
        disabled={marks.length === 0}
        value={marks.some(({ rev }) => rev === at) ? at : ""}
        onChange={(event) => steps.go(Number(event.currentTarget.value))}
      >
        <option value="" disabled>
          {t("web.replay.marks")}
        </option>
        {marks.map(({ rev, what }) => (
          <option key={`${rev} ${what}`} value={rev}>
            {t("web.replay.mark", { step: rev, what })}
          </option>
        ))}
      </select>
      {button("first", "web.replay.first", () => steps.go(0), false, "replay-end")}
      {button("back", "web.replay.previous", () => steps.go(at - 1), at === 0)}
      {steps.playing
        ? button("pause", "web.replay.pause", steps.toggle)
        : button("play", "web.replay.play", steps.toggle)}
      {button("next", "web.replay.next", () => steps.go(at + 1), at >= last)}
      {button("last", "web.replay.last", () => steps.go(last), false, "replay-end")}
      <button type="button" class="replay-speed" onClick={steps.faster}>
        {/* As wide as the widest of them: nothing beside it moves. */}
        {kSpeedNames.map((speed) => (
          <span key={speed} aria-hidden={speed !== steps.speed}>
            {t(`web.speed.${speed}`)}
          </span>
        ))}
      </button>
    </div>
  );
}
