// Writes the TypeScript types of the wire from protocol/schema: src/protocol/wire.gen.ts for the
// frames and src/protocol/games/<game>.gen.ts for each game. With --check it writes nothing and
// fails if a committed file is stale.
import { readdir, readFile, writeFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { compile } from "json-schema-to-typescript";

const here = path.dirname(fileURLToPath(import.meta.url));
const schemas = path.resolve(here, "../../../protocol/schema");
const target = path.resolve(here, "../src/protocol");
const banner = "// Written by tools/gen.mjs from protocol/schema. Do not edit.\n";

const pascal = (name) => name.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());

/** Pairs of [name, schema] of a folder of schemas, by name. */
async function schemasOf(folder) {
  const files = (await readdir(path.join(schemas, folder))).filter((f) => f.endsWith(".json"));
  return Promise.all(
    files.sort().map(async (file) => {
      const text = await readFile(path.join(schemas, folder, file), "utf8");
      return [file.replace(/\.json$/, ""), JSON.parse(text)];
    }),
  );
}

/** The declaration of one type. */
async function declaration(schema, name) {
  const { $id: _id, $schema: _schema, ...rest } = schema;
  const options = { bannerComment: "", ignoreMinAndMaxItems: true };
  return (await compile({ ...rest, title: name }, name, options)).trim();
}

async function frames(folder, suffix, union) {
  const names = [];
  const texts = [];
  for (const [file, schema] of await schemasOf(folder)) {
    const name = pascal(file) + suffix;
    names.push(name);
    texts.push(await declaration(schema, name));
  }
  return [...texts, `export type ${union} = ${names.join(" | ")};`].join("\n\n");
}

async function game(schema) {
  const texts = [];
  for (const [name, definition] of Object.entries(schema.$defs)) {
    texts.push(await declaration(definition, pascal(name)));
  }
  return texts.join("\n\n");
}

async function generated() {
  const files = new Map();
  const server = await frames("server", "Frame", "ServerFrame");
  const client = await frames("client", "Request", "ClientRequest");
  files.set("wire.gen.ts", `${banner}\n${server}\n\n${client}\n`);
  for (const [name, schema] of await schemasOf("games")) {
    files.set(`games/${name}.gen.ts`, `${banner}\n${await game(schema)}\n`);
  }
  return files;
}

const check = process.argv.includes("--check");
let stale = false;
for (const [name, text] of await generated()) {
  const file = path.join(target, name);
  if (check) {
    const committed = await readFile(file, "utf8").catch(() => "");
    if (committed === text) continue;
    stale = true;
    console.error(`${path.relative(process.cwd(), file)} is stale: npm run gen`);
  } else {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
process.exit(stale ? 1 : 0);
