// No file of the page imports itself by way of others, be it for a type, to hand something on, or to
// load it later. Each kind of circle is planted, too, and must be found.
import path from "node:path";
import { describe, expect, it } from "vitest";

/** Files by their path from src, with their text. */
type Files = Record<string, string>;

const kImport =
  /^(?:import|export)\b[^"]*?\bfrom\s*"(\.[^"]+)"|^import\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/gm;
const kGlob = /\bimport\.meta\.glob\b[^"]*"(\.[^"]+)"/g;

/** The files among these that a file names. */
function importsOf(file: string, files: Files): string[] {
  const text = files[file]!;
  const inFolder = (named: string) => path.posix.join(path.posix.dirname(file), named);
  const named = [...text.matchAll(kImport)].flatMap(([, from, bare, later]) => {
    const to = inFolder((from ?? bare ?? later)!);
    return ["", ".ts", ".tsx"].map((end) => to + end).filter((each) => each in files);
  });
  const matched = [...text.matchAll(kGlob)].flatMap(([, pattern]) => {
    const words = inFolder(pattern!).replaceAll(".", "\\.").replaceAll("*", "[^/]+");
    const wanted = new RegExp(`^${words}$`);
    return Object.keys(files).filter((each) => wanted.test(each));
  });
  return [...named, ...matched];
}

/** A circle for each file from which one leads back to it, as the files on the way. */
function circles(files: Files): string[][] {
  const next = new Map(Object.keys(files).map((file) => [file, importsOf(file, files)]));
  return [...next.keys()].flatMap((start) => {
    const ways = [[start]];
    const seen = new Set<string>();
    for (const way of ways) {
      for (const to of next.get(way.at(-1)!)!) {
        if (to === start) return [[...way, start]];
        if (!seen.has(to)) ways.push([...way, to]);
        seen.add(to);
      }
    }
    return [];
  });
}

const kUsesA = 'import { a } from "./a";\nexport const b = a;\n';
const kCircles: Record<string, Files> = {
  values: { "a.ts": 'import { b } from "./b";\nexport const a = b;\n', "b.ts": kUsesA },
  types: {
    "a.tsx": 'import { b } from "./b";\nexport type A = string;\nb();\n',
    "b.ts": 'import type { A } from "./a";\nexport const b = (): A => "";\n',
  },
  "over several lines": { "a.ts": 'import {\n  b,\n} from "./b";\n', "b.ts": kUsesA },
  "nothing but the file": { "a.ts": 'import "./b";\n', "b.ts": kUsesA },
  "what is handed on": { "a.ts": 'export { b as a } from "./b";\n', "b.ts": kUsesA },
  "what is loaded later": { "a.ts": 'const b = () => import("./b");\n', "b.ts": kUsesA },
  "whatever is in a folder": {
    "a.ts": 'const b = import.meta.glob<{ b: B }>("./all/*/b.ts");\n',
    "all/one/b.ts": 'import { a } from "../../a";\n',
  },
  itself: { "a.ts": 'import { a } from "./a";\nexport const b = a;\n' },
  "three in two folders": {
    "a.ts": 'import { c } from "./more/c";\nexport const a = c;\n',
    "b.ts": kUsesA,
    "more/c.ts": 'import { b } from "../b";\nexport const c = b;\n',
  },
};

describe("circles of imports", () => {
  it.each(Object.entries(kCircles))("are found: %s", (_, files) => {
    expect(circles(files)).toHaveLength(Object.keys(files).length);
  });

  it("are not found where there is none", () => {
    expect(circles({ "a.ts": "export const a = 1;\n", "b.ts": kUsesA, "b.css": "" })).toEqual([]);
  });

  it("are not in the page", () => {
    const texts = import.meta.glob<string>("../../src/**/*.{ts,tsx}", {
      eager: true,
      query: "?raw",
      import: "default",
    });
    const names = Object.keys(texts).map((each) => each.slice("../../src/".length));
    const files = Object.fromEntries(names.map((each) => [each, texts[`../../src/${each}`]!]));
    expect(importsOf("main.tsx", files)).toContain("shell/app.tsx");
    expect(importsOf("games.ts", files)).toContain("games/mayhem/index.ts");
    expect(circles(files).map((way) => way.join(" > "))).toEqual([]);
  });
});
