"""Several servers on one PostgreSQL: players of one room at different servers play to its end, while the server that has the
room is killed, frozen for longer than its lease, or goes by itself; nobody sees two stories, and nothing acknowledged is lost.
And strangers at the door between servers, who get nothing and keep nobody out.

Usage: several_servers_test.py TRIQUETRAD [ROUNDS]
"""
import asyncio
import json
import pathlib
import random
import signal
import socket
import ssl
import sys
import tempfile
import time

import websockets

import postgres
import seed
import triquetrad
from player import Asking

SERVER = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 1
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

    def __init__(self, url, folder, name):
        secret = pathlib.Path(folder) / "secret"
        secret.write_text(SECRET)
        self.name, self.link = name, free_port()
        super().__init__(SERVER, "--bot-delay-ms", "20", "--store", url, "--link-address", f"127.0.0.1:{self.link}",
                         "--link-secret-file", secret, "--node", name, "--threads", "2", "--unlimited-addresses", "127.0.0.1",
                         "--metrics-listen", "127.0.0.1:0", port=free_port(), patience_s=PATIENCE_S)

    def is_up(self):
        return self.process is not None and self.process.poll() is None


class Player(Asking):
    """Plays one seat at whichever server answers, and comes back after every loss. Keeps all that it was told."""

    def __init__(self, name, nodes, story):
        super().__init__(name, CHANCE)
        self.nodes, self.story = nodes, story
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
                        self.pending = None
                        self.has_done(answer["rev"])
                        self.longest_pause = max(self.longest_pause, time.monotonic() - last)
                        last = time.monotonic()
                        await asyncio.sleep(0.1)  # so that the harm comes in the middle
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
    """Every view that anybody saw: of one moment there is one for each seat."""

    def __init__(self):
        self.views = {}

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


async def killed(cluster, owner, room, nodes):
    owner.kill()
    await until(lambda: (now := owner_of(cluster, room, nodes)) and now is not owner, "nobody took the room over")
    await asyncio.to_thread(owner.start)


async def frozen(cluster, owner, room, nodes):
    owner.process.send_signal(signal.SIGSTOP)
    await until(lambda: (now := owner_of(cluster, room, nodes)) and now is not owner, "nobody took the room over")
    owner.process.send_signal(signal.SIGCONT)
    await asyncio.to_thread(owner.told, "the lease of this server has ended")


async def ended(cluster, owner, room, nodes):
    await asyncio.to_thread(owner.stop)
    await until(lambda: (now := owner_of(cluster, room, nodes)) and now is not owner, "nobody took the room over")
    await asyncio.to_thread(owner.start)


async def play_with(cluster, nodes, harm):
    story = Story()
    ada, bob = Player("Ada", nodes[:], story), Player("Bob", nodes[1:] + nodes[:1], story)
    await ada.connect()
    made = await ada.ask({"type": "create", "game": "triqueta", "seats": 2})
    assert made["type"] == "ok", made
    while not ada.frame:
        await ada.hear()
    ada.room = bob.room = room = ada.frame["room"]
    await bob.connect()
    assert (await ada.ask({"type": "start", "room": room}))["type"] == "ok"
    playing = asyncio.gather(ada.play(), bob.play())
    try:
        await until(lambda: len(ada.acked) + len(bob.acked) >= 6 or playing.done(), "the game does not go on")
        if harm:
            await harm(cluster, owner_of(cluster, room, nodes), room, nodes)
        await asyncio.wait_for(playing, PATIENCE_S)
    finally:
        playing.cancel()
    for player in (ada, bob):
        await player.check_answers()
        if player.ws:
            await player.ws.close()
    print(f"  {harm.__name__ if harm else 'calm'}: {len(ada.acked) + len(bob.acked)} acts, longest pauses "
          f"{ada.longest_pause:.1f} s and {bob.longest_pause:.1f} s")


def read_by_stranger(port):
    """What a stranger reads there by TLS that has no key."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
        try:
            with context.wrap_socket(line) as inside:
                return inside.recv(100)
        except (ssl.SSLError, ConnectionError):
            return b""


async def strangers(cluster, nodes):
    """Many at the door at once, silent, loud or with a certificate's TLS: no answer, and servers still find each other."""
    port = nodes[0].link
    crowd = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) for _ in range(500)]
    for line in crowd[::2]:
        try:
            line.sendall(CHANCE.randbytes(200))
        except OSError:
            pass
    assert read_by_stranger(port) == b"", "a stranger was answered"
    # A server that comes new has to get in past all of them, while more come.
    await asyncio.to_thread(nodes[1].stop)
    crowd += [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) for _ in range(200)]
    await asyncio.to_thread(nodes[1].start)
    await until(lambda: nodes[1].metric("triquetra_links") == 2, "the strangers kept a server out")
    for line in crowd:
        line.settimeout(PATIENCE_S)
        heard = b""
        try:
            while piece := line.recv(4096):
                heard += piece
        except OSError:
            pass
        # A TLS alert, at most.
        assert len(heard) <= 7, heard
        line.close()


async def records_and_invitations(nodes):
    """Whoever is asked by HTTP knows of every room."""
    story = Story()
    ada = Player("Ada", nodes[:1], story)
    await ada.connect()
    await ada.ask({"type": "create", "game": "triqueta", "seats": 2, "visibility": "listed"})
    while not ada.frame:
        await ada.hear()
    room = ada.frame["room"]
    told = [json.loads(node.get(f"/api/v1/rooms/{room}")) for node in nodes]
    assert all(one == told[0] for one in told) and told[0], told
    # The same request at another server: the same room.
    again = Player("Ada", nodes[1:2], story)
    again.token = ada.token
    await again.connect()
    again.count = 0
    request = {"type": "create", "id": "same", "game": "triqueta", "seats": 2}
    for player in (ada, again):
        player.frame = None
        assert (await player.ask(request))["type"] == "ok"
        while not player.frame:
            await player.hear()
    assert ada.frame["room"] == again.frame["room"], (ada.frame, again.frame)
    for player in (ada, again):
        await player.ws.close()


async def main():
    with tempfile.TemporaryDirectory() as folder, postgres.Cluster("fsync=off") as cluster:
        nodes = [Node(cluster.url, folder, f"node{i}") for i in range(3)]
        try:
            await asyncio.gather(*(asyncio.to_thread(node.start) for node in nodes))
            await until(lambda: all(node.metric("triquetra_links") == 2 for node in nodes), "no links")
            for harm in (None, *(killed, frozen, ended) * ROUNDS):
                await play_with(cluster, nodes, harm)
            await records_and_invitations(nodes)
            await strangers(cluster, nodes)
            for node in nodes:
                node.stop()
            assert cluster.sql("games", "SELECT count(*) FROM triquetra.node WHERE expires > now()") == "0", "a lease was left behind"
        except BaseException:
            for node in nodes:
                print(node.name, "said at last:", node.text()[-3000:], sep="\n")
            raise
        finally:
            for node in nodes:
                if node.is_up():
                    node.process.send_signal(signal.SIGCONT)
                    node.kill()
    print("ok")


asyncio.run(main())
