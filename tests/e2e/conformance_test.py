"""`triquetra conformance` passes the bot kits and our own network bot, and catches faulty bots, each
by the check that is about its fault.

usage: conformance_test.py TRIQUETRA SOURCE_DIR
       conformance_test.py FAULT ROOM --server URL      (the bot that is planted)
"""
import asyncio
import concurrent.futures
import hashlib
import json
import os
import pathlib
import secrets
import shlex
import subprocess
import sys
import tempfile
import time

import websockets

import seed

PATIENCE_S = 60  # only a hang takes that long

# Each fault that is planted, and the checks that must fail for it; one of them at least.
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
    "cut_gives_up": "resume",
    "cut_new_guest": "resume",
    "cut_no_join": "resume",
    "resend_never": "resend",
    "resend_new_id": "resend",
    "resend_other_act": "resend",
    "bye_gives_up": "restart",
    "too_late_insists": "too_late",
    "too_late_gives_up": "too_late",
    "leaves_early": "finish",
    "never_acts": "finish",
}


class Quit(Exception):
    pass


class PlantedBot:
    """A small bot of its own, right in everything but its fault."""

    def __init__(self, fault, room, url):
        self.fault, self.room, self.url = fault, room, url
        self.token = self.entropy = self.view = self.pending = self.match = None
        self.ids = self.acts = self.connections = 0
        self.answered = set()
        self.told_rev = 0

    async def run(self):
        for _ in range(20):
            try:
                async with websockets.connect(self.url + "/ws", ping_interval=None) as self.socket:
                    if self.fault == "no_pong":
                        async def silent(_data=b""):
                            pass
                        self.socket.pong = silent
                    self.connections += 1
                    await self.converse()
            except Quit:
                return
            except (OSError, websockets.WebSocketException):
                pass
            if self.fault == "bye_gives_up" and self.socket.close_code == 1012:
                return
            if self.fault == "cut_gives_up" or self.view is None or not self.view["decisions"]:
                return
            await asyncio.sleep(0.05)

    async def converse(self):
        await self.hello()
        if self.fault == "hello_twice":
            await self.hello()
        async for text in self.socket:
            frame = json.loads(text)
            if self.fault == "strict_reader" and "tomorrow" in text:
                raise Quit
            await getattr(self, "on_" + frame["type"], self.on_nothing)(frame)

    async def on_nothing(self, frame):
        pass

    def new_id(self):
        self.ids += 1
        return f"{self.fault}-{self.ids}"

    async def send(self, kind, **fields):
        frame = {"type": kind, "id": self.new_id(), **fields}
        await self.socket.send(json.dumps(frame))
        return frame

    async def hello(self):
        if self.fault == "acts_before_hello":
            await self.send("join", room=self.room)
        fields = {"protocol": 2 if self.fault == "other_protocol" else 1}
        if self.token and self.fault != "cut_new_guest":
            fields["token"] = self.token
        await self.send("hello", **fields)

    async def on_welcome(self, frame):
        self.token = frame.get("token", self.token)
        if self.connections > 1 and self.fault == "cut_no_join":
            return
        if self.fault == "binary":
            await self.socket.send(b"{}")
        if self.fault == "creates":
            await self.send("create", game="triqueta")
            return
        fields = {"room": "GHJKLM" if self.fault == "other_room" else self.room}
        if self.fault == "unknown_field":
            fields["colour"] = "blue"
        if self.entropy is None:
            self.entropy = secrets.token_hex(32)
            fields["entropy_hash"] = hashlib.sha256(bytes.fromhex(self.entropy)).hexdigest()
        await self.send("join", **fields)
        if self.pending and self.connections > 1:
            await self.resend()

    async def resend(self):
        if self.fault == "resend_never":
            self.pending = None
            return
        if self.fault == "resend_new_id":
            self.pending["id"] = self.new_id()
        if self.fault == "resend_other_act":
            others = [a["action"] for a in self.view["legal"] if a["action"] != self.pending["action"]]
            self.pending["action"] = others[0] if others else {"do": "draw", "columns": [4]}
        await self.socket.send(json.dumps(self.pending))

    async def on_room(self, frame):
        self.match = frame["match"]
        if frame["status"] == "starting" and self.fault != "keeps_entropy":
            entropy = "0" * 64 if self.fault == "other_entropy" else self.entropy
            await self.send("reveal_entropy", room=self.room, entropy=entropy)
        if frame["status"] == "over":
            raise Quit

    async def on_ok(self, frame):
        if self.pending and frame["re"] == self.pending["id"]:
            self.pending = None
        for page in frame.get("pages", []):
            self.told_rev = page["rev"]
        if self.fault == "one_page" and "pages" in frame:
            self.told_rev = self.view["rev"]
        if frame.get("more") and self.fault != "one_page":
            await self.send("history", room=self.room, match=self.match, after=self.told_rev)

    async def on_error(self, frame):
        if not self.pending or frame.get("re") != self.pending["id"]:
            return
        if frame["code"] == "busy":
            if self.fault == "busy_gives_up":
                raise Quit
            await asyncio.sleep(0.1)
            if self.fault == "busy_new_id":
                self.pending["id"] = self.new_id()
            await self.socket.send(json.dumps(self.pending))
        elif frame["code"] == "too_late":
            if self.fault == "too_late_gives_up":
                raise Quit
            if self.fault == "too_late_insists":
                await self.socket.send(json.dumps({**self.pending, "id": self.new_id()}))
            self.pending = None

    async def on_view(self, view):
        if self.view and view["rev"] < self.view["rev"] and self.fault != "forgets_rev":
            return
        jumped = view["rev"] > self.told_rev + 1
        if jumped and self.fault != "no_history":
            await self.send("history", room=self.room, match=view["match"], after=self.told_rev)
        else:
            self.told_rev = max(self.told_rev, view["rev"])
        self.view = view
        await self.act(view)

    async def act(self, view):
        mine = [d["id"] for d in view["decisions"] if view["seat"] in d["seats"]]
        if not mine or not view["legal"] or self.fault == "never_acts":
            return
        forgets = (self.fault == "acts_on_every_view" or
                   self.fault == "forgets_rev" and mine[0] < max(self.answered, default=0))
        if mine[0] in self.answered and not forgets:
            return
        if self.fault == "leaves_early" and self.acts >= 6:
            raise Quit
        if self.fault == "floods":
            for _ in range(500):
                await self.send("ping")
        self.answered.add(mine[0])
        self.acts += 1
        action, decision = view["legal"][0]["action"], mine[0]
        if self.fault == "invents_acts":
            action = {"do": "take", "row": 4}
        if self.fault == "invents_decisions":
            decision += 1000
        self.pending = {"type": "act", "id": self.new_id(), "room": self.room,
                        "decision": decision, "action": action}
        if self.fault == "one_id_for_all":
            self.pending["id"] = "a"
        await self.socket.send(json.dumps(self.pending))


def examine(client, command, *words, patience=10):
    """The verdicts by check."""
    with tempfile.TemporaryDirectory() as state:
        done = subprocess.run(
            [client, "conformance", "--json", "--patience", str(patience), *words, command], text=True,
            capture_output=True, timeout=PATIENCE_S, check=False,
            env={**os.environ, "XDG_STATE_HOME": state, "NODE_PATH": "/usr/share/nodejs"})
    checks = {check["check"]: check for check in json.loads(done.stdout)}
    passed = all(check["verdict"] in ("passed", "not_used") for check in checks.values())
    assert done.returncode == (0 if passed else 1), done
    return checks, passed


def good_one(client, words, command, options):
    seats = "2" if "duo" in options else "3"
    checks, _ = examine(client, command, *words, "--options", options, "--seats", seats)
    failed = [check for check in checks.values() if check["verdict"] not in ("passed", "not_used")]
    # At a table for two so much may not happen in between that views can be passed over.
    failed = [check for check in failed if seats == "3" or
              (check["check"], check["verdict"]) != ("history", "not_reached")]
    assert not failed, (command, options, failed)
    return f"passed: {command} in {options}"


def planted(client, fault):
    command = shlex.join([*seed.python(os.path.abspath(__file__)), fault])
    # Only who is wrong keeps it waiting.
    checks, passed = examine(client, command, patience=10 if fault == "none" else 8)
    failed = {name: check["saw"] for name, check in checks.items() if check["verdict"] == "failed"}
    if fault == "none":
        assert passed, failed
        return "none: passed"
    assert not passed and FAULTS[fault] in failed, (fault, failed)
    return f"{fault}: {FAULTS[fault]}, {failed[FAULTS[fault]]}"


def main():
    client, source = sys.argv[1], pathlib.Path(sys.argv[2])
    kits = source / "clients" / "sdk"
    good = [([], shlex.join(words)) for words in (
                seed.python(kits / "python" / "greedy_bot.py"), seed.python(kits / "python" / "random_bot.py"),
                seed.node(kits / "javascript" / "greedy_bot.mjs"), seed.node(kits / "javascript" / "random_bot.mjs"))]
    good += [(["--without-history"], f"{shlex.quote(client)} bot --level {level} --once")
             for level in ("greedy", "random")]
    jobs = [(good_one, client, words, command, options) for words, command in good
            for options in ('{"variant":"base"}', '{"variant":"duo"}')]
    jobs += [(planted, client, fault) for fault in ["none", *FAULTS]]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for told in pool.map(lambda job: job[0](*job[1:]), jobs):
            print(told, flush=True)


if __name__ == "__main__":
    if sys.argv[1] in FAULTS or sys.argv[1] == "none":
        asyncio.run(PlantedBot(sys.argv[1], sys.argv[2], sys.argv[4]).run())
    else:
        seed.take()
        began = time.monotonic()
        main()
        print(f"all well after {time.monotonic() - began:.1f} s")
