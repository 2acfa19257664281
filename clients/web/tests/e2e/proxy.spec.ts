// The page behind the proxies of docker/proxy, over TLS, below a path and without one: a whole game,
// and nothing asked for beside the path.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { play } from "./playing";
import { expect, Person, Server, test } from "./table";

/** The browser looks for it on this machine: see playwright.config.ts. */
const kHost = "games.example.org";
const configs = path.resolve(import.meta.dirname, "../../../../docker/proxy");

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** One proxy before a server, as docs/HOSTING.md has it. */
class Proxy {
  private readonly folder = mkdtempSync(path.join(tmpdir(), "triquetra-proxy-"));
  private child?: ChildProcess;
  port = 0;

  constructor(
    private readonly name: "nginx" | "caddy",
    private readonly below: string,
  ) {}

  async start(behind: number): Promise<void> {
    this.port = await freePort();
    const file = (name: string) => path.join(this.folder, name);
    const subject = `-subj /CN=${kHost} -addext subjectAltName=DNS:${kHost}`;
    const key = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
    const files = ["-keyout", file("key"), "-out", file("cert")];
    const made = spawnSync("openssl", [...`${key} ${subject}`.split(" "), ...files]);
    if (made.status !== 0) throw new Error(made.stderr.toString());
    const isNginx = this.name === "nginx";
    writeFileSync(file("config"), isNginx ? this.nginx(behind) : this.caddy(behind));
    const words = isNginx
      ? ["/usr/sbin/nginx", "-p", this.folder, "-c", file("config")]
      : ["/usr/bin/caddy", "run", "--config", file("config"), "--adapter", "caddyfile"];
    this.child = spawn(words[0]!, words.slice(1), {
      env: { ...process.env, HOME: this.folder },
      stdio: "ignore",
    });
  }

  private page(name: string, behind: number): string {
    const text = readFileSync(path.join(configs, name), "utf8");
    return text.replace("127.0.0.1:8080", `127.0.0.1:${behind}`);
  }

  private nginx(behind: number): string {
    let text = this.page("nginx.conf", behind)
      .replace("listen 443", `listen 127.0.0.1:${this.port}`)
      .replace(/(ssl_certificate +)\S+;/, `$1${this.folder}/cert;`)
      .replace(/(ssl_certificate_key +)\S+;/, `$1${this.folder}/key;`);
    if (this.below === "/") {
      text = text.replace(/location = [^}]*\}/, "").replace("location /triquetra/", "location /");
    }
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${this.folder}/${kind};`)
      .join(" ");
    const head = `daemon off; pid ${this.folder}/pid; error_log stderr; events {}`;
    return `${head} http { access_log off; ${paths}\n${text}}\n`;
  }

  private caddy(behind: number): string {
    let text = this.page("Caddyfile", behind).replace(
      `${kHost} {`,
      `https://${kHost}:${this.port} {\n\tbind 127.0.0.1\n\ttls ${this.folder}/cert ${this.folder}/key`,
    );
    if (this.below === "/") {
      text = text.replace(/redir .*/, "").replace("handle_path /triquetra/*", "handle_path /*");
    }
    const head = `admin off\n auto_https disable_redirects\n storage file_system ${this.folder}`;
    return `{\n${head}\n}\n${text}`;
  }

  async end(): Promise<void> {
    const { child } = this;
    if (child && child.exitCode === null) {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

for (const name of ["nginx", "caddy"] as const) {
  for (const below of ["/", "/triquetra/"]) {
    test(`a game behind ${name} at ${below}`, async ({ browser, chance }) => {
      const server = new Server(["--trusted-proxies", "127.0.0.1", "--allow-host", kHost]);
      const proxy = new Proxy(name, below);
      await server.start();
      await proxy.start(server.port);
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        locale: "en",
        serviceWorkers: "block",
      });
      try {
        await chance.fix(context);
        const page = await context.newPage();
        const url = `https://${kHost}:${proxy.port}${below}`;
        const ada = new Person(context, page, { url } as Server, chance);
        const paths = new Set<string>();
        page.on("request", (request) => paths.add(new URL(request.url()).pathname));
        page.on("websocket", (socket) => paths.add(new URL(socket.url()).pathname));
        await expect(async () => {
          await page.goto(url);
          await page.locator(".home").waitFor({ timeout: 10_000 });
        }).toPass({ timeout: 60_000 });
        ada.complaints.length = 0;
        await page.goto(`${url}#bots`);
        await page.locator("form").waitFor();
        await ada.introduce("Ada");
        await ada.choose("triqueta");
        await page.locator("input[name=variant]").nth(2).check();
        await page.locator("form .primary").click();
        await page.locator(".table").waitFor();
        // The address of a room is one level deeper.
        await page.reload();
        expect(await play(ada)).toBe("over");
        expect([...paths].filter((each) => !each.startsWith(below))).toEqual([]);
        expect([...paths]).toContain(`${below}ws`);
        expect(ada.complaints).toEqual([]);
        expect(ada.foreign).toEqual([]);
      } finally {
        await context.close();
        await proxy.end();
        await server.end();
      }
    });
  }
}
