// Looking back at a match, step by step, on the same board.
import { useEffect, useMemo, useState } from "preact/hooks";
import { translation } from "../i18n";
import type { RoomFrame, ViewFrame } from "../protocol/wire.gen";
import type { AnySkin } from "../skin";
import { Icon } from "./icons";
import { isTyping } from "./keys";
import { eventText } from "./log";
import { Players } from "./players";
import type { Room } from "./room";
import { sceneOf } from "./scene";
import { settings } from "./settings";

const kSpeeds = { slow: 2400, normal: 1200, fast: 500 } as const;
type Speed = keyof typeof kSpeeds;

export function Replay(props: { room: Room; frame: RoomFrame; skin: AnySkin; close(): void }) {
  const { room, frame, skin, close } = props;
  const t = translation.value;
  const frames = useFrames(room);
  const [step, setStep] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>("normal");
  const last = frames.length - 1;
  const at = Math.min(step, last);
  const view = frames[at];
  const scene = useMemo(() => sceneOf(frame, room.me.value, t), [frame, t]);

  useEffect(() => {
    if (!playing) return;
    const timer = window.setInterval(() => setStep((now) => now + 1), kSpeeds[speed]);
    return () => window.clearInterval(timer);
  }, [playing, speed]);
  useEffect(() => {
    if (at >= last) setPlaying(false);
  }, [at, last]);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const moves: Record<string, () => void> = {
        "[": () => setStep((now) => Math.max(0, Math.min(now, last) - 1)),
        "]": () => setStep((now) => Math.min(last, now + 1)),
        Home: () => setStep(0),
        End: () => setStep(last),
        Escape: close,
      };
      const move = moves[event.key];
      if (!move) return;
      event.preventDefault();
      move();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [last]);

  if (!view) return null;
  const events = view.happened as unknown[];
  const said = events.flatMap((event) => eventText(skin, event, scene, t) ?? []).join(" ");
  const Board = skin.Board;
  return (
    <main class="table replay">
      <header class="top-bar">
        <button type="button" class="round" aria-label={t("web.replay.close")} onClick={close}>
          <Icon name="back" />
        </button>
        <h1 class="top-status">{skin.status(view as never, t)}</h1>
      </header>
      <div class="banner">
        <p role="status">
          <span>{said || t("web.replay.start")}</span>
        </p>
      </div>
      <Players view={view} scene={scene} skin={skin} open={() => {}} />
      <div class="board">
        <Board
          {...scene}
          view={view as never}
          options={frame.options as never}
          legal={[]}
          act={() => {}}
          announce={() => {}}
          t={t}
          settings={settings.value}
          live={false}
        />
      </div>
      <div class="replay-bar">
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label={t("web.replay.step")}
          aria-valuetext={t("web.replay.of", { step: at, steps: last })}
          onInput={(event) => {
            setPlaying(false);
            setStep(Number(event.currentTarget.value));
          }}
        />
        <button
          type="button"
          class="round replay-end"
          aria-label={t("web.replay.first")}
          onClick={() => setStep(0)}
        >
          <Icon name="first" />
        </button>
        <button
          type="button"
          class="round"
          aria-label={t("web.replay.previous")}
          disabled={at === 0}
          onClick={() => setStep(at - 1)}
        >
          <Icon name="back" />
        </button>
        <button
          type="button"
          class="round"
          aria-label={playing ? t("web.replay.pause") : t("web.replay.play")}
          onClick={() => {
            if (at >= last) setStep(0);
            setPlaying(!playing);
          }}
        >
          <Icon name={playing ? "pause" : "play"} />
        </button>
        <button
          type="button"
          class="round"
          aria-label={t("web.replay.next")}
          disabled={at >= last}
          onClick={() => setStep(at + 1)}
        >
          <Icon name="next" />
        </button>
        <button
          type="button"
          class="round replay-end"
          aria-label={t("web.replay.last")}
          onClick={() => setStep(last)}
        >
          <Icon name="last" />
        </button>
        <button
          type="button"
          onClick={() =>
            setSpeed(speed === "slow" ? "normal" : speed === "normal" ? "fast" : "slow")
          }
        >
          {t(`web.speed.${speed}`)}
        </button>
      </div>
    </main>
  );
}

/** Every view of the match that this browser has seen. */
function useFrames(room: Room): ViewFrame[] {
  return useMemo(() => [...room.frames], [room]);
}
