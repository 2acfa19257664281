"""At home in a shell: help that fits a screen, manuals that say the same, completion in real shells at a real terminal,
and lines of JSON that scripts can hold on to.

Usage: shell_test.py TRIQUETRAD TRIQUETRA SOURCES
"""
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

import seed
from triquetrad import Server

SERVER, CLIENT, SOURCES = [pathlib.Path(word).resolve() for word in sys.argv[1:4]]
PATIENCE_S = 60  # only a hang takes that long
LINES, COLUMNS = 24, 80


def run(*words, env=None, **more):
    return subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=PATIENCE_S, env=os.environ | (env or {}), **more)


# --- Help and manuals

def commands(program, *before):
    """The words of every command, from what the help lists below its options."""
    yield before
    told = run(program, *before, "--help").stdout
    parts = told.split("\n\n")
    if re.search(r"COMMAND\]?$", told.splitlines()[0]):
        for name in re.findall(r"^  ([a-z]+) ", parts[2], re.MULTILINE):
            yield from commands(program, *before, name)


def help_fits():
    for program, least in ((SERVER, 4), (CLIENT, 14)):
        found = list(commands(program))
        assert len(found) >= least, found
        for words in found:
            for text in {run(program, *words, flag).stdout for flag in ("--help", "-h")}:
                lines = text.splitlines()
                # A line is left for the prompt.
                assert len(lines) < LINES, f"{words}: {len(lines)} lines\n{text}"
                assert max(map(len, lines)) <= COLUMNS, f"{words}\n{text}"
                if len(words) < 2 and program == CLIENT:
                    assert "Example: triquetra" in text or "triquetra create --" in text, text
        print(f"{program.name}: help of {len(found)} commands fits {COLUMNS}x{LINES}")
    assert "--unlimited-addresses" in run(SERVER, "--help-all").stdout


def manuals_are_true():
    for program, page in ((CLIENT, "triquetra.1"), (SERVER, "triquetrad.8")):
        committed = (SOURCES / "packaging/man" / page).read_text()
        fresh = run(SOURCES / "packaging/man/write", program, page, SOURCES).stdout
        assert fresh == committed, f"{page} is stale: packaging/man/write {program.name} {page} . > packaging/man/{page}"
        shown = run("man", "--warnings=all", "--local-file", SOURCES / "packaging/man" / page,
                    env={"MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"})
        assert shown.returncode == 0 and not shown.stderr, shown.stderr
        assert "EXIT STATUS" in shown.stdout and "--help-all" in shown.stdout, shown.stdout
    # The codes of the manual come from TERMINAL.md, and are those of the program.
    listed = re.search(r"enum class Exit {(.*?)}", (SOURCES / "clients/cli/network/session.hpp").read_text(), re.DOTALL)
    codes = set(re.findall(r"= (\d+)", listed[1]))
    assert codes == set(re.findall(r"^\| (\d+) \|", (SOURCES / "docs/TERMINAL.md").read_text(), re.MULTILINE))
    print("manuals: fresh, and without a warning")


# --- Completion

def candidates(program, *words, **more):
    return [line.split("\t")[0] for line in run(program, "complete", *words, **more).stdout.splitlines()]


def programs_know_their_words(room, server, env):
    assert {"play", "create", "watch"} <= set(candidates(CLIENT, ""))
    assert candidates(CLIENT, "cre") == ["create"]
    assert set(candidates(CLIENT, "create", "--game", "")) == {"card_triangles", "mayhem", "triqueta"}
    assert set(candidates(CLIENT, "create", "--variant", "")) == {"base", "wolves", "duo"}
    assert candidates(CLIENT, "create", "--bot-level=g") == ["--bot-level=greedy"]
    assert candidates(CLIENT, "arena", "--bots", "greedy,r") == ["greedy,random"]
    for text in candidates(CLIENT, "create", "--game", "mayhem", "--options", ""):
        assert isinstance(json.loads(text), dict)
    assert "--password" in candidates(CLIENT, "play", "--p") and "--clock" not in candidates(CLIENT, "play", "--")
    assert candidates(CLIENT, "verify", "") == [":FILE"]
    assert candidates(SERVER, "--data", "") == [":FOLDER"] and candidates(SERVER, "--log-format", "j") == ["json"]
    assert candidates(SERVER, "back") == ["backup"]
    known = ["play", "--server", server.url, "--profile", "ada", ""]
    assert candidates(CLIENT, *known, env=env) == [room]
    assert candidates(CLIENT, "watch", "--profile", "ada", "", env=env | {"TRIQUETRA_SERVER": server.url}) == [room]
    assert candidates(CLIENT, "play", "--profile", "ada", "", env=env) == [], "another server's rooms"
    # A room that is gone is forgotten.
    gone = "BBBBBB" if room != "BBBBBB" else "CCCCCC"
    kept = next((pathlib.Path(env["XDG_STATE_HOME"]) / "triquetra").glob("*-ada.rooms"))
    assert kept.stat().st_mode & 0o077 == 0, "a code lets people in"
    kept.write_text(f"{gone}\n{room}\n")
    assert run(CLIENT, "play", gone, "--server", server.url, "--profile", "ada", env=env, input="").returncode == 4
    assert candidates(CLIENT, *known, env=env) == [room]


class Terminal:
    """A shell at a terminal of its own."""

    def __init__(self, words, env):
        self.child, self.end = pty.fork()
        if self.child == 0:
            os.execvpe(words[0], words, env)
        self.seen = ""

    def type(self, text):
        os.write(self.end, text.encode())

    def until(self, wanted):
        """Reads until this has been shown since the last time."""
        until = time.monotonic() + PATIENCE_S
        while not (found := re.search(wanted, self.seen)):
            assert time.monotonic() < until, f"no {wanted!r} in {self.seen!r}"
            if select.select([self.end], [], [], 0.5)[0]:
                self.seen += os.read(self.end, 65536).decode(errors="replace")
        self.seen = self.seen[found.end():]

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.end)


def shells(folder):
    """Each shell as an installation finds it: the words that start it, and what it is told first."""
    ours = SOURCES / "packaging/completions"
    (folder / "fish/completions").mkdir(parents=True)
    for program in ("triquetra", "triquetrad"):
        (folder / f"fish/completions/{program}.fish").symlink_to(ours / "triquetra.fish")
    yield "bash", ["bash", "--norc", "--noprofile", "-i"], (
        f"source /usr/share/bash-completion/bash_completion; source {ours}/triquetra.bash; bind 'set bell-style none'")
    yield "zsh", ["zsh", "-f", "-i"], f"fpath=({ours} $fpath); autoload -Uz compinit; compinit -u -d {folder}/zcompdump"
    yield "fish", ["fish", "--no-config", "--private"], (
        f"set fish_complete_path {folder}/fish/completions; set fish_greeting")


def shells_complete(room, server, env, folder):
    env = os.environ | env | {"PATH": f"{CLIENT.parent}:{SERVER.parent}:{os.environ['PATH']}", "TERM": "dumb",
                              "TRIQUETRA_SERVER": server.url, "HOME": str(folder), "PS1": "$ ", "LC_ALL": "C.UTF-8"}
    for name, words, first in shells(folder):
        terminal = Terminal(words, env)
        terminal.type(f"{first}\necho rea''dy\n")
        terminal.until(r"ready\r?\n")
        # What is shown after the Tab is only what was completed, so the last letters are waited for.
        for typed, rest in ((f"triquetra play --profile ada {room[0]}", room[1:]),
                            ("triquetra create --game ma", "yhem"), ("triquetra create --bot-level=gr", "eedy"),
                            ("triquetrad --unlim", "ited-addresses")):
            terminal.type(typed)
            terminal.until(re.escape(typed[-4:]))
            terminal.type("\t")
            terminal.until(re.escape(rest[-4:]))
            terminal.type("\x15" if name != "fish" else "\x03")  # forget the line
        terminal.close()
        print(f"{name}: completes rooms, games, levels and options")


# --- Lines of JSON

def lines_for_scripts(room, server, env):
    told = run(CLIENT, "rooms", "--json", "--server", server.url, env=env)
    lobby, = [json.loads(line) for line in told.stdout.splitlines()]
    assert lobby["type"] == "lobby", lobby
    listed, = lobby["rooms"]
    # What docs/TERMINAL.md promises.
    assert {"room", "game", "status", "seats", "taken"} <= set(listed) and listed["room"] == room, listed
    watcher = subprocess.Popen([CLIENT, "watch", room, "--json", "--server", server.url, "--profile", "watcher"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               env=os.environ | env)
    seen = set()
    for line in watcher.stdout:  # its input has ended, and it goes on
        seen.add(json.loads(line)["type"])
        if "view" in seen:
            break
    assert {"welcome", "ok", "room", "view"} <= seen, seen
    assert watcher.poll() is None, "the end of its input ended it"
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(PATIENCE_S) == 130
    watcher.stdout.close()
    print("rooms --json and watch --json: as documented")


def main():
    seed.take()
    help_fits()
    manuals_are_true()
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--bot-delay-ms", "0") as server:
        env = {"XDG_STATE_HOME": str(pathlib.Path(folder) / "state"), "NO_COLOR": "1"}
        host = subprocess.Popen([CLIENT, "create", "--variant", "duo", "--seats", "2", "--bots", "1", "--start",
                                 "--listed", "--server", server.url, "--profile", "ada"], text=True, env=os.environ | env,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        room = next(found[1] for line in host.stdout if (found := re.match(r"Room (\w+)\.", line)))
        lines_for_scripts(room, server, env)
        host.kill()
        host.wait()
        host.stdin.close()
        host.stdout.close()
        programs_know_their_words(room, server, env)
        shells_complete(room, server, env, pathlib.Path(folder))


if __name__ == "__main__":
    main()
