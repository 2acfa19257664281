// Real browsers against the real server. TRIQUETRAD names the server's program, one of a build with
// tests; without it the one of build/dev is taken.
import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { kSeed } from "./tests/e2e/chance";

// Once in a run: its processes read this file again.
if (process.env.TEST_WORKER_INDEX === undefined) console.log(`TRIQUETRA_SEED=${kSeed}`);

// Without windows to show it takes half the work.
const chromium = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync);

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // A browser fills a core; a third one works while others wait, as the exam has them do.
  workers: 3,
  fullyParallel: true,
  timeout: 180_000,
  // Only what never comes takes that long.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? chromium,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--host-resolver-rules=MAP games.example.org 127.0.0.1",
      ],
    },
  },
});
