// Real browsers against the real server. TRIQUETRAD names the server's program; without it the one
// of build/dev is taken.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // A browser fills a core; two at once make each other late.
  workers: 1,
  timeout: 180_000,
  // Only what never comes takes that long.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
