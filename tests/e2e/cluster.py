"""Several servers on one machine, as docs/SCALING.md has them on many: PostgreSQL with a synchronous standby, servers that share
it, and HAProxy before them. For scripts/cluster, which runs this file, and for tests and benches.

Usage: cluster.py BUILD_DIR [N] [--port PORT] [--listen ADDRESS] [--play] [-- flags for each triquetrad]
"""
import argparse
import asyncio
import contextlib
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import triquetrad

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_S = 60  # only a hang takes that long


def until(what, found, patience_s=PATIENCE_S):
    """Waits until found() is true, and gives it."""
    end = time.monotonic() + patience_s
    while not (value := found()):
        assert time.monotonic() < end, f"in vain waited for {what}"
        time.sleep(0.05)
    return value


class Databases:
    """A primary, and a standby without which nothing is acknowledged; either may be the one or the other."""

    def __init__(self, folder, *settings):
        self.programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres")).parent
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.settings = settings
        # PostgreSQL does not run as root.
        self.as_nobody = ["setpriv", "--pdeathsig", "QUIT"]
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
            self.as_nobody += ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        self.processes = {}
        self.primary, self.standby = "a", "b"

    def url(self, ports=()):
        """Leads to whichever is the primary; over these ports, if they are given."""
        hosts = "host=127.0.0.1,127.0.0.1&port=" + ",".join(map(str, ports)) if ports else f"host={self.folder}/a,{self.folder}/b"
        return f"postgresql:///games?{hosts}&user=triquetra&target_session_attrs=read-write&connect_timeout=2"

    def run(self, program, *words, check=True, **more):
        return subprocess.run([*self.as_nobody, self.programs / program, *map(str, words)], check=check, cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)

    def make(self):
        for name in "ab":
            place = self.folder / name
            place.mkdir()
            if os.geteuid() == 0:
                shutil.chown(place, "nobody", "nogroup")
        self.run("initdb", "--pgdata", self.folder / "a/data", "--auth", "trust", "--username", "triquetra", "--encoding", "UTF8",
                 "--locale", "C", "--no-sync")
        self.launch("a")
        self.sql("a", "CREATE DATABASE games", "postgres")
        # Goes into the standby's settings too, and counts here once it is there to wait for.
        self.sql("a", "ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.copy_to_standby()
        self.sql("a", "SELECT pg_reload_conf()")
        self.wait_for_standby()

    def launch(self, name):
        words = [word for setting in ("listen_addresses=", "wal_receiver_timeout=5s", "wal_sender_timeout=5s",
                                      *self.settings) for word in ("-c", setting)]
        place = self.folder / name

        def answers():
            # A postmaster refuses while children of the last one are still there.
            process = self.processes.get(name)
            if process is None or process.poll() is not None:
                with open(place / "log", "a") as log:
                    self.processes[name] = subprocess.Popen(
                        [*self.as_nobody, self.programs / "postgres", "-D", place / "data", "-k", place, *words], stdout=log,
                        stderr=log, cwd=self.folder, start_new_session=True)  # Ctrl-C is for those who use it
            return subprocess.run([self.programs / "pg_isready", "--quiet", "--host", place]).returncode == 0

        until(f"database {name}", answers)

    def copy_to_standby(self):
        """The standby is made anew from the primary."""
        place = self.folder / self.standby
        shutil.rmtree(place / "data", ignore_errors=True)
        self.run("pg_basebackup", "--host", self.folder / self.primary, "--username", "triquetra", "--pgdata", place / "data",
                 "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
        self.launch(self.standby)

    def wait_for_standby(self):
        until("the standby", lambda: self.sql(self.primary, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' "
                                              "AND sync_state IN ('sync', 'quorum')") == "1")

    def sql(self, name, text, database="games"):
        return subprocess.run([self.programs / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--host",
                               self.folder / name, "--username", "triquetra", "--dbname", database, "--command", text],
                              check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def fail_over(self):
        """The primary is gone without a word, the standby takes its place, and gets a standby of its own."""
        self.kill(self.primary)
        self.run("pg_ctl", "promote", "--pgdata", self.folder / self.standby / "data")
        self.primary, self.standby = self.standby, self.primary
        self.copy_to_standby()
        self.wait_for_standby()

    def kill(self, name):
        """As if its machine were gone: all of its processes at once."""
        process = self.processes.pop(name)
        pids = list(map(int, pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()))
        process.kill()
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()
        until("their end", lambda: not any(pathlib.Path(f"/proc/{pid}/fd").exists() for pid in pids))

    def stop(self, name):
        process = self.processes.pop(name)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def end(self):
        for name in (self.primary, self.standby):  # so that the primary does not wait for its standby
            if name in self.processes:
                self.stop(name)


class Line:
    """A server's way to the databases, which can be cut: then nothing comes through, in neither direction, and what was under way
    is gone. A thread of its own."""

    def __init__(self, sockets):
        self.sockets, self.is_cut, self.pairs = sockets, False, set()
        self.loop = asyncio.new_event_loop()
        self.ports = []
        ready = threading.Event()

        async def open_doors():
            for path in sockets:
                server = await asyncio.start_server(lambda reader, writer, path=path: self.carry(reader, writer, path), "127.0.0.1", 0)
                self.ports.append(server.sockets[0].getsockname()[1])
            ready.set()

        def run():
            self.loop.run_until_complete(open_doors())
            self.loop.run_forever()

        threading.Thread(target=run, daemon=True).start()
        ready.wait()

    async def carry(self, reader, writer, path):
        async def pump(source, target):
            # Until the end, or for as long as it takes: whoever is cut off hears nothing, not even an end.
            while not self.is_cut and (data := await source.read(1 << 16)):
                if self.is_cut:
                    break
                target.write(data)
                await target.drain()
            while self.is_cut:
                await asyncio.sleep(0.05)

        with contextlib.suppress(OSError):
            if not self.is_cut:
                other_reader, other_writer = await asyncio.open_unix_connection(path)
                both = [asyncio.ensure_future(pump(reader, other_writer)), asyncio.ensure_future(pump(other_reader, writer))]
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                for task in both:
                    task.cancel()
                await asyncio.gather(*both, return_exceptions=True)
                other_writer.close()
            while self.is_cut:
                await asyncio.sleep(0.05)
        writer.close()

    def cut(self):
        self.is_cut = True

    def mend(self):
        self.is_cut = False


class Balancer:
    """HAProxy with docker/cluster/haproxy.cfg, but for its addresses."""

    def __init__(self, folder, listen, port, operators_port, servers):
        self.port, self.operators_port = port, operators_port
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file = self.folder / "haproxy.cfg"
        lines = []
        for line in (ROOT / "docker/cluster/haproxy.cfg").read_text().splitlines():
            if line.startswith("    server "):
                # The first of a backend's says what is true of all.
                template = line.split()
                if template[1] == "triquetra-1":
                    lines += [" ".join(["    server", name, f"127.0.0.1:{at}",
                                        *(word.replace("triquetra-1", name) for word in template[3:])]) for name, at in servers]
            else:
                lines.append(line.replace("bind :8080", f"bind {listen}:{port}").replace("127.0.0.1:8404", f"127.0.0.1:{operators_port}"))
        self.file.write_text("\n".join(lines) + "\n")
        self.process = None

    def start(self):
        # In the foreground, so that it is our child.
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen(["haproxy", "-db", "-f", self.file], stdout=log, stderr=log)

        def answers():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2).status == 200
            except (OSError, urllib.error.HTTPError):
                return False

        until("the balancer", answers)

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Cluster:
    """All of it. With `lines` each server reaches the databases over one that can be cut."""

    def __init__(self, program, folder, count, *flags, listen="127.0.0.1", port=0, settings=(), lines=False):
        self.folder = pathlib.Path(folder)
        self.databases = Databases(self.folder / "postgresql", *settings)
        secret = self.folder / "link-secret"
        secret.write_text(secrets.token_hex(32))
        secret.chmod(0o600)
        self.servers, self.lines = [], []
        for i in range(count):
            # One server alone needs no link.
            link = [] if count == 1 else ["--node", f"triquetra-{i + 1}", "--link-address", f"127.0.0.1:{triquetrad.free_port()}",
                                          "--link-secret-file", secret]
            url = self.databases.url()
            if lines:
                self.lines.append(Line([f"{self.databases.folder}/{name}/.s.PGSQL.5432" for name in "ab"]))
                url = self.databases.url(self.lines[-1].ports)
            self.servers.append(triquetrad.Server(
                program, "--store", url, "--trusted-proxies", "127.0.0.1", "--metrics-listen", "127.0.0.1:0",
                *link, *flags, port=triquetrad.free_port(), patience_s=PATIENCE_S))
        self.balancer = Balancer(self.folder / "haproxy", listen, port or triquetrad.free_port(), triquetrad.free_port(),
                                 [(f"triquetra-{i + 1}", server.words[2]) for i, server in enumerate(self.servers)])

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.balancer.port}"

    def start(self):
        self.databases.make()
        for server in self.servers:
            server.start()
        self.balancer.start()
        return self

    def end(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough
        self.balancer.end()
        for server in self.servers:
            if server.process and server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.process.send_signal(signal.SIGTERM)
        for server in self.servers:
            if server.process:
                try:
                    server.process.wait(15)
                except subprocess.TimeoutExpired:
                    server.kill()
        self.databases.end()

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.end()
            raise

    def __exit__(self, *_):
        self.end()


def main():
    words = argparse.ArgumentParser(prog="scripts/cluster")
    words.add_argument("build", type=pathlib.Path)
    words.add_argument("count", nargs="?", type=int, default=3)
    words.add_argument("--port", type=int, default=8080)
    words.add_argument("--listen", default="127.0.0.1")
    words.add_argument("--play", action="store_true")
    ours, flags = sys.argv[1:], []
    if "--" in ours:
        ours, flags = ours[:ours.index("--")], ours[ours.index("--") + 1:]
    asked = words.parse_args(ours)
    program = asked.build / "server/triquetrad"
    if asked.count > 1 and "--link-address" not in subprocess.run([program, "--help-all"], capture_output=True, text=True).stdout:
        words.error("servers of this version do not share a database: give 1")
    if not 1 <= asked.count <= 20:
        words.error("from 1 to 20 servers")
    client = asked.build / "clients/cli/triquetra"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="triquetra-cluster-") as folder:
        os.chmod(folder, 0o711)  # PostgreSQL's user goes through it
        try:
            with Cluster(program, folder, asked.count, *flags, listen=asked.listen, port=asked.port) as cluster:
                host = "127.0.0.1" if asked.listen == "0.0.0.0" else asked.listen
                print(f"{asked.count} servers are ready at http://{host}:{asked.port} - the balancer's page is "
                      f"http://127.0.0.1:{cluster.balancer.operators_port}, the database {cluster.databases.url()}", flush=True)
                for server in cluster.servers:
                    print(f"  server {server.process.pid} at port {server.port}, metrics at {server.operators}, log {server.log.name}",
                          flush=True)
                if asked.play:
                    return subprocess.run([client, "play", "--server", cluster.url]).returncode
                print(f"Play in a second terminal with: {client} play --server {cluster.url}; Ctrl-C stops all", flush=True)
                signal.pause()
        except KeyboardInterrupt:
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
