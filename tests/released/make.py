"""Makes a data folder with rooms of every game and in every stage, and writes down what its server sends of it.

Usage: make.py TRIQUETRAD TRIQUETRA FOLDER

FOLDER gets triquetra.db, as a host has it, and sent.json: the tokens of the players, and what everybody is sent
who comes back to the rooms at another start of the same server. Takes two minutes: who may be covered has to be
away for one.
"""
import asyncio
import hashlib
import json
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import visit
from visit import Guest, come_in, differences, lasting, parts

SERVER, CLIENT, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
DICE = random.Random(1)
PLAYERS = {}  # by name: the token
ENTROPY = hashlib.sha256(b"what a player adds to the shuffle").hexdigest()
ENTROPY_HASH = hashlib.sha256(bytes.fromhex(ENTROPY)).hexdigest()
REPLAYED = 2  # steps of a match that are asked for: each has kilobytes


class Table:
    """A room, from its making to where it is left. The first of the people made it."""

    def __init__(self, at, stage, people):
        self.at, self.stage, self.people = at, stage, people
        self.guests, self.gone, self.more = {}, [], {}
        self.asked, self.acts, self.finished = [], {}, []

    async def open(self, bots, entropy, **create):
        self.with_entropy = entropy
        if "password" in create:
            self.more["password"] = create["password"]
        for name in self.people:
            is_first = name == self.people[0]
            frame = {"type": "create", "id": self.stage[:64], **create} if is_first else \
                {"type": "join", "id": "sit down", "room": self.code}
            if "password" in create:
                frame["password"] = create["password"]
            if name in entropy:
                frame["entropy_hash"] = ENTROPY_HASH
            guest = self.guests[name] = await Guest(self.at).open(
                name=name, bot=name == "Robo", **({"token": PLAYERS[name]["token"]} if name in PLAYERS else {}))
            PLAYERS.setdefault(name, {"token": guest.welcome.get("token")})
            self.code = (await guest.must(frame))["room"]
            if is_first:
                self.asked.append({"who": name, "frame": frame})
        for number, level in enumerate(bots):
            frame = {"type": "add_bot", "id": f"bot {number}", "room": self.code, "level": level}
            await self.must(self.people[0], frame)
            self.asked.append({"who": self.people[0], "frame": frame})

    async def must(self, name, frame):
        return await self.guests[name].must({"room": self.code, **frame})

    async def hear(self, there):
        for guest in self.guests.values():
            await guest.until(lambda guest=guest: guest.room and there(guest))

    async def start(self, unopened=()):
        await self.must(self.people[0], {"type": "start"})
        for name in self.with_entropy:
            if name not in unopened:
                await self.must(name, {"type": "reveal_entropy", "entropy": ENTROPY})
        status = "starting" if unopened else "playing"
        await self.hear(lambda guest: guest.room["status"] == status)
        if not unopened:
            await self.hear(lambda guest: guest.view and guest.view["match"] == guest.room["match"])

    async def play(self, stop=None):
        """Until `stop` says so of a view, or else to the end."""
        for guest, frame, answer in await visit.play([*self.guests.values()], DICE, stop or (lambda view: False)):
            name, = (name for name, one in self.guests.items() if one is guest)
            self.acts[name, frame["match"]] = frame
        view = self.guests[self.people[0]].view
        assert bool(view["decisions"]) == bool(stop), f"{self.stage}: over too soon"
        if not stop:
            await self.hear(lambda guest: guest.room["status"] == "over")
            self.finished.append((view["match"], view["rev"]))

    async def leave(self, name):
        """Goes, and does not come back this evening."""
        await self.guests.pop(name).close()
        self.gone.append(name)

    async def come_back(self):
        """All who were here, to a server that was started again."""
        for name in self.guests:
            self.guests[name] = await come_in(self.at, {"type": "join", "room": self.code}, **PLAYERS[name])

    def asks(self):
        """What was answered already, and what tells how the room is."""
        first, asked = self.people[0], [*self.asked]
        room = self.guests[first].room
        asked += [{"who": name, "frame": frame} for (name, _), frame in self.acts.items() if name in self.guests]

        def ask(kind, **more):
            asked.append({"who": first, "frame": {"type": kind, "room": self.code, **more}})

        ask("react", reaction="clap")
        ask("say", text="Well played")
        if room["status"] != "open":  # else it would start
            ask("start")
        if visit.has_view(room):
            ask("history", match=room["match"], after=0)
        for match, rev in self.finished:
            ask("record", match=match)
            ask("replay", match=match, **{"from": rev + 1 - REPLAYED})
        return asked

    async def described(self):
        """As visit.look wants it; with every last word heard."""
        for guest in self.guests.values():
            await guest.must({"type": "ping"})
        return {"stage": self.stage, "status": self.guests[self.people[0]].room["status"], **self.more,
                "visits": [{"who": name} for name in (*self.guests, *self.gone, "")], "asked": self.asks()}


async def the_evening(at):
    """The rooms before the server is killed and started again."""
    tables = {}

    async def table(stage, people, game, options, bots=(), entropy=(), seats=None, **more):
        tables[stage] = made = Table(at, stage, people.split())
        await made.open(bots, entropy, game=game, options=options,
                        seats=seats or len(made.people) + len(bots), **more)
        return made

    await table("open: a seat is free, hints and chat are off", "Ada Ben", "triqueta", {"variant": "base"},
                ["greedy"], seats=4, hints=False, chat="off", visibility="listed")
    left = await table("open: who made it has left, and one bot was sent away", "Ada Ben Cem", "triqueta",
                       {"variant": "wolves"}, ["random", "greedy"], chat="text")
    await left.must("Ada", {"type": "remove_bot", "seat": 4})
    await left.must("Ada", {"type": "leave"})
    await left.guests.pop("Ada").close()
    left.people.remove("Ada")
    left.asked.clear()

    on_clock = await table("playing: with a clock, nobody may look on", "Ada Ben Cem", "triqueta",
                           {"variant": "base"}, ["random"], clock=3600, spectators=False)
    await on_clock.start()
    await on_clock.play(lambda view: view["rev"] >= 15)
    voted = await table("playing: one of two votes for a kick, a program plays, hints are off",
                        "Ada Ben Cem Robo", "triqueta", {"variant": "wolves"}, hints=False, chat="text")
    await voted.start()
    await voted.play(lambda view: view["rev"] >= 40)
    await voted.must("Ben", {"type": "kick", "seat": 2})
    voted.more["vote"] = {"by": "Ada", "against": "Cem"}
    await (await table("playing: just dealt", "Ada Ben", "triqueta", {"variant": "duo", "first_seat": 1})).start()
    fast = await table("playing: claims are unchecked, with a password and bots", "Dora Eve", "mayhem",
                       {"claims": "unchecked", "window_ms": 3000}, ["greedy", "random"], visibility="listed",
                       password="open sesame")
    await fast.start()
    await fast.play(lambda view: view["rev"] >= 20 and "window" not in view["table"])
    covered = await table("playing: somebody is covered", "Ada Dora Eve", "mayhem", {"window_ms": 0})
    await covered.start()
    await covered.play(lambda view: view["rev"] >= 10)
    await covered.leave("Eve")
    opened = await table("playing: all have added entropy, with a password", "Ada Ben Cem", "card_triangles", {},
                         entropy=["Ada", "Ben", "Cem"], password="open sesame")
    await opened.start()
    await opened.play(lambda view: view["rev"] >= 20)
    kicked = await table("playing: somebody was kicked", "Ada Ben Dora", "card_triangles", {"caller_multi": True})
    await kicked.start()
    await kicked.play(lambda view: view["rev"] >= 10)
    for name in ("Ada", "Ben"):
        await kicked.must(name, {"type": "kick", "seat": 2})
    await kicked.leave("Dora")
    await kicked.play(lambda view: view["rev"] >= 30)

    over = await table("over: calls are free", "Cem Dora", "card_triangles", {"call": "free"}, ["greedy"])
    await over.start()
    await over.play()
    shared = await table("over: its record is for everybody, and the clock has acted once", "Ada Eve", "triqueta",
                         {"variant": "base"}, ["greedy"], visibility="listed", clock=5)
    await shared.start()
    # Whoever is asked first lets the time run out.
    await shared.play(lambda view: True)
    rev = shared.guests["Ada"].view["rev"]
    await shared.hear(lambda guest: guest.view["rev"] > rev)
    await shared.play()
    shared.more["path"] = f"/api/v1/records/{shared.finished[0][0]}"
    again = await table("open: a rematch, and one has left", "Ben Cem Dora Eve", "triqueta", {"variant": "wolves"})
    await again.start()
    await again.play()
    await again.must("Eve", {"type": "leave"})
    await again.guests.pop("Eve").close()
    await again.must("Cem", {"type": "rematch"})
    second = await table("playing: the second match, with entropy", "Ada Ben", "mayhem",
                         {"claims": "unchecked", "window_ms": 300})
    await second.start()
    await second.play(lambda view: "window" in view["table"])
    rev = second.guests["Ada"].view["rev"]
    await second.hear(lambda guest: guest.view["rev"] > rev)  # the window lapses
    await second.play()
    second.with_entropy = ["Ada", "Ben"]
    for name in second.people:
        await second.must(name, {"type": "rematch", "entropy_hash": ENTROPY_HASH})
    await second.start()
    await second.play(lambda view: view["rev"] >= 5 and "window" not in view["table"])
    closed = await table("closed: by an operator", "Ada Ben", "triqueta", {"variant": "base"})
    await closed.start()
    await closed.play(lambda view: view["rev"] >= 5)
    return tables, table


async def after_a_minute(covered):
    """Somebody is covered once a minute away."""
    while True:
        answer = await covered.guests["Ada"].ask({"type": "cover", "room": covered.code, "seat": 2})
        if answer["type"] == "ok":
            break
        assert answer["code"] == "not_away", answer
        await asyncio.sleep(5)
    await covered.play(lambda view: view["rev"] >= 20)


async def after_a_restart(tables, table):
    """Some go on, and what does not last begins only now. In the order in which to come back to them."""
    for made in tables.values():
        await made.come_back()
    for stage, rev in (("playing: with a clock, nobody may look on", 20),
                       ("playing: all have added entropy, with a password", 30),
                       ("playing: the second match, with entropy", 10)):
        await tables[stage].play(lambda view, rev=rev: view["rev"] >= rev and "window" not in view["table"])
    window = await table("playing: a window is open", "Ada Ben Cem", "mayhem", {"window_ms": 30000})
    await window.start()
    await window.play(lambda view: view["rev"] >= 20 and "window" in view["table"])
    starting = await table("starting: one has not opened the entropy", "Ada Ben", "triqueta", {"variant": "duo"},
                           entropy=["Ada", "Ben"])
    await starting.start(unopened=["Ada"])
    starting.more["entropy"] = {"of": "Ada", "is": ENTROPY}
    return [starting, window, *(made for made in tables.values() if made not in (starting, window))]


def close(server, token_file, code):
    subprocess.run([CLIENT, "admin", "--at", server.operators, "--token-file", token_file, "close", code],
                   check=True, stdout=subprocess.DEVNULL)


async def make(folder, token_file):
    """Fills the folder by a server that is killed at last; its tables, and their rooms as visit.look wants them."""
    server = visit.server(SERVER, folder, *visit.QUICK, "--metrics-listen", "127.0.0.1:0",
                          "--admin-token-file", token_file).start()
    tables, table = await the_evening(server)
    await after_a_minute(tables["playing: somebody is covered"])
    closed = tables.pop("closed: by an operator")
    close(server, token_file, closed.code)
    server.kill()
    server.start()
    tables = await after_a_restart(tables, table)
    rooms = {made.code: await made.described() for made in tables}
    server.kill()
    rooms[closed.code] = {"stage": closed.stage, "status": "closed", "asked": [],
                          "visits": [{"who": name} for name in (*closed.people, "")]}
    return {made.code: made for made in tables}, rooms


def check_same(made, room):
    """What is sent after a restart is what was sent before, to those who were there."""
    wrong = differences(lasting(made.guests[made.people[0]].room), room["visits"][0]["room"], "room")
    for name, guest in made.guests.items():
        own, = (each["own"] for each in room["visits"] if each["who"] == name) if guest.view else ({},)
        wrong += differences(parts(guest.view), (room["public"], own), name) if guest.view else []
    assert not wrong, (made.stage, wrong)


async def look(folder, tables, rooms):
    """What the same server sends of its folder at another start."""
    with visit.server(SERVER, folder, *visit.QUIET) as server:
        sent = {"version": json.loads(server.get("/version"))["version"], "players": {}, "pages": {}, "rooms": {}}
        for code, room in rooms.items():
            guests, sent["rooms"][code] = await visit.look(server, PLAYERS, code, room)
            if code in tables:
                check_same(tables[code], sent["rooms"][code])
            await visit.close(guests)
        sent["players"] = {name: {**player, "welcome": await visit.welcome(server, player)}
                           for name, player in PLAYERS.items()}
        paths = ["/api/v1/rooms", *(f"/api/v1/records/{match}" for made in tables.values() for match, _ in made.finished)]
        sent["pages"] = {path: visit.get(server, path) for path in paths}
    return sent


def vacuum(file):
    """Brings the write-ahead log into the file, and takes out what is empty in it."""
    database = sqlite3.connect(file)
    database.execute("VACUUM")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def main():
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        token_file = place / "token"
        token_file.write_text("a token for the evening, long enough")
        token_file.chmod(0o600)
        tables, rooms = asyncio.run(make(place / "data", token_file))
        vacuum(place / "data" / "triquetra.db")
        FOLDER.mkdir(parents=True, exist_ok=True)
        shutil.copy(place / "data" / "triquetra.db", FOLDER)
        sent = asyncio.run(look(place / "data", tables, rooms))
    # A line for each room, so that people can look at it.
    lines = [f"{json.dumps(code)}: {json.dumps(room)}" for code, room in sent.pop("rooms").items()]
    text = json.dumps(sent, indent=1)[:-2] + ',\n "rooms": {\n' + ",\n".join(lines) + "\n}}\n"
    json.loads(text)
    (FOLDER / "sent.json").write_text(text)


main()
