import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The catalogues are shared with the terminal client; its own messages stay out of the bundle. */
function withoutTerminalMessages(): Plugin {
  return {
    name: "without-terminal-messages",
    enforce: "pre",
    transform(code, id) {
      if (!/\/i18n\/[a-z]{2,3}\.json$/.test(id)) return null;
      const messages = Object.entries(JSON.parse(code)).filter(([key]) => !key.startsWith("cli."));
      return { code: JSON.stringify(Object.fromEntries(messages)), map: null };
    },
  };
}

/** Tells the service worker which files there are. */
async function fillInWorker(folder: string, files: string[]): Promise<void> {
  const worker = path.join(folder, "sw.js");
  const kept = files.filter((file) => file !== worker);
  const hash = createHash("sha256");
  for (const file of kept) hash.update(await readFile(file));
  const names = kept.map((file) => path.relative(folder, file).split(path.sep).join("/"));
  const text = (await readFile(worker, "utf8"))
    .replace("/* FILES */ []", JSON.stringify(names))
    .replace("/* BUILD */", hash.digest("hex").slice(0, 16));
  await writeFile(worker, text);
}

/**
 * What the server wants to find beside the files: the page for the address of a room, one level
 * deeper, and each file compressed where that saves something.
 */
function forTheServer(): Plugin {
  let folder = "";
  return {
    name: "for-the-server",
    apply: "build",
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      const page = await readFile(path.join(folder, "index.html"), "utf8");
      const deeper = page.replace('<base href="./" />', '<base href="../" />');
      if (deeper === page) throw new Error("index.html has lost its <base>");
      await writeFile(path.join(folder, "room.html"), deeper);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(".gz"))
        .map((entry) => path.join(entry.parentPath, entry.name))
        .sort();
      await fillInWorker(folder, files);
      for (const file of files) {
        const bytes = await readFile(file);
        const zipped = gzipSync(bytes, { level: 9 });
        if (zipped.length < bytes.length * 0.9) await writeFile(`${file}.gz`, zipped);
      }
    },
  };
}

// TRIQUETRA_SERVER: the server that `npm run dev` talks to.
const server = process.env.TRIQUETRA_SERVER ?? "http://localhost:8080";

export default defineConfig({
  base: "./",
  plugins: [withoutTerminalMessages(), forTheServer()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  json: { namedExports: false, stringify: true },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 100,
  },
  // Only a hang takes that long.
  test: { include: ["tests/unit/**/*.test.{ts,tsx}"], testTimeout: 180_000, hookTimeout: 180_000 },
  server: {
    fs: { allow: ["../.."] },
    proxy: {
      "/ws": { target: server, ws: true },
      "/api": { target: server },
      "/version": { target: server },
    },
  },
});
