"""Coming back to the rooms of a data folder: what everybody is sent, and how their matches go on. Shared by
make.py, which writes down what a released server sends, and tests/e2e/upgrade_test.py, which compares."""
import asyncio
import json
import pathlib
import sys
import urllib.error
import urllib.request

import websockets

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "e2e"))
import triquetrad  # noqa: E402

PATIENCE_S = 60  # for a machine under load; nothing here measures time
PUBLIC = ("type", "room", "match", "rev", "decisions", "table", "happened")  # of a view: the same for everybody
# What somebody may hear who acts beside bots and windows: another was faster.
OVERTAKEN = {"too_late", "illegal", "not_your_turn"}
QUIET = ("--bot-delay-ms", "60000")  # bots leave everything as it is while people come and look
QUICK = ("--bot-delay-ms", "0")


def server(program, folder, *flags):
    return triquetrad.Server(program, "--data", folder, "--unlimited-addresses", "127.0.0.1", *flags,
                             patience_s=PATIENCE_S)


def differences(told, heard, where=""):
    """Where `heard` is not what had been `told`, in words. Fields that have been added since are passed over."""
    if type(told) is not type(heard):
        return [f"{where}: {told!r} has become {heard!r}"]
    if isinstance(told, dict):
        found = [f"{where}.{key} is gone" for key in told if key not in heard]
        for key in told.keys() & heard.keys():
            found += differences(told[key], heard[key], f"{where}.{key}")
        return found
    if isinstance(told, list):
        if len(told) != len(heard):
            return [f"{where}: {len(told)} entries have become {len(heard)}"]
        return [wrong for i, (one, other) in enumerate(zip(told, heard))
                for wrong in differences(one, other, f"{where}[{i}]")]
    return [] if told == heard else [f"{where}: {told!r} has become {heard!r}"]


class Guest:
    """One connection of a player, for one room."""

    def __init__(self, at):
        self.at, self.count, self.view, self.room = at, 0, None, None

    async def open(self, **hello):
        self.ws = await websockets.connect(f"{self.at.url}/ws", compression=None, max_queue=None)
        self.welcome = await self.ask({"type": "hello", "protocol": 1, **hello})
        assert self.welcome["type"] == "welcome", self.welcome
        return self

    async def hear(self):
        frame = json.loads(await asyncio.wait_for(self.ws.recv(), PATIENCE_S))
        if frame["type"] == "room":
            self.room = frame
        if frame["type"] == "view":
            self.view = frame
        return frame

    async def until(self, there):
        while not there():
            await self.hear()

    async def ask(self, frame):
        """Sends it, under an id of its own unless it has one; the answer."""
        self.count += 1
        frame = {"type": frame["type"], "id": f"r{self.count}", **frame}
        while True:
            await self.ws.send(json.dumps(frame))
            while (answer := await self.hear()).get("re") != frame["id"]:
                pass
            if answer.get("code") != "too_fast":
                return answer
            await asyncio.sleep(answer["args"]["retry_ms"] / 1000)

    async def must(self, frame):
        answer = await self.ask(frame)
        assert answer["type"] in ("ok", "pong"), (frame, answer)
        return answer

    async def close(self):
        await self.ws.close()


def has_view(room):
    return room["status"] in ("playing", "over")


def lasting(room):
    """A room frame without what depends on who happens to be here."""
    seats = [{key: value for key, value in seat.items() if key != "presence"} for seat in room["seats"]]
    return {**{key: value for key, value in room.items() if key != "watching"}, "seats": seats}


def parts(view):
    """A view as what everybody knows and what one is sent alone, without what depends on time."""
    return ({key: view[key] for key in PUBLIC},
            {key: value for key, value in view.items() if key not in (*PUBLIC, "left_ms")})


async def come_in(at, frame, **hello):
    """Somebody comes into a room; the guest, with all that comes with the answer."""
    guest = await Guest(at).open(**hello)
    guest.answer = await guest.ask({**frame, "id": "come in"})
    if guest.answer["type"] == "ok":
        await guest.until(lambda: guest.room and (guest.view or not has_view(guest.room)))
    return guest


async def look(at, players, code, room):
    """
    All who have a seat in the room come back, one after the other, and somebody looks on; then they ask what
    `room` says. Gives the guests by name, and the room as it is seen now: each one's own part of the view beside
    the answer and the room in `visits`, the part that all share in `public`, and every answer in `asked`.
    """
    guests, seen = {}, {**room, "visits": [], "asked": []}
    seen.pop("public", None)
    for who in [visit["who"] for visit in room["visits"]]:
        frame = {"type": "join" if who in players else "watch", "room": code}
        if who not in players and "password" in room:
            frame["password"] = room["password"]
        guest = guests[who] = await come_in(at, frame, **({"token": players[who]["token"]} if who in players else {}))
        visit = {"who": who, "answer": guest.answer}
        if guest.room:
            visit["room"] = lasting(guest.room)
        if guest.view:
            public, visit["own"] = parts(guest.view)
            assert seen.setdefault("public", public) == public, ("not the same for all", code, who)
        seen["visits"].append(visit)
    for asked in room["asked"]:
        seen["asked"].append({**asked, "answer": await guests[asked["who"]].ask(asked["frame"])})
    return guests, seen


async def welcome(at, player):
    """Who a token is, and where it sits."""
    guest = await Guest(at).open(token=player["token"])
    await guest.close()
    seats = sorted(guest.welcome["seats"], key=lambda held: held["room"])
    return {"player": guest.welcome["player"], "seats": seats}


async def close(guests):
    for guest in guests.values():
        await guest.close()


def get(at, path):
    """Status and body, which is JSON if all is well."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{at.port}{path}", timeout=PATIENCE_S) as answer:
            return [answer.status, json.loads(answer.read())]
    except urllib.error.HTTPError as error:
        return [error.code, error.read().decode()]


async def play(guests, dice, stop=lambda view: False):
    """
    The people of a room act by chance on what they are offered, until the match is over or `stop` says so of a
    view in which nobody but them is asked. Gives the acts that were accepted: who, frame and answer.
    """
    rev, done = guests[0].view["rev"], []
    while True:
        for guest in guests:
            await guest.until(lambda guest=guest: guest.view["rev"] >= rev)
        view = max((guest.view for guest in guests), key=lambda view: view["rev"])
        rev = view["rev"]
        if any(guest.view["rev"] < rev for guest in guests):
            continue
        asked = [(guest, decision["id"]) for guest in guests for decision in view["decisions"]
                 if guest.view["seat"] in decision["seats"] and guest.view["legal"]]
        people = {guest.view["seat"] for guest in guests}
        alone = all(seat in people for decision in view["decisions"] for seat in decision["seats"])
        if not view["decisions"] or alone and stop(view):
            return done
        if not asked:
            await guests[0].until(lambda: guests[0].view["rev"] > rev)
            continue
        guest, decision = dice.choice(asked)
        frame = {"type": "act", "id": f"act {dice.getrandbits(64):x}", "room": view["room"], "match": view["match"],
                 "decision": decision, "action": dice.choice(guest.view["legal"])["action"]}
        answer = await guest.ask(frame)
        if answer["type"] == "ok":
            done.append((guest, frame, answer))
            rev = max(rev, answer["rev"])
        else:
            # A bot was faster, or a window closed: what has happened comes, or is here.
            assert answer["code"] in OVERTAKEN, (frame, answer)
            await guest.until(lambda: guest.view["rev"] > rev)
