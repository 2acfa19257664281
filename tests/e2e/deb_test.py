"""The Debian packages in a bare Debian 12: installed, upgraded while games are in play, removed and purged.

Usage: deb_test.py BUILD SOURCES [--earlier FOLDER]

BUILD is a build in which packages_test has made the packages. They take the place of the two packages in FOLDER,
which an earlier release has made; without it, of themselves under an earlier number.

The Debian is a folder into which programs are rooted, made once by scripts/base. No systemd runs in there: at first
there is none, and the packages must do without; then a stand-in for systemctl starts and stops what the unit says, as
the unit's user. All else is the real thing: apt, dpkg, deb-systemd-helper and deb-systemd-invoke, adduser, the server,
players over sockets. Needs root, else it is skipped.
"""
import asyncio
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import seed
from triquetrad import free_port

BUILD, SOURCES = [pathlib.Path(word).resolve() for word in sys.argv[1:3]]
EARLIER = pathlib.Path(sys.argv[4]) if sys.argv[3:4] == ["--earlier"] else None
sys.path += [str(SOURCES / "tests/released"), str(SOURCES / "clients/sdk/python")]

import verify_record  # noqa: E402
import visit  # noqa: E402
from visit import Guest, come_in, differences, parts  # noqa: E402

PATIENCE_S = 300  # only a hang takes that long
SKIPPED = 77
ACTS_BEFORE = 4  # of each game, before the upgrade

SYSTEMCTL = """#!/bin/sh
# Stands in for systemd: starts and stops what the unit says, as its user.
for word; do case $word in -*) ;; *) action=${action:-$word} ;; esac; done
unit=/usr/lib/systemd/system/triquetrad.service
pid=/run/triquetrad.pid
said() { sed -n "s/^$1=//p" $unit; }
is_active() { [ -e $pid ] && kill -0 "$(cat $pid)" 2>/dev/null; }
stop() {
  if is_active; then kill -TERM "$(cat $pid)"; while is_active; do sleep 0.1; done; fi
  rm -f $pid
}
start() {
  is_active && return
  setpriv --reuid "$(said User)" --regid "$(said Group)" --clear-groups --no-new-privs \\
    $(said ExecStart) >>/run/log 2>&1 </dev/null &
  echo $! >$pid
}
case $action in
  is-enabled)
    if [ -L /etc/systemd/system/multi-user.target.wants/triquetrad.service ]; then echo enabled
    else echo disabled; exit 1; fi ;;
  is-active) is_active ;;
  start | stop) $action ;;
  restart) stop; start ;;
esac
"""


class Debian:
    """A bare Debian in a folder."""

    def __init__(self, folder):
        self.root = folder / "root"
        architecture = self.output("dpkg", "--print-architecture").strip()
        base = SOURCES / "build" / f"base-{architecture}.tar"
        self.output(SOURCES / "scripts/base", architecture, base)
        self.root.mkdir()
        # In memory: what dpkg waits for a disk to have is most of its time.
        self.output("mount", "-t", "tmpfs", "-o", "size=2g,mode=755", "tmpfs", self.root)
        self.output("tar", "--extract", "--numeric-owner", "--preserve-permissions", "--file", base,
                    "--directory", self.root)
        for file in ("resolv.conf", "hosts"):
            shutil.copy(pathlib.Path("/etc") / file, self.root / "etc" / file)

    @staticmethod
    def output(*words, fails=False):
        done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=PATIENCE_S, stdin=subprocess.DEVNULL, check=False)
        assert (done.returncode != 0) == fails, f"{words} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def run(self, *words, **more):
        proxies = [f"{name}={value}" for name, value in os.environ.items() if name.lower().endswith("_proxy")]
        # Without /proc apt closes each descriptor that there may be.
        return self.output("prlimit", "--nofile=1024:", "chroot", self.root, "env", "-i", "HOME=/root", "LC_ALL=C.UTF-8",
                           "DEBIAN_FRONTEND=noninteractive", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                           *proxies, *words, **more)

    def apt(self, *words):
        return self.run("apt-get", "-q", "-y", "-o", "APT::Sandbox::User=root", *words)

    def install(self, packages):
        for package in packages:
            shutil.copy(package, self.root / "opt")
        told = self.apt("install", "--no-install-recommends", *(f"/opt/{package.name}" for package in packages))
        assert not re.search(r"fail|error:|warning:|cannot|not found", told, re.IGNORECASE), told
        return told

    def has(self, path):
        return os.path.lexists(self.root / path)

    def log(self):
        return (self.root / "run/log").read_text() if self.has("run/log") else ""


class Service:
    """The server in there, as whoever comes to it sees it."""

    def __init__(self, debian):
        self.debian, self.port = debian, free_port()
        self.url = f"ws://127.0.0.1:{self.port}"

    def systemctl(self, action):
        self.debian.run("systemctl", action, "triquetrad.service")

    def pid(self):
        return int((self.debian.root / "run/triquetrad.pid").read_text())

    def is_there(self):
        """Waits until it lets players in, or has ended."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=10) as answer:
                    return answer.status == 200
            except OSError:
                if not pathlib.Path(f"/proc/{self.pid()}").exists():
                    return False
                time.sleep(0.1)
        raise AssertionError("the service does not come up")


def earlier(packages, folder):
    """The same packages as those of an earlier version."""
    made = []
    for package in packages:
        inside, made_of_it = folder / "inside", folder / f"earlier-{package.name}"
        Debian.output("dpkg-deb", "--raw-extract", package, inside)
        control = inside / "DEBIAN/control"
        control.write_text(re.sub(r"^Version: .*$", "Version: 0.0.9", control.read_text(), flags=re.MULTILINE))
        Debian.output("dpkg-deb", "-Znone", "--root-owner-group", "--build", inside, made_of_it)
        shutil.rmtree(inside)
        made.append(made_of_it)
    return made


class Table:
    """Ada and Ben at one game."""

    async def open(self, at, game, dice):
        self.at, self.dice, self.tokens, self.guests, self.done = at, dice, {}, {}, []
        for name in ("Ada", "Ben"):
            guest = self.guests[name] = await Guest(at).open(name=name)
            self.tokens[name] = guest.welcome["token"]
            frame = {"type": "join", "room": self.code} if name == "Ben" else \
                {"type": "create", "game": game["name"], "seats": 2, "options": {}}
            self.code = (await guest.must(frame))["room"]
        await self.guests["Ada"].must({"type": "start", "room": self.code})
        for guest in self.guests.values():
            await guest.until(lambda guest=guest: guest.view)

    async def play(self, stop):
        acts = await visit.play([*self.guests.values()], self.dice, stop)
        names = {id(guest): name for name, guest in self.guests.items()}
        self.done += [(names[id(guest)], frame, answer) for guest, frame, answer in acts]

    def seen(self):
        return {name: parts(guest.view) for name, guest in self.guests.items()}

    async def come_back(self):
        """After a restart: everybody sees what they saw, and hears the answers that they heard."""
        before = self.seen()
        await visit.close(self.guests)
        for name, token in self.tokens.items():
            self.guests[name] = await come_in(self.at, {"type": "join", "room": self.code}, token=token)
        # As JSON has it, which knows no pairs.
        wrong = [one for name, seen in self.seen().items() for one in differences([*before[name]], [*seen], name)]
        for name, frame, answer in self.done:
            again = await self.guests[name].ask(frame)
            wrong += differences(answer, again, frame["id"])
        assert not wrong, wrong

    async def record(self):
        """Of the match that is over: every act that was accepted stands in it."""
        ada = self.guests["Ada"]
        await ada.until(lambda: ada.room["status"] == "over")
        record = (await ada.must({"type": "record", "room": self.code, "match": ada.room["match"]}))["record"]
        assert verify_record.wrong_with(record) is None, verify_record.wrong_with(record)
        for _, frame, answer in self.done:
            assert record["steps"][answer["rev"] - 1]["action"] == frame["action"], (frame, answer)
        return len(record["steps"])


async def play_over(service, upgrade, dice):
    """A match of each game begins, the server is upgraded, the matches end."""
    games = visit.get(service, "/api/v1/games")[1]["games"]
    tables = [Table() for _ in games]
    for table, game in zip(tables, games, strict=True):
        await table.open(service, game, dice)
        # A window closes by itself, and then there is more to see.
        await table.play(lambda view: view["rev"] >= ACTS_BEFORE
                         and not any(decision["kind"] == "window" for decision in view["decisions"]))
        assert table.guests["Ada"].view["decisions"], "over too soon"
    upgrade()
    for table in tables:
        await table.come_back()
        await table.play(lambda view: False)
    steps = [await table.record() for table in tables]
    await asyncio.gather(*(visit.close(table.guests) for table in tables))
    return f"{len(games)} games of {sum(steps)} steps"


def whole_life(debian, folder):
    service = Service(debian)
    packages = sorted((BUILD / "packages").glob("*.deb"))
    assert len(packages) == 2, "packages_test makes them"
    debian.apt("update")

    # Where no systemd runs: all is made, and nothing is started.
    debian.install(sorted(EARLIER.glob("*.deb")) if EARLIER else earlier(packages, folder))
    assert debian.run("stat", "--format", "%U:%G %a", "/var/lib/triquetra").strip() == "triquetra:triquetra 700"
    assert debian.has("etc/systemd/system/multi-user.target.wants/triquetrad.service")
    assert "triquetra " in debian.run("triquetra", "--version") and debian.run("triquetrad", "--version")
    print("installed without systemd: user, folder and service are there")

    stand_in = debian.root / "usr/bin/systemctl"  # where maintainer scripts look
    stand_in.write_text(SYSTEMCTL)
    stand_in.chmod(0o755)
    (debian.root / "run/systemd/system").mkdir(parents=True)
    settings = debian.root / "etc/triquetra/triquetrad.conf"
    mine = re.sub(r"^port = 8080$", f"port = {service.port}", settings.read_text(), flags=re.MULTILINE)
    settings.write_text(mine)
    # What goes wrong is said where a host looks, the log of the service.
    with socket.create_server(("127.0.0.1", service.port)):
        service.systemctl("start")
        while pathlib.Path(f"/proc/{service.pid()}").exists():
            time.sleep(0.1)
    assert f":{service.port}: another program listens there" in debian.log(), debian.log()
    settings.write_text(mine + "lisen = 0.0.0.0\n")
    assert "listen" in debian.run("triquetrad", "--config", "/etc/triquetra/triquetrad.conf", "--check-config", fails=True)
    settings.write_text(mine)
    service.systemctl("start")
    assert service.is_there(), debian.log()
    process = service.pid()
    user = pathlib.Path(f"/proc/{process}").stat().st_uid
    assert str(user) == debian.run("id", "--user", "triquetra").strip() != "0", user
    print("started: as its own user; a port that is taken and a wrong setting are named")

    def upgrade():
        debian.install(packages)
        assert service.is_there() and service.pid() != process, "the upgrade did not restart the service"
        assert settings.read_text() == mine, "the upgrade took away what the host has set"
    print("upgraded:", asyncio.run(play_over(service, upgrade, random.Random(SEED))), "went on over it to their ends")

    debian.apt("remove", "triquetra-server", "triquetra-client")
    assert not debian.has("run/triquetrad.pid") and not debian.has("usr/sbin/triquetrad")
    assert settings.read_text() == mine and debian.has("var/lib/triquetra/triquetra.db")
    debian.install(packages)
    assert service.is_there() and settings.read_text() == mine
    print("removed, and installed again: settings and games are kept")

    debian.apt("remove", "triquetra-server")
    debian.apt("purge", "triquetra-server", "triquetra-client")
    left = debian.run("find", "/etc", "/usr", "/var", "-name", "*triquetra*", "-not", "-path", "/var/lib/dpkg/info/*")
    assert not left, f"purged, and yet there is: {left}"
    debian.run("id", "triquetra", fails=True)
    print("purged: nothing is left")


def main():
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        print("skipped: this needs root and mmdebstrap")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        folder = pathlib.Path(folder)
        debian = Debian(folder)
        try:
            whole_life(debian, folder)
        finally:
            if debian.has("run/triquetrad.pid"):
                debian.run("systemctl", "stop")
            if sys.exc_info()[0]:
                print(debian.log()[-5000:])
            Debian.output("umount", "--lazy", debian.root)


SEED = seed.take()
if __name__ == "__main__":
    main()
