import { defineConfig, type Plugin } from "vite";

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

// TRIQUETRA_SERVER: the server that `npm run dev` talks to.
const server = process.env.TRIQUETRA_SERVER ?? "http://localhost:8080";

export default defineConfig({
  base: "./",
  plugins: [withoutTerminalMessages()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  json: { namedExports: false, stringify: true },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 100,
  },
  server: {
    fs: { allow: ["../.."] },
    proxy: {
      "/ws": { target: server, ws: true },
      "/api": { target: server },
      "/version": { target: server },
    },
  },
});
