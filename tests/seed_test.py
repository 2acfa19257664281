"""A test that fails says which chance has led to it, and the words that it prints play the same again: in C++, in
Python, and of a server that a test starts. Released servers are built without all that.

Usage: seed_test.py LAWS_TEST TRIQUETRAD SOURCE_DIR
"""
import asyncio
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import websockets

LAWS_TEST, SERVER, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))

from triquetrad import Server  # noqa: E402

PATIENCE_S = 60  # only a hang takes that long
FAILS = """
import random, sys, threading
sys.path.insert(0, sys.argv[1])
import seed
seed.take()
def fail():
    raise AssertionError(f"drawn: {random.random()}")
thread = threading.Thread(target=fail)
thread.start() if len(sys.argv) > 2 else fail()
thread.join()
"""


def said_of(words, **variables):
    """All that a program says that must fail; or that need not, where only a thread of it does."""
    environment = {key: value for key, value in os.environ.items() if key != "TRIQUETRA_SEED"}
    done = subprocess.run(words, env={**environment, **variables}, shell=isinstance(words, str), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S, check=False)
    return done.stdout


def check_again(words):
    """Both at the beginning and with the failure stands the seed; what is printed there fails in the same way."""
    first = said_of(words)
    told = re.findall(r"^seed (\d+) \(again: (TRIQUETRA_SEED=\1 .*)\)$", first, re.MULTILINE)
    assert len(told) >= 2 and len({number for number, _ in told}) == 1, first
    again = said_of(told[-1][1])
    drawn = r"drawn: \S+|CHECK\( \d+ != \d+ \)"
    assert re.findall(drawn, first) and re.findall(drawn, first) == re.findall(drawn, again), (first, again)
    assert re.findall(drawn, said_of(words)) != re.findall(drawn, first), "a fresh number is the same again"
    assert f"seed 5 (again: TRIQUETRA_SEED=5 " in said_of(words, TRIQUETRA_SEED="5")


async def room_at(server):
    """What chance gives of a room: its code, its match and the promise of its shuffle."""
    async with websockets.connect(f"{server.url}/ws") as ws:
        for frame in ({"type": "hello", "protocol": 1}, {"type": "create", "game": "triqueta"}):
            await ws.send(json.dumps({"id": "1", **frame}))
        while True:
            frame = json.loads(await asyncio.wait_for(ws.recv(), PATIENCE_S))
            if frame["type"] == "room":
                return frame["room"], frame["match"], frame["commitment"]


def rooms(*flags):
    """Of one server."""
    with Server(SERVER, *flags) as server:
        assert ("whoever knows the test seed knows every deal" in server.text()) == bool(flags)
        return [asyncio.run(room_at(server)) for _ in range(2)]


def check_server():
    first = rooms("--test-seed", "5")
    assert first == rooms("--test-seed", "5")
    for others in (first[1:], rooms("--test-seed", "6"), rooms(), rooms()):
        assert not set(sum(first[:1], ())) & set(sum(others, ())), (first, others)


def check_release():
    presets = json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]
    release, = (preset for preset in presets if preset["name"] == "release")
    assert release["cacheVariables"]["TRIQUETRA_TESTS"] == "OFF"


check_again([LAWS_TEST, "--no-skip", "--test-case=a canary: a failure tells the seed that led to it"])
with tempfile.TemporaryDirectory() as folder:
    script = pathlib.Path(folder) / "fails.py"
    script.write_text(FAILS)
    check_again([sys.executable, str(script), str(SOURCE / "tests" / "e2e")])
    check_again([sys.executable, str(script), str(SOURCE / "tests" / "e2e"), "in a thread"])
check_server()
check_release()
print("failures tell their seed, and can be had again")
