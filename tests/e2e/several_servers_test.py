"""Several servers on one PostgreSQL: players of one room at different servers play to its end, while the server that has the
room is killed, frozen for longer than its lease, or goes by itself; nobody sees two stories, and nothing acknowledged is lost.
And strangers at the door between servers, who get nothing and keep nobody out.

Usage: several_servers_test.py TRIQUETRAD [ROUNDS]
"""
import asyncio
import json
import signal
import socket
import ssl
import sys
import tempfile

import websockets

import postgres
from several_servers import CHANCE, PATIENCE_S, Node, Player, Story, owner_of, sit_down, until

SERVER = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 1


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
    ada, bob = await sit_down(nodes, Story())
    room = ada.room
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


async def same_request_at_once(cluster, nodes):
    """One request that comes to all servers at the same moment, as from a client that was cut off, makes one room."""
    ada = Player("Ada", nodes[:1], Story())
    await ada.connect()
    await ada.must({"type": "device"})  # players that did nothing yet are not kept
    asking = [Player("Ada", [node], Story()) for node in nodes * 3]
    for player in asking:
        player.token = ada.token
        await player.connect()

    async def made_by(player, request):
        while True:
            try:
                if player.ws is None:
                    await player.connect()
                answer = await player.ask(request)
                if answer["type"] == "ok":
                    return answer["room"]
                assert answer["code"] == "storage_unavailable", answer
                await asyncio.sleep(0.1)
            except (OSError, websockets.WebSocketException, asyncio.TimeoutError):
                await player.lose()

    for i in range(5):
        request = {"type": "create", "id": f"at-once-{i}", "game": "triqueta", "seats": 2}
        rooms = set(await asyncio.gather(*(made_by(player, request) for player in asking)))
        kept = cluster.sql("games", f"SELECT count(*) FROM triquetra.room WHERE entry LIKE '%at-once-{i}%'")
        assert len(rooms) == 1 and kept == "1", (rooms, kept)
    for player in [ada, *asking]:
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

    assert nodes[0].order("POST", "sweep", "idle 0")[0] == 200
    await until(lambda: nodes[0].order("POST", "sweep", "idle 0")[1] == {"closed": 0} and
                nodes[0].order("GET", "rooms")[1]["rooms"] == [], "rooms that everybody has left are not closed")
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
        players += await sit_down(nodes[i % 3:] + nodes[:i % 3], story)
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
            # The others send nobody away for good: a new room is made where rooms are.
            await until(lambda: nodes[0].status("/readyz") == 503 and node.status("/readyz") == 200, "readiness is wrong")
            late = Player("Late", nodes[:2], story)
            await late.connect()
            try:
                answer = await late.ask({"type": "create", "id": "late", "game": "triqueta", "seats": 2})
                raise AssertionError(("a server that knows less made a room", answer))
            except websockets.ConnectionClosed:
                pass
            late.nodes = [node]
            await late.connect()
            await late.must({"type": "create", "id": "late", "game": "triqueta", "seats": 2})
            await late.ws.close()
    await until(lambda: len(set(owners())) > 1 or playing.done(), "those who know the same do not share the rooms")
    await asyncio.wait_for(playing, PATIENCE_S)
    for player in players:
        await player.check_answers()
        await player.ws.close()
    await until(lambda: all(node.metric("triquetra_links") == 2 for node in nodes), "no links")
    print(f"  newer program: {sum(len(player.acked) for player in players)} acts")


async def main():
    with tempfile.TemporaryDirectory() as folder, postgres.Cluster("fsync=off") as cluster:
        nodes = [Node(SERVER, cluster.url, folder, f"node{i}") for i in range(3)]
        try:
            await asyncio.gather(*(asyncio.to_thread(node.start) for node in nodes))
            await until(lambda: all(node.metric("triquetra_links") == 2 for node in nodes), "no links")
            for harm in (None, *(killed, frozen, ended) * ROUNDS):
                await play_with(cluster, nodes, harm)
            await records_and_invitations(nodes)
            await same_request_at_once(cluster, nodes)
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
