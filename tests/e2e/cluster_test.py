"""Faults by chance while people, kits and bots play every game at servers that share a database: nothing that was acknowledged
is lost, nothing is there twice, nothing that was refused is there after all, and nobody sees two truths.

Usage: cluster_test.py TRIQUETRAD TRIQUETRA SOURCE_DIR [--servers N] [--faults N]
Three servers if they can share a database, else one; one fault of each kind, or so many in all. The long form is --faults 300.
"""
import argparse
import asyncio
import base64
import collections
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import websockets

import cluster
import seed

words = argparse.ArgumentParser()
words.add_argument("server")
words.add_argument("client")
words.add_argument("source", type=pathlib.Path)
words.add_argument("--servers", type=int)
words.add_argument("--faults", type=int)
ASKED = words.parse_args()
SOURCE = ASKED.source.resolve()
CHANCE = random.Random(seed.take())
PATIENCE_S = 60  # only a hang takes that long
LEASE_S = 3
ENVIRONMENT = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}
LATER = {"too_fast", "busy", "restarting", "storage_unavailable"}
CHILDREN = []


class Broken(AssertionError):
    """A promise that was not kept."""


class Witness:
    """All that anybody was shown of a room, and what was acknowledged; for all rooms."""

    def __init__(self):
        self.public = {}  # (room, match, rev): what everybody sees
        self.own = {}  # the same with a seat
        self.acked = {}  # (room, id): (player's name, frame, rev)
        self.refused = {}  # (room, id): the last code
        self.matches = collections.defaultdict(list)  # room: in the order in which they were seen

    def saw(self, who, frame):
        key = frame["room"], frame["match"], frame["rev"]
        shown = json.dumps([frame["table"], frame["happened"]], sort_keys=True)
        if self.public.setdefault(key, shown) != shown:
            raise Broken(f"two truths of the same moment: {key}\n{self.public[key]}\n{shown}")
        mine = {name: value for name, value in frame.items() if name not in ("left_ms", "legal")}
        if self.own.setdefault((*key, who), mine) != mine:
            raise Broken(f"{who} saw two truths of the same moment: {key}\n{self.own[(*key, who)]}\n{mine}")
        if frame["match"] not in self.matches[frame["room"]]:
            self.matches[frame["room"]].append(frame["match"])

    def answered(self, who, frame, answer):
        key = frame["room"], frame["id"]
        if answer["type"] == "ok":
            known = self.acked.setdefault(key, (who, frame, answer["rev"]))
            if known[2] != answer["rev"]:
                raise Broken(f"another answer to {key}: {known[2]} and {answer['rev']}")
        elif answer["code"] not in LATER:
            self.refused[key] = answer["code"]


WITNESS = Witness()


class Person:
    """Plays a seat, comes back by itself after every loss, asks again what was not answered, and goes backward never."""

    def __init__(self, name, url):
        self.name, self.url, self.token, self.room, self.ws, self.count = name, url, None, None, None, 0
        self.view, self.table, self.acts = None, None, 0
        self.is_host = name.endswith("host")
        self.newest = (-1, -1)  # number of the match, and its revision
        self.losses, self.last, self.heard_at = 0, None, 0.0

    def state(self):
        """For whoever looks why it does not go on."""
        return f"{self.name}: lost {self.losses} lines, {'on' if self.ws else 'off'} line, at {self.newest}, last {self.last}, room {self.table}"

    async def connect(self):
        """Until it is in its room."""
        while True:
            try:
                path = f"/ws/{self.room}" if self.room else "/ws"
                self.ws = await asyncio.wait_for(
                    websockets.connect(self.url + path, compression=None, max_queue=None, ping_interval=None), 10)
                hello = {"type": "hello", "protocol": 1, "name": self.name, **({"token": self.token} if self.token else {})}
                welcome = await self.must(hello)
                self.token = welcome.get("token", self.token)
                if self.room:
                    if not any(seat["room"] == self.room for seat in welcome["seats"]):
                        raise Broken(f"{self.name} has no seat in {self.room} any more: {welcome}")
                    await self.must({"type": "join", "room": self.room})
                return
            except (OSError, asyncio.TimeoutError, websockets.WebSocketException):
                await self.lose()

    async def lose(self):
        self.losses += 1
        if self.ws:
            self.ws.fail_connection()
            self.ws = None
        self.view = None
        await asyncio.sleep(0.1 + 0.3 * random.random())

    async def hear(self, patience_s=10):
        frame = json.loads(await asyncio.wait_for(self.ws.recv(), patience_s))
        self.last, kind, self.heard_at = json.dumps(frame)[:300], frame["type"], time.monotonic()
        if kind == "room":
            self.table = frame
        elif kind == "view":
            WITNESS.saw(self.name, frame)
            moment = WITNESS.matches[frame["room"]].index(frame["match"]), frame["rev"]
            if moment < self.newest:
                raise Broken(f"{self.name} went from {self.newest} back to {moment} in {frame['room']}")
            self.newest, self.view = moment, frame
        return frame

    async def once(self, frame):
        await self.ws.send(json.dumps(frame))
        while (answer := await self.hear()).get("re") != frame["id"]:
            pass
        return answer

    async def must(self, frame, fine=()):
        """On this connection; refusals of `fine` are a yes."""
        self.count += 1
        frame = {"id": f"{self.name}-{self.count}", **frame}
        while True:
            answer = await self.once(frame)
            if answer["type"] != "error" or answer["code"] in fine:
                return answer
            if answer["code"] not in LATER:
                raise Broken(f"{self.name} asked {frame} and heard {answer}")
            await asyncio.sleep(min(1, answer["args"].get("retry_ms", 200) / 1000))

    async def always(self, frame, fine=()):
        """Over as many connections as it takes, under one id."""
        self.count += 1
        frame = {"id": f"{self.name}-{self.count}", **frame}
        while True:
            if not self.ws:
                await self.connect()
            try:
                return await self.must(frame, fine)
            except (OSError, asyncio.TimeoutError, websockets.WebSocketException):
                await self.lose()

    async def hear_on(self):
        """A frame, over as many connections as it takes."""
        try:
            if not self.ws:
                await self.connect()
            return await self.hear(PATIENCE_S)
        except (OSError, asyncio.TimeoutError, websockets.WebSocketException):
            await self.lose()

    def next_act(self):
        if not (self.view and self.view["legal"]):
            return None
        view, self.view = self.view, None
        decision = [d["id"] for d in view["decisions"] if view["seat"] in d["seats"]][0]
        self.count += 1
        return {"type": "act", "id": f"{self.name}-{self.count}", "room": self.room, "match": view["match"], "decision": decision,
                "action": CHANCE.choice(view["legal"])["action"]}

    async def play(self, is_over):
        """Match after match, until one is over, and is_over(); a guest may have missed that it was before it opened again."""
        pending = None
        while True:
            try:
                if not self.ws:
                    await self.connect()
                status = self.table["status"] if self.table and not pending else None
                # Whose start is on its way has not heard of the match yet.
                if is_over() and (status == "over" or (status == "open" and not self.is_host)):
                    return
                if status in ("over", "open") and self.is_host:
                    # Open also when a start was called off: somebody was away who had promised something for the deal.
                    asked, fine = ("rematch", "not_over") if status == "over" else ("start", "already_started")
                    self.table = None  # until the room says more than what was asked about
                    await self.must({"type": asked, "room": self.room}, (fine,))
                    continue
                pending = pending or self.next_act()
                if not pending:
                    try:
                        await self.hear(1)
                    except asyncio.TimeoutError:
                        if time.monotonic() > self.heard_at + PATIENCE_S:
                            await self.lose()
                    continue
                answer = await self.once(pending)
                WITNESS.answered(self.name, pending, answer)
                if answer["type"] == "error" and answer["code"] in LATER:
                    await asyncio.sleep(min(1, answer["args"].get("retry_ms", 200) / 1000))
                    continue
                self.acts += answer["type"] == "ok"
                pending = None
            except (OSError, asyncio.TimeoutError, websockets.WebSocketException):
                await self.lose()


async def spectate(room, url, home, stop):
    """`triquetra watch` hears what everybody hears."""
    child = await asyncio.create_subprocess_exec(
        ASKED.client, "watch", room, "--json", "--server", url, env={**ENVIRONMENT, "XDG_STATE_HOME": home}, limit=1 << 22,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
    CHILDREN.append(child)
    newest = (-1, -1)
    CHILDREN[-1].name, CHILDREN[-1].said = ("triquetra", "watch"), os.devnull
    while line := await child.stdout.readline():
        frame = json.loads(line) if line.startswith(b"{") else {}
        if frame.get("type") == "view":
            WITNESS.saw("the spectator", frame)
            moment = WITNESS.matches[room].index(frame["match"]), frame["rev"]
            if moment < newest:
                raise Broken(f"the spectator of {room} went from {newest} back to {moment}")
            newest = moment
    if not stop.is_set():
        raise Broken(f"the spectator of {room} gave up")


TABLES = [("triqueta", {"variant": "base"}), ("triqueta", {"variant": "wolves"}), ("mayhem", {}), ("card_triangles", {})]


async def seat_clients(url, room, home, index):
    """Those that play on by themselves: both kits, and the terminal client."""
    environment = {**ENVIRONMENT, "XDG_STATE_HOME": f"{home}/{index}", "TRIQUETRA_SERVER": url}
    kit = SOURCE / "clients/sdk"
    words = ["--server", url, "--matches", "0", "--json", room]
    programs = [seed.python(kit / "python/random_bot.py") + words, seed.node(kit / "javascript/random_bot.mjs") + words,
                [ASKED.client, "bot", room]]
    for program in programs:
        log = open(f"{home}/client-{index}-{len(CHILDREN)}", "w")
        CHILDREN.append(await asyncio.create_subprocess_exec(
            *program, env=environment, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log))
        CHILDREN[-1].name, CHILDREN[-1].said = program[-2:], log.name


async def open_table(url, index, home, stop):
    """Two persons and three clients at a table, and somebody who watches."""
    game, options = TABLES[index]
    host, guest = Person(f"{game}{index}host", url), Person(f"{game}{index}guest", url)
    host.room = (await host.always({"type": "create", "game": game, "options": options, "seats": 5}))["room"]
    await guest.always({"type": "join", "room": host.room})
    guest.room = host.room
    await seat_clients(url, host.room, home, index)
    while not host.table or any(seat["kind"] == "empty" for seat in host.table["seats"]):
        await host.hear_on()
    await host.always({"type": "start", "room": host.room}, ("already_started",))
    watching = asyncio.create_task(spectate(host.room, url, f"{home}/watch{index}", stop))
    return [host, guest], watching


# --- Faults

class Faults:
    def __init__(self, machine):
        self.machine, self.done = machine, collections.Counter()
        self.kinds = [self.kill, self.freeze, self.cut_off, self.fail_over, self.roll]

    async def at_once(self, kind):
        print(f"  {kind.__name__}", end="", flush=True)
        start = time.monotonic()
        await kind()
        self.done[kind.__name__] += 1
        print(f" {time.monotonic() - start:.1f} s", flush=True)

    def some_server(self):
        return CHANCE.choice(self.machine.servers)

    async def kill(self):
        server = self.some_server()
        server.kill()
        await asyncio.sleep(CHANCE.random() * 2 * LEASE_S if len(self.machine.servers) > 1 else 0)
        await asyncio.to_thread(server.start)

    async def freeze(self):
        """For longer than a lease, and back: it must not go on where it stood."""
        server = self.some_server()
        server.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(LEASE_S * (1.2 + CHANCE.random()))
        server.process.send_signal(signal.SIGCONT)

    async def cut_off(self):
        """What is under way to the database and back is lost, and nothing new gets there."""
        line = CHANCE.choice(self.machine.lines)
        line.cut()
        await asyncio.sleep(LEASE_S * (0.3 + 1.5 * CHANCE.random()))
        line.mend()

    async def fail_over(self):
        await asyncio.to_thread(self.machine.databases.fail_over)

    async def roll(self):
        for server in self.machine.servers:
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)


async def cause(faults, count, alive):
    kinds = list(faults.kinds)
    CHANCE.shuffle(kinds)
    for number in range(count):
        await asyncio.sleep(0.5 + 1.5 * CHANCE.random())
        alive()
        await faults.at_once(kinds[number] if number < len(kinds) else CHANCE.choice(faults.kinds))


# --- Afterwards

def logs_of(databases):
    """The records of each room, read from the database without a server."""
    rows = databases.sql(databases.primary, "SELECT room, seq, start, total, encode(data, 'base64') FROM triquetra.event ORDER BY room, seq")
    logs = collections.defaultdict(list)
    text = ""
    # base64 of PostgreSQL has line breaks.
    for line in re.sub(r"\n(?![A-Z0-9]+\|\d+\|\d+\|\d+\|)", "", rows).splitlines():
        room, _, start, total, text = line.split("|")
        del logs[room][int(start):]
        logs[room] += map(json.loads, base64.b64decode(text).decode().splitlines())
        assert len(logs[room]) == int(total), "a log has a gap"
    return logs


def hold_against_logs(logs, rooms):
    """0 lost, 0 doubled, 0 refused and yet done; one line of revisions in each match."""
    found = collections.Counter()
    for room in rooms:
        acts, by_id, revision = [], {}, 0
        for record in logs[room]:
            if record["record"] == "started":
                revision = 0
            if record["record"] in ("acted", "lapsed"):
                revision += 1
                if record["rev"] != revision:
                    raise Broken(f"{room}: {record} comes where {revision} is due")
            if record["record"] == "acted" and record["by"] == "player":
                acts.append(record)
        persons = {id.rsplit("-", 1)[0] for at, id in WITNESS.acked if at == room}
        for record in acts:
            if record["id"].rsplit("-", 1)[0] not in persons:
                continue  # of a client whose answers only itself knows
            if record["id"] in by_id:
                raise Broken(f"{room}: doubled: {record}")
            by_id[record["id"]] = record
            if (room, record["id"]) in WITNESS.refused and (room, record["id"]) not in WITNESS.acked:
                raise Broken(f"{room}: refused with {WITNESS.refused[(room, record['id'])]}, and yet done: {record}")
            if (room, record["id"]) not in WITNESS.acked:
                raise Broken(f"{room}: done, and nobody was told: {record}")
        for (at, id), (_, frame, rev) in WITNESS.acked.items():
            if at != room:
                continue
            record = by_id.get(id)
            if not record or record["rev"] != rev or json.loads(record["action"]) != frame["action"]:
                raise Broken(f"{room}: lost: {frame} was acknowledged as {rev}, and the log has {record}")
            found["acts acknowledged"] += 1
        found["acts of others"] += len(acts) - len(by_id)
    return found


def a_checker_that_sees_nothing_is_found_out(logs, rooms):
    """What must never be is planted, in a copy: each must be seen."""
    room, name = CHANCE.choice(list(WITNESS.acked))
    place = next(i for i, record in enumerate(logs[room]) if record.get("id") == name)
    log = logs[room]
    another = {**log[place], "id": f"{name}0"}
    planted = {
        "lost": log[:place] + log[place + 1:],
        "lost, and its place is taken": log[:place] + [another] + log[place + 1:],
        "doubled": log[:place + 1] + log[place:],
        "doubled in another place": log + [{"record": "started"}, {**log[place], "rev": 1}],
        "another act": log[:place] + [{**log[place], "action": '{"do":"nothing"}'}] + log[place + 1:],
    }
    for what, copy in planted.items():
        try:
            hold_against_logs({**logs, room: copy}, rooms)
        except Broken:
            continue
        raise AssertionError(f"the checker does not see what is {what}")
    key = CHANCE.choice(list(WITNESS.public))
    shown = dict(zip(("table", "happened"), json.loads(WITNESS.public[key])))
    try:
        WITNESS.saw("nobody", {"type": "view", "room": key[0], "match": key[1], "rev": key[2], **shown, "table": {"other": 1}})
    except Broken:
        return
    raise AssertionError("the checker does not see two truths")


async def records_verify(people, home):
    count = 0
    for person in people:
        if not person.is_host:
            continue
        # The last few: older ones may have made way.
        for match in WITNESS.matches[person.room][-3:]:
            answer = await person.always({"type": "record", "room": person.room, "match": match}, ("no_such_match", "not_over"))
            if answer["type"] == "error":
                continue
            file = f"{home}/{match}.json"
            with open(file, "w") as out:
                json.dump(answer["record"], out)
            verdict = await asyncio.to_thread(subprocess.run, [ASKED.client, "verify", file], capture_output=True, text=True)
            if verdict.returncode:
                raise Broken(f"{verdict.stdout}{verdict.stderr}")
            count += 1
    assert count >= len(TABLES), count
    return count


async def evening(home):
    knows_others = "--link-address" in subprocess.run([ASKED.server, "--help-all"], capture_output=True, text=True).stdout
    count = ASKED.servers or (3 if knows_others else 1)
    with cluster.Cluster(ASKED.server, f"{home}/machine", count, "--bot-delay-ms", "0", settings=("fsync=off",), lines=True) as machine:
        stop, faults = asyncio.Event(), Faults(machine)
        tables = [await open_table(machine.url, index, home, stop) for index in range(len(TABLES))]
        people = [person for persons, _ in tables for person in persons]
        watching = [task for _, task in tables]
        playing = []
        for person in people:
            # No match begins without its host, so a guest stays for as long.
            is_over = stop.is_set if person.is_host else playing[-1].done
            playing.append(asyncio.create_task(person.play(is_over)))

        def alive():
            for task in playing + watching:
                if task.done():
                    task.result()
                    raise Broken("somebody has ended too soon")
            for child in CHILDREN:
                if child.returncode is not None:
                    raise Broken(f"a client gave up with {child.returncode}: {child.name}\n{open(child.said).read()[-2000:]}")

        await cause(faults, ASKED.faults or len(faults.kinds), alive)
        acts = sum(person.acts for person in people)
        # When faults stop everybody goes on, without anybody's help.
        before = [person.acts for person in people]
        end = time.monotonic() + PATIENCE_S
        while any(person.acts == then for person, then in zip(people, before)):
            alive()
            assert time.monotonic() < end, "\n".join(person.state() for person, then in zip(people, before) if person.acts == then)
            await asyncio.sleep(0.1)
        stop.set()
        # A match by chance may take a thousand acts and more.
        done, late = await asyncio.wait(playing, timeout=3 * PATIENCE_S)
        for task in done:
            task.result()
        assert not late, "a match does not come to its end:\n" + "\n".join(person.state() for person in people)
        for task in watching:
            if task.done():
                task.result()
        verified = await records_verify(people, home)
        logs, rooms = logs_of(machine.databases), [person.room for person in people if person.is_host]
        found = hold_against_logs(logs, rooms)
        a_checker_that_sees_nothing_is_found_out(logs, rooms)
        matches = sum(map(len, WITNESS.matches.values()))
        print(f"{count} servers, {sum(faults.done.values())} faults {dict(faults.done)}: {dict(found)}, {len(WITNESS.public)} moments seen "
              f"in {matches} matches, {verified} records verified, {sum(person.losses for person in people)} lines lost by {len(people)} "
              f"people; 0 lost, 0 doubled, 0 refused and yet done, one truth each", flush=True)
        assert found["acts acknowledged"] >= acts > 0 and found["acts of others"] > 0


async def main():
    home = tempfile.mkdtemp(prefix="triquetra-cluster-")
    os.chmod(home, 0o711)
    try:
        await evening(home)
    finally:
        for child in CHILDREN:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
        shutil.rmtree(home, ignore_errors=True)


asyncio.run(main())
