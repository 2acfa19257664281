// The board of any game: its views as lists, its acts as buttons that can be pressed.
// @vitest-environment happy-dom
import { render } from "preact";
import { expect, test, vi } from "vitest";
import { translator } from "../../src/i18n";
import { actText, genericSkin } from "../../src/shell/generic";
import type { BoardProps, GameWords } from "../../src/skin";

test("an act is told in words", () => {
  expect(actText({ do: "draw", columns: [0, 1] })).toBe("draw · columns 0, 1");
  expect(actText({ do: "end", last_round: true })).toBe("end · last round true");
  expect(actText({ do: "play", card: { cut: "vertical", number: 2 } })).toBe(
    "play · card cut vertical, number 2",
  );
});

test("each legal act is a button that sends it", () => {
  const act = vi.fn();
  const skin = genericSkin("some_game");
  const props: BoardProps<GameWords> = {
    view: {
      type: "view",
      room: "BCDFGH",
      match: "00",
      rev: 1,
      decisions: [],
      table: { rows: [{ tokens: ["bear", "owl"] }, { tokens: [] }], round: 2 },
      mine: { hidden: ["wolf"] },
      happened: [],
    },
    options: {},
    seats: [],
    name: (seat) => `Bot ${seat}`,
    legal: [{ action: { do: "draw" } }, { action: { do: "take", row: 1 }, preview: -2 }],
    act,
    announce: () => {},
    t: translator({}, "en"),
    settings: { motion_ms: 0, confirm: "never", theme: "light", shortcuts: true },
    live: true,
  };
  const host = document.createElement("div");
  render(<skin.Board {...props} />, host);
  const buttons = [...host.querySelectorAll("button")];
  expect(buttons.map((button) => button.textContent)).toEqual(["draw", "take · row 1-2"]);
  buttons[1]!.click();
  expect(act).toHaveBeenCalledWith({ do: "take", row: 1 });
  expect(host.textContent).toContain("bear, owl");
  expect(host.textContent).toContain("wolf");
});
