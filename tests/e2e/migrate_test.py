"""A game goes on in another store: from a file into PostgreSQL in the middle of a match, and back, with the same tokens.

Usage: migrate_test.py TRIQUETRAD
"""
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile

import websockets

import postgres
import seed
import triquetrad
from player import Asking

SERVER = sys.argv[1]
PATIENCE_S = 60  # only a hang takes that long
CHANCE = random.Random(seed.take())


class Player(Asking):
    """Plays one seat, over as many servers as there are."""

    def __init__(self, name):
        super().__init__(name, CHANCE)
        self.acked = []

    async def come(self, server, room=None):
        self.ws, self.view = await websockets.connect(f"{server.url}/ws", compression=None, max_queue=None), None
        hello = {"type": "hello", "protocol": 1, "name": self.name}
        welcome = await self.must({**hello, "token": self.token} if self.token else hello)
        self.token = welcome.get("token", self.token)
        if room:
            assert [seat["room"] for seat in welcome["seats"]] == [room], welcome
            await self.must({"type": "join", "room": room})

    async def hear(self):
        frame = json.loads(await asyncio.wait_for(self.ws.recv(), PATIENCE_S))
        if frame["type"] == "view":
            self.view = frame
        if frame["type"] == "room":
            self.frame, self.room = frame, frame["room"]
        return frame

    def asked(self):
        return self.view and self.view["legal"]

    async def act(self):
        act, self.pending = self.next_act(), None
        answer = await self.ask(act)
        # Somebody else was faster, and the view of that is on its way.
        if answer.get("code") == "too_late":
            return
        assert answer["type"] == "ok", (act, answer)
        self.has_done(answer["rev"])
        self.acked.append((act, answer["rev"]))


async def play(players, acts):
    """So many acts by two people, or until the match is over."""
    for _ in range(acts):
        while not (now := [player for player in players if player.asked()]):
            if players[0].frame["status"] == "over":
                return
            # Whoever is asked next hears of it, but who that is nobody else knows.
            waiting = [asyncio.create_task(player.hear()) for player in players]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        await CHANCE.choice(now).act()


def errand(*words, good=True):
    done = subprocess.run([SERVER, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode == 0) == good, (words, done)
    return done.stdout + done.stderr


async def main():
    with tempfile.TemporaryDirectory() as base, postgres.Cluster("fsync=off") as database:
        stores = [("--data", f"{base}/first"), ("--store", database.url), ("--data", f"{base}/second")]
        ada, bob = players = [Player("Ada"), Player("Bob")]
        room = None
        for i, (flag, store) in enumerate(stores):
            with triquetrad.Server(SERVER, "--bot-delay-ms", "0", flag, store) as server:
                if not room:
                    await ada.come(server)
                    room = (await ada.must({"type": "create", "game": "triqueta", "seats": 3}))["room"]
                    await bob.come(server)
                    await bob.must({"type": "join", "room": room})
                    await ada.must({"type": "add_bot", "room": room})
                    await ada.must({"type": "start", "room": room})
                else:
                    await asyncio.gather(*(player.come(server, room) for player in players))
                    # What was acknowledged there is here, and done once.
                    for player in players:
                        for act, rev in player.acked:
                            assert (await player.must(act))["rev"] == rev
                await play(players, 12 if i < 2 else 1000)
                if i < 2:
                    used = errand("migrate", "--from", store, "--to", f"{base}/used", good=False)
                    assert "another server" in used, used
                else:
                    record = (await ada.must({"type": "record", "room": room, "match": ada.frame["match"]}))["record"]
                    steps = {step["rev"]: step for step in record["steps"]}
                    for seat, player in enumerate(players):
                        mine = [step for step in record["steps"] if step["seat"] == seat]
                        assert len(mine) == len(player.acked), "an act got lost, or was made twice"
                        assert all(steps[rev]["action"] == act["action"] for act, rev in player.acked)
                    with open(f"{base}/record.json", "w") as file:
                        json.dump(record, file)
                for player in players:
                    await player.ws.close()
            if i < 2:
                if i == 1:  # what a move that was killed leaves behind
                    os.mkdir(f"{base}/second")
                    with open(f"{base}/second/triquetra.db.half", "w") as half:
                        half.write("half a file")
                told = errand("migrate", "--from", store, "--to", stores[i + 1][1])
                assert told.startswith("1 room with ") and "2 players" in told, told
                again = errand("migrate", "--from", store, "--to", stores[i + 1][1], good=False)
                assert "already" in again, again
        assert "is whole: 1 rooms" in errand("--check-data", "--data", f"{base}/second")
        if len(sys.argv) > 2:
            print(subprocess.run([sys.argv[2], "verify", f"{base}/record.json"], check=True, capture_output=True, text=True).stdout)
        # A later version's.
        database.sql("games", "INSERT INTO triquetra.migration (number) VALUES (999)")
        later = errand("migrate", "--from", database.url, "--to", f"{base}/third", good=False)
        assert "format 999" in later and not os.path.exists(f"{base}/third/triquetra.db"), later
        nothing = errand("migrate", "--from", f"{base}/nowhere", "--to", f"{base}/third", good=False)
        assert "nothing is kept" in nothing, nothing
    print(f"a match of {len(steps)} steps was played in three stores, one after the other")


asyncio.run(main())
