// The shell's letters, which come from the catalogue of the language. Not while somebody types, and
// not when they are switched off; Tab and the browser's own keys are left alone.
import { translation } from "../i18n";
import { isExplained } from "./explain";
import { settings } from "./settings";

export interface ShellKeys {
  log(): void;
  mine(): void;
  mute(): void;
  summary(): void;
  help(): void;
  rules(): void;
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Listens until the function that it gives back is called. */
export function onShellKey(keys: ShellKeys): () => void {
  const listen = (event: KeyboardEvent) => {
    if (!settings.value.shortcuts || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const t = translation.value;
    const letter = event.key.toUpperCase();
    const found = (
      [
        [t("web.keys.log_key"), keys.log],
        [t("web.keys.mine_key"), keys.mine],
        [t("web.keys.summary_key"), keys.summary],
        [t("web.keys.mute_key"), keys.mute],
        [t("web.keys.rules_key"), keys.rules],
        ["?", keys.help],
      ] as const
    ).find(([key]) => key === letter);
    // What has the focus explains itself.
    if (!found || (letter === "?" && isExplained())) return;
    event.preventDefault();
    found[1]();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

/** Calls `f` when Escape is pressed and nothing else has it; until the function that it gives back is called. */
export function onEscape(f: () => void): () => void {
  const listen = ({ key, isTrusted, defaultPrevented }: KeyboardEvent) => {
    // A tap beside the board is no key.
    if (key !== "Escape" || !isTrusted || defaultPrevented) return;
    if (!document.querySelector("dialog[open]")) f();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
