#!/usr/bin/env python3
"""Many people for a long time: whole games of Triqueta at a pace of people, over and over, and the
server's memory and threads beside it.

usage: soak.py TRIQUETRAD [--connections 2000] [--minutes 30] [--pause-s 8] [--data DIR]

Prints a line a minute and a verdict: no error, and memory flat, which is what the last third of the
time adds to the middle third: of the memory in use, and of the whole process. Needs Python's websockets (Debian: python3-websockets).
"""
import argparse
import asyncio
import json
import pathlib
import random
import re
import signal
import sys
import tempfile
import time

import websockets

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "e2e"))

from triquetrad import Server  # noqa: E402

SEATS = 4
FLAT = 1.1  # what memory may move between the middle and the last third


class Counts:
    acts = matches = errors = lost = 0
    complaints: list = []

    @classmethod
    def complain(cls, what):
        cls.errors += 1
        if len(cls.complaints) < 20:
            cls.complaints.append(str(what)[:300])


class Person:
    """One connection; keeps the last room and view frame."""

    def __init__(self, url, pause_s):
        self.url, self.pause_s, self.count = url, pause_s, 0
        self.room = self.view = None
        self.answers = {}
        self.changed = asyncio.Event()

    async def open(self):
        self.ws = await websockets.connect(self.url, compression=None, ping_interval=None, open_timeout=120)
        self.reader = asyncio.create_task(self.read())
        await self.ask({"type": "hello", "protocol": 1, "name": "Soak"})

    async def read(self):
        try:
            async for text in self.ws:
                frame = json.loads(text)
                kind = frame["type"]
                if kind == "view":
                    self.view = frame
                    self.changed.set()
                elif kind == "room":
                    self.room = frame
                    self.changed.set()
                elif kind == "bye":
                    Counts.complain(frame)
                elif "re" in frame and frame["re"] in self.answers:
                    self.answers.pop(frame["re"]).set_result(frame)
        except websockets.ConnectionClosed as closed:
            if not Soak.over:
                Counts.lost += 1
                Counts.complain(closed)
        for waiting in self.answers.values():
            waiting.cancel()

    async def ask(self, frame):
        self.count += 1
        name = f"r{self.count}"
        self.answers[name] = asyncio.get_running_loop().create_future()
        answer = self.answers[name]
        await self.ws.send(json.dumps({"type": frame["type"], "id": name, **frame}))
        return await asyncio.wait_for(answer, 120)

    async def must(self, frame):
        answer = await self.ask(frame)
        if answer["type"] == "error":
            Counts.complain((frame, answer))
        return answer

    async def play_on(self, dice):
        """Acts until the match is over."""
        answered = None
        while not (self.room and self.room["status"] == "over"):
            view = self.view
            decision = [d["id"] for d in view["decisions"] if view["seat"] in d["seats"]] if view else []
            if not decision or decision == answered:
                self.changed.clear()
                await self.changed.wait()
                continue
            await asyncio.sleep(dice.uniform(0.2, 1.8) * self.pause_s)
            answered, decision = decision, decision[0]
            action = dice.choice(view["legal"])["action"]
            answer = await self.ask({"type": "act", "room": view["room"], "decision": decision, "action": action})
            if answer["type"] == "ok":
                Counts.acts += 1
            elif answer["code"] != "too_late":
                Counts.complain(answer)


async def table(url, pause_s, number):
    """One table of four: they sit down once and play rematch after rematch."""
    dice = random.Random(number)
    people = [Person(url, pause_s) for _ in range(SEATS)]
    for person in people:
        await person.open()
    made = await people[0].must({"type": "create", "game": "triqueta", "options": {"variant": "base"}, "seats": SEATS})
    for person in people[1:]:
        await person.must({"type": "join", "room": made["room"]})
    Soak.seated += SEATS
    await people[0].must({"type": "start", "room": made["room"]})
    while not Soak.over:
        await asyncio.gather(*(person.play_on(dice) for person in people))
        Counts.matches += 1
        for person in people:
            person.room = person.view = None
        for person in people:
            await person.must({"type": "rematch", "room": made["room"]})
        await people[0].must({"type": "start", "room": made["room"]})


class Soak:
    over = False
    seated = 0


def memory_of(server):
    """(KiB in use, KiB of the whole process)"""
    text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return server.memory_kib(), int(re.search(r"VmRSS:\s+(\d+)", text).group(1))


async def soak(arguments, server):
    tables = []
    for number in range(arguments.connections // SEATS):
        tables.append(asyncio.create_task(table(f"{server.url}/ws", arguments.pause_s, number)))
        await asyncio.sleep(0.05)
    while Soak.seated < arguments.connections // SEATS * SEATS:
        await asyncio.sleep(1)
        for one in tables:
            if one.done():
                one.result()
    began, samples = time.monotonic(), []
    print(f"{Soak.seated} connections sit at {len(tables)} tables", flush=True)
    while (passed := time.monotonic() - began) < arguments.minutes * 60:
        samples.append(await asyncio.to_thread(memory_of, server))
        if int(passed) % 60 < 10:
            print(f"{passed / 60:5.1f} min  {samples[-1][0]:8d} KiB in use  {samples[-1][1]:8d} KiB in all"
                  f"  {Counts.acts:8d} acts  {Counts.matches:6d} matches  {Counts.errors} errors", flush=True)
        await asyncio.sleep(10)
    for one in tables:
        if one.done() and one.exception():
            Counts.complain(repr(one.exception()))
    Soak.over = True
    return samples


def flatness(figures):
    """(mean of the middle third, mean of the last third)"""
    third = len(figures) // 3
    middle, last = figures[third:2 * third], figures[2 * third:]
    return sum(middle) / len(middle), sum(last) / len(last)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triquetrad")
    parser.add_argument("--connections", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--pause-s", type=float, default=8)
    parser.add_argument("--data", help="keep rooms there; else in a folder that goes again")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(arguments.triquetrad, "--unlimited-addresses", "127.0.0.1", "--metrics-listen", "127.0.0.1:0",
                        "--data", arguments.data or folder).start()
        samples = asyncio.run(soak(arguments, server))
        died = server.process.poll() is not None
        server.process.send_signal(signal.SIGTERM)
        code = server.process.wait(server.patience_s)
    print(f"{Counts.acts} acts, {Counts.matches} matches, {Counts.errors} errors, {Counts.lost} lost connections;"
          f" exit {code}")
    flat = True
    for name, figures in (("in use", [one for one, _ in samples]), ("in all", [one for _, one in samples])):
        middle, last = flatness(figures)
        print(f"memory {name}: {middle:.0f} KiB in the middle third, {last:.0f} KiB in the last")
        flat = flat and last < middle * FLAT
    for complaint in Counts.complaints:
        print("  ", complaint)
    sys.exit(0 if flat and not Counts.errors and not died and code == 0 else 1)


if __name__ == "__main__":
    main()
