"""At home in a shell: help that fits a screen, manuals that say the same, completion in real shells at a real terminal,
and lines of JSON that scripts can hold on to.

Usage: shell_test.py TRIQUETRAD TRIQUETRA SOURCES
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import seed
from frames import FrameSchemas
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
                # An example of this very command, but for options between its words.
                example = r"\b.* ".join([program.name, *words])
                assert re.search(rf"^(Example: |.*:  ){example}\b", text, re.MULTILINE), f"no example\n{text}"
        print(f"{program.name}: help of {len(found)} commands fits {COLUMNS}x{LINES}, with an example each")
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
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.seen = ""

    def type(self, text):
        os.write(self.end, text.encode())

    def until(self, *wanted):
        """Reads until each of these patterns has been shown since the last time; the match of the last."""
        until = time.monotonic() + PATIENCE_S
        while not all(found := [re.search(pattern, self.seen) for pattern in wanted]):
            assert time.monotonic() < until, f"not all of {wanted} in {self.seen!r}"
            if select.select([self.end], [], [], 0.5)[0]:
                self.seen += os.read(self.end, 65536).decode(errors="replace")
        self.seen = self.seen[max(match.end() for match in found):]
        return found[-1]

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.end)


def shells(folder):
    """Each shell as an installation finds it: the words that start it, and what it is told first."""
    ours = SOURCES / "packaging/completions"
    (folder / "fish").mkdir()
    for program in ("triquetra", "triquetrad"):
        (folder / f"fish/{program}.fish").symlink_to(ours / "triquetra.fish")
    yield "bash", ["bash", "--norc", "--noprofile", "-i"], (
        f"source /usr/share/bash-completion/bash_completion; source {ours}/triquetra.bash; bind 'set bell-style none'")
    yield "zsh", ["zsh", "-f", "-i"], f"fpath=({ours} $fpath); autoload -Uz compinit; compinit -u -d {folder}/zcompdump"
    yield "fish", ["fish", "--no-config", "--private"], f"set fish_complete_path {folder}/fish"


def stand_ins(folder):
    """Programs that complete as ours do, and else only say which words a shell has given them."""
    programs = folder / "programs"
    programs.mkdir()
    for program in (CLIENT, SERVER):
        path = programs / program.name
        path.write_text(f"""#!/bin/sh
if [ "$1" = complete ]; then exec '{program}' "$@"; fi
printf 'got:'; printf ' <%s>' "$@"; echo .
""")
        path.chmod(0o755)
    return programs


def shells_complete(room, server, env, folder):
    env = os.environ | env | {"PATH": f"{stand_ins(folder)}:{os.environ['PATH']}", "TERM": "xterm", "LC_ALL": "C.UTF-8",
                              "TRIQUETRA_SERVER": server.url, "HOME": str(folder), "PS1": "$ "}
    (folder / "work").mkdir()
    (folder / "work" / "a record.json").write_text("")
    for name, words, first in shells(folder):
        terminal = Terminal(words, env)
        terminal.type(f"cd {folder}/work; {first}\necho rea''dy\n")
        terminal.until(r"ready\r?\n")
        # Whatever the shell shows, what the program gets is what was completed.
        for typed, wanted in (
                (f"play --profile ada {room[0]}", f"<play> <--profile> <ada> <{room}>"),
                (f"watch --server {server.url} --profile ada ",
                 f"<watch> <--server> <{server.url}> <--profile> <ada> <{room}>"),
                ("cre", "<create>"), ("create --list", "<create> <--listed>"),
                ("create --game ma", "<create> <--game> <mayhem>"),
                ("create --bot-level=gr", "<create> <--bot-level=greedy>"),
                ("arena --bots greedy,ra", "<arena> <--bots> <greedy,random>"),
                ("create --options '{\"variant\":\"wo", "<create> <--options> <{\"variant\":\"wolves\"}>"),
                ("verify a", "<verify> <a record.json>")):
            terminal.type(f"triquetra {typed}\t\n")
            got = terminal.until(r"got: (.*)\.\r?\n")[1]
            assert got == wanted, f"{name}: of {typed!r} came {got}"
        terminal.type("triquetrad --unlimited-a\t\n")
        terminal.until("got: <--unlimited-addresses>")
        terminal.type("triquetra create --variant \t\t")
        terminal.until("base", "duo", "wolves")
        terminal.close()
        print(f"{name}: completes commands, options, games, levels, rooms and files")


# --- Lines of JSON

def holds(promised, value):
    """Whether a value has all that is promised, of the type promised; more may be there."""
    if isinstance(promised, dict):
        return isinstance(value, dict) and all(key in value and holds(promised[key], value[key]) for key in promised)
    if isinstance(promised, list):
        return isinstance(value, list) and all(holds(promised[0], item) for item in value)
    return isinstance(value, promised)


# What docs/TERMINAL.md promises to scripts. To change a line here is to break them: docs/VERSIONS.md.
ROOMS = {"type": str, "rooms": [{"room": str, "game": str, "options": dict, "status": str, "seats": int, "taken": int,
                                 "locked": bool, "spectators": bool}]}
WATCH = {"welcome": {"protocol": int, "player": str}, "ok": {"room": str},
         "room": {"room": str, "game": str, "options": dict, "status": str, "seats": [{"seat": int, "kind": str}]},
         "view": {"match": str, "rev": int, "table": dict, "happened": [dict], "decisions": [dict]}}


def lines_for_scripts(room, server, env):
    schemas = FrameSchemas(SOURCES / "protocol/schema")
    told = run(CLIENT, "rooms", "--json", "--server", server.url, env=env)
    assert told.returncode == 0 and not told.stderr, told
    schemas.check(told.stdout.splitlines())
    lobby, = [json.loads(line) for line in told.stdout.splitlines()]
    assert holds(ROOMS, lobby), lobby
    assert [listed["room"] for listed in lobby["rooms"]] == [room], lobby
    watcher = subprocess.Popen([CLIENT, "watch", room, "--json", "--server", server.url, "--profile", "watcher"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               env=os.environ | env)
    lines = []
    for line in watcher.stdout:  # its input has ended, and it goes on
        lines.append(line)
        frame = json.loads(line)
        assert holds(WATCH.get(frame["type"], {}), frame), frame
        if frame["type"] == "view":
            break
    assert set(WATCH) <= set(schemas.check(lines)), lines
    token, = (pathlib.Path(env["XDG_STATE_HOME"]) / "triquetra").glob("*-watcher")
    assert len(token.read_text().strip()) == 64 and token.read_text().strip() not in "".join(lines), lines
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
        room = next(found[1] for line in host.stdout if (found := re.match(r"Table (\w+)\.", line)))
        lines_for_scripts(room, server, env)
        host.kill()
        host.wait()
        host.stdin.close()
        host.stdout.close()
        programs_know_their_words(room, server, env)
        shells_complete(room, server, env, pathlib.Path(folder))


if __name__ == "__main__":
    main()
