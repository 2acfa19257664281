// The formatter against the vectors that the terminal client's must pass too, and the catalogues
// against the page's own sources: no text in them that should stand in a catalogue.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { chosen, format, translator } from "../../src/i18n";

const root = path.resolve(import.meta.dirname, "../../../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

interface Vector {
  pattern: string;
  values: Record<string, string | number>;
  en: string;
  de: string;
  fr: string;
}

describe("the formatter", () => {
  for (const vector of JSON.parse(read("i18n/vectors.json")) as Vector[]) {
    for (const language of ["en", "de", "fr"] as const) {
      test(`${vector.pattern} in ${language}`, () => {
        expect(format(vector.pattern, vector.values, language)).toBe(vector[language]);
      });
    }
  }

  test("joins words as people do", () => {
    const t = translator({ "list.and": "et" }, "fr");
    expect(t.list([])).toBe("");
    expect(t.list(["a"])).toBe("a");
    expect(t.list(["a", "b", "c"])).toBe("a, b et c");
  });

  test("shows the key of a message that is absent", () => {
    expect(translator({}, "en")("web.absent")).toBe("web.absent");
  });

  test("takes the first wish that we speak", () => {
    expect(chosen([null, "it-IT", "fr-CA", "de"])).toBe("fr");
    expect(chosen(["xx"])).toBe("en");
  });
});

/** Words that change, or that names make wrong, when anything may stand behind or before them. */
const kBendsAtNames = {
  en: /\}['’]s\b/,
  de: /\}s\b/,
  // "Il ne reste que Ada" should be "qu'Ada".
  fr: /\b(que|de|du|des|le|la|les|ne|se|je|si|lorsque|puisque|jusque)\s\{(name|names|winners|victim)\}/i,
};

test("no French sign of two parts begins a line", () => {
  const french = JSON.parse(read("i18n/fr.json")) as Record<string, string>;
  const loose = Object.entries(french).filter(([, text]) => /[ \u00a0][?!:;]/.test(text));
  expect(loose).toEqual([]);
});

describe("the sentences read well with any name", () => {
  test.each(["en", "de", "fr"] as const)("%s", (language) => {
    const catalogue = JSON.parse(read(`i18n/${language}.json`)) as Record<string, string>;
    const bent = Object.entries(catalogue).filter(([, text]) => kBendsAtNames[language].test(text));
    expect(bent).toEqual([]);
  });
});

/** The texts between tags, and in attributes that people see, hear or read. */
function textsIn(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/=>/g, "")
    .replace(/\b\w+<[A-Za-z][^<>()/]*>/g, "");
  const between = [...code.matchAll(/<\/?[A-Za-z][^<>]*>([^<>{}]*[A-Za-z]{2}[^<>{}]*)<\/?/g)];
  const named = [
    ...code.matchAll(/\b(?:title|alt|placeholder|aria-label|label)="([^"]*[a-z][^"]*)"/g),
  ];
  return [...between, ...named]
    .map((found) => found[1]!.trim())
    .filter((text) => text !== "" && !/[;=()]|&&/.test(text));
}

describe("the sources", () => {
  test("the scan finds what it is for", () => {
    expect(textsIn('<p class="a">Hello there</p>')).toEqual(["Hello there"]);
    expect(textsIn('<button aria-label="Close" />')).toEqual(["Close"]);
    expect(textsIn("<p>{t('a.b')}</p>")).toEqual([]);
  });

  test("hold no text that should stand in a catalogue", () => {
    const folder = path.join(root, "clients/web/src");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const components = files.filter((file) => file.endsWith(".tsx") && file !== "dev.tsx");
    expect(components.length).toBeGreaterThan(10);
    for (const file of components) {
      const found = textsIn(readFileSync(path.join(folder, file), "utf8"));
      expect(found, file).toEqual([]);
    }
  });
});
