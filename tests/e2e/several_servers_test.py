"""Several servers on one PostgreSQL: players of one room at different servers play to its end, while the server that has the
room is killed, frozen for longer than its lease, or goes by itself; nobody sees two stories, and nothing acknowledged is lost.
And strangers at the door between servers, who get nothing and keep nobody out.

Usage: several_servers_test.py TRIQUETRAD [ROUNDS]
"""
import asyncio
import http.client
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
        admin = pathlib.Path(folder) / "admin"
        admin.write_text(SECRET)
        self.name, self.link = name, free_port()
        super().__init__(SERVER, "--bot-delay-ms", "20", "--store", url, "--link-address", f"127.0.0.1:{self.link}",
                         "--link-secret-file", secret, "--node", name, "--threads", "2", "--unlimited-addresses", "127.0.0.1",
                         "--metrics-listen", "127.0.0.1:0", "--admin-token-file", admin, port=free_port(), patience_s=PATIENCE_S)

    def order(self, method, path, body=""):
        """What an operator of this server is answered: the status, and what JSON says or else the text."""
        line = http.client.HTTPConnection(self.operators, timeout=PATIENCE_S)
        line.request(method, f"/admin/{path}", body, {"Authorization": f"Bearer {SECRET}"})
        answer = line.getresponse()
        text = answer.read().decode()
        return answer.status, json.loads(text) if answer.status == 200 else text

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


async def another_device(nodes):
    """A code from one server works at another, and once, whoever shows it at all of them at the same moment."""
    ada = Player("Ada", nodes[:1], Story())
    await ada.connect()
    code = (await ada.must({"type": "device"}))["device"]
    devices = [Player(f"Device{i}", [node], Story()) for i, node in enumerate(nodes * 3)]
    for device in devices:
        device.ws = await websockets.connect(device.nodes[0].url + "/ws", compression=None)
    answers = await asyncio.gather(*(device.ask({"type": "hello", "protocol": 1, "device": code}) for device in devices))
    said = sorted(answer.get("code", "welcome") for answer in answers)
    assert said == ["bad_device"] * (len(devices) - 1) + ["welcome"], said
    # It is the same player: the next code voids the one before.
    new = devices[[answer["type"] for answer in answers].index("welcome")]
    first, second = (await new.must({"type": "device"}))["device"], (await ada.must({"type": "device"}))["device"]
    for shown, expected in ((first, "bad_device"), (second, "welcome")):
        late = Player("Late", nodes[2:], Story())
        late.ws = await websockets.connect(late.nodes[0].url + "/ws", compression=None)
        answer = await late.ask({"type": "hello", "protocol": 1, "device": shown})
        assert answer.get("code", "welcome") == expected, answer
        devices.append(late)
    for player in [ada, *devices]:
        await player.ws.close()


async def one_service(cluster, nodes):
    """Whoever looks for a room sees those of all servers, whichever is asked; and so does who runs them."""
    hosts, rooms = [], set()
    while len({owner_of(cluster, room, nodes) for room in rooms}) < len(nodes):
        hosts.append(host := Player(f"Host{len(hosts)}", nodes[len(hosts) % len(nodes):], Story()))
        await host.connect()
        await host.must({"type": "create", "game": "triqueta", "seats": 2, "visibility": "listed"})
        while not host.frame:
            await host.hear()
        rooms.add(host.frame["room"])

    def listed(node):
        return {one["room"] for one in json.loads(node.get("/api/v1/rooms"))["rooms"]}

    await until(lambda: all(listed(node) >= rooms for node in nodes), "a server does not list the rooms of another")
    watcher = Player("Watcher", nodes[1:], Story())
    await watcher.connect()
    await watcher.must({"type": "lobby", "watch": True})
    for i, node in enumerate(nodes):
        status, told = node.order("GET", "rooms")
        assert status == 200 and {one["room"] for one in told["rooms"]} >= rooms, told
        assert len(told["rooms"]) == len({one["room"] for one in told["rooms"]}), "a room is named twice"
        owners = {room: one["server"] for one in told["servers"] for room in one["awake"]}
        assert all(owners[room] == owner_of(cluster, room, nodes).name for room in rooms), (owners, rooms)
        # Everybody hears it, wherever they are.
        assert node.order("POST", "announce", f"number {i}") == (200, {})
        for host in hosts:
            while (await host.hear()) != {"type": "notice", "text": f"number {i}"}:
                pass
    # Closed by the operator of a server that does not have it, and gone from every list.
    for room in sorted(rooms)[:2]:
        other = next(node for node in nodes if node is not owner_of(cluster, room, nodes))
        assert other.order("POST", f"close/{room}") == (200, {})
        assert other.order("POST", f"close/{room}")[0] == 404
        rooms.remove(room)
        await until(lambda: not any(room in listed(node) for node in nodes), "a closed room is listed")
        while not any(room not in {one["room"] for one in frame["rooms"]} and frame["rooms"]
                      for frame in [await watcher.hear()] if frame["type"] == "lobby"):
            pass
    for player in [*hosts, watcher]:
        await player.ws.close()

    def closed():
        return nodes[0].order("POST", "sweep", "idle 0")[1]["closed"]

    count = closed()
    while not count >= len(rooms):
        count += closed()
    assert nodes[0].order("GET", "rooms")[1]["rooms"] == []
    # One that does not answer is named; what the others say is not called all.
    nodes[2].process.send_signal(signal.SIGSTOP)
    status, told = nodes[0].order("POST", "announce", "is everybody there?")
    nodes[2].process.send_signal(signal.SIGCONT)
    assert status == 503 and nodes[2].name in told and nodes[1].name not in told, told
    # An operator of one server ends another, by its name.
    assert nodes[0].order("POST", "drain", "nobody")[0] == 404
    assert nodes[0].order("POST", "drain", nodes[1].name) == (200, {})
    await asyncio.to_thread(nodes[1].process.wait, PATIENCE_S)
    await asyncio.to_thread(nodes[1].start)
    await until(lambda: all(node.metric("triquetra_links") == 2 for node in nodes), "no links")


async def newer_program(cluster, nodes):
    """A program that writes what the others cannot read has all rooms while it lives, and shares them with its like."""
    story = Story()
    players = []
    for i in range(4):
        host, guest = Player(f"Host{i}", nodes[i % 3:] + nodes[:i % 3], story), Player(f"Guest{i}", nodes[:], story)
        await host.connect()
        await host.must({"type": "create", "game": "triqueta", "seats": 2})
        while not host.frame:
            await host.hear()
        host.room = guest.room = host.frame["room"]
        await guest.connect()
        await host.must({"type": "start", "room": host.room})
        players += [host, guest]
    playing = asyncio.gather(*(player.play() for player in players))

    def owners():
        return [owner_of(cluster, player.room, nodes) for player in players]

    # The database says of those in this table that they know more, whatever they say themselves.
    cluster.sql("games", "CREATE TABLE triquetra.upgraded (name text)")
    cluster.sql("games", "CREATE FUNCTION triquetra.newer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.name IN (SELECT name "
                         "FROM triquetra.upgraded) THEN NEW.reads := 1000; END IF; RETURN NEW; END $$")
    cluster.sql("games", "CREATE TRIGGER newer BEFORE INSERT OR UPDATE ON triquetra.node FOR EACH ROW "
                         "EXECUTE FUNCTION triquetra.newer()")
    for node in reversed(nodes):
        await asyncio.to_thread(node.stop)
        cluster.sql("games", f"INSERT INTO triquetra.upgraded VALUES ('{node.name}')")
        await asyncio.to_thread(node.start)
        if node is nodes[2]:
            await until(lambda: set(owners()) == {node}, "a room is still at a server that knows less")
    await asyncio.wait_for(playing, PATIENCE_S)
    for player in players:
        await player.check_answers()
        await player.ws.close()
    await until(lambda: all(node.metric("triquetra_links") == 2 for node in nodes), "no links")
    print(f"  newer program: {sum(len(player.acked) for player in players)} acts")


async def main():
    with tempfile.TemporaryDirectory() as folder, postgres.Cluster("fsync=off") as cluster:
        nodes = [Node(cluster.url, folder, f"node{i}") for i in range(3)]
        try:
            await asyncio.gather(*(asyncio.to_thread(node.start) for node in nodes))
            await until(lambda: all(node.metric("triquetra_links") == 2 for node in nodes), "no links")
            for harm in (None, *(killed, frozen, ended) * ROUNDS):
                await play_with(cluster, nodes, harm)
            await records_and_invitations(nodes)
            await another_device(nodes)
            await newer_program(cluster, nodes)
            await one_service(cluster, nodes)
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
