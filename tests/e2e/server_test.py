"""The real server over real sockets: whole games, spectators, rubbish, reconnection, farewell.

Usage: server_test.py TRIQUETRAD TRIQUETRA FRAME_SCAN SCHEMA_DIR
"""
import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import websockets

import seed
from frames import FrameSchemas
from triquetrad import Server

SERVER, CLIENT, SCAN, SCHEMAS = sys.argv[1:5]
PATIENCE_S = 60  # for a machine under load; nothing here measures time


seed.take()


class Player:
    """One connection that keeps every frame it gets, as bytes and as JSON."""

    everybody = []

    def __init__(self, server):
        Player.everybody.append(self)
        self.server, self.raw, self.view, self.room, self.count = server, [], None, None, 0

    async def open(self, name="Guest", token=None, bot=False):
        self.ws = await websockets.connect(
            f"ws://127.0.0.1:{self.server.port}/ws", compression=None, max_queue=None,
            close_timeout=PATIENCE_S)
        hello = {"type": "hello", "protocol": 1, "name": name}
        if token:
            hello["token"] = token
        if bot:
            hello["bot"] = True
        self.welcome = await self.ask(hello)
        return self

    async def hear(self):
        text = await asyncio.wait_for(self.ws.recv(), PATIENCE_S)
        self.raw.append(text)
        frame = json.loads(text)
        if frame["type"] == "view":
            self.view = frame
        if frame["type"] == "room":
            self.room = frame
        return frame

    async def ask(self, frame):
        self.count += 1
        frame = {"type": frame["type"], "id": f"r{self.count}", **frame}
        await self.ws.send(json.dumps(frame))
        while True:
            answer = await self.hear()
            if answer.get("re") == frame["id"]:
                return answer

    async def ask_patiently(self, frame):
        """Among bots without a pause, asks may come faster than the server listens."""
        while (answer := await self.ask(frame)).get("code") == "too_fast":
            await asyncio.sleep(answer["args"]["retry_ms"] / 1000)
        return answer

    async def must(self, frame):
        answer = await self.ask_patiently(frame)
        assert answer["type"] in ("ok", "welcome", "pong"), (frame, answer)
        return answer

    def act_frame(self, choice=0):
        decision = [d["id"] for d in self.view["decisions"] if self.view["seat"] in d["seats"]][0]
        legal = self.view["legal"]
        return {"type": "act", "room": self.view["room"], "decision": decision,
                "action": legal[choice % len(legal)]["action"]}

    async def until_asked(self):
        """True when asked, False when the match is over."""
        while not (self.room and self.room["status"] == "over"):
            if self.view and self.view["legal"]:
                return True
            await self.hear()
        return False

    async def play(self, choice=0):
        while await self.until_asked():
            frame = self.act_frame(choice)
            kind = [d["kind"] for d in self.view["decisions"] if d["id"] == frame["decision"]][0]
            self.view = None
            answer = await self.ask_patiently(frame)
            # A window may close under one's fingers; everything else stands until it is answered.
            assert answer["type"] == "ok" or (kind == "window" and answer["code"] == "too_late"), answer
            if self.view and self.view["rev"] < answer.get("rev", 0):
                self.view = None
            choice += 7

    async def watch_on(self):
        while not (self.room and self.room["status"] == "over"):
            await self.hear()


async def table(server, options, people, bots, watchers=0, game="triqueta", **more):
    players = [await Player(server).open(f"P{i}") for i in range(people)]
    room = (await players[0].must({"type": "create", "game": game, "seats": people + bots,
                                   "options": options, **more}))["room"]
    for player in players[1:]:
        await player.must({"type": "join", "room": room})
    for level in range(bots):
        await players[0].must({"type": "add_bot", "room": room, "level": ["greedy", "random"][level % 2]})
    spectators = [await Player(server).open(f"W{i}") for i in range(watchers)]
    for spectator in spectators:
        await spectator.must({"type": "watch", "room": room})
    await players[0].must({"type": "start", "room": room})
    return room, players, spectators


def views(player):
    return [raw for raw in player.raw if json.loads(raw)["type"] == "view"]


def check_only_own(players, spectators):
    """Each got its own views alone, and the public half was the same for all."""
    publics = {}
    for player in players + spectators:
        for raw in views(player):
            view = json.loads(raw)
            if player in spectators:
                assert not {"seat", "mine", "legal", "answer"} & view.keys()
            else:
                assert view["seat"] == players.index(player) and view["mine"]["seat"] == view["seat"]
            public = json.dumps([view["decisions"], view["table"], view["happened"]])
            assert publics.setdefault(view["rev"], public) == public
    if spectators:
        # A slow reader may have been spared some views, but never got other ones.
        one, other = (dict((json.loads(r)["rev"], r) for r in views(s)) for s in spectators[:2])
        assert all(other[rev] == one[rev] for rev in one.keys() & other.keys()) and one


def verdict(record):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(record)
        file.flush()
        return subprocess.run([CLIENT, "verify", file.name], capture_output=True, timeout=PATIENCE_S).returncode


def with_one_face_of(owner, receiver):
    """A view that the receiver got, and the same with a face in it that only the owner knew then. None if the
    owner never had one, or the receiver was spared each view of those moments."""
    own = {view["rev"]: view["mine"] for view in map(json.loads, views(owner)[:-1])}
    for raw in views(receiver)[:-1]:
        view = json.loads(raw)
        mine = own.get(view["rev"], {})
        drawn = [token["animal"] for token in mine.get("drawn", []) if "animal" in token]
        for face in [*drawn, *mine.get("down", []), *mine.get("shadow", []), *mine.get("hand", [])]:
            view["table"]["seats"][mine["seat"]]["face"] = face
            return raw, json.dumps(view)
    return None


def check_nothing_told(record, players, spectators):
    """No frame that anybody received names what its receiver could not know. Returns in how many frames a face
    was planted, and seen."""
    def scan(lines, *seat):
        with tempfile.NamedTemporaryFile("w") as frames, tempfile.NamedTemporaryFile("w") as file:
            frames.write("\n".join(lines) + "\n")
            file.write(record)
            frames.flush(), file.flush()
            return subprocess.run([SCAN, file.name, frames.name, *map(str, seat)], capture_output=True,
                                  text=True, timeout=PATIENCE_S)

    for player in players + spectators:
        seat = [players.index(player)] if player in players else []
        found = scan(player.raw, *seat)
        assert found.returncode == 0, found.stdout + found.stderr
    # The same eyes on a frame that is right but for one face.
    planted = 0
    for owner in players:
        for receiver in [p for p in players + spectators if p is not owner]:
            right, wrong = with_one_face_of(owner, receiver) or (None, None)
            if not right:
                continue
            seat = [players.index(receiver)] if receiver in players else []
            assert scan([right], *seat).returncode == 0, right
            found = scan([wrong], *seat)
            assert found.returncode == 1 and "table at revision" in found.stdout, (wrong, found)
            planted += 1
    return planted


def check_verdicts(record):
    assert verdict(record) == 0, "a true record must verify"
    at = record.index('"secret": "') + 12
    changed = record[:at] + ("1" if record[at] == "0" else "0") + record[at + 1:]
    assert verdict(changed) == 1, "a changed record must not verify"


async def whole_games(server):
    planted = {"triqueta": 0, "bids": 0}
    for game, options, people, bots in (
            ("triqueta", {"variant": "base"}, 3, 2), ("triqueta", {"variant": "wolves"}, 4, 1),
            ("triqueta", {"variant": "duo"}, 2, 0), ("triqueta", {"variant": "duo"}, 1, 1),
            ("bids", {}, 3, 0), ("bids", {}, 2, 1)):
        room, players, spectators = await table(server, options, people, bots, watchers=2, game=game)
        await asyncio.gather(*(p.play(i) for i, p in enumerate(players)), *(s.watch_on() for s in spectators))
        check_only_own(players, spectators)
        ask = {"type": "record", "room": room, "match": players[0].room["match"]}
        record = json.dumps((await players[0].must(ask))["record"])
        # Beside the lines, which are closed on who answers no ping for long.
        planted[game] += await asyncio.to_thread(check_nothing_told, record, players, spectators)
        if game == "triqueta":
            await asyncio.to_thread(check_verdicts, record)
        pages = await players[0].must({"type": "history", "room": room, "match": ask["match"], "after": 0})
        assert pages["pages"][0]["rev"] == 1
        print("played", game, options, people, "people and", bots, "bots")
    print("one face planted in a frame, and seen:", planted)
    assert all(planted.values()), planted


RUBBISH = [
    ("{", "not_json"), ("[]", "wrong_type"), ("null", "wrong_type"), ('{"type":"fly","id":"1"}', "unknown_type"),
    ('{"type":"ping"}', "missing_field"), ('{"type":"ping","id":7}', "wrong_type"),
    ('{"type":"ping","id":"1","id":"2"}', "duplicate_key"), ('{"type":"ping","id":"1","more":1}', "unknown_field"),
    ("[" * 200 + "]" * 200, "too_deep"), ('"' + "x" * 20000 + '"', "too_large"),
    ('{"type":"ping","id":"' + "x" * 65 + '"}', "out_of_range"),
    ('{"type":"act","id":"1","room":"X","decision":1e400,"action":{}}', "out_of_range"),
    ('{"type":"act","id":"1","room":"X","decision":18446744073709551616,"action":{}}', "out_of_range"),
    ('{"type":"act","id":"1","room":"X","decision":-1,"action":{}}', "out_of_range"),
    ('{"type":"act","id":"1","room":"X","decision":1.5,"action":{}}', "out_of_range"),
    ('{"type":"act","id":"1","room":"X","decision":true,"action":{}}', "wrong_type"),
    ('{"type":"hello","id":"1","protocol":1}', "hello_twice"),
    ('{"type":"join","id":"1","room":"NOSUCH"}', "no_such_room"),
    ('{"type":"create","id":"1","game":"chess"}', "no_such_game"),
    ('{"type":"create","id":"2","game":"triqueta","options":{"variant":"duo"},"seats":5}', "bad_options"),
    ('{"type":"create","id":"3","game":"triqueta","options":{"colour":1}}', "unknown_field"),
]


async def rubbish(server):
    room, players, _ = await table(server, {"variant": "base"}, 2, 1)
    villain = await Player(server).open("Villain")

    async def bother():
        for text, code in RUBBISH:
            await villain.ws.send(text)
            answer = await villain.hear()
            assert answer["type"] == "error" and answer["code"] == code, (text[:60], answer)
        await villain.ws.send(random.randbytes(200))
        assert (await villain.hear())["code"] == "binary_frame"
        for frame in ({"type": "act", "decision": 1, "action": {"do": "take", "row": 0}},
                      {"type": "start"}, {"type": "kick", "seat": 0}, {"type": "react", "reaction": "clap"}):
            answer = await villain.ask({**frame, "room": room})
            assert answer["code"] == "not_seated", answer
        for text, code in (("x" * 70000, 1009),):
            loud = await Player(server).open()
            await loud.ws.send(text)
            try:
                await loud.hear()
                raise AssertionError("a message far too large must end the connection")
            except websockets.ConnectionClosed as closed:
                assert closed.code == code, closed
        blind = await Player(server).open()
        # A text frame that is not UTF-8, masked by a zero key.
        blind.ws.transport.write(bytes([0x81, 0x82, 0, 0, 0, 0, 0xC3, 0x28]))
        try:
            await blind.hear()
            raise AssertionError("invalid UTF-8 must end the connection")
        except websockets.ConnectionClosed as closed:
            assert closed.code == 1007, closed

    await asyncio.gather(bother(), *(p.play(i) for i, p in enumerate(players)))
    late = await players[0].ask({"type": "act", "room": room, "decision": 1, "action": {"do": "take", "row": 0}})
    assert late["code"] == "too_late", late
    print("rubbish was answered, and the game went on")


async def flood(server):
    """Too much is refused by name, far too much ends the connection, and nobody else notices."""
    loud, calm = await Player(server).open(), await Player(server).open()
    for number in range(1000):
        await loud.ws.send(json.dumps({"type": "ping", "id": f"p{number}"}))
    heard = []
    try:
        while True:
            heard.append(await loud.hear())
    except websockets.ConnectionClosed as closed:
        assert closed.code == 1008, closed
    refused = [frame for frame in heard if frame["type"] == "error"]
    assert refused and all(f["code"] == "too_fast" and f["re"].startswith("p") for f in refused)
    assert heard[-1]["type"] == "bye" and heard[-1]["code"] == "too_fast", heard[-1]
    assert (await calm.ask({"type": "ping"}))["type"] == "pong"
    print("a flood was sent away")


async def reconnection(server):
    room, players, _ = await table(server, {"variant": "wolves"}, 2, 1)
    ada = players[0]
    playing = asyncio.create_task(players[1].play())
    assert await ada.until_asked()
    frame = {**ada.act_frame(), "id": "only once"}
    await ada.ws.send(json.dumps(frame))
    ada.ws.transport.abort()  # after sending, before the answer
    again = await Player(server).open("Ada", ada.welcome["token"])
    assert again.welcome["seats"] == [{"room": room, "seat": 0}] and "token" not in again.welcome
    assert (await again.must({"type": "join", "room": room}))["seat"] == 0
    first = await again.ask(dict(frame))
    assert first["type"] == "ok" and await again.ask(dict(frame)) == first
    # A second device of the same player sees the same.
    code = (await again.must({"type": "device"}))["device"]
    tablet = await Player(server).open("Ada")
    assert (await tablet.ask({"type": "hello", "protocol": 1}))["code"] == "hello_twice"
    other = Player(server)
    other.ws = await websockets.connect(f"ws://127.0.0.1:{server.port}/ws", compression=None, max_queue=None)
    token = (await other.must({"type": "hello", "protocol": 1, "device": code}))["token"]
    # It counts from now on, not from the first join on.
    third = await Player(server).open("Ada", token)
    assert third.welcome["seats"] == [{"room": room, "seat": 0}]
    assert (await other.must({"type": "join", "room": room}))["seat"] == 0
    if again.view["rev"] < first["rev"]:
        again.view = None
    await asyncio.gather(again.play(3), other.watch_on(), playing)
    stranger = Player(server)
    stranger.ws = await websockets.connect(f"ws://127.0.0.1:{server.port}/ws", compression=None)
    assert (await stranger.ask({"type": "hello", "protocol": 1, "token": "0" * 64}))["code"] == "bad_token"
    print("came back to the same seat")


async def leaving_and_guessing(server):
    host, visitor = await Player(server).open("Host"), await Player(server).open("Visitor")
    for _ in range(20):  # more than a connection may be in at once
        room = (await visitor.must({"type": "create", "game": "triqueta"}))["room"]
        await visitor.must({"type": "leave", "room": room})
    room = (await host.must({"type": "create", "game": "triqueta"}))["room"]
    codes = []
    while len(codes) < 100 and "too_fast" not in codes:
        codes.append((await visitor.ask({"type": "watch", "room": "NOSUCH"}))["code"])
    assert codes[0] == "no_such_room" and codes[-1] == "too_fast", codes
    found = await visitor.ask({"type": "watch", "room": room})
    assert found.get("code") == "too_fast", "whoever guesses must not hear that a code exists"
    print("left rooms do not count, guesses do")


async def voices(server):
    """One of two people sends nobody away, however often it tries; nor does a program beside it."""
    host, program = await Player(server).open("Host"), await Player(server).open("Program", bot=True)
    room = (await host.must({"type": "create", "game": "triqueta", "seats": 2}))["room"]
    await program.must({"type": "join", "room": room})
    await host.must({"type": "start", "room": room})
    assert (await program.ask({"type": "kick", "room": room, "seat": 0}))["code"] == "not_allowed"
    room, (loud, calm), _ = await table(server, {"variant": "base"}, 2, 1)
    for _ in range(50):
        answer = await loud.ask_patiently({"type": "kick", "room": room, "seat": 1})
        assert answer["code"] == "not_allowed", answer
    assert not any(seat.get("covered") for seat in loud.room["seats"]), loud.room
    await asyncio.gather(loud.play(), calm.play(1))
    assert not any(json.loads(raw)["type"] == "bye" for raw in calm.raw)
    print("one voice sends nobody away")


async def doors(server):
    """Whom the host has sent away stays outside: with the same token, and by address with another one."""
    host, guest, other, onlooker = [await Player(server).open(name) for name in ("Host", "Gil", "Oda", "Eve")]
    room = (await host.must({"type": "create", "game": "triqueta", "seats": 4, "visibility": "listed"}))["room"]
    come_in, look = {"type": "join", "room": room}, {"type": "watch", "room": room}
    for player, way in ((guest, come_in), (other, come_in), (onlooker, look)):
        await player.must(way)

    async def told(player, what):
        while (frame := await player.hear())["type"] != "news" or frame["what"] != what:
            pass
        return frame

    await host.must({"type": "kick", "room": room, "seat": 1})
    assert (await told(other, "sent_away"))["name"] == "Gil"
    for way in (come_in, look):
        assert (await guest.ask(way))["code"] == "door_closed"
    again = await Player(server).open("Gil")
    await again.must(come_in)
    await host.must({"type": "kick", "room": room, "seat": 1, "address": True})
    assert (await (await Player(server).open("Gil")).ask(come_in))["code"] == "door_closed"
    assert (await other.must(come_in))["seat"] == 2, "who sits is not meant"
    await host.must({"type": "door", "room": room, "spectators": False})
    await told(other, "watching_closed")
    while (frame := await onlooker.hear())["type"] != "bye":
        pass
    assert frame["code"] == "kicked" and frame["room"] == room, frame
    await host.must({"type": "door", "room": room, "forgive": True})
    assert (await onlooker.ask(look))["code"] == "no_watching"
    await again.must(come_in)
    await host.must({"type": "door", "room": room, "open": False})
    assert (await (await Player(server).open()).ask(come_in))["code"] == "door_closed"
    while room in [r["room"] for r in json.loads(server.get("/api/v1/rooms"))["rooms"]]:
        await asyncio.sleep(0.05)
    print("a door that is closed stays closed")


async def pages(server):
    assert server.get("/healthz") == b"ok\n"
    assert json.loads(server.get("/version"))["protocol"] == 1
    assert json.loads(server.get("/api/v1/games"))["games"][0]["name"]
    host = await Player(server).open("Host")
    await host.must({"type": "lobby", "watch": True})
    room = (await host.must({"type": "create", "game": "triqueta", "visibility": "listed"}))["room"]
    while room not in [r["room"] for r in json.loads(server.get("/api/v1/rooms"))["rooms"]]:
        await asyncio.sleep(0.05)
    while room not in json.dumps(await host.hear()):
        pass
    invitation = json.loads(server.get(f"/api/v1/rooms/{room}"))
    assert (invitation["game"], invitation["host"], invitation["taken"]) == ("triqueta", "Host", 1), invitation
    locked = (await host.must({"type": "create", "game": "triqueta", "password": "sesame"}))["room"]
    for code in (locked, "BBBBBB", "..", ""):
        assert server.get(f"/api/v1/rooms/{code}") == b"{}", "a locked room and none look alike"
    for path, status in (("/nothing", 404), ("/..%2f..%2fetc/passwd", 404), ("/ws", 426)):
        try:
            server.get(path)
            raise AssertionError(path)
        except urllib.error.HTTPError as error:
            assert error.code == status, (path, error.code)
    try:
        await websockets.connect(f"ws://127.0.0.1:{server.port}/ws", origin="https://evil.example")
        raise AssertionError("a foreign origin must not connect")
    except websockets.InvalidStatusCode as error:
        assert error.status_code == 403
    print("pages are served")
    return host


def answer_to(server, path, method="GET"):
    """Status, headers and body, whatever they are."""
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


async def records(server):
    """By HTTP everybody gets the record of a match that everybody could have watched, and of no other."""
    def check_unknown(match):
        status, headers, body = answer_to(server, f"/api/v1/records/{match}")
        assert (status, body) == (404, b"no_such_match\n"), (match, status, body)
        assert headers["Cache-Control"] == "no-store", "what is not there yet may come"

    private = []
    for settings in ({}, {"visibility": "listed", "password": "open sesame"},
                     {"visibility": "listed", "spectators": False}):
        room, (host,), _ = await table(server, {"variant": "duo"}, 1, 1, **settings)
        await host.play()
        private.append(host.room["match"])
        assert "record" in await host.must({"type": "record", "room": room, "match": private[-1]})
    room, (host,), _ = await table(server, {"variant": "duo"}, 1, 1, visibility="listed")
    match = host.room["match"]
    check_unknown(match)
    await host.play()
    path = f"/api/v1/records/{match}"
    while (found := answer_to(server, path))[0] == 404:  # until the server's first thread has heard of it
        await asyncio.sleep(0.05)
    status, headers, body = found
    assert status == 200 and headers["Content-Type"] == "application/json", found
    assert "immutable" in headers["Cache-Control"] and headers["X-Content-Type-Options"] == "nosniff"
    await host.must({"type": "record", "room": room, "match": match})
    assert body.decode() in host.raw[-1], "not what the socket answers"
    assert json.loads(body)["match"] == match and verdict(body.decode()) == 0
    status, headers, nothing = answer_to(server, path, "HEAD")
    assert (status, int(headers["Content-Length"]), nothing) == (200, len(body), b"")
    assert answer_to(server, path, "POST")[0] == 405
    for other in (*private, "", "0" * 32, match[:-1], match + "0", f"{match}/", f"x{match}",
                  "..%2frooms", "%00", "-1", room, "f" * 4000):
        check_unknown(other)
    await host.must({"type": "rematch", "room": room})
    await host.must({"type": "start", "room": room})
    while not (host.room["status"] == "playing" and host.room["match"] != match):
        await host.hear()
    check_unknown(host.room["match"])
    assert answer_to(server, path)[2] == body, "a new match takes nothing away from the last one"
    print("records are served to everybody, private ones to nobody")


def check_frames_and_log(server):
    """Every frame is as the schemas say, and the log holds nothing that is somebody's own."""
    lines = [raw for player in Player.everybody for raw in player.raw]
    kinds = FrameSchemas(SCHEMAS).check(lines)
    assert {"welcome", "ok", "error", "room", "view", "lobby", "pong", "bye"} <= kinds.keys(), kinds
    log = server.text()
    tokens = re.findall(r'"token":"([0-9a-f]+)"', "".join(lines))
    secrets = re.findall(r'"secret":"([0-9a-f]+)"', "".join(lines))
    assert len(tokens) > 10 and len(secrets) > 3
    assert not any(word in log for word in tokens + secrets), "a token or a secret is in the log"
    assert not re.search("deer|hare|boar|bear|wolf|owl", log), "a face is in the log"


async def main():
    # With everything logged that it can log.
    with Server(SERVER, "--bot-delay-ms", "0", "--log-level", "debug", patience_s=PATIENCE_S) as server:
        await pages(server)
        await whole_games(server)
        await records(server)
        await rubbish(server)
        await flood(server)
        await reconnection(server)
        await voices(server)
        await doors(server)
        await leaving_and_guessing(server)
        guest = await Player(server).open()
        # Peers that do not go by themselves: kept-alive HTTP, one per thread and more.
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(8)]
        for peer in idle:
            peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert peer.recv(4096).startswith(b"HTTP/1.1 200")
        server.process.send_signal(signal.SIGTERM)
        while (frame := await guest.hear())["type"] != "bye":
            pass
        assert frame["code"] == "restarting", frame
    print("said bye")
    check_frames_and_log(server)


asyncio.run(main())
