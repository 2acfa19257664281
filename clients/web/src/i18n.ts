// The catalogues of i18n/, shared with the terminal client, and the subset of ICU MessageFormat
// that they use: {name}, {n, plural, =0 {..} one {..} other {.. # ..}}, {who, select, a {..} other
// {..}}; an apostrophe before a brace quotes up to the next one. The C++ twin is
// clients/cli/games/catalogue.cpp; i18n/vectors.json holds both to the same.
import { computed, signal } from "@preact/signals";
import type { Translator, Value } from "./skin";

type Values = Record<string, Value>;

/** Where the brace at `open` is closed; the end if nowhere. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; ++i) {
    if (text[i] === "{") ++depth;
    if (text[i] === "}" && --depth === 0) return i;
  }
  return text.length;
}

/** The text in braces behind `word`; undefined if there is none. */
function choice(choices: string, word: string): string | undefined {
  for (let i = 0; i < choices.length;) {
    const open = choices.indexOf("{", i);
    if (open < 0) return undefined;
    const end = closing(choices, open);
    if (choices.slice(i, open).trim() === word) return choices.slice(open + 1, end);
    i = end + 1;
  }
  return undefined;
}

function argument(body: string, values: Values, language: string, count: string): string {
  const [name = "", kind, ...rest] = body.split(",");
  const value = values[name.trim()];
  if (value === undefined) return `{${name.trim()}}`;
  const word = typeof value === "number" ? shown(value, language) : value;
  if (kind === undefined) return word;
  const choices = rest.join(",");
  const plural = kind.trim() === "plural";
  const wanted =
    plural && typeof value === "number"
      ? [`=${value}`, new Intl.PluralRules(language).select(value), "other"]
      : [String(value), "other"];
  for (const each of wanted) {
    const found = choice(choices, each);
    if (found !== undefined) return format(found, values, language, plural ? word : count);
  }
  return word;
}

/** With a minus as wide as a plus, which does not part from its number at the end of a line. */
const shown = (value: number, language: string) =>
  new Intl.NumberFormat(language).format(value).replace("-", "\u2212");

/** The pattern with its arguments filled in; an argument that is absent stays as {name}. */
export function format(pattern: string, values: Values, language: string, count = ""): string {
  let out = "";
  for (let i = 0; i < pattern.length; ++i) {
    const char = pattern[i]!;
    const next = pattern[i + 1];
    if (char === "'" && next === "'") {
      out += "'";
      ++i;
    } else if (char === "'" && (next === "{" || next === "}")) {
      const found = pattern.indexOf("'", i + 1);
      const end = found < 0 ? pattern.length : found;
      out += pattern.slice(i + 1, end);
      i = end;
    } else if (char === "{") {
      const end = closing(pattern, i);
      out += argument(pattern.slice(i + 1, end), values, language, count);
      i = end;
    } else {
      out += char === "#" && count ? count : char;
    }
  }
  return out;
}

export type Messages = Record<string, string>;

export function translator(messages: Messages, language: string): Translator {
  const t = (key: string, values: Values = {}) =>
    key in messages ? format(messages[key]!, values, language) : key;
  return Object.assign(t, {
    list: (words: string[]) =>
      words.length < 2
        ? words.join("")
        : `${words.slice(0, -1).join(", ")} ${messages["list.and"]} ${words.at(-1)}`,
    number: (value: number) => shown(value, language),
    has: (key: string) => key in messages,
    language,
  });
}

/** For tests of the layout: any language with accents, and longer by two fifths. */
function longer(t: Translator): Translator {
  const accents: Record<string, string> = {
    a: "á",
    e: "ë",
    i: "î",
    o: "ö",
    u: "ü",
    A: "Å",
    E: "É",
  };
  const said = (key: string, values?: Values) => {
    const text = t(key, values);
    if (text.length < 2 || key.endsWith("_key")) return text;
    const more = "~".repeat(Math.ceil(text.length * 0.4));
    return text.replace(/[aeiouAE]/g, (letter) => accents[letter]!) + more;
  };
  return Object.assign(said, t);
}
export const stretched = signal(false);

export const kLanguages = ["en", "de", "fr"] as const;
export type Language = (typeof kLanguages)[number];
export const kLanguageNames: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
};

const loaders: Record<Language, () => Promise<{ default: Messages }>> = {
  en: () => import("../../../i18n/en.json"),
  de: () => import("../../../i18n/de.json"),
  fr: () => import("../../../i18n/fr.json"),
};

const isLanguage = (word: string): word is Language =>
  (kLanguages as readonly string[]).includes(word);

/** The first of these languages that we speak; English if none. */
export function chosen(wishes: readonly (string | null | undefined)[]): Language {
  for (const wish of wishes) {
    const word = wish?.slice(0, 2).toLowerCase();
    if (word && isLanguage(word)) return word;
  }
  return "en";
}

const current = signal<{ messages: Messages; language: Language }>({
  messages: {},
  language: "en",
});

/** The translator of the moment: a component that reads it is drawn again in a new language. */
export const translation = computed(() => {
  const t = translator(current.value.messages, current.value.language);
  return stretched.value ? longer(t) : t;
});

export async function speak(language: Language): Promise<void> {
  const { default: messages } = await loaders[language]();
  current.value = { messages, language };
  document.documentElement.lang = language;
}
