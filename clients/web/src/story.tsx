// A page for who works on a skin (npm run dev, then /story.html): tables as a real server sent them,
// in the real shell, without a server. Not in the build. Words of the address: frame (a name of the
// fixture), lang, theme, page (rules).
import { render } from "preact";
import cards from "../tests/fixtures/card_triangles.json";
import mayhem from "../tests/fixtures/mayhem.json";
import triqueta from "../tests/fixtures/triqueta.json";
import { chosen, speak } from "./i18n";
import type { RoomFrame, ViewFrame } from "./protocol/wire.gen";
import { loadSkin } from "./shell/games_known";
import { Room } from "./shell/room";
import { RulesPage } from "./shell/rules_page";
import { follow, theme } from "./shell/settings";
import { Table } from "./shell/table";
import "./theme.css";
import "./shell/shell.css";

interface Frame {
  name: string;
  room: RoomFrame;
  view: ViewFrame;
}
const frames = [...triqueta, ...mayhem, ...cards] as unknown as Frame[];
const words = new URLSearchParams(location.search);
const { room: roomFrame, view } =
  frames.find(({ name }) => name === words.get("frame")) ?? frames[0]!;

function Page() {
  if (words.get("page") === "rules") return <RulesPage game={roomFrame.game} />;
  const room = new Room(undefined as never, roomFrame.room, false);
  room.room.value = roomFrame;
  room.view.value = view;
  room.log.value = [{ rev: view.rev, events: view.happened as unknown[], mine: view.mine }];
  // From the console the table can be told more.
  Object.assign(window, { room });
  room.act = (action: unknown) => console.log(JSON.stringify(action));
  return (
    <div class="page">
      <Table room={room} frame={roomFrame} view={view} />
    </div>
  );
}

await follow();
theme.value = words.get("theme") === "dark" ? "dark" : "light";
await speak(chosen([words.get("lang")]));
await loadSkin(roomFrame.game);
render(<Page />, document.getElementById("app")!);
