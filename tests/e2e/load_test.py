"""Many rooms of bots at once on one server, over real sockets: every game and variant, match after
match. The server must stay silent about itself (under a sanitizer: without a report), answer every
bot as its kit expects, and have given its memory back when the rooms are closed.

A short look by default; TRIQUETRA_LOAD_ROOMS=100 TRIQUETRA_LOAD_SECONDS=300 is the long one.

usage: load_test.py TRIQUETRAD TRIQUETRA SOURCE_DIR
"""
import asyncio
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SERVER, CLIENT, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
sys.path.insert(0, str(SOURCE / "clients" / "sdk" / "python"))

import seed  # noqa: E402
import triquetrad  # noqa: E402
from random_bot import RandomBot  # noqa: E402
from triquetra_bot import Refused  # noqa: E402

seed.take()
ROOMS = int(os.environ.get("TRIQUETRA_LOAD_ROOMS", "10"))
SECONDS = float(os.environ.get("TRIQUETRA_LOAD_SECONDS", "5"))
PATIENCE_S = 300  # only a hang takes that long
# As in bots_test: where somebody else may be faster.
HARMLESS = {"too_late", "not_your_turn", "overtaken", "no_such_match", "not_over"}
TABLES = [("triqueta", {"variant": "base"}, 5), ("triqueta", {"variant": "wolves"}, 4),
          ("triqueta", {"variant": "duo"}, 2), ("mayhem", {"window_ms": 200}, 4),
          ("card_triangles", {}, 3)]
# What a wave may leave behind: SQLite's cache of 2 MiB, and the names of its closed rooms and players.
# A room that stays has some hundred KiB.
SPARE_KIB = 2048 + 512 + 4 * ROOMS


class Server(triquetrad.Server):
    """One whose rooms an operator can close."""

    def __init__(self, folder):
        token = os.path.join(folder, "token")
        pathlib.Path(token).write_text("load-test-" * 4)
        os.chmod(token, 0o600)
        super().__init__(SERVER, "--bot-delay-ms", "0", "--data", os.path.join(folder, "data"),
                         "--unlimited-addresses", "127.0.0.1", "--metrics-listen", "127.0.0.1:0",
                         "--admin-token-file", token, patience_s=PATIENCE_S)
        self.token = token

    def rooms(self):
        return [room["room"] for room in json.loads(self.admin("rooms"))["rooms"]]

    def close_rooms(self):
        """Closes all rooms, and waits for the memory to settle."""
        for room in self.rooms():
            self.admin("close", room)
        until = time.monotonic() + PATIENCE_S
        while self.rooms():  # one whose act is just being kept closes after that
            assert time.monotonic() < until
            time.sleep(0.1)
        least = self.memory_kib()
        for _ in range(10):
            time.sleep(0.5)
            least = min(least, self.memory_kib())
        return least

    def admin(self, *words):
        return subprocess.check_output([CLIENT, "admin", "--at", self.operators, "--token-file", self.token, *words])

    def stop(self):
        assert self.process.poll() is None, self.text()[-5000:]
        super().stop()
        text = self.text()
        assert "Sanitizer" not in text and "runtime error" not in text, text[-5000:]


class Bot(RandomBot):
    """Counts matches, and leaves with the match in which the time is up."""

    counts = collections.Counter()
    until = 0.0

    def __init__(self, server):
        super().__init__(server)
        self.code = asyncio.get_running_loop().create_future()
        self.finished = asyncio.Event()

    def on_room(self, room):
        if not self.code.done():
            self.code.set_result(room["room"])

    def on_over(self, record):
        self.records.clear()
        if time.monotonic() > Bot.until:
            self.finished.set()


async def table(server, number):
    """One table: match after match until the time is up."""
    game, options, seats = TABLES[number % len(TABLES)]
    host = Bot(server.url)
    bots = [host, *(Bot(server.url) for _ in range(seats - 1))]
    playing = [asyncio.create_task(host.play(
        create={"game": game, "options": options, "seats": seats}, matches=0))]
    code = await asyncio.wait_for(asyncio.shield(host.code), PATIENCE_S)
    playing += [asyncio.create_task(bot.play(code, matches=0)) for bot in bots[1:]]
    last = asyncio.gather(*(bot.finished.wait() for bot in bots))
    done, _ = await asyncio.wait([last, *playing], return_when=asyncio.FIRST_COMPLETED,
                                 timeout=SECONDS + PATIENCE_S)
    assert last in done, [each for each in playing if each.done()]
    for each in playing:
        each.cancel()
    results = await asyncio.gather(*playing, return_exceptions=True)
    assert not [each for each in results if isinstance(each, Refused)], results
    for bot in bots:
        Bot.counts["acts"] += bot.acts
        assert set(bot.refusals) <= HARMLESS, bot.refusals
    return seats


async def wave(server, seconds):
    Bot.until = time.monotonic() + seconds
    seated = await asyncio.gather(*(table(server, number) for number in range(ROOMS)))
    return sum(seated)


def main():
    with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
        # What a first crowd leaves behind, in pools and tables, is where a second one has to end.
        asyncio.run(wave(server, 0))
        before = server.close_rooms()
        Bot.counts.clear()
        bots = asyncio.run(wave(server, SECONDS))
        most = server.memory_kib()
        after = server.close_rooms()
    print(f"{ROOMS} rooms, {bots} bots, {Bot.counts['acts']} acts; memory {before} KiB before, {most} KiB at the "
          f"end of the play, {after} KiB when the rooms were closed")
    assert Bot.counts["acts"] > 0
    assert after < before + SPARE_KIB, "memory does not come back"


main()
