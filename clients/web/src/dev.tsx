// A page for who works on a skin (npm run dev, then /dev.html): a real game on a real server, at
// once. Not in the build. Words of the address: game, variant, seats, bots (how many), lang, theme,
// motion (ms), size (such as 320x568).
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { skinOf } from "./games";
import { chosen, speak, translation } from "./i18n";
import { Client, socketUrl } from "./shell/client";
import type { Room } from "./shell/room";
import type { AnySkin, Scene, Settings } from "./skin";
import "./theme.css";
import "./shell/shell.css";

const words = new URLSearchParams(location.search);
const game = words.get("game") ?? "triqueta";
const seats = Number(words.get("seats") ?? 3);
const bots = Number(words.get("bots") ?? seats - 1);
const [width, height] = (words.get("size") ?? "320x568").split("x");
const settings: Settings = {
  motion_ms: Number(words.get("motion") ?? 300),
  confirm: "taking",
  theme: words.get("theme") === "dark" ? "dark" : "light",
  shortcuts: true,
};

async function newRoom(client: Client): Promise<Room> {
  const ok = await client.connection.request({
    type: "create",
    game,
    options: words.has("variant") ? { variant: words.get("variant") } : {},
    seats,
  });
  const room = await client.enter(ok.room!);
  for (let i = 0; i < bots; ++i) await room.ask({ type: "add_bot", room: room.code });
  await room.ask({ type: "start", room: room.code });
  return room;
}

function Table({ room, skin }: { room: Room; skin: AnySkin }) {
  const t = translation.value;
  const view = room.view.value;
  const frame = room.room.value;
  if (!view || !frame) return <p>...</p>;
  const scene: Scene = {
    me: room.me.value,
    seats: frame.seats,
    name: (seat) => frame.seats[seat]?.name ?? `Bot ${seat + 1}`,
  };
  const common = { ...scene, view: view as never, options: frame.options, t, settings };
  return (
    <div style={{ display: "flex", gap: "2rem", flexWrap: "wrap" }}>
      <div
        style={{
          width: `${width}px`,
          height: `${height}px`,
          display: "flex",
          flexDirection: "column",
          overflow: "auto",
          outline: "1px solid gray",
        }}
      >
        <b>
          {skin.status(view as never, t)} / {skin.question(view as never, scene, t)}
        </b>
        <div style={{ flex: 1, minHeight: 0, position: "relative" }}>
          <skin.Board
            {...common}
            legal={room.pending.value ? [] : (view.legal ?? [])}
            pending={room.pending.value?.action}
            act={(action) => room.act(action)}
            announce={(text) => console.log(text)}
            live
          />
        </div>
      </div>
      <ol>
        {room.log.value.flatMap(({ rev, events }) =>
          events.map((event, i) => {
            const said = skin.describe(event, scene, t);
            return said && <li key={`${rev}-${i}`}>{t(said.key, said.values)}</li>;
          }),
        )}
      </ol>
      {frame.status === "over" && <skin.ScoreSheet {...common} />}
      <skin.Rules t={t} />
    </div>
  );
}

function Dev() {
  const [table, setTable] = useState<{ room: Room; skin: AnySkin }>();
  useEffect(() => {
    document.documentElement.dataset.theme = settings.theme;
    const client = new Client(
      socketUrl(`${location.origin}/`),
      new URL("/version", location.origin),
    );
    client.connection.start();
    void Promise.all([newRoom(client), skinOf(game), speak(chosen([words.get("lang")]))]).then(
      ([room, skin]) => skin && setTable({ room, skin }),
    );
  }, []);
  return table ? <Table {...table} /> : <p>...</p>;
}

render(<Dev />, document.getElementById("app")!);
