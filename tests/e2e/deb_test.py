"""The Debian packages in a bare Debian 12: installed, upgraded while a game is in play, removed and purged.

Usage: deb_test.py BUILD SOURCES      BUILD is a build in which packages_test has made the packages

The Debian is a folder into which programs are rooted, made once by scripts/base. No systemd runs in there: a stand-in
for systemctl starts and stops what the unit says, as the unit's user. All else is the real thing: apt, dpkg,
deb-systemd-helper and deb-systemd-invoke, adduser, the server, a bot. Needs root, else it is skipped.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

import seed
from triquetrad import free_port

BUILD, SOURCES = [pathlib.Path(word).resolve() for word in sys.argv[1:3]]
PATIENCE_S = 300  # only a hang takes that long
SKIPPED = 77

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
  TRIQUETRA_PORT=@PORT@ TRIQUETRA_BOT_DELAY_MS=0 setpriv --reuid "$(said User)" --regid "$(said Group)" \\
    --clear-groups --no-new-privs $(said ExecStart) >>/run/log 2>&1 </dev/null &
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

# Waits with its third act for the upgrade.
BOT = """
import pathlib, random, sys, time
from triquetra_bot import Bot
class Patient(Bot):
    name = "Patient"
    acts_chosen = 0
    def choose(self, view, legal):
        self.acts_chosen += 1
        if self.acts_chosen == 3:
            pathlib.Path("in-play").touch()
            while not pathlib.Path("upgraded").exists():
                time.sleep(0.05)
        return random.choice(legal)
Patient.main()
"""


class Debian:
    """A bare Debian in a folder."""

    def __init__(self, folder):
        self.root = folder / "root"
        base = SOURCES / "build" / f"base-{self.output('dpkg', '--print-architecture').strip()}.tar"
        self.output(SOURCES / "scripts/base", base.stem.removeprefix("base-"), base)
        self.root.mkdir()
        self.output("tar", "--extract", "--numeric-owner", "--preserve-permissions", "--file", base, "--directory", self.root)
        for file in ("resolv.conf", "hosts"):
            shutil.copy(pathlib.Path("/etc") / file, self.root / "etc" / file)

    @staticmethod
    def output(*words, fails=False):
        done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=PATIENCE_S, stdin=subprocess.DEVNULL)
        assert (done.returncode != 0) == fails, f"{words} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def run(self, *words, **more):
        proxies = [f"{name}={value}" for name, value in os.environ.items() if name.lower().endswith("_proxy")]
        return self.output("chroot", self.root, "env", "-i", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
                           "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *proxies, *words, **more)

    def apt(self, *words):
        return self.run("apt-get", "-q", "-y", "-o", "APT::Sandbox::User=root", *words)

    def has(self, path):
        return os.path.lexists(self.root / path)

    def stat(self, path):
        return self.run("stat", "--format", "%U:%G %a", f"/{path}").strip()


def earlier(package, folder):
    """The same package as one of an earlier version."""
    shutil.rmtree(folder, ignore_errors=True)
    Debian.output("dpkg-deb", "--raw-extract", package, folder)
    control = folder / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", "Version: 0.0.9", control.read_text(), flags=re.MULTILINE))
    Debian.output("dpkg-deb", "-Znone", "--root-owner-group", "--build", folder, package.parent / f"{folder.name}.deb")


def ready(port):
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10) as answer:
                return answer.status == 200
        except OSError:
            assert time.monotonic() < until, "the service does not come up"
            time.sleep(0.1)


def main():
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        print("skipped: this needs root and mmdebstrap")
        sys.exit(SKIPPED)
    seed.take()
    packages = sorted((BUILD / "packages").glob("*.deb"))
    assert len(packages) == 2, "packages_test makes them"
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        folder = pathlib.Path(folder)
        debian = Debian(folder)
        try:
            whole_life(debian, packages, folder)
        finally:
            if debian.has("run/triquetrad.pid"):
                debian.run("systemctl", "stop")
            if sys.exc_info()[0] and debian.has("run/log"):
                print((debian.root / "run/log").read_text()[-5000:])


def whole_life(debian, packages, folder):
    port = free_port()
    stand_in = debian.root / "usr/local/bin/systemctl"
    stand_in.write_text(SYSTEMCTL.replace("@PORT@", str(port)))
    stand_in.chmod(0o755)
    (debian.root / "run/systemd/system").mkdir(parents=True)
    client, server = packages
    for package in packages:
        shutil.copy(package, debian.root / "opt")
        earlier(debian.root / "opt" / package.name, debian.root / "opt/earlier" / package.name.split("_")[0])
    debian.apt("update")

    debian.apt("install", "--no-install-recommends", "/opt/earlier/triquetra-server.deb", "/opt/earlier/triquetra-client.deb")
    assert debian.stat("var/lib/triquetra") == "triquetra:triquetra 700"
    assert debian.has("etc/systemd/system/multi-user.target.wants/triquetrad.service")
    assert ready(port)
    assert "triquetra " in debian.run("triquetra", "--version")
    process = (debian.root / "run/triquetrad.pid").read_text()
    user = pathlib.Path(f"/proc/{process.strip()}").stat().st_uid
    assert str(user) == debian.run("id", "--user", "triquetra").strip() != "0", user
    print("installed: user, folder and service are there")

    settings = debian.root / "etc/triquetra/triquetrad.conf"
    mine = settings.read_text() + "\nbot-delay-ms = 1\n"
    settings.write_text(mine)
    (folder / "bot.py").write_text(BOT)
    bot = subprocess.Popen([sys.executable, "bot.py", "--game", "triqueta", "--bots", "1", "--json", "--server",
                            f"ws://127.0.0.1:{port}"], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=os.environ | {"PYTHONPATH": str(SOURCES / "clients/sdk/python")})
    until = time.monotonic() + PATIENCE_S
    while not (folder / "in-play").exists():
        assert bot.poll() is None and time.monotonic() < until, bot.communicate()
        time.sleep(0.05)
    debian.apt("install", "--no-install-recommends", f"/opt/{server.name}", f"/opt/{client.name}")
    assert (debian.root / "run/triquetrad.pid").read_text() != process, "the upgrade did not restart the service"
    assert settings.read_text() == mine, "the upgrade took away what the host has set"
    (folder / "upgraded").touch()
    told, errors = bot.communicate(timeout=PATIENCE_S)
    assert bot.returncode == 0 and json.loads(told.splitlines()[-1])["matches"] == 1, (told, errors)
    assert "connection" in errors, errors
    print("upgraded: the game in play went on to its end")

    debian.apt("remove", "triquetra-server", "triquetra-client")
    assert not debian.has("run/triquetrad.pid") and not debian.has("usr/sbin/triquetrad")
    assert settings.read_text() == mine and debian.has("var/lib/triquetra/triquetra.db")
    print("removed: settings and games are kept")
    debian.apt("purge", "triquetra-server", "triquetra-client")
    left = debian.run("find", "/etc", "/usr", "/var", "-name", "*triquetra*", "-not", "-path", "/var/lib/dpkg/info/*")
    assert not left, f"purged, and yet there is: {left}"
    debian.run("id", "triquetra", fails=True)
    print("purged: nothing is left")


if __name__ == "__main__":
    main()
