// The committed types are those that the schemas give.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

test("the types of the wire are fresh", () => {
  const folder = path.resolve(import.meta.dirname, "../..");
  const run = () =>
    execFileSync(process.execPath, ["tools/gen.mjs", "--check"], { cwd: folder, stdio: "pipe" });
  expect(run).not.toThrow();
});
