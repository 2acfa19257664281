"""Plays whole games of every variant on the full screen, in panes of tmux, by nothing but the keys that the screen
shows: two people in windows of different sizes and languages, and bots. On the way the server is killed and started
again, a client is killed and comes back, a window changes its size, a game is put aside with Ctrl-Z, and somebody
types while others play. Then whatever has no full screen plays in lines.

usage: screen_test.py TRIQUETRAD TRIQUETRA [--pages FOLDER]     (keeps what was seen there)
"""
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import seed
from triquetrad import Server, free_port

SERVER, CLIENT = sys.argv[1:3]
PAGES = pathlib.Path(sys.argv[4]) if sys.argv[3:4] == ["--pages"] else None
PATIENCE_S = 120  # only a hang takes that long
CHANCE = random.Random(seed.take())


class Pane:
    """A shell in a window of tmux, with what stands on its screen."""

    folder = None
    count = 0

    def __init__(self, columns, rows, environment=None):
        Pane.count += 1
        self.name = f"pane{Pane.count}"
        words = [f"{key}={value}" for key, value in {
            "HOME": Pane.folder, "XDG_STATE_HOME": Pane.folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
            "TERM": "screen-256color", "PS1": "$ ", **(environment or {})}.items()]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", self.name, "-x", str(columns), "-y", str(rows),
                  shlex.join(["env", "-i", *words, "bash", "--norc", "--noprofile"]))
        self.wait(r"^\$ ?$")

    @staticmethod
    def tmux(*words, **more):
        return subprocess.run(["tmux", "-S", f"{Pane.folder}/tmux", *words], check=True, text=True, capture_output=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8"}, timeout=PATIENCE_S, **more).stdout

    def screen(self):
        return self.tmux("capture-pane", "-p", "-t", self.name)

    def type(self, text):
        self.tmux("send-keys", "-t", self.name, "-l", text)

    def key(self, name):
        self.tmux("send-keys", "-t", self.name, name)

    def run(self, *words):
        self.tmux("send-keys", "-t", self.name, "-l", "clear; " + shlex.join(words))
        self.key("Enter")

    def wait(self, pattern, gone=False):
        """The first match of the pattern on the screen, once it is there; or, `gone`, the screen without it."""
        until = time.monotonic() + PATIENCE_S
        while True:
            seen = self.screen()
            found = re.search(pattern, seen, re.MULTILINE)
            if bool(found) != gone:
                return seen if gone else found
            assert time.monotonic() < until, f"{self.name} waits for {pattern}:\n{seen}"
            time.sleep(0.05)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-t", self.name, "-x", str(columns), "-y", str(rows))

    def pid(self):
        """Of the program that runs in it."""
        shell = self.tmux("display-message", "-p", "-t", self.name, "#{pane_pid}").strip()
        return int(subprocess.run(["pgrep", "-P", shell], check=True, text=True, capture_output=True).stdout.split()[0])


def shown_keys(screen):
    """The keys that stand before what can be done, in the first column of the list."""
    rows = [row.split("│")[0].rstrip() for row in screen.splitlines()[:-2]]
    if "────────" in rows:
        rows = rows[:rows.index("────────")]
    while rows and not rows[-1]:
        rows.pop()
    keys = []
    while rows and re.match(r" ([a-zA-Z0-9]) \S", rows[-1]):
        keys.append(rows.pop()[1])
    return keys[::-1]


def said(language, key):
    return json.loads((pathlib.Path(__file__).resolve().parents[2] / "i18n" / f"{language}.json").read_text())[key]


class Person(Pane):
    def __init__(self, name, language, columns, rows, environment=None):
        super().__init__(columns, rows, environment)
        self.person, self.language = name, language

    def enter(self, server, *words):
        self.words = [CLIENT, *words, "--server", server.url, "--name", self.person, "--profile", self.person,
                      "--lang", self.language]
        self.run(*self.words)

    def is_over(self, screen):
        return said(self.language, "web.over.replay") in screen

    def act(self):
        """Presses one of the keys that are shown; whether the match goes on."""
        screen = self.screen()
        if self.is_over(screen):
            return False
        keys = shown_keys(screen)
        if keys:
            self.type(CHANCE.choice(keys))
        return True

    def keep(self, what):
        if PAGES:
            PAGES.mkdir(exist_ok=True)
            (PAGES / f"{what}-{self.person}.txt").write_text(self.screen())


def play(server, words, people, on_the_way=lambda step: None):
    """A whole match; `on_the_way` is told how many keys each has pressed."""
    host, *guests = people
    seats = int(words[words.index("--seats") + 1])
    host.enter(server, "create", *words, "--chat", "text", "--bots", str(seats - len(people)))
    room = host.wait(r"· ([A-Z]{6}) ·")[1]
    for guest in guests:
        guest.enter(server, "play", room)
        host.wait(rf": {guest.person}")
    host.wait(rf" {seats}\W.*Bot|: {people[-1].person}")
    host.keep("gathering-" + words[1])
    host.type("s")
    host.wait("Start the game", gone=True)
    step = 0
    until = time.monotonic() + 10 * PATIENCE_S
    while any([person.act() for person in people]):
        step += 1
        on_the_way(step)
        if step % 40 == 20:
            for person in people:
                person.keep(f"{words[1]}-{step}")
        assert time.monotonic() < until, [person.screen() for person in people]
    for person in people:
        person.keep("over-" + words[1])
    print(" ".join(words), f": {step} keys each")


def leave(*people):
    for person in people:
        person.type("Q")
        person.type("Q")
        person.wait(r"^\$ ?$")
        assert "triquetra play" in person.screen(), person.screen()


def look_back(person):
    """Through the whole match with its slider, from the end back to the beginning."""
    person.type("l")
    person.wait("1?0 (of|von|sur) ")
    person.key("End")
    found = person.wait(r"(\d+) (?:of|von|sur) (\d+)")
    while found[1] != found[2]:
        person.key("End")
        found = person.wait(r"(\d+) (?:of|von|sur) (\d+)")
    person.type("e")
    person.wait(person.person)
    person.keep("look-back")
    person.key("Left")
    person.wait(rf"{int(found[2]) - 1} (of|von|sur) {found[2]}")
    person.key("Escape")
    person.wait(said(person.language, "web.over.replay"))


class Trouble:
    """All that can come between, once each, while two people play."""

    def __init__(self, server, people):
        self.server, self.host, self.guest = server, *people
        self.done = []

    def __call__(self, step):
        for at, what in ((5, self.kill_server), (9, self.kill_client), (13, self.resize), (17, self.suspend),
                         (21, self.speak), (25, self.type_meanwhile)):
            if step >= at and what.__name__ not in self.done:
                self.done.append(what.__name__)
                what()
                return

    def kill_server(self):
        """What was being typed stands there still."""
        self.host.type("/")
        self.host.type("half a ")
        self.server.kill()
        self.host.wait("connection is lost")
        self.host.type("sentence")
        self.host.wait("half a sentence")
        self.host.keep("lost")
        self.server.start()
        self.host.wait("connection is lost", gone=True)
        self.host.wait("half a sentence")
        self.host.key("Enter")
        self.guest.wait("half a sentence")
        self.guest.wait("Verbindung ist weg", gone=True)

    def kill_client(self):
        os.kill(self.guest.pid(), signal.SIGKILL)
        self.guest.wait("Killed")
        self.guest.run("reset")
        self.guest.wait(r"^\$ ?$")
        room = self.host.wait(r"· ([A-Z]{6}) ·")[1]
        self.guest.enter(self.server, "play", room)
        self.guest.wait(rf"· {room} · {self.guest.person}")

    def resize(self):
        self.host.resize(40, 20)
        self.host.wait("too small")
        self.host.resize(132, 43)
        self.host.wait("│")
        self.host.resize(80, 24)
        self.host.wait("────────")

    def suspend(self):
        self.host.key("C-z")
        self.host.wait("Stopped")
        self.host.run("fg")
        self.host.wait("────────")

    def speak(self):
        self.host.type("+")
        self.host.wait("Deutsch")
        self.host.type("a")
        self.host.wait("gehen$|gehen *$")
        self.host.type("+")
        self.host.wait("English")
        self.host.type("a")
        self.host.wait("leave *$")

    def type_meanwhile(self):
        """While the others play, with letters that would be acts."""
        self.host.type("/")
        text = "d1 t2 p3 e Q ? nothing of this is an act"
        for letter in text:
            self.host.type(letter)
        self.host.wait(re.escape(text))
        self.host.key("Escape")
        self.host.wait(re.escape(text))  # kept, to be said later
        self.host.type("/")
        self.host.key("Enter")
        self.guest.wait(re.escape(text[:20]))


def plays_in_lines(server):
    """Whatever has no full screen."""
    room = json.loads(subprocess.run(
        [CLIENT, "create", "--seats", "5", "--bots", "1", "--json", "--server", server.url, "--profile", "waiting"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
        env={**os.environ, "XDG_STATE_HOME": Pane.folder}).stdout.splitlines()[-1])["room"]
    for number, (what, size, environment, flags, word) in enumerate((
            ("small", (40, 20), {}, [], "in lines"),
            ("dumb", (80, 24), {"TERM": "dumb"}, [], None),
            ("no locale", (80, 24), {"LC_ALL": "C"}, [], None),
            ("asked for", (80, 24), {}, ["--lines"], None))):
        pane = Pane(*size, environment)
        pane.run(CLIENT, "watch", room, "--server", server.url, "--profile", f"lines{number}", *flags)
        pane.wait(r"Room [A-Z]{6} is\s+open")
        assert (word or "Hello") in " ".join(pane.screen().split()), (what, pane.screen())
        assert "────────" not in pane.screen(), (what, pane.screen())
        pane.key("C-c")
        pane.wait("again")
        pane.key("C-c")
        pane.wait(r"^\$ ?$")
    piped = Pane(80, 24)
    piped.run("sh", "-c", f"{CLIENT} watch {room} --server {server.url} --profile piped | cat")
    piped.wait(r"Room [A-Z]{6} is open")
    print("lines: small, dumb, no locale, asked for, a pipe")


def colors_are_as_asked(server):
    """With NO_COLOR not one colour is sent, and everything is readable all the same."""
    for environment, is_colored in (({"NO_COLOR": "1"}, False), ({}, True)):
        pane = Person("Painter" + str(is_colored), "en", 80, 24, environment)
        pane.enter(server, "create", "--seats", "2", "--bots", "1", "--start")
        pane.wait(r"rabbit +owl")
        painted = Pane.tmux("capture-pane", "-p", "-e", "-t", pane.name)
        assert bool(re.search(r"\x1b\[(\d+;)*3[1-6]m", painted)) == is_colored, painted
        leave(pane)
    print("colours: none with NO_COLOR")


# One for each variant, and the largest tables.
PLAYS = (["--variant", "base", "--seats", "5"], ["--variant", "wolves", "--seats", "4"],
         ["--variant", "duo", "--seats", "2"], ["--game", "mayhem", "--seats", "8"],
         ["--game", "mayhem", "--seats", "3", "--options", '{"claims":"unchecked","window_ms":1000}'],
         ["--game", "card_triangles", "--seats", "6"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        Pane.folder = folder
        flags = ["--data", f"{folder}/data", "--bot-delay-ms", "0"]
        server = Server(SERVER, *flags, port=free_port()).start()
        try:
            people = [Person("Ada", "en", 80, 24), Person("Béla", "de", 120, 40)]
            for number, words in enumerate(PLAYS):
                trouble = Trouble(server, people)
                play(server, words, people, trouble if number == 0 else lambda step: None)
                if number == 0:
                    assert len(trouble.done) == 6, trouble.done
                    look_back(people[0])
                leave(*people)
            plays_in_lines(server)
            colors_are_as_asked(server)
            server.stop()
        finally:
            server.process.kill()
            Pane.tmux("kill-server")


if __name__ == "__main__":
    main()
