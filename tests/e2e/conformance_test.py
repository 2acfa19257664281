"""`triquetra conformance` passes the bot kits, our own network bot and the terminal client, and catches
faulty bots, each by the check that is about its fault. docs/CLIENTS.md and the checks name the same
rows, and the clients its states and events.

usage: conformance_test.py TRIQUETRA SOURCE_DIR
       conformance_test.py FAULT (ROOM | --make) --server URL      (the bot that is planted)
       conformance_test.py lines TRIQUETRA ...                     (somebody who types)
"""
import asyncio
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import secrets
import shlex
import subprocess
import sys
import tempfile
import time

import websockets

import seed

PATIENCE_S = 300  # only a hang takes that long

# Each fault that is planted, and the check that must fail for it, in the sitting of that name or in game.
FAULTS = {
    "acts_before_hello": "hello",
    "other_protocol": "hello",
    "hello_twice": "hello",
    "unknown_field": "frames",
    "binary": "frames",
    "floods": "frames",
    "other_room": "join",
    "creates": "join",
    "other_entropy": "entropy",
    "keeps_entropy": "entropy",
    "invents_acts": "legal",
    "invents_decisions": "legal",
    "one_id_for_all": "ids",
    "strict_reader": "unknown",
    "acts_on_every_view": "once",
    "forgets_rev": "stale",
    "no_pong": "ping",
    "no_history": "history",
    "one_page": "history",
    "busy_gives_up": "busy",
    "busy_new_id": "busy",
    "busy_at_once": "busy",
    "cut_gives_up": "resume",
    "cut_new_guest": "resume",
    "cut_no_join": "resume",
    "cut_acts_first": "resume",
    "act_never": "resend",
    "act_new_id": "resend",
    "act_other": "resend",
    "bye_gives_up": "restart",
    "too_late_insists": "too_late",
    "too_late_gives_up": "too_late",
    "id_reused_insists": "id_reused",
    "id_reused_gives_up": "id_reused",
    "second_device_insists": "second_device",
    "second_device_gives_up": "second_device",
    "rejoin_gives_up": "rejoin",
    "rejoin_new_id": "rejoin",
    "leaves_early": "finish",
    "never_acts": "finish",
    "leave_never": "leave",
    "leave_new_id": "leave",
    "kick_never": "kick",
    "kick_new_id": "kick",
    "kick_gives_up": "kick",
    "talk_again": "talk",
    "talk_new_id": "talk",
}
HOST_FAULTS = {
    "create_never": "create",
    "create_new_id": "create",
    "add_bot_never": "add_bot",
    "add_bot_new_id": "add_bot",
    "remove_bot_never": "remove_bot",
    "remove_bot_new_id": "remove_bot",
    "remove_bot_gives_up": "remove_bot",
    "start_never": "start",
    "start_new_id": "start",
    "start_gives_up": "start",
    "reveal_entropy_never": "reveal_entropy",
    "reveal_entropy_new_id": "reveal_entropy",
    "rematch_never": "rematch",
    "rematch_new_id": "rematch",
    "rematch_gives_up": "rematch",
}
LINK_FAULTS = {
    "hello_later_gives_up": "hello_later",
    "hello_later_at_once": "hello_later",
    "hello_later_other": "hello_later",
    "bad_token_gives_up": "bad_token",
    "bad_token_insists": "bad_token",
    "waits_no_longer": "waits",
    "waits_reset_by_opening": "waits",
    "waits_reset_by_welcome": "waits",
    "lasted_counts_on": "lasted",
    "bye_at_once": "bye",
}
# Sittings of one check each.
OTHER_FAULTS = {
    "bad_device_insists": "bad_device",
    "bad_name_insists": "bad_name",
    "hello_refused_insists": "hello_refused",
    "hello_refused_shrugs": "hello_refused",
    "greeting_stays": "greeting",
    "silence_stays": "silence",
    "kicked_returns": "kicked",
    "left_returns": "left",
    "closed_returns": "closed",
    "shut_out_insists": "shut_out",
    "give_up_never": "give_up",
}
CHECK_OF = {**FAULTS, **HOST_FAULTS, **LINK_FAULTS, **OTHER_FAULTS}
ENTERING = {"create", "join"}
LATER = {"too_fast", "busy", "storage_unavailable", "internal_error"}
DONE = {("start", "already_started"), ("reveal_entropy", "entropy_not_asked"), ("rematch", "not_over"),
        ("leave", "not_in_room"), ("kick", "no_such_seat"), ("remove_bot", "no_such_seat")}


def sitting_of(fault):
    if fault in OTHER_FAULTS:
        return OTHER_FAULTS[fault]
    return "game" if fault in FAULTS else "host" if fault in HOST_FAULTS else "link"


class Quit(Exception):
    """Ends with this exit code."""

    def __init__(self, code=0):
        super().__init__()
        self.code = code


class PlantedBot:
    """A small bot of its own, right in everything but its fault. It also says its name and a device code,
    waves, kicks, and as a host removes a bot, so that nothing of the exam is beside the point."""

    def __init__(self, fault, room, url):
        self.fault, self.room, self.url = fault, room, url
        self.is_host = room is None
        self.name, self.device, self.token = "Planted", "CODE", None
        self.match = self.entropy = self.frame = self.view = None
        self.in_flight, self.repeated = {}, set()
        self.ids = self.acts = self.losses = self.told_rev = 0
        self.pause_s = 0.0
        self.was_open = self.is_greeted = self.is_in = self.was_in = self.has_waved = self.has_kicked = False
        self.is_removed = False
        self.answered, self.started = set(), set()

    def is_faulty(self, *faults):
        return self.fault in faults

    # --- The connection

    async def run(self):
        try:
            while True:
                try:
                    await self.connection()
                except (OSError, asyncio.TimeoutError, websockets.WebSocketException):
                    pass
                self.lost()
                await asyncio.sleep(self.wait_s())
        except Quit as quit_:
            return quit_.code

    async def connection(self):
        self.is_greeted = self.is_in = False
        beat = None if self.is_faulty("greeting_stays", "silence_stays", "no_pong") else 5
        patience_s = None if self.is_faulty("greeting_stays") else 3
        async with websockets.connect(self.url + "/ws", ping_interval=beat, ping_timeout=beat,
                                      close_timeout=1) as self.socket:
            if self.is_faulty("no_pong"):
                async def silent(_data=b""):
                    pass
                self.socket.pong = silent
            self.was_open, opened = True, time.monotonic()
            if self.is_faulty("waits_reset_by_opening"):
                self.losses = 0
            await self.hello()
            if self.is_faulty("hello_twice"):
                await self.hello()
            while True:
                text = await asyncio.wait_for(self.socket.recv(), None if self.is_greeted else patience_s)
                if self.is_greeted and time.monotonic() - opened > 10 and not self.is_faulty("lasted_counts_on"):
                    self.losses = 0
                frame = json.loads(text)
                if self.is_faulty("strict_reader") and "tomorrow" in text:
                    raise Quit
                await getattr(self, "on_" + frame["type"], self.on_nothing)(frame)

    def lost(self):
        self.losses += 1
        if self.is_faulty("cut_gives_up") or not self.was_open:
            raise Quit(3)
        if self.is_faulty("bye_gives_up") and self.socket.close_code == 1012:
            raise Quit
        if self.losses > 42 and not self.is_faulty("give_up_never"):
            raise Quit(3)
        for asked in list(self.in_flight.values()):
            self.repeated.add(asked["id"])
            if asked["type"] == "react" and not self.is_faulty("talk_again", "talk_new_id"):
                del self.in_flight[asked["id"]]
            elif self.is_faulty(asked["type"] + "_never"):
                del self.in_flight[asked["id"]]

    def wait_s(self):
        if self.is_faulty("give_up_never"):
            return 0.01
        wait_s = 0.25 if self.is_faulty("waits_no_longer") else 0.25 * 2 ** min(self.losses - 1, 5)
        wait_s *= random.uniform(0.75, 1.25)
        pause_s, self.pause_s = self.pause_s, 0.0
        return wait_s if self.is_faulty("bye_at_once") else max(wait_s, pause_s)

    async def hello(self):
        if self.is_faulty("acts_before_hello"):
            await self.socket.send(json.dumps({"type": "join", "id": self.new_id(), "room": self.room}))
        fields = {"protocol": 2 if self.is_faulty("other_protocol") else 1}
        fields |= {"name": self.name} if self.name else {}
        if self.token and not self.is_faulty("cut_new_guest"):
            fields["token"] = self.token
        elif self.device:
            fields["device"] = self.device
        await self.socket.send(json.dumps({"type": "hello", "id": self.new_id(), **fields}))

    async def on_welcome(self, frame):
        self.token, self.device, self.is_greeted = frame.get("token", self.token), None, True
        if self.is_faulty("waits_reset_by_welcome"):
            self.losses = 0
        if self.is_faulty("binary"):
            await self.socket.send(b"{}")
        await self.resume()

    async def hello_refused(self, frame):
        code, args = frame["code"], frame["args"]
        if code in LATER and not self.is_faulty("hello_later_gives_up"):
            if not self.is_faulty("hello_later_at_once"):
                await asyncio.sleep(args.get("retry_ms", 1000) / 1000)
            if self.is_faulty("hello_later_other"):
                self.name = "Somebody else"
        elif code == "bad_token" and not self.is_faulty("bad_token_gives_up"):
            self.token = self.token if self.is_faulty("bad_token_insists") else None
        elif code == "bad_device":
            self.device = self.device if self.is_faulty("bad_device_insists") else None
        elif code == "bad_text":
            self.name = self.name if self.is_faulty("bad_name_insists") else None
        elif not self.is_faulty("hello_refused_insists"):
            raise Quit(0 if self.is_faulty("hello_refused_shrugs") else 4)
        await self.hello()

    async def on_bye(self, frame):
        if "room" not in frame:
            self.pause_s = frame.get("retry_ms", 1000) / 1000
        elif frame["room"] == self.room and not self.is_faulty(frame["code"] + "_returns"):
            raise Quit

    # --- Requests

    def new_id(self):
        self.ids += 1
        return f"{self.fault}-{self.ids}"

    async def ask(self, kind, **fields):
        frame = {"type": kind, "id": self.new_id(), **fields}
        if self.is_faulty("one_id_for_all") and kind == "act":
            frame["id"] = "a"
        self.in_flight[frame["id"]] = frame
        if kind in ENTERING or self.is_in:
            await self.socket.send(json.dumps(frame))
        return frame

    async def resume(self):
        """Into the room first."""
        if self.was_in and self.is_faulty("cut_no_join"):
            return
        if self.was_in and self.is_faulty("cut_acts_first"):
            await self.send_all()
        entering = [asked for asked in self.in_flight.values() if asked["type"] in ENTERING]
        if entering:
            await self.say_again(entering[0])
        elif any(asked["type"] == "leave" for asked in self.in_flight.values()):
            await self.send_all()
        elif self.room is None:
            await self.ask("create", game="triqueta", seats=3, entropy_hash=self.promise())
        elif self.is_faulty("creates"):
            await self.ask("create", game="triqueta")
        else:
            fields = {"room": "GHJKLM" if self.is_faulty("other_room") else self.room}
            fields |= {"colour": "blue"} if self.is_faulty("unknown_field") else {}
            fields |= {} if self.entropy else {"entropy_hash": self.promise()}
            await self.ask("join", **fields)

    def promise(self):
        self.entropy = secrets.token_hex(32)
        return hashlib.sha256(bytes.fromhex(self.entropy)).hexdigest()

    async def send_all(self):
        for asked in list(self.in_flight.values()):
            await self.say_again(asked)

    async def say_again(self, asked):
        kind = "talk" if asked["type"] == "react" else asked["type"]
        if self.is_faulty(kind + "_new_id"):
            del self.in_flight[asked["id"]]
            asked["id"] = self.new_id()
            self.in_flight[asked["id"]] = asked
        if self.is_faulty("act_other") and kind == "act":
            others = [a["action"] for a in self.view["legal"] if a["action"] != asked["action"]]
            asked["action"] = others[0] if others else {"do": "draw", "columns": [4]}
        await self.socket.send(json.dumps(asked))

    async def on_nothing(self, frame):
        pass

    async def on_ok(self, frame):
        asked = self.in_flight.pop(frame["re"], None)
        if asked is None:
            return
        if asked["type"] in ENTERING:
            self.room, self.is_in, self.was_in = frame["room"], True, True
            await self.send_all()
            if not self.has_waved:
                self.has_waved = True
                await self.ask("react", room=self.room, reaction="hello")
        await self.answered_well(asked, frame)

    async def answered_well(self, asked, frame):
        kind = asked["type"]
        if kind == "kick":
            await self.act(self.view)
        if kind == "history":
            await self.on_pages(frame)
        if kind == "leave":
            raise Quit
        await self.prepare()

    async def on_pages(self, frame):
        for page in frame["pages"]:
            self.told_rev = page["rev"]
        if self.is_faulty("one_page"):
            self.told_rev = self.view["rev"]
        elif frame["more"]:
            await self.ask("history", room=self.room, match=self.match, after=self.told_rev)

    async def on_error(self, frame):
        if not self.is_greeted:
            return await self.hello_refused(frame)
        asked = self.in_flight.get(frame.get("re"))
        if asked is None:
            return None
        kind, code = asked["type"], frame["code"]
        if code == "busy":
            return await self.put_off(asked, frame)
        if asked["id"] in self.repeated and (kind, code) in DONE:
            if self.is_faulty(kind + "_gives_up"):
                raise Quit(1)
            del self.in_flight[asked["id"]]
            return await self.answered_well(asked, frame)
        if kind in ENTERING:
            if self.is_faulty("shut_out_insists"):
                self.in_flight.clear()
                return await self.resume()
            raise Quit(4)
        del self.in_flight[asked["id"]]
        if kind == "act":
            await self.act_refused(asked, code)
        await self.prepare()  # what was asked may have crossed with the news of the room
        return None

    async def put_off(self, asked, frame):
        kind = "rejoin" if asked["type"] == "join" else "busy"
        if self.is_faulty(kind + "_gives_up"):
            raise Quit(1)
        if not self.is_faulty("busy_at_once"):
            await asyncio.sleep(frame["args"].get("retry_ms", 1000) / 1000)
        if self.is_faulty(kind + "_new_id"):
            del self.in_flight[asked["id"]]
            asked["id"] = self.new_id()
            self.in_flight[asked["id"]] = asked
        await self.socket.send(json.dumps(asked))

    async def act_refused(self, asked, code):
        gone = asked["decision"] not in [d["id"] for d in self.view["decisions"]]
        if code == "too_late" and self.is_faulty("second_device_gives_up") and gone:
            raise Quit(1)
        if self.is_faulty(code + "_gives_up"):
            raise Quit(1)
        again = {key: asked[key] for key in ("room", "decision", "action")}
        if self.is_faulty(code + "_insists") and code == "id_reused":
            self.in_flight[asked["id"]] = asked
            await self.socket.send(json.dumps(asked))
        elif self.is_faulty(code + "_insists") or self.is_faulty("second_device_insists") and gone:
            await self.ask("act", **again)
        elif code == "id_reused":
            self.answered.discard(asked["decision"])
            await self.act(self.view)

    # --- The room

    async def on_room(self, frame):
        self.match, self.frame = frame["match"], frame
        await self.prepare()

    async def prepare(self):
        """What is to be done before and after a match, one thing after the other."""
        if not self.is_in or not self.frame or self.in_flight:
            return
        if self.frame["status"] == "starting" and self.match not in self.started:
            self.started.add(self.match)
            entropy = "0" * 64 if self.is_faulty("other_entropy") else self.entropy
            if not self.is_faulty("keeps_entropy"):
                await self.ask("reveal_entropy", room=self.room, entropy=entropy)
        if self.frame["status"] == "over" and self.is_host:
            await self.ask("rematch", room=self.room, entropy_hash=self.promise())
        elif self.frame["status"] == "over":
            await self.ask("leave", room=self.room)
        if self.frame["status"] != "open" or not self.is_host:
            return
        if any(seat["kind"] == "empty" for seat in self.frame["seats"]):
            await self.ask("add_bot", room=self.room)
        elif not self.is_removed:
            self.is_removed = True
            await self.ask("remove_bot", room=self.room, seat=1)
        else:
            await self.ask("start", room=self.room)

    async def on_view(self, view):
        if self.view and view["rev"] < self.view["rev"] and view["match"] == self.view["match"] \
                and not self.is_faulty("forgets_rev"):
            return
        jumped = view["rev"] > self.told_rev + 1
        if jumped and not self.is_faulty("no_history") and not any(
                asked["type"] == "history" for asked in self.in_flight.values()):
            await self.ask("history", room=self.room, match=view["match"], after=self.told_rev)
        elif not jumped:
            self.told_rev = max(self.told_rev, view["rev"])
        self.view = view
        if not self.has_kicked and not self.is_faulty("never_acts"):
            self.has_kicked = True
            await self.ask("kick", room=self.room, seat=2)
        elif not any(asked["type"] == "kick" for asked in self.in_flight.values()):
            await self.act(view)

    async def act(self, view):
        mine = [d["id"] for d in view["decisions"] if view["seat"] in d["seats"]]
        if not mine or not view["legal"] or self.is_faulty("never_acts"):
            return
        forgets = (self.is_faulty("acts_on_every_view") or
                   self.is_faulty("forgets_rev") and mine[0] < max(self.answered, default=0))
        if mine[0] in self.answered and not forgets:
            return
        if self.is_faulty("leaves_early") and self.acts >= 9:
            raise Quit
        if self.is_faulty("floods"):
            for _ in range(500):
                await self.ask("ping")
        self.answered.add(mine[0])
        self.acts += 1
        action, decision = view["legal"][0]["action"], mine[0]
        if self.is_faulty("invents_acts"):
            action = {"do": "take", "row": 4}
        if self.is_faulty("invents_decisions"):
            decision += 1000
        await self.ask("act", room=self.room, decision=decision, action=action)


def somebody_types(client, words):
    """A person's lines through a pipe: waves, and then takes the first act whenever asked."""
    is_host = "--make" in words
    words = [word for word in words if word != "--make"]
    words = ["create", "--start", "--bots", "2", "--seats", "3", *words] if is_host else ["play", *words]
    child = subprocess.Popen([client, *words, "--name", "Typist"], text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)

    def type_in(*lines):
        try:
            child.stdin.write("".join(line + "\n" for line in lines))
            child.stdin.flush()
        except OSError:
            pass  # it has ended, and says so by its exit code

    type_in("react clap", "kick 3")
    for line in child.stdout:
        if line.rstrip().endswith(">") or line.startswith("This request was sent before"):
            type_in("1")
        elif line.startswith("The game is over") and is_host:
            type_in("rematch", "start")
        elif line.startswith("The game is over"):
            type_in("quit")
    return child.wait()


def examine(client, command, *words, patience=10):
    """The verdicts by check. A busy machine may not have started anybody by then: it is asked once more."""
    for longer in (patience, 3 * patience):
        with tempfile.TemporaryDirectory() as state:
            done = subprocess.run(
                [client, "conformance", "--json", "--patience", str(longer), *words, command], text=True,
                capture_output=True, timeout=PATIENCE_S, check=False,
                env={**os.environ, "XDG_STATE_HOME": state, "NODE_PATH": "/usr/share/nodejs", "LC_ALL": "C"})
        checks = {check["check"]: check for check in json.loads(done.stdout)}
        passed = all(check["verdict"] in ("passed", "not_used") for check in checks.values())
        assert done.returncode == (0 if passed else 1), done
        if checks.get("hello", {}).get("saw") != "nothing came":
            break
    return checks, passed


def good_one(client, words, command, options):
    seats = "2" if "duo" in options else "3"
    checks, _ = examine(client, command, *words, "--options", options, "--seats", seats)
    failed = [check for check in checks.values() if check["verdict"] not in ("passed", "not_used")]
    # At a table for two so much may not happen in between that views can be passed over.
    failed = [check for check in failed if seats == "3" or
              (check["check"], check["verdict"]) != ("history", "not_reached")]
    assert not failed, (command, options, failed)
    used = [name for name, check in checks.items() if check["verdict"] == "passed"]
    return f"passed {len(used)}: {command} in {options}"


def this(*words):
    return shlex.join([*seed.python(os.path.abspath(__file__)), *words])


def planted(client, fault):
    words = ["--only", sitting_of(fault), "--host", "--make"]
    # Only who is wrong keeps it waiting.
    checks, passed = examine(client, this(fault), *words, patience=8)
    failed = {name: check["saw"] for name, check in checks.items() if check["verdict"] == "failed"}
    assert not passed and CHECK_OF[fault] in failed, (fault, failed, checks[CHECK_OF[fault]])
    return f"{fault}: {CHECK_OF[fault]}, {failed[CHECK_OF[fault]]}"


def without_fault(client):
    """Every check can be passed, so none of them fails for whoever is right; what nobody does is no check."""
    checks, _ = examine(client, this("none"), "--host", "--make")
    assert all(check["verdict"] == "passed" for check in checks.values()), checks
    return "none: passed", checks


def rows_are_checks(source, checks):
    """docs/CLIENTS.md and the exam name the same rows, and each row has a planted fault."""
    page = (source / "docs" / "CLIENTS.md").read_text()
    tables = page[:page.index("## Where it is")]
    rows = {word for row in re.findall(r"^\| (`[^|]*) \|", tables, re.MULTILINE) for word in re.findall(r"`(\w+)`", row)}
    playing = {"frames", "ids", "entropy", "legal", "unknown", "once", "stale", "ping", "history"}
    looked_at = {*checks, "give_up"}  # which takes minutes to pass
    assert rows == looked_at - playing, rows ^ (looked_at - playing)
    assert rows <= set(CHECK_OF.values()), rows - set(CHECK_OF.values())


def names_are_the_same(source):
    """Whoever reads docs/CLIENTS.md finds its states and events in each client."""
    page = (source / "docs" / "CLIENTS.md").read_text()
    table = re.findall(r"^\| (.*) \|$", page[page.index("## Where it is"):], re.MULTILINE)[1:]
    rows = [[re.findall(r"`([^`]+)`", cell) for cell in row.split(" | ")] for row in table]
    places = [["cli/network/session.cpp"], ["sdk/python/triquetra_bot.py"], ["sdk/javascript/triquetra-bot.mjs"],
              ["web/src/shell/connection.ts", "web/src/shell/room.ts"]]
    sources = [" ".join((source / "clients" / file).read_text() for file in files) for files in places]
    patterns = [r"\bSession::{}\(", r"\bdef {}\(", r"^  (async )?{}\(", r"^  private (async )?{}\("]
    for cells in rows[1:]:
        for text, pattern, words in zip(sources, patterns, cells[1:]):
            assert re.search(pattern.format(words[0]), text, re.MULTILINE), (cells, pattern)
    states = ("connecting", "greeting", "online", "waiting", "ended")
    for state in states:
        for text, word in zip(sources, (f"LinkState::{state}", f"LinkState.{state.upper()}", f"LinkState.{state}",
                                        f'"{state}"')):
            assert word in text, word
    assert len(rows) == 14, len(rows)


def main():
    client, source = sys.argv[1], pathlib.Path(sys.argv[2])
    names_are_the_same(source)
    kits, quoted = source / "clients" / "sdk", shlex.quote(client)
    make = ["--host", "--game triqueta --seats 3 --bots 2 --matches 2"]
    greedy = [shlex.join(seed.python(kits / "python" / "greedy_bot.py")),
              shlex.join(seed.node(kits / "javascript" / "greedy_bot.mjs"))]
    random_ones = [command.replace("greedy", "random") for command in greedy]
    view_alone = ["--without-history"]
    base, duo = '{"variant":"base"}', '{"variant":"duo"}'
    jobs = [(good_one, client, make, command, base) for command in greedy]
    jobs += [(good_one, client, view_alone, f"{quoted} bot --once --name Bot", base),
             (good_one, client, ["--host", "--make"], this("lines", client), base)]
    jobs += [(good_one, client, ["--only", "game"], command, duo) for command in [*greedy, *random_ones]]
    jobs += [(good_one, client, ["--only", "game", *view_alone], f"{quoted} bot --once --level random", options)
             for options in (base, duo)]
    jobs += [(planted, client, fault) for fault in CHECK_OF]
    # They wait more than they work, but each starts ten processes at once.
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        right = pool.submit(without_fault, client)
        wrong = []
        for job in [pool.submit(*job) for job in jobs]:
            if job.exception():
                wrong.append(job.exception())
            print(job.exception() or job.result(), flush=True)
        told, checks = right.result()
        print(told)
    assert not wrong, wrong
    rows_are_checks(source, checks)


if __name__ == "__main__":
    if sys.argv[1] in CHECK_OF or sys.argv[1] == "none":
        at = None if sys.argv[2] == "--make" else sys.argv[2]
        sys.exit(asyncio.run(PlantedBot(sys.argv[1], at, sys.argv[4]).run()))
    elif sys.argv[1] == "lines":
        sys.exit(somebody_types(sys.argv[2], sys.argv[3:]))
    else:
        seed.take()
        began = time.monotonic()
        main()
        print(f"all well after {time.monotonic() - began:.1f} s")
