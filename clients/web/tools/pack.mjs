// Joins the files below a folder into one blob, files.bin, and writes files.cpp, the table that
// says where each one stands: pack.mjs DIST FOLDER.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const [dist, folder] = process.argv.slice(2);
const entries = await readdir(dist, { recursive: true, withFileTypes: true });
const names = entries
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)))
  .map((name) => name.split(path.sep).join("/"))
  .sort();

const parts = [];
const rows = [];
let offset = 0;
for (const name of names) {
  const bytes = await readFile(path.join(dist, name));
  if (!/^[\w./-]+$/.test(name)) throw new Error(`a strange name: ${name}`);
  rows.push(`      {"${name}", {triquetra_web_blob + ${offset}, ${bytes.length}}},`);
  parts.push(bytes);
  offset += bytes.length;
}
await writeFile(path.join(folder, "files.bin"), Buffer.concat(parts));
await writeFile(
  path.join(folder, "files.cpp"),
  `// Written by clients/web/tools/pack.mjs: what stands where in files.bin.
#include "server/ops/web_files.hpp"

extern "C" const char triquetra_web_blob[];

std::vector<triquetra::EmbeddedFile> triquetra::embedded_web_files() {
  return {
${rows.join("\n")}
  };
}
`,
);
