// Our SHA-256 against Node's.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hex, sha256 } from "../../src/shell/sha256";

test("SHA-256 is SHA-256, whatever the length", () => {
  for (let length = 0; length < 200; ++length) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) % 256);
    expect(hex(sha256(bytes))).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});
