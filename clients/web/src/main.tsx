// The start of the page: language, address, connection, first drawing.
import { render } from "preact";
import { App } from "./shell/app";
import { client, introduceAgain } from "./shell/app_state";
import { goOnMaking } from "./shell/making";
import { followKeys } from "./shell/in_sight";
import { followAddress, go, root, roomLink, route } from "./shell/route";
import { follow } from "./shell/settings";
import { wakeSound } from "./shell/sound";
import { followTranslation } from "./shell/translated";
import { ignoreDoubleTaps } from "./shell/taps";
import "./theme.css";
import "./shell/shell.css";

followAddress();
void introduceAgain();
// A tap that this page did not live to see the answer of.
goOnMaking(client)?.then(
  (room) => /^(create|bots)$/.test(route.value.page) && go(roomLink(room)),
  () => {},
);
client.connection.start();
// A part of the page that is not there any more: the server has a newer one.
window.addEventListener("vite:preloadError", (event) => {
  event.preventDefault();
  client.newVersion.value = true;
});
ignoreDoubleTaps();
followKeys();
followTranslation(document.body);
for (const gesture of ["pointerdown", "keydown"]) {
  document.addEventListener(gesture, wakeSound, { once: true });
}
await follow();
render(<App />, document.getElementById("app")!);
if ("serviceWorker" in navigator && import.meta.env.PROD) {
  void navigator.serviceWorker.register(new URL("sw.js", root)).catch(() => {});
}
