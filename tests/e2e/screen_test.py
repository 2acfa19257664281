"""Plays whole games of every variant in windows of tmux, by nothing but the keys that the screen shows: five people in
windows of three sizes and three languages, the smallest of which play in lines, and bots at the larger tables. On the
way the server is killed and started again, a client is killed and comes back, windows change their size, a game is put
aside with Ctrl-Z, and people type while others act. Then what is sent to a terminal is counted, and whatever has no
full screen plays in lines.

usage: screen_test.py TRIQUETRAD TRIQUETRA [--long ROUNDS] [--pages FOLDER]
--long: each variant so many times, with trouble in each match. --pages: keeps what was seen, to be looked at.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import tempfile
import time

import seed
from triquetrad import Server, free_port

arguments = argparse.ArgumentParser()
arguments.add_argument("server")
arguments.add_argument("client")
arguments.add_argument("--long", type=int, default=0)
arguments.add_argument("--pages", type=pathlib.Path)
ASKED = arguments.parse_args()
PATIENCE_S = 60  # only a hang takes that long
CHANCE = random.Random(seed.take())
WORDS = {path.stem: json.loads(path.read_text())
         for path in (pathlib.Path(__file__).resolve().parents[2] / "i18n").glob("??.json")}
RULE = "────────"  # between the list and the log, where the log is not beside them


class Pane:
    """A shell in a window of tmux, and what stands on its screen."""

    folder = None
    count = 0

    def __init__(self, columns, rows, environment=None):
        Pane.count += 1
        self.name = f"pane{Pane.count}"
        words = [f"{key}={value}" for key, value in {
            "HOME": Pane.folder, "XDG_STATE_HOME": Pane.folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
            "TERM": "screen-256color", "PS1": "$ ", **(environment or {})}.items()]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-c", Pane.folder, "-s", self.name, "-x", str(columns), "-y", str(rows),
                  shlex.join(["env", "-i", *words, "bash", "--norc", "--noprofile"]))
        self.is_at_the_shell()

    @staticmethod
    def tmux(*words):
        return subprocess.run(["tmux", "-S", f"{Pane.folder}/tmux", *words], check=True, text=True, capture_output=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8"}, timeout=PATIENCE_S).stdout

    def screen(self, *flags):
        return self.tmux("capture-pane", "-p", *flags, "-t", self.name)

    def type(self, text):
        self.tmux("send-keys", "-t", self.name, "-l", text)

    def key(self, name):
        self.tmux("send-keys", "-t", self.name, name)

    def run(self, *words):
        self.type("clear; " + shlex.join(words))
        self.key("Enter")

    def wait(self, pattern, gone=False):
        """The first match of the pattern on the screen, once it is there; or, `gone`, the screen without it."""
        until = time.monotonic() + PATIENCE_S
        while True:
            seen = self.screen()
            found = re.search(pattern, seen, re.MULTILINE)
            if bool(found) != gone:
                return seen if gone else found
            assert time.monotonic() < until, f"{self.name} waits for {pattern}{' to go' if gone else ''}:\n{seen}"
            time.sleep(0.02)

    def is_at_the_shell(self):
        return self.wait(r"^\$ ?\Z|^\$ ?\n*\Z")

    def resize(self, columns, rows):
        self.tmux("resize-window", "-t", self.name, "-x", str(columns), "-y", str(rows))

    def click(self, row, column):
        """What a terminal of this kind sends for the first button of its mouse, counted from 0."""
        place = chr(33 + column) + chr(33 + row)
        self.type(f"\x1b[M {place}\x1b[M#{place}")

    def click_on(self, text, answer):
        """Until the pattern `answer` is there: what others do may move the text away while it is aimed at."""
        until = time.monotonic() + PATIENCE_S
        while not re.search(answer, seen := self.screen(), re.MULTILINE):
            assert time.monotonic() < until, f"{self.name} finds no {answer} by {text}:\n{seen}"
            places = [(row, line.index(text)) for row, line in enumerate(seen.splitlines()) if text in line]
            if places:
                self.click(*places[-1])
            heard = time.monotonic() + 2
            while time.monotonic() < heard and not re.search(answer, self.screen(), re.MULTILINE):
                time.sleep(0.02)

    def pid(self):
        """Of the program that runs in it."""
        shell = self.tmux("display-message", "-p", "-t", self.name, "#{pane_pid}").strip()
        children = pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        assert len(children) == 1, self.screen()
        return int(children[0])


def shown_keys(screen):
    """The keys that stand before what can be done: the rows above the rule, or above the empty rows at the end."""
    rows = [row.split("│")[0].rstrip() for row in screen.splitlines()[:-1]]
    rules = [number for number, row in enumerate(rows) if row.startswith(RULE)]
    rows = rows[:rules[-1]] if rules else rows
    while rows and not rows[-1]:
        rows.pop()
    keys = []
    while rows and re.match(r" [a-zA-Z0-9] \S", rows[-1]):
        keys += re.findall(r"(?:^ | {2,})([a-zA-Z0-9]) (?=\S)", rows.pop())
    return keys


class Person(Pane):
    """Somebody who plays at a full screen."""

    in_lines = False

    def __init__(self, name, language, columns, rows, environment=None):
        super().__init__(columns, rows, environment)
        self.person, self.language, self.size = name, language, (columns, rows)

    def said(self, key):
        return WORDS[self.language][key]

    def enter(self, server, *words):
        self.run(ASKED.client, *words, "--server", server.url, "--name", self.person, "--profile", self.person,
                 "--lang", self.language)

    def act(self):
        """Presses one of the keys that are shown; whether the match goes on."""
        screen = self.screen()
        if self.said("web.over.replay") in screen:
            return False
        keys = shown_keys(screen)
        if keys:
            self.type(CHANCE.choice(keys))
        return True

    def leave(self):
        self.type("Q")
        self.wait(re.escape(self.said("screen.leave")[:20]))
        self.type("Q")
        self.is_at_the_shell()
        assert "triquetra play" in self.screen(), self.screen()

    def keep(self, what):
        if ASKED.pages:
            ASKED.pages.mkdir(exist_ok=True)
            (ASKED.pages / f"{what}-{self.person}.txt").write_text(self.screen("-e"))


class PersonInLines(Person):
    """Somebody whose window is too small for that."""

    in_lines = True

    def act(self):
        if re.search(r"\[\w\][^>]*> ?\n*\Z", self.screen()):
            self.type(str(CHANCE.randint(1, 4)))
            self.key("Enter")
        return False

    def leave(self):
        self.type("quit")
        self.key("Enter")
        self.is_at_the_shell()


def begin(server, words, people):
    """A table with all of them, bots in the other seats, and a match that has begun."""
    host, *guests = people
    seats = int(words[words.index("--seats") + 1])
    host.enter(server, "create", *words, "--chat", "text", "--bots", str(seats - len(people)))
    room = host.wait(r"· ([A-Z]{6}) ·")[1]
    for guest in guests:
        guest.enter(server, "play", room)
        host.wait(rf": {guest.person}")
    host.keep("gathering-" + words[1])
    host.type("s")
    host.wait(re.escape(host.said("screen.gathering")), gone=True)
    return room


def play(server, words, people, on_the_way=lambda step: None):
    """A whole match; `on_the_way` is told how many times all have had a chance to act."""
    began = time.monotonic()
    begin(server, words, people)
    begun = last = time.monotonic()
    until = begun + 10 * PATIENCE_S
    step, longest = 0, 0
    while any([person.act() for person in people]):
        step += 1
        longest = max(longest, time.monotonic() - last)
        last = time.monotonic()
        on_the_way(step)
        if step % 20 == 10:
            for person in people:
                person.keep(f"{words[1]}-{step}")
        assert time.monotonic() < until, "\n".join(person.screen() for person in people)
    for person in people:
        person.keep("over-" + words[1])
    print(" ".join(words), f": {len(people)} people, begun after {begun - began:.0f} s, {step} steps in"
          f" {time.monotonic() - begun:.0f} s, the longest {longest:.1f} s", flush=True)


class Trouble:
    """All that can come between, once each, while people play: the host in English, a guest in German."""

    def __init__(self, server, people):
        self.server, self.host, self.guest = server, *people[:2]
        self.done = []

    def __call__(self, step):
        for at, what in ((3, self.kill_server), (6, self.kill_client), (9, self.resize), (12, self.suspend),
                         (15, self.speak), (18, self.type_meanwhile), (21, self.choose_otherwise)):
            if step >= at and what.__name__ not in self.done:
                self.done.append(what.__name__)
                return what()

    def kill_server(self):
        """What was being typed stands there still, and can be typed on meanwhile."""
        self.host.type("/")
        self.host.type("half a ")
        self.server.kill()
        self.host.wait(self.host.said("cli.lost"))
        self.host.type("sentence")
        self.host.wait("half a sentence")
        self.host.keep("lost")
        self.server.start()
        for person in (self.host, self.guest):
            person.wait(person.said("cli.lost"), gone=True)
        self.host.wait("half a sentence")
        self.host.key("Enter")
        self.guest.wait(f"{self.host.person}: half a sentence")

    def kill_client(self):
        os.kill(self.guest.pid(), signal.SIGKILL)
        self.guest.wait("illed")  # the shell goes on wherever the cursor was
        self.guest.run("reset")
        self.guest.is_at_the_shell()
        room = self.host.wait(r"· ([A-Z]{6}) ·")[1]
        self.guest.enter(self.server, "play", room)
        self.guest.wait(rf"· {room} · {self.guest.person}")

    def resize(self):
        self.host.resize(40, 20)
        self.host.wait(re.escape(self.host.said("screen.enlarge")[:25]))
        self.host.resize(132, 43)
        self.host.wait("│")
        self.host.resize(*self.host.size)
        self.host.wait(RULE)

    def suspend(self):
        """Also while something is being drawn."""
        for _ in range(10):
            self.guest.type("!")
            self.guest.type("1")
            self.host.key("C-z")
            self.host.wait("Stopped")
            assert RULE not in self.host.screen()
            self.host.run("fg")
            self.host.wait(RULE)

    def speak(self):
        """In another language, what has been told as well; and back."""
        self.host.type("+")
        self.host.wait("d Deutsch")
        self.host.type("d")
        self.host.wait(f"Q {WORDS['de']['screen.key.leave']} *$")
        told = self.host.screen().split(RULE)[-1]
        assert not re.search(r"\b(You|draws|plays|takes|places|completes)\b", told), told
        self.host.type("+")
        self.host.wait("e English")
        self.host.type("e")
        self.host.wait(f"Q {WORDS['en']['screen.key.leave']} *$")

    def type_meanwhile(self):
        """With letters that would be acts, while what others do arrives."""
        text = "d1 t2 p3 e Q ? no act"
        self.host.type("/")
        for number, letter in enumerate(text):
            if number % 4 == 0:
                self.guest.type("!")
                self.guest.type("1")
            self.host.type(letter)
        self.host.wait(re.escape(text))
        self.host.key("Escape")
        self.host.wait(re.escape(text))  # kept, to be said later
        self.host.type("/")
        self.host.key("Enter")
        self.guest.wait(re.escape(f"{self.host.person}: {text}"))

    def choose_otherwise(self):
        """By the mouse, by the arrows, and by what stands in the last row."""
        room = self.host.said("screen.key.room")
        self.host.click_on(f"+ {room}", "Deutsch")
        self.host.keep("room")
        self.host.key("Down")
        self.host.key("Enter")
        self.host.wait(f"Q {WORDS['fr']['screen.key.leave']} *$")
        self.host.type("+")
        self.host.click_on("English", f"Q {WORDS['en']['screen.key.leave']} *$")


def look_back(person):
    """Through the whole match with its slider, from the end back, and through other eyes."""
    person.type("l")
    person.wait(r"\b0 (of|von|sur) \d+ +·")
    # A long match comes in pages; the end is the end once no more come.
    lasts = []
    until = time.monotonic() + PATIENCE_S
    while len(lasts) < 6 or len(set(lasts[-6:])) > 1:
        assert time.monotonic() < until, person.screen()
        person.key("End")
        time.sleep(0.1)
        found = re.search(r"\b([1-9]\d*) (?:of|von|sur) \1 +·", person.screen())
        lasts += [int(found[1])] if found else []
    last = lasts[-1]
    person.type("e")
    person.wait(f"{person.said('web.replay.seen_by')}: {person.person}")
    person.keep("look-back")
    person.key("Left")
    person.wait(rf"\b{last - 1} (of|von|sur) {last} +·")
    row = person.size[1] - 2
    slider = person.screen().splitlines()[row]
    person.click(row, slider.index("─"))
    person.wait(rf"\b0 (of|von|sur) {last} +·")
    person.key("Escape")
    person.wait(re.escape(person.said("web.over.replay")))


def keeps_the_record(person):
    """As a file that says whether the shuffle was true."""
    person.type("k")
    person.wait(r"triquetra\s+verify")
    records = list(pathlib.Path(Pane.folder).glob("triquetra-*.json"))
    assert len(records) == 1, records
    subprocess.run([ASKED.client, "verify", str(records[0])], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE_S)
    records[0].unlink()


def keys_do_what_was_meant(server):
    """What cannot be said plays nothing, two presses at once are one act, and a hint is in the words of the list."""
    person = Person("Carla", "en", 80, 24)
    person.enter(server, "create", "--variant", "base", "--seats", "2", "--bots", "1", "--start")
    person.wait(r" 1 Draw from column 1")
    person.type("/")
    person.wait(re.escape(person.said("screen.no_talk.off")))
    person.type("hello 1 friends")
    person.key("Enter")
    person.wait(re.escape(person.said("screen.no_talk.off")), gone=True)
    person.wait(r" 1 Draw from column 1")
    person.type("11")
    person.wait(r"^You hold \w+:")
    person.type("x")
    person.wait("x does nothing here")
    assert "You place" not in person.screen(), person.screen()
    person.type("#")
    person.wait(r"An expert would: (Place in row|Hide it)")
    person.key("Enter")
    person.wait(r"You (place|hide|keep) a token")
    person.leave()


def sends_what_changed(server):
    """The bytes that reach a terminal: nothing while nothing happens, little for little."""
    person = Person("Berta", "en", 80, 24)
    sent = pathlib.Path(Pane.folder) / "sent"
    person.tmux("pipe-pane", "-O", "-t", person.name, f"cat > {sent}")
    person.enter(server, "create", "--seats", "2", "--bots", "0", "--chat", "text")
    person.wait(r"· ([A-Z]{6}) ·")

    def bytes_of(what):
        before = settled()
        what()
        return settled() - before

    def settled():
        """How many have been sent, once no more come."""
        count = -1
        while count != sent.stat().st_size:
            count = sent.stat().st_size
            time.sleep(0.3)
        return count

    whole = settled()
    arrow = bytes_of(lambda: person.key("Down"))
    person.type("/")
    letter = bytes_of(lambda: person.type("x"))
    quiet = bytes_of(lambda: time.sleep(1))
    person.key("Escape")
    page = bytes_of(lambda: person.type("?"))
    assert 0 < letter < 40 and 0 < arrow < 250 and quiet == 0, (whole, arrow, letter, quiet)
    person.key("Escape")
    # Whoever's window is closed is gone from the table, and no program stays behind.
    pid = person.pid()
    person.tmux("kill-session", "-t", person.name)
    until = time.monotonic() + PATIENCE_S
    while pathlib.Path(f"/proc/{pid}").exists():
        assert time.monotonic() < until, "a program without a window"
        time.sleep(0.02)
    print(f"bytes sent: {whole} for the room, {page} for a page, {arrow} for an arrow, {letter} for a letter,"
          f" {quiet} while nothing happens")


def plays_in_lines(server):
    """Whatever has no full screen."""
    told = subprocess.run(
        [ASKED.client, "create", "--seats", "5", "--bots", "1", "--json", "--server", server.url, "--profile", "waiting"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
        env={**os.environ, "XDG_STATE_HOME": Pane.folder}).stdout
    room = next(frame["room"] for frame in map(json.loads, told.splitlines()) if "room" in frame)
    for number, (what, size, environment, flags) in enumerate((
            ("small", (40, 20), {}, []), ("dumb", (80, 24), {"TERM": "dumb"}, []),
            ("unknown", (80, 24), {"TERM": "nothing-known"}, []), ("no TERM", (80, 24), {"TERM": ""}, []),
            ("no locale", (80, 24), {"LC_ALL": "C"}, []), ("no colours", (80, 24), {"NO_COLOR": "1"}, []), ("asked for", (80, 24), {}, ["--lines"]))):
        pane = Pane(*size, environment)
        pane.run(ASKED.client, "watch", room, "--server", server.url, "--profile", f"lines{number}", *flags)
        pane.wait(r"Table [A-Z]{6} is\s+open")
        seen = " ".join(pane.screen().split())
        assert RULE not in seen and "Hello" in seen and ("window is too small" in seen) == (what == "small"), (what, seen)
        pane.key("C-c")
        pane.wait("again")
        pane.key("C-c")
        pane.is_at_the_shell()
    piped = Pane(80, 24)
    piped.run("sh", "-c", f"{ASKED.client} watch {room} --server {server.url} --profile piped | cat")
    piped.wait(r"Table [A-Z]{6} is open")
    print("in lines: a small window, dumb, unknown and no terminals, no locale, no colours, asked for, a pipe")


def colors_are_as_asked(server):
    """With --color never not one colour is sent, and everything is there all the same."""
    seen = []
    for color, is_colored in (("never", False), ("auto", True)):
        pane = Person("Painter" + str(is_colored), "en", 80, 24)
        pane.enter(server, "create", "--color", color, "--variant", "duo", "--seats", "2", "--bots", "1", "--start")
        pane.wait(r"rabbit +owl")
        painted = pane.screen("-e")
        assert bool(re.search(r"\x1b\[(\d+;)*3[1-6]m", painted)) == is_colored, painted
        seen.append(pane.screen())
        pane.leave()
    assert all("Tower" in screen and "rock" in screen for screen in seen), seen
    print("colours: none with --color never")


# One for each variant, and the largest tables; and how many people are there. Where acts by chance lead nowhere for long,
# most seats are bots'.
PLAYS = ((5, ["--variant", "base", "--seats", "5"]), (5, ["--variant", "wolves", "--seats", "5"]),
         (2, ["--variant", "duo", "--seats", "2"]), (5, ["--game", "mayhem", "--seats", "8"]),
         (5, ["--game", "mayhem", "--seats", "5", "--options", '{"claims":"unchecked","window_ms":1000}']),
         (3, ["--game", "card_triangles", "--seats", "6"]))


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Pane.folder = folder
        server = Server(ASKED.server, "--data", f"{folder}/data", "--bot-delay-ms", "0", port=free_port()).start()
        try:
            people = [Person("Ada", "en", 80, 24), Person("Béla", "de", 120, 40), Person("Chloé", "fr", 80, 24),
                      Person("Dora", "de", 120, 40), PersonInLines("Emil", "en", 40, 20)]
            for round in range(max(1, ASKED.long)):
                for number, (count, words) in enumerate(PLAYS):
                    seated = people[:count]
                    if number == 0 or ASKED.long:
                        trouble = Trouble(server, seated)
                        play(server, words, seated, trouble)
                        assert len(trouble.done) >= (7 if number == 0 else 1), trouble.done
                        look_back(people[0])
                        keeps_the_record(people[0])
                    else:
                        play(server, words, seated)
                    for person in seated:
                        person.leave()
            keys_do_what_was_meant(server)
            sends_what_changed(server)
            plays_in_lines(server)
            colors_are_as_asked(server)
            server.stop()
        finally:
            server.process.kill()
            Pane.tmux("kill-server")


if __name__ == "__main__":
    main()
