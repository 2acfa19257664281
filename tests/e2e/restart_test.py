"""What was acknowledged outlives the server: kill -9 in the middle of a game that five clients are
at, a disk that is full for a while, backup while people play, restore, and a folder of its own.

Usage: restart_test.py TRIQUETRAD TRIQUETRA SCHEMA_DIR [GAMES | --postgres]
With GAMES it plays so many games with kills and nothing else, and says how soon clients are back. With --postgres it
plays one whose log is in PostgreSQL, and kills the server and the database by turns.
"""
import asyncio
import json
import os
import random
import statistics
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import websockets

import postgres
import seed
import triquetrad
from frames import FrameSchemas
from player import Asking

SERVER, CLIENT, SCHEMAS = sys.argv[1:4]
PATIENCE_S = 60  # for a machine under load; nothing here measures time
CHANCE = random.Random(seed.take())
CHILDREN = []  # what must not outlive the test
HEARD = []  # every frame from a server, as text


class Server(triquetrad.Server):
    """A server on a port and a folder that stay the same, however often it starts."""

    def __init__(self, folder, *flags):
        super().__init__(SERVER, "--bot-delay-ms", "0", *(flags or ("--data", folder)), port=triquetrad.free_port(), patience_s=PATIENCE_S)
        self.folder = folder

    def start(self, *more_flags):
        super().start(*more_flags)
        CHILDREN.append(self.process)
        return self


class Person(Asking):
    """A player who comes back after every loss, and asks again what was not answered."""

    def __init__(self, server):
        super().__init__(f"r{CHANCE.random()}-", CHANCE)
        self.server, self.room_frame = server, None
        self.acked, self.views = {}, {}
        self.started, self.back = 0, {}  # since when the server is there again, and after what time who is

    async def connect(self):
        while True:
            try:
                self.ws = await websockets.connect(f"ws://127.0.0.1:{self.server.port}/ws",
                                                   compression=None, max_queue=None)
                break
            except OSError:
                await asyncio.sleep(0.05)
        hello = {"type": "hello", "protocol": 1, "name": "Ada"}
        if self.token:
            hello["token"] = self.token
        welcome = await self.must(hello)
        self.token = welcome.get("token", self.token)
        if self.room:
            assert {"room": self.room, "seat": 0} in welcome["seats"], welcome
            await self.must({"type": "join", "room": self.room})

    async def hear(self):
        HEARD.append(await asyncio.wait_for(self.ws.recv(), PATIENCE_S))
        frame = json.loads(HEARD[-1])
        if frame["type"] == "room":
            self.room_frame = frame
            here = [f"seat {seat['seat'] + 1}" for seat in frame["seats"] if seat.get("presence") == "here"]
            for who in here + ["spectator"] * (frame["watching"] > 0):
                self.back.setdefault(who, time.monotonic() - self.started)
        if frame["type"] == "view":
            frame.pop("left_ms", None)
            known = self.views.setdefault((frame["match"], frame["rev"]), frame)
            assert known == frame, "another view of the same moment"
            self.view = frame
        return frame

    async def answered(self, act):
        answer = await self.ask(act)
        if answer["type"] == "ok":
            self.acked[act["id"]] = (act, answer["rev"])
            self.pending = None
            self.has_done(answer["rev"])
        return answer

    async def check_answers(self):
        for act, rev in list(self.acked.values()):
            answer = await self.ask(act)
            assert answer.get("rev") == rev, ("another answer", answer, rev)


async def play_one(person):
    """One act, in another match if one is over."""
    while not (act := person.next_act()):
        if person.room_frame["status"] == "over":
            await person.must({"type": "rematch", "room": person.room})
            await person.must({"type": "start", "room": person.room})
        await person.hear()
    return await person.answered(act)


async def killed_in_the_middle(server, database=None):
    """In turns with the database, if the log is in one."""
    server.start()
    ada = Person(server)
    await ada.connect()
    ada.room = (await ada.must({"type": "create", "game": "triqueta", "seats": 5}))["room"]
    home = tempfile.mkdtemp()
    environment = {**os.environ, "XDG_CONFIG_HOME": home, "HOME": home,
                   "TRIQUETRA_SERVER": f"ws://127.0.0.1:{server.port}"}
    clients = [subprocess.Popen([CLIENT, "bot", ada.room, "--once", "--profile", f"bot{i}"],
                                env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
               for i in range(4)]
    watcher = subprocess.Popen([CLIENT, "watch", ada.room, "--json", "--profile", "watcher"],
                               env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    CHILDREN.extend([*clients, watcher])
    shown = []  # the views of the spectator

    def read_watcher():
        for line in watcher.stdout:
            if not line.startswith("{"):
                continue
            HEARD.append(line)
            if (frame := json.loads(line))["type"] == "view":
                shown.append(frame)

    threading.Thread(target=read_watcher, daemon=True).start()
    while not ada.room_frame or ada.room_frame["watching"] < 1 or \
            any(seat["kind"] == "empty" for seat in ada.room_frame["seats"]):
        await ada.hear()
    await ada.must({"type": "start", "room": ada.room})
    kills, next_kill, times = 0, 6, {}

    def note_times():
        for who, seconds in ada.back.items():
            times.setdefault(who, []).append(seconds)

    while ada.room_frame["status"] != "over":
        try:
            act = ada.next_act()
            if not act:
                await ada.hear()
                continue
            if act["decision"] >= next_kill:
                # In flight: sent, and nobody reads an answer.
                next_kill = act["decision"] + CHANCE.randint(6, 12)
                await ada.ws.send(json.dumps(act))
                await asyncio.sleep(CHANCE.random() * 0.01)
                if kills:
                    note_times()
                kills += 1
                if database and kills % 2 == 0:
                    database.kill()
                    await asyncio.to_thread(database.start)
                else:
                    server.kill()
                    server.start()
                    ada.started, ada.back = time.monotonic(), {}
                    await ada.connect()
                    await ada.check_answers()
            answer = await ada.answered(act)
            if database and answer.get("code") == "storage_unavailable":
                await asyncio.sleep(0.1)
            elif answer["type"] == "error":
                # Its first sending was accepted, or the decision is still open.
                raise AssertionError(("an act is refused", act, answer))
        except websockets.ConnectionClosed:
            await ada.connect()
    assert kills >= 2, kills
    note_times()
    await ada.check_answers()
    asked = {"type": "record", "room": ada.room, "match": ada.room_frame["match"]}
    # The log is read for it, and a database that was killed last may not be back yet.
    while (answer := await ada.ask(asked)).get("code") == "storage_unavailable" and database:
        await asyncio.sleep(0.1)
    assert answer["type"] == "ok", answer
    record = answer["record"]
    steps = {step["rev"]: step for step in record["steps"]}
    assert sorted(steps) == list(range(1, len(steps) + 1))
    for act, rev in ada.acked.values():
        assert steps[rev]["seat"] == 0 and steps[rev]["action"] == act["action"]
    mine = [step for step in record["steps"] if step["seat"] == 0]
    assert len(mine) == len(ada.acked), "an act that nobody made, or one made twice"
    for client in clients:
        assert client.wait(PATIENCE_S) == 0, "a client did not go on by itself"
    # What the spectator was shown is what everybody was shown.
    for _ in range(10 * PATIENCE_S):
        if shown and shown[-1]["rev"] == len(steps):
            break
        await asyncio.sleep(0.1)
    assert shown and shown[-1]["rev"] == len(steps), "the spectator did not come back"
    for view in shown:
        mine = ada.views.get((view["match"], view["rev"]))
        assert not mine or (mine["table"], mine["happened"]) == (view["table"], view["happened"])
    shutil.rmtree(home)
    print(f"killed {kills} times in a game of {len(steps)} steps: five clients went on; back at the table "
          "after seconds: " + "; ".join(f"{who} {' '.join(f'{t:.2f}' for t in times[who])}" for who in sorted(times)))
    return times


async def full_disk(server):
    """No file may grow: as on a full disk, and others can lift it while the server runs."""
    pid = server.process.pid

    def limit(most):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    ada = Person(server)
    await ada.connect()
    # Nobody is sent to a server that is not ready, so it must find out without anybody that it is again.
    limit(4096)
    answer = await ada.ask({"type": "create", "game": "triqueta"})
    assert answer["code"] == "storage_unavailable" and readiness(server) == 503, answer
    await asyncio.sleep(1.5)
    assert readiness(server) == 503, "a store that was tried and refuses still"
    limit(resource.RLIM_INFINITY)
    until = time.monotonic() + PATIENCE_S
    while readiness(server) != 200:
        assert time.monotonic() < until, "a store that takes everything again is not found out about"
        await asyncio.sleep(0.1)
    ada.room = (await ada.must({"type": "create", "game": "triqueta", "seats": 2}))["room"]
    await ada.must({"type": "add_bot", "room": ada.room})
    await ada.must({"type": "start", "room": ada.room})
    # The log of the file grows from where a start has emptied it.
    limit(4096)
    other = Person(server)
    await other.connect()
    refusals = 0
    while refusals < 5:
        # The bot's act waits for better times too.
        frame = ada.next_act()
        answer = await (ada.answered(frame) if frame else
                        other.ask({"type": "create", "game": "triqueta"}))
        if answer["type"] == "error":
            assert answer["code"] == "storage_unavailable", answer
            refusals += 1
    assert readiness(server) == 503
    limit(resource.RLIM_INFINITY)
    for _ in range(5):
        assert (await play_one(ada))["type"] == "ok", "it goes on without a restart"
    assert readiness(server) == 200
    server.kill()
    server.start()
    await ada.connect()
    await ada.check_answers()
    print("a full disk was told of, and the game went on when there was room again")


def overwritten_pages(folder):
    """A server starts whichever page of its database something else has been written over."""
    pages = os.path.getsize(f"{folder}/triquetra.db") // 4096
    for page in (0, 1, 2, 3, CHANCE.randrange(pages)):
        copy = f"{folder}-page-{page}"
        shutil.copytree(folder, copy)
        with open(f"{copy}/triquetra.db", "r+b") as file:
            file.seek(page * 4096)
            file.write(CHANCE.randbytes(4096))
        if page == 1:
            errand("--check-data", "--data", copy, good=False)
            assert "3 rooms are as they were" in errand("repair", "--data", copy)
        server = Server(copy).start()
        server.stop()
        assert "is whole" in errand("--check-data", "--data", copy)
        if page < 2:  # they hold what every database of ours holds, and where the logs are
            assert "3 rooms are as they were" in server.text() or page == 1, server.text()
            assert any(".damaged-" in name for name in os.listdir(copy)), os.listdir(copy)
        shutil.rmtree(copy)
    print("whichever page is overwritten, a server starts")


async def removed_folder(folder):
    """What is written to files that nobody finds again is not acknowledged."""
    server = Server(folder).start()
    ada = Person(server)
    await ada.connect()
    ada.room = (await ada.must({"type": "create", "game": "triqueta", "seats": 2}))["room"]
    bot = {"type": "add_bot", "room": ada.room}
    os.rename(folder, f"{folder}-moved")
    for _ in range(3):
        answer = await ada.ask(bot)
        assert answer.get("code") == "storage_unavailable", answer
    assert readiness(server) == 503
    os.rename(f"{folder}-moved", folder)
    assert (await ada.ask(bot))["type"] == "ok"
    assert readiness(server) == 200
    shutil.rmtree(folder)
    answer = await ada.ask({"type": "start", "room": ada.room})
    assert answer.get("code") == "storage_unavailable", answer
    assert readiness(server) == 503
    assert server.text().count("was removed, moved or replaced") == 2, server.text()
    server.stop()
    print("nothing is acknowledged while the folder is gone")


def readiness(server):
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{server.port}/readyz", timeout=PATIENCE_S).status
    except urllib.error.HTTPError as error:
        return error.code


def errand(*words, good=True):
    done = subprocess.run([SERVER, *words], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode == 0) == good, (words, done)
    return done.stdout + done.stderr


async def patient_clients():
    """At a server whose store takes nothing for a while: nobody gives up at hello, and a program not even
    after more refusals than a person would wait for."""
    refusals = {"hello": 0, "join": 0}

    async def serve(ws, path=None):
        async for text in ws:
            frame = json.loads(text)
            kind, most = frame["type"], {"hello": 2, "join": 22}.get(frame["type"], 0)
            if kind in refusals and refusals[kind] < most:
                refusals[kind] += 1
                answer = {"type": "error", "re": frame["id"], "code": "storage_unavailable", "args": {}}
            elif kind == "hello":
                answer = {"type": "welcome", "re": frame["id"], "protocol": 1, "player": "Ada", "token": "f" * 64,
                          "seats": [], "limits": {"frame_bytes": 16384, "depth": 16, "frames_per_second": 40,
                                                  "name_length": 24}, "server": {"name": "t", "version": "1"}}
            else:
                answer = {"type": "ok", "re": frame["id"], "room": "BCDFGH", "seat": 0}
            await ws.send(json.dumps(answer))
            if kind == "join" and answer["type"] == "ok":
                await ws.send(json.dumps({"type": "view", "room": "BCDFGH", "match": "f" * 32, "rev": 0,
                                          "decisions": [], "table": {}, "happened": []}))

    async with websockets.serve(serve, "127.0.0.1", 0) as server:
        home = tempfile.mkdtemp()
        bot = await asyncio.create_subprocess_exec(
            CLIENT, "bot", "BCDFGH", "--once", "--server", f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}",
            env={**os.environ, "XDG_STATE_HOME": home}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        assert await asyncio.wait_for(bot.wait(), 2 * PATIENCE_S) == 0
        shutil.rmtree(home)
    assert refusals == {"hello": 2, "join": 22}, refusals
    print("a client waits for a store that takes nothing for a while")


async def backup_and_restore(server, folder):
    ada = Person(server)
    await ada.connect()
    ada.room = (await ada.must({"type": "create", "game": "triqueta", "seats": 2}))["room"]
    await ada.must({"type": "add_bot", "room": ada.room})
    await ada.must({"type": "start", "room": ada.room})
    copies = []
    for i in range(12):
        answer = asyncio.create_task(play_one(ada))
        if i % 3 == 0:
            copy = f"{folder}-copy-{i}"
            known = dict(ada.acked)
            # A copy of the moment, whatever is written meanwhile.
            said = await asyncio.to_thread(errand, "backup", copy, "--data", folder)
            assert "is whole" in said
            copies.append((copy, known))
        assert (await answer)["type"] == "ok"
    assert "exists already" in errand("backup", copies[0][0], "--data", folder, good=False)
    assert "another server" in errand("--data", folder, "--port", "0", good=False)
    os.remove(f"{folder}/lock")
    assert "another server" in errand("--data", folder, "--port", "0", good=False), "the file itself has one server"
    assert "is whole" in errand("--check-data", "--data", folder)
    for copy, known in copies:
        again = Server(f"{copy}-restored")
        assert "is whole" in errand("restore", copy, "--data", again.folder)
        assert "exists already" in errand("restore", copy, "--data", again.folder, good=False)
        again.start()
        back = Person(again)
        back.token, back.room, back.acked = ada.token, ada.room, known
        await back.connect()
        await back.check_answers()
        again.stop()
        os.remove(copy)
        shutil.rmtree(again.folder)
    assert "which folder" in errand("--check-data", good=False)
    assert oct(os.stat(folder).st_mode & 0o777) == "0o700"
    assert all(os.stat(f"{folder}/{name}").st_mode & 0o077 == 0 for name in os.listdir(folder))
    print("backups were made while people played, and restored")


async def measure(games):
    times = {}
    for _ in range(games):
        base = tempfile.mkdtemp()
        server = Server(f"{base}/data")
        back = await killed_in_the_middle(server)
        server.stop()
        shutil.rmtree(base)
        for who, seconds in back.items():
            times.setdefault(who, []).extend(seconds)
    for who in sorted(times):
        print(f"{who}: {len(times[who])} times, median {statistics.median(times[who]):.2f} s, "
              f"longest {max(times[who]):.2f} s")


async def main():
    if sys.argv[4:] == ["--postgres"]:
        with postgres.Cluster("fsync=off") as database:
            server = Server(None, "--store", f"{database.url}&password=geheim-21")
            await killed_in_the_middle(server, database)
            server.stop()
            assert "geheim-21" not in server.text(), "the password is told"
            assert database.sql("games", "SELECT count(*) FROM triquetra.event WHERE seq = 0") == "1"
        return
    if len(sys.argv) > 4:
        return await measure(int(sys.argv[4]))
    waiting = asyncio.create_task(patient_clients())
    base = tempfile.mkdtemp()
    folder = f"{base}/data"
    server = Server(folder)
    await killed_in_the_middle(server)
    await full_disk(server)
    await backup_and_restore(server, folder)
    await removed_folder(f"{base}/removed")
    await waiting
    server.stop()
    assert re.search(r"whole: 3 rooms", errand("--check-data", "--data", folder))
    overwritten_pages(folder)
    with open(f"{folder}/triquetra.db", "r+b") as file:
        file.seek(2 * 4096)  # behind the pages that say what it is
        file.write(CHANCE.randbytes(os.path.getsize(file.name) - file.tell()))
    errand("--check-data", "--data", folder, good=False)
    shutil.rmtree(base)
    kinds = FrameSchemas(SCHEMAS).check(HEARD)
    assert {"welcome", "ok", "error", "room", "view"} <= kinds.keys(), kinds
    print("as the schemas say:", kinds)


try:
    asyncio.run(main())
finally:
    for child in CHILDREN:
        child.kill()
