"""Several servers on one PostgreSQL, for tests and benches: a server as a node, and players who come to any of them."""
import asyncio
import http.client
import json
import pathlib
import random
import socket
import time

import websockets

import seed
import triquetrad
from player import Asking

PATIENCE_S = 90  # for a machine under load; nothing here measures time
CHANCE = random.Random(seed.take())
GIVEN = set()  # ports
SECRET = "a secret that all servers of this test know"


def free_port():
    """Held by nobody now, and given by the system to nobody who connects."""
    while True:
        port = CHANCE.randrange(21000, 22000)
        if port in GIVEN:
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                GIVEN.add(port)
                return port
            except OSError:
                pass


class Node(triquetrad.Server):
    """One of the servers; it keeps its ports, however often it starts."""

    def __init__(self, program, url, folder, name, takes_chance=True):
        secret = pathlib.Path(folder) / "secret"
        secret.write_text(SECRET)
        admin = pathlib.Path(folder) / "admin"
        admin.write_text(SECRET)
        self.name, self.link = name, free_port()
        super().__init__(program, "--bot-delay-ms", "20", "--store", url, "--link-address", f"127.0.0.1:{self.link}",
                         "--link-secret-file", secret, "--node", name, "--threads", "2", "--unlimited-addresses", "127.0.0.1",
                         "--metrics-listen", "127.0.0.1:0", "--admin-token-file", admin, port=free_port(), patience_s=PATIENCE_S,
                         takes_chance=takes_chance)

    def order(self, method, path, body=""):
        """What an operator of this server is answered: the status, and what JSON says or else the text."""
        line = http.client.HTTPConnection(self.operators, timeout=PATIENCE_S)
        line.request(method, f"/admin/{path}", body, {"Authorization": f"Bearer {SECRET}"})
        answer = line.getresponse()
        text = answer.read().decode()
        return answer.status, json.loads(text) if answer.status == 200 else text

    def status(self, path):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        line.request("GET", path)
        return line.getresponse().status

    def is_up(self):
        return self.process is not None and self.process.poll() is None


class Player(Asking):
    """Plays one seat at whichever server answers, and comes back after every loss. Keeps all that it was told."""

    def __init__(self, name, nodes, story, pace_s=0.1):
        super().__init__(name, CHANCE)
        self.nodes, self.story, self.pace_s = nodes, story, pace_s
        self.acked, self.longest_pause = {}, 0.0

    async def connect(self):
        while True:
            node = self.nodes[0]
            try:
                self.ws = await websockets.connect(node.url + "/ws", compression=None, max_queue=None, open_timeout=2,
                                                   ping_interval=None)
                hello = {"type": "hello", "protocol": 1, "name": self.name}
                if self.token:
                    hello["token"] = self.token
                answer = await self.ask(hello)
                if answer["type"] != "welcome":
                    raise OSError(str(answer))
                self.token = answer.get("token", self.token)
                if self.room:
                    answer = await self.ask({"type": "join", "room": self.room})
                    if answer["type"] != "ok":
                        raise OSError(str(answer))
                return
            except (OSError, websockets.WebSocketException, asyncio.TimeoutError):
                await asyncio.sleep(0.1)
                self.nodes = self.nodes[1:] + self.nodes[:1]

    async def hear(self, patience_s=5):
        frame = json.loads(await asyncio.wait_for(self.ws.recv(), patience_s))
        if frame["type"] == "room":
            self.frame = frame
        if frame["type"] == "view":
            frame.pop("left_ms", None)
            self.story.tell(self, frame)
            self.view = frame
        return frame

    async def play(self):
        """Until its match is over."""
        last = time.monotonic()
        while not (self.frame and self.frame["status"] == "over"):
            try:
                if self.ws is None:
                    await self.connect()
                if act := self.next_act():
                    answer = await self.ask(act)
                    if answer["type"] == "ok":
                        self.acked[act["id"]] = (act, answer["rev"])
                        self.story.acts_at.append(time.monotonic())
                        self.pending = None
                        self.has_done(answer["rev"])
                        self.longest_pause = max(self.longest_pause, time.monotonic() - last)
                        last = time.monotonic()
                        await asyncio.sleep(self.pace_s)  # so that the harm comes in the middle
                    elif answer["code"] in ("storage_unavailable", "busy", "not_in_room"):
                        await asyncio.sleep(0.1)
                    else:
                        self.pending = None  # the clock, or the other seat, was faster
                else:
                    await self.hear()
            except asyncio.TimeoutError:
                # A server that is frozen says nothing: try another one.
                await self.lose()
            except (OSError, websockets.WebSocketException):
                await self.lose()

    async def lose(self):
        ws, self.ws, self.view = self.ws, None, None
        self.nodes = self.nodes[1:] + self.nodes[:1]
        if ws:
            ws.transport.abort()

    async def check_answers(self):
        """What was acknowledged is answered alike, wherever the room is by now."""
        for act, rev in list(self.acked.values()):
            while True:
                try:
                    if self.ws is None:
                        await self.connect()
                    answer = await self.ask(act)
                    if answer.get("code") not in ("storage_unavailable", "busy", "not_in_room"):
                        break
                    await asyncio.sleep(0.1)
                except (OSError, websockets.WebSocketException, asyncio.TimeoutError):
                    await self.lose()
            assert answer.get("rev") == rev, ("another answer", answer, rev)


class Story:
    """Every view that anybody saw: of one moment there is one for each seat. And when acts were acknowledged."""

    def __init__(self):
        self.views, self.acts_at = {}, []

    def tell(self, player, frame):
        known = self.views.setdefault((frame["match"], frame["rev"], frame.get("seat")), frame)
        assert known == frame, f"{player.name} saw another story of revision {frame['rev']}"


def owner_of(cluster, room, nodes):
    """Who has written last, by the database."""
    epoch = cluster.sql("games", f"SELECT epoch & 2147483647 FROM triquetra.event WHERE room = '{room}' ORDER BY seq DESC LIMIT 1")
    address = cluster.sql("games", f"SELECT address FROM triquetra.node WHERE id = {epoch}")
    found = [node for node in nodes if address.endswith(f":{node.link}")]
    return found[0] if found else None


async def until(check, what):
    end = time.monotonic() + PATIENCE_S
    while not check():
        assert time.monotonic() < end, what
        await asyncio.sleep(0.05)


async def sit_down(nodes, story, pace_s=0.1):
    """Two players at different servers whose match has begun."""
    ada, bob = Player("Ada", nodes[:], story, pace_s), Player("Bob", nodes[1:] + nodes[:1], story, pace_s)
    await ada.connect()
    await ada.must({"type": "create", "game": "triqueta", "seats": 2})
    while not ada.frame:
        await ada.hear()
    ada.room = bob.room = ada.frame["room"]
    await bob.connect()
    await ada.must({"type": "start", "room": ada.room})
    return ada, bob
