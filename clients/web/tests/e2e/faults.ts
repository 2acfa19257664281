// What is wrong with a screen as it is now: what axe objects to, what is wider than the window, and
// what is too small for a finger.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const kTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** What is wrong with the screen as it is now, in words; empty if nothing. */
export async function faults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const result = (await page.evaluate((tags) => {
    const { axe: run } = window as unknown as {
      axe: { run(where: Document, how: unknown): Promise<unknown> };
    };
    return run.run(document, { runOnly: tags, resultTypes: ["violations"] });
  }, kTags)) as AxeResult;
  const found = result.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`),
  );
  return [...found, ...(await page.evaluate(tooWideOrSmall))];
}

function tooWideOrSmall(): string[] {
  const found: string[] = [];
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > window.innerWidth) found.push(`wider than the window: ${scrollWidth}`);
  const open = document.querySelector("dialog[open]");
  for (const each of (open ?? document).querySelectorAll<HTMLElement>("button, a, label.chosen")) {
    const { width, height } = each.getBoundingClientRect();
    if (width === 0 || height === 0 || each.closest(".hidden, p:not(.home-links)")) continue;
    if (width < 43.5 || height < 43.5) {
      found.push(`too small for a finger: ${each.outerHTML.slice(0, 120)} ${width} x ${height}`);
    }
  }
  return found;
}
