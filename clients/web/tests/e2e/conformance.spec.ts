// The browser client under the exam of `triquetra conformance`: the real page with a real connection
// to the scripted server, which refuses hello, breaks lines, falls silent, and sees whether each row
// of docs/CLIENTS.md is kept. The page itself comes from a real server.
import { execFile } from "node:child_process";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { pipeline } from "node:stream";
import type { Browser, Page } from "@playwright/test";
import { expect, test, type Server } from "./table";

const client =
  process.env.TRIQUETRA ??
  path.resolve(import.meta.dirname, "../../../../build/dev/clients/cli/triquetra");

interface Check {
  check: string;
  verdict: "not_reached" | "not_used" | "passed" | "failed";
  saw?: string;
}

/** One sitting: its port, and what came of it. */
async function examiner(sitting: string) {
  const words = ["conformance", "--json", "--only", sitting, "--patience", "30"];
  let heard = "";
  let tell!: (checks: Check[]) => void;
  const verdict = new Promise<Check[]>((resolve) => (tell = resolve));
  const child = execFile(client, words, (_, out) => tell(JSON.parse(out || "[]") as Check[]));
  const port = await new Promise<number>((resolve) => {
    child.stderr!.on("data", (text: string) => {
      heard += text;
      const found = /127\.0\.0\.1:(\d+)/.exec(heard);
      if (found) resolve(Number(found[1]));
    });
  });
  return { port, verdict, end: () => child.kill() };
}

/** Pages come from the server, WebSockets lead to the examiner. */
async function frontDoor(server: Server, exam: number) {
  const door = http.createServer((request, response) => {
    const { url, method, headers } = request;
    const on = http.request({ port: server.port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      pipeline(answer, response, () => {});
    });
    // The page or the server may go in the middle of it: then the other end has nothing to wait for.
    pipeline(request, on, (error) => error && response.destroy());
    on.on("error", () => response.destroy());
    response.on("close", () => on.destroy());
  });
  door.on("upgrade", (request, socket) => {
    const on = net.connect(exam, "127.0.0.1", () => {
      const { rawHeaders: raw } = request;
      const lines = raw.flatMap((each, i) => (i % 2 === 0 ? [`${each}: ${raw[i + 1]}`] : []));
      on.write(`GET ${request.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      on.pipe(socket).pipe(on);
    });
    on.on("error", () => socket.destroy());
    on.on("close", () => socket.destroy());
    socket.on("error", () => on.destroy());
    socket.on("close", () => on.destroy());
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => door.close() };
}

async function sit(
  browser: Browser,
  server: Server,
  sitting: string,
  go: (page: Page, url: string) => Promise<void>,
  then: (page: Page) => Promise<void> = async () => {},
): Promise<Map<string, Check>> {
  const exam = await examiner(sitting);
  const door = await frontDoor(server, exam.port);
  const context = await browser.newContext({ locale: "en", serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => localStorage.setItem("triquetra.name", "Ada"));
    // Whatever it does, it is over when the exam is.
    const going = go(page, door.url).catch(() => {});
    const checks = await exam.verdict;
    await then(page);
    await context.close();
    await going;
    const wrong = checks.filter(({ verdict }) => !["passed", "not_used"].includes(verdict));
    expect(wrong, sitting).toEqual([]);
    return new Map(checks.map((check) => [check.check, check]));
  } finally {
    exam.end();
    door.close();
  }
}

/** Taps whatever may be tapped, as long as the page is there. */
async function play(page: Page): Promise<void> {
  for (;;) {
    await page.evaluate(() => {
      const able = [
        ...document.querySelectorAll<HTMLButtonElement>(".board button:enabled"),
      ].filter((each) => each.offsetParent !== null && each.ariaDisabled !== "true");
      const confirm = able.find((each) => each.dataset.role === "commit");
      (confirm ?? able[Math.floor(Math.random() * able.length)])?.click();
    });
    await page.waitForTimeout(30);
  }
}

const toRoom = async (page: Page, url: string) => void (await page.goto(`${url}r/BCDFGH`));

test("a whole game through every trouble", async ({ browser, server }) => {
  let isTold = false;
  const checks = await sit(browser, server, "game", async (page, url) => {
    await toRoom(page, url);
    // What is waved when the line breaks is not waved again.
    await page.locator(".table").waitFor();
    await page.getByRole("button", { name: "Talk to the others" }).click();
    await page.locator(".reactions button").first().click();
    await page.locator(".refused", { hasText: "not known whether the others heard" }).waitFor();
    isTold = true;
    await play(page);
  });
  expect(isTold).toBe(true);
  for (const name of ["resend", "rejoin", "id_reused", "second_device", "talk", "finish"]) {
    expect(checks.get(name)?.verdict, name).toBe("passed");
  }
});

test("a room that is made while every answer is lost", async ({ browser, server }) => {
  const checks = await sit(browser, server, "host", async (page, url) => {
    await page.goto(`${url}#bots`);
    await page.locator("form .more").waitFor();
    await page.locator("form .primary").click();
    void play(page).catch(() => {});
    await page.locator(".over .primary").click({ timeout: 170_000 });
  });
  for (const name of ["create", "add_bot", "start", "reveal_entropy", "rematch"]) {
    expect(checks.get(name)?.verdict, name).toBe("passed");
  }
});

for (const sitting of ["link", "greeting", "silence"]) {
  test(`the way back: ${sitting}`, async ({ browser, server }) => {
    const checks = await sit(browser, server, sitting, toRoom);
    expect([...checks.values()].map(({ verdict }) => verdict)).not.toContain("not_used");
  });
}

for (const sitting of ["hello_refused", "bad_name", "kicked", "left", "closed", "shut_out"]) {
  test(`out, with a word: ${sitting}`, async ({ browser, server }) => {
    const checks = await sit(browser, server, sitting, toRoom, async (page) => {
      const word = sitting === "hello_refused" ? ".link-bar" : "[role=alert]";
      await expect(page.locator(word)).toBeVisible();
    });
    expect(checks.get(sitting)?.verdict).toBe("passed");
  });
}

test("out, with a word: bad_device", async ({ browser, server }) => {
  const type = async (page: Page, url: string) => {
    await page.goto(`${url}#settings`);
    await page.locator(".say input").fill("WRONG");
    await page.locator(".say button").click();
  };
  const checks = await sit(browser, server, "bad_device", type, (page) =>
    expect(page.locator("[role=alert]")).toContainText("device code"),
  );
  expect(checks.get("bad_device")?.verdict).toBe("passed");
});
