// Addresses and screens, also below a folder of a proxy.
// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { routeOf } from "../../src/shell/route";
import { socketUrl } from "../../src/shell/client";

const at = (address: string, base: string) => routeOf(new URL(address), new URL(base));

test.each([
  ["https://h/", { page: "home" }],
  ["https://h/#create", { page: "create" }],
  ["https://h/#rules/triqueta", { page: "rules", word: "triqueta" }],
  ["https://h/#nonsense", { page: "home" }],
  ["https://h/r/BCDFGH", { page: "room", code: "BCDFGH" }],
  ["https://h/r/bcdfgh", { page: "room", code: "BCDFGH" }],
])("%s", (address, route) => {
  expect(at(address, "https://h/")).toEqual(route);
  expect(at(address.replace("h/", "h/games/trq/"), "https://h/games/trq/")).toEqual(route);
});

test("the WebSocket stands beside the page", () => {
  expect(socketUrl("https://h/games/trq/?lang=de#create")).toBe("wss://h/games/trq/ws");
  expect(socketUrl("http://192.168.1.5:8080/")).toBe("ws://192.168.1.5:8080/ws");
});
