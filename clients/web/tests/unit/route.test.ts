// Addresses and screens, also below a folder of a proxy.
// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { codeIn, replayLink, routeOf } from "../../src/shell/route";
import { socketUrl } from "../../src/shell/client";

const at = (address: string, base: string) => routeOf(new URL(address), new URL(base));

const kMatch = "00112233445566778899aabbccddeeff";
const kBack = { page: "room", code: "BCDFGH" };

test.each([
  ["https://h/", { page: "home" }],
  ["https://h/#create", { page: "create" }],
  ["https://h/#rules/triqueta", { page: "rules", word: "triqueta" }],
  ["https://h/#nonsense", { page: "home" }],
  ["https://h/r/BCDFGH", { page: "room", code: "BCDFGH" }],
  ["https://h/r/bcdfgh", { page: "room", code: "BCDFGH" }],
  ["https://h/r/BCDFGH#replay", { page: "room", code: "BCDFGH", step: 0 }],
  ["https://h/r/BCDFGH#replay/37", { page: "room", code: "BCDFGH", step: 37 }],
  [`https://h/r/BCDFGH#replay/37/${kMatch}`, { ...kBack, step: 37, match: kMatch }],
  ["https://h/r/BCDFGH#replay/37/nonsense", { page: "room", code: "BCDFGH" }],
])("%s", (address, route) => {
  expect(at(address, "https://h/")).toEqual(route);
  expect(at(address.replace("h/", "h/games/trq/"), "https://h/games/trq/")).toEqual(route);
});

test.each([
  "bcdfgh",
  "BCD FGH",
  "BCD-FGH",
  "https://h/trq/r/BCDFGH#replay/3",
  "/r/bcdfgh?from=mail",
])("a code as it is copied: %s", (text) => expect(codeIn(text)).toBe("BCDFGH"));

test("the WebSocket stands beside the page", () => {
  expect(socketUrl("https://h/games/trq/?lang=de#create")).toBe("wss://h/games/trq/ws");
  expect(socketUrl("http://192.168.1.5:8080/")).toBe("ws://192.168.1.5:8080/ws");
});

test("the address of a look back is read as it was written", () => {
  const link = new URL(replayLink("BCDFGH", kMatch, 12));
  expect(routeOf(link)).toEqual({ ...kBack, step: 12, match: kMatch });
});
