"""Plays whole games with real processes: the server, and a triquetra per player: three scripts, one
person's lines through a pipe, one network bot. One script is killed in its turn and comes back.

usage: cli_e2e_test.py TRIQUETRAD TRIQUETRA SCHEMA_DIR
"""
import asyncio
import base64
import hashlib
import json
import os
import pathlib
import queue
import random
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import seed
import websockets
from frames import FrameSchemas

SERVER, CLIENT, SCHEMAS = sys.argv[1:4]
PATIENCE_S = 120  # only a hang takes that long
CHANCE = random.Random(seed.take())


class Process:
    """A child whose lines can be waited for."""

    def __init__(self, words, environment):
        self.child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, env=environment)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def line(self):
        line = self.lines.get(timeout=PATIENCE_S)
        assert line is not None, f"{self.child.args} ended early, code {self.child.wait()}"
        return line

    def write(self, text):
        self.child.stdin.write(text)
        self.child.stdin.flush()

    def end(self, how=signal.SIGTERM):
        self.child.send_signal(how)
        return self.child.wait(timeout=PATIENCE_S)


class Player(Process):
    """A script: reads frames, and takes one of the offered acts whenever it is asked."""

    everybody = []
    harmless = set()  # codes of refusals that may come

    def __init__(self, words, profile, environment):
        super().__init__([CLIENT, *words, "--json", "--profile", profile, "--name", profile],
                         environment)
        self.profile = profile
        self.frames = []
        self.asked = {}  # requests by id
        Player.everybody.append(self)
        self.view = None
        self.room = None
        self.count = 0

    def read(self, until):
        """Reads frames until one satisfies `until`, and returns it."""
        while True:
            line = self.line()
            if not line.startswith("{"):
                continue  # for people
            frame = json.loads(line)
            self.frames.append(line)
            if frame["type"] == "error" and frame["code"] == "too_fast":
                # Among bots without a pause a script may be asked faster than a server listens.
                time.sleep(frame["args"]["retry_ms"] / 1000)
                self.ask(self.asked[frame["re"]])
                continue
            assert frame["type"] != "error" or frame["code"] in self.harmless, frame
            if frame["type"] == "view":
                self.view = frame
            if frame["type"] == "room":
                self.room = frame
            if until(frame):
                return frame

    def ask(self, frame):
        self.asked[frame["id"]] = frame
        self.write(json.dumps(frame) + "\n")

    def is_asked(self):
        return bool(self.view and self.view.get("legal"))

    def decision(self):
        """The id of the question that is put to this player."""
        seat = self.view["seat"]
        return next(d["id"] for d in self.view["decisions"] if seat in d["seats"])

    def act(self):
        self.count += 1
        self.ask({"type": "act", "id": f"{self.profile}-{os.getpid()}-{self.count}-{CHANCE.random()}",
                  "room": self.view["room"], "decision": self.decision(),
                  "action": CHANCE.choice(self.view["legal"])["action"]})

    def play_on(self, stop):
        """Acts until the match is over or `stop` says so, after each view."""
        answered = None
        while True:
            view = self.view
            if view and (not view["decisions"] or stop(self)):
                return
            # Of a ballot, others' answers may come before ours is in: the question is the same.
            if self.is_asked() and answered != self.decision():
                answered = self.decision()
                self.act()
            self.read(lambda frame: frame["type"] == "view")


def own_part(view):
    return {key: value for key, value in view.items() if key != "left_ms"}


def kill_and_come_back(player, room, environment):
    """Kills a player whose turn it is; the same profile finds the same seat and the same view."""
    before = player.view
    player.end(signal.SIGKILL)
    again = Player(["play", room], player.profile, environment)
    again.read(lambda frame: frame["type"] == "view")
    assert own_part(again.view) == own_part(before), (before, again.view)
    return again


def check_record(host, environment):
    """What the server tells of the finished match is true, and a change in it is found."""
    host.ask({"type": "record", "id": "record-1", "room": host.view["room"], "match": host.view["match"]})
    record = host.read(lambda frame: frame.get("re") == "record-1")["record"]

    def verify(text):
        return subprocess.run([CLIENT, "verify", "-"], input=text, text=True, env=environment,
                              capture_output=True, timeout=PATIENCE_S, check=False).returncode

    assert verify(json.dumps(record)) == 0
    assert verify(json.dumps(record | {"match": "0" * 32})) == 1
    assert verify("{}") == 1

    again = json.loads(subprocess.run([CLIENT, "verify", "--json", "-"], input=json.dumps(record), text=True,
                                      env=environment, capture_output=True, timeout=PATIENCE_S,
                                      check=True).stdout)
    assert again["valid"] and again["match"] == record["match"], again
    assert again["steps"] == len(record["steps"]), again
    assert again["winners"] == record["result"]["winners"], (again, record["result"])
    assert again["table"] == host.view["table"], (again, host.view)


def play_together(variant, environment):
    """Five seats: three scripts, one in lines, one bot."""
    host = Player(["create", "--variant", variant, "--seats", "5"], "host", environment)
    room = host.read(lambda frame: frame["type"] == "room")["room"]
    scripts = [host]
    for profile in ("second", "third"):
        scripts.append(Player(["play", room], profile, environment))
        scripts[-1].read(lambda frame: frame["type"] == "room")
    lines = Process([CLIENT, "play", room, "--profile", "lines", "--name", "lines"], environment)
    lines.write("1\n" * 300)
    bot = Process([CLIENT, "bot", room, "--level", "greedy", "--once"], environment)
    host.read(lambda frame: frame["type"] == "room" and
              all(seat["kind"] != "empty" for seat in frame["seats"]))
    host.ask({"type": "start", "id": "start-1", "room": room})

    # All five are client programs, so all take part in the shuffle.
    started = host.read(lambda frame: frame["type"] == "room" and frame["status"] == "playing")
    assert all(seat.get("entropy") for seat in started["seats"]), started

    second = scripts[1]
    others = [threading.Thread(target=each.play_on, args=(lambda _: False,))
              for each in (scripts[0], scripts[2])]
    for thread in others:
        thread.start()
    second.play_on(lambda player: player.is_asked() and player.view["rev"] >= 10)
    second = scripts[1] = kill_and_come_back(second, room, environment)
    second.play_on(lambda _: False)
    for thread in others:
        thread.join(timeout=PATIENCE_S)

    tables = [player.view["table"] for player in scripts]
    assert tables[0] == tables[1] == tables[2], tables
    assert tables[0]["phase"] == "over" and tables[0]["winners"], tables[0]
    assert [player.view["seat"] for player in scripts] == [0, 1, 2]
    assert bot.child.wait(timeout=PATIENCE_S) == 0
    heard = [lines.line()]
    while not heard[-1].startswith("The game is over."):
        heard.append(lines.line())
    assert any(line.startswith("You draw ") for line in heard), heard
    check_record(host, environment)
    for process in scripts + [lines]:
        process.end()
    print(f"{variant}: {host.view['rev']} acts, winners {tables[0]['winners']}")


class Racer(Player):
    """A script in a game with windows, in which others may be faster."""

    harmless = {"too_late", "illegal", "not_your_turn"}

    def play_on(self, stop):
        answered = None
        while self.view["decisions"]:
            # What others did in the meantime may ask for another answer to the same question.
            if self.is_asked() and answered != self.view["rev"]:
                answered = self.view["rev"]
                self.act()
            self.read(lambda frame: frame["type"] in ("view", "error"))


def play_triangles(game, options, heard_of, end, check, environment):
    """A game of the Triangles deck by five clients: two scripts, one person's lines, two bots;
    somebody else watches in lines. Where others may be faster, lines that are typed in advance can
    come when nothing is asked any more: there a third bot plays instead."""
    host = Racer(["create", "--game", game, "--seats", "5", "--options", options], "host",
                 environment)
    room = host.read(lambda frame: frame["type"] == "room")["room"]
    other = Racer(["play", room], "other", environment)
    levels = ["greedy", "random"]
    readers = []
    if game == "mayhem":
        levels.append("greedy")
    else:
        readers.append(Process([CLIENT, "play", room, "--profile", "lines", "--name", "lines"],
                               environment))
        readers[0].write("1\n" * 2000)
    bots = [Process([CLIENT, "bot", room, "--level", level, "--once", "--profile", f"bot{number}"],
                    environment) for number, level in enumerate(levels)]
    watcher = Process([CLIENT, "watch", room, "--profile", "watcher"], environment)
    host.read(lambda frame: frame["type"] == "room" and frame["watching"] == 1 and
              all(seat["kind"] != "empty" for seat in frame["seats"]))
    host.ask({"type": "start", "id": "start-1", "room": room})
    for player in (host, other):
        player.read(lambda frame: frame["type"] == "view")
    thread = threading.Thread(target=other.play_on, args=(lambda _: False,))
    thread.start()
    host.play_on(lambda _: False)
    thread.join(timeout=PATIENCE_S)

    table = host.view["table"]
    assert table == other.view["table"], (table, other.view["table"])
    check(table)
    for bot in bots:
        assert bot.child.wait(timeout=PATIENCE_S) == 0
    readers.append(watcher)
    for process in readers:
        heard = [process.line()]
        while not re.search(end, heard[-1]):
            heard.append(process.line())
        assert any(heard_of in line for line in heard), heard
    check_record(host, environment)
    for process in (host, other, *readers):
        process.end()
    print(f"{game}: {host.view['rev']} acts and lapses, winners {table['winners']}")


def adds_up(table):
    """RULES M23, M26: 3 points a triangle, 6 if pure, and all pieces are used."""
    sheets = [seat["sheet"] for seat in table["seats"]]
    assert table["winners"], table
    assert sum(sheet["points"] for sheet in sheets) == 81 + 3 * sum(s["pure"] for s in sheets)


def ends_for_a_reason(table):
    """RULES C31, C39: somebody has played out or is the last one, or nobody wins."""
    wins = table["reason"] in ("played_out", "last_standing")
    assert wins == bool(table["winners"]), table


def play_duo(environment):
    """A script against a network bot."""
    host = Player(["create", "--variant", "duo", "--seats", "2"], "host", environment)
    room = host.read(lambda frame: frame["type"] == "room")["room"]
    bot = Process([CLIENT, "bot", room, "--level", "random", "--once"], environment)
    host.read(lambda frame: frame["type"] == "room" and
              all(seat["kind"] != "empty" for seat in frame["seats"]))
    host.ask({"type": "start", "id": "start-1", "room": room})
    host.play_on(lambda _: False)
    assert host.view["table"]["phase"] == "over"
    assert bot.child.wait(timeout=PATIENCE_S) == 0
    host.end()
    print(f"duo: {host.view['rev']} acts, winners {host.view['table']['winners']}")


class CuttingProxy:
    """Hands bytes through, and cuts the line right after passing on a request, three times: so the
    server has heard what the client never gets an answer to."""

    def __init__(self, port):
        self.server_port = port
        self.cuts = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.server_port))
            threading.Thread(target=self._pass_on, args=(server, client, 0), daemon=True).start()
            # Handshake, hello, join, an act: of these even a short game has enough.
            limit = 4 if self.cuts < 3 else 0
            threading.Thread(target=self._pass_on, args=(client, server, limit),
                             daemon=True).start()

    def _pass_on(self, source, sink, limit):
        count = 0
        try:
            while data := source.recv(65536):
                sink.sendall(data)
                count += 1
                if count == limit:
                    self.cuts += 1
                    break
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def play_with_cuts(port, environment):
    """A bot behind a line that is cut plays its game to the end."""
    host = Player(["create", "--seats", "2"], "host", environment)
    room = host.read(lambda frame: frame["type"] == "room")["room"]
    proxy = CuttingProxy(port)
    bot = Process([CLIENT, "bot", room, "--level", "greedy", "--once",
                   "--server", f"ws://127.0.0.1:{proxy.port}"], environment)
    host.read(lambda frame: frame["type"] == "room" and
              all(seat["kind"] != "empty" for seat in frame["seats"]))
    host.ask({"type": "start", "id": "start-1", "room": room})
    host.play_on(lambda _: False)
    assert bot.child.wait(timeout=PATIENCE_S) == 0
    assert proxy.cuts == 3, proxy.cuts
    said = []
    while (line := bot.lines.get(timeout=PATIENCE_S)) is not None:
        said.append(line)
    # A cut may come while the one before is being mended.
    lost, back = "The connection is lost. Trying to come back\u00a0…", "Connected again."
    assert said.count(lost) == 3 and 1 <= said.count(back) <= 3, said
    assert said.index(back, len(said) - said[::-1].index(lost)), said
    host.end()
    print(f"cuts: {proxy.cuts}, {host.view['rev']} acts")


class ListeningProxy:
    """Hands the bytes of one client through, and keeps what it sent."""

    def __init__(self, port):
        self.said = b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._serve, args=(port,), daemon=True)
        self.thread.start()

    def _serve(self, port):
        client, _ = self.listener.accept()
        server = socket.create_connection(("127.0.0.1", port))
        threading.Thread(target=self._answer, args=(server, client), daemon=True).start()
        while data := client.recv(65536):
            self.said += data
            server.sendall(data)
        server.close()

    @staticmethod
    def _answer(server, client):
        try:
            while data := server.recv(65536):
                client.sendall(data)
        except OSError:
            pass  # the other thread closed it


def quit_says_goodbye(port, environment):
    """`quit` ends the connection as RFC 6455 has it: the last frame is a close with code 1000."""
    proxy = ListeningProxy(port)
    words = [CLIENT, "create", "--seats", "2", "--profile", "leaver",
             "--server", f"ws://127.0.0.1:{proxy.port}"]
    done = subprocess.run(words, input="quit\n", text=True, env=environment, capture_output=True,
                          timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done
    proxy.thread.join(timeout=PATIENCE_S)
    last = proxy.said[-8:]  # masked: two bytes, the mask, the code
    assert last[:2] == b"\x88\x82", last
    code = bytes(byte ^ mask for byte, mask in zip(last[6:], last[2:6]))
    assert code == (1000).to_bytes(2, "big"), code
    print("quit: a close frame with code 1000")


def typed_lines_are_no_script(environment):
    """With the keyboard at one end and a pipe at the other a wrong word is explained, no more."""
    keyboard, terminal = os.openpty()
    words = [CLIENT, "create", "--seats", "2", "--profile", "typist"]
    child = subprocess.Popen(words, stdin=terminal, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.STDOUT, env=environment)
    os.close(terminal)
    heard = []

    def hear(until):
        while not heard or until not in heard[-1]:
            line = child.stdout.readline()
            assert line, heard
            heard.append(line)

    hear("Table ")
    os.write(keyboard, b"nonsense\n")
    hear("not possible")
    os.write(keyboard, b"bot\n")
    hear("Bot 2")
    os.write(keyboard, b"start\n")
    hear("Row 1")
    os.write(keyboard, b"99\n")
    hear("number")
    os.write(keyboard, b"quit\n")
    child.stdout.read()
    assert child.wait(timeout=PATIENCE_S) == 0, heard
    os.close(keyboard)
    print("typed lines: explained when wrong")


def refused_talk_comes_back(environment):
    """At a terminal what was refused stands in the line again, to be mended: by the server, and here."""
    keyboard, terminal = os.openpty()
    child = subprocess.Popen([CLIENT, "create", "--seats", "2", "--profile", "talker"], stdin=terminal,
                             stdout=terminal, stderr=terminal, env={**environment, "TERM": "xterm"},
                             start_new_session=True)
    os.close(terminal)
    heard = ""

    def hear(until, after=0):
        nonlocal heard
        ends = time.monotonic() + PATIENCE_S
        while until not in heard[after:]:
            assert time.monotonic() < ends, heard
            if select.select([keyboard], [], [], 1)[0]:
                heard += os.read(keyboard, 4096).decode()
        return heard.index(until, after) + len(until)

    hear("Table ")
    for line, why in (("say no chat here", "switched off"), ("say " + 201 * "x", "cannot be used")):
        at = len(heard)
        os.write(keyboard, line.encode() + b"\n")
        at = hear(why, hear(line[-8:], at))
        hear(line[-8:], at)
        os.write(keyboard, b"\x15")  # the line is emptied
    os.write(keyboard, b"quit\n")
    assert child.wait(timeout=PATIENCE_S) == 0, heard
    os.close(keyboard)
    print("refused talk: in the line again")


def move_to_another_device(environment):
    """The code of `device` makes another profile the same player, with the same seat."""
    host = Process([CLIENT, "create", "--seats", "2", "--bots", "1", "--start", "--profile", "old",
                    "--name", "Mover"], environment)
    host.write("device\n")
    found = room = None
    while not found:
        line = host.line()
        room = room or re.search(r"Table ([A-Z]{6})", line)
        found = re.search(r"--device ([A-Z]+)", line)
    host.write("quit\n")
    assert host.child.wait(timeout=PATIENCE_S) == 0
    again = Player(["play", room[1], "--device", found[1]], "new", environment)
    again.read(lambda frame: frame["type"] == "view")
    assert again.view["seat"] == 0, again.view
    again.end()
    later = Player(["play", room[1]], "new", environment)  # the profile has kept it
    later.read(lambda frame: frame["type"] == "view")
    assert later.view["seat"] == 0, later.view
    later.end()
    words = [CLIENT, "play", room[1], "--device", found[1], "--profile", "third"]
    used_up = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=PATIENCE_S, check=False)
    assert used_up.returncode == 4, used_up
    print("device: another machine, the same seat")


def serve_another_version(listener):
    """A server that speaks another version of the protocol, to one client."""
    client, _ = listener.accept()
    request = b""
    while b"\r\n\r\n" not in request:
        request += client.recv(4096)
    key = re.search(rb"Sec-WebSocket-Key: (\S+)", request, re.IGNORECASE)[1]
    magic = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
    accept = base64.b64encode(hashlib.sha1(key + magic).digest())
    client.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                   b"Connection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
    client.recv(4096)
    answer = b'{"type":"error","code":"unsupported_protocol","args":{}}'
    client.sendall(bytes([0x81, len(answer)]) + answer)
    client.recv(4096)


def visit(serve, words, environment, lines=None):
    """The terminal client at a server that `serve` plays, one connection after the other."""
    def run(port):
        return subprocess.run([CLIENT, *words, "--server", f"ws://127.0.0.1:{port}"], text=True, env=environment,
                              input=lines, stdin=None if lines else subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE_S, check=False)

    async def both():
        async with websockets.serve(serve, "127.0.0.1", 0) as server:
            return await asyncio.to_thread(run, server.sockets[0].getsockname()[1])

    return asyncio.run(both())


def welcome(frame):
    return {"type": "welcome", "re": frame["id"], "protocol": 1, "player": "Ada", "token": "f" * 64, "seats": [],
            "limits": {"frame_bytes": 16384, "depth": 16, "frames_per_second": 40, "name_length": 24},
            "server": {"name": "t", "version": "1"}}


def talk_is_not_repeated(environment):
    """What was waved when the line broke is not waved again, and that is told."""
    asked = []

    async def serve(ws, _path=None):
        async for text in ws:
            frame = json.loads(text)
            asked.append(frame["type"])
            if frame["type"] == "react":
                return
            ok = {"type": "ok", "re": frame["id"], "room": "BCDFGH", "seat": 0}
            await ws.send(json.dumps(welcome(frame) if frame["type"] == "hello" else ok))
            if asked.count("join") == 2:
                await ws.send(json.dumps({"type": "bye", "code": "closed", "room": "BCDFGH", "why": "idle"}))

    done = visit(serve, ["play", "BCDFGH", "--profile", "waver"], environment, "react clap\nrows\n")
    assert done.returncode == 0 and "not known whether the others heard" in done.stdout, done
    assert asked == ["hello", "join", "react", "hello", "join"], asked
    print("talk: not repeated, and told")


def refused_for_now(environment):
    """What passes is said with its time, and the same hello is said again: also with a device's code."""
    hellos = []

    async def serve(ws, _path=None):
        hellos.clear()
        async for text in ws:
            frame = json.loads(text)
            answer = {"type": "error", "re": frame["id"], "code": "no_such_room", "args": {}}
            if frame["type"] == "hello":
                hellos.append({key: value for key, value in frame.items() if key != "id"})
                answer |= {"code": code, "args": {"retry_ms": 300}}
            is_let_in = len(hellos) == 3 and frame["type"] == "hello"
            await ws.send(json.dumps(welcome(frame) if is_let_in else answer))

    for code, word in (("too_fast", "Too fast."), ("busy", "busy"), ("storage_unavailable", "cannot save"),
                       ("internal_error", "made a mistake")):
        done = visit(serve, ["play", "BCDFGH", "--device", "ABCDEFGH", "--profile", f"device-{code}"], environment)
        assert done.returncode == 4 and len(hellos) == 3, (code, done, hellos)
        assert hellos[0] == hellos[1] == hellos[2] and hellos[0]["device"] == "ABCDEFGH", hellos
        told = [line for line in done.stdout.splitlines() if word in line and "Trying again in 1 second." in line]
        assert len(told) == 2, (code, done.stdout)
    print("hello: what passes is told and said again")


def refused_name(environment, folder):
    """It is told, and no profile is kept for it."""
    words = [CLIENT, "play", "BCDFGH", "--name", "Ada\u202e", "--profile", "nameless"]
    done = subprocess.run(words, text=True, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=PATIENCE_S, check=False)
    assert done.returncode == 4 and "(name)" in done.stdout, done
    kept = [path.name for path in pathlib.Path(folder).rglob("*nameless*")]
    assert kept and all(name.endswith(".lock") for name in kept), kept
    print("name: refused, told, not kept")


def exit_codes(environment):
    def run(words, text=""):
        done = subprocess.run([CLIENT, *words], input=text, text=True, env=environment,
                              capture_output=True, timeout=PATIENCE_S, check=False)
        return done.returncode

    alone = ["create", "--seats", "2", "--bots", "1", "--start", "--profile", "alone"]
    assert run(["--version"]) == 0
    assert run(alone, "rows\nplayers\nlegal\nhelp\nquit\n") == 0
    assert run(["play"]) == 2
    assert run(["play", "BCDFGH", "--server", "ftp://localhost"]) == 2
    assert run(["play", "BCDFGH", "--server", "ws://127.0.0.1:1"]) == 3
    assert run(["play", "BCDFGH"]) == 4
    assert run(["create", "--game", "chess"]) == 4
    assert run(alone, "draw 9\n") == 6
    assert run(alone, "99\n") == 6
    assert run(["rooms"]) == 0
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve_another_version, args=(listener,), daemon=True).start()
        address = f"ws://127.0.0.1:{listener.getsockname()[1]}"
        assert run(["play", "BCDFGH", "--server", address]) == 5
    print("exit codes: as promised")


def edges_of_a_shell(environment, folder):
    """Streams that are closed or full, and what editors and people put into a script that nobody sees."""
    def close_all():
        for descriptor in (0, 1, 2):
            os.close(descriptor)

    child = subprocess.Popen([CLIENT, "create", "--bots", "1", "--seats", "2", "--start", "--json", "--profile", "closed"],
                             preexec_fn=close_all, env=environment)
    assert child.wait(timeout=PATIENCE_S) == 0
    kept = {path.name: path.read_bytes() for path in pathlib.Path(folder).rglob("*closed*")}
    assert kept and all(b'"type"' not in text for text in kept.values()), kept
    assert all(not text for name, text in kept.items() if name.endswith(".lock")), kept
    for words in (["--version"], ["--help"], ["rooms"], ["rooms", "--json"], ["arena", "--bots", "random,random"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([CLIENT, *words], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
                                  env=environment, timeout=PATIENCE_S)
        assert done.returncode == 1 and b"written" in done.stderr, (words, done)
    # A mark before the first line, and carriage returns: as an editor of another system writes them.
    alone = [CLIENT, "create", "--seats", "2", "--bots", "1", "--profile", "editor"]
    done = subprocess.run([*alone, "--start"], input=b"\xef\xbb\xbfrows\r\nquit\r\n", env=environment,
                          capture_output=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done
    done = subprocess.run([*alone, "--json"], input=b'\xef\xbb\xbf{"type":"ping","id":"p"}\r\n', env=environment,
                          capture_output=True, timeout=PATIENCE_S)
    assert done.returncode == 0 and b'"pong"' in done.stdout and b'"error"' not in done.stdout, done
    # A line that no turn will come for is told of: before a match, and after it.
    waits = Process(alone, environment)
    waits.write("strat\nquit\n")
    while '“strat” is no command' not in waits.line():
        pass
    waits.end()
    # However a code was written or copied.
    made = Process([CLIENT, "create", "--seats", "4", "--profile", "maker"], environment)
    room = None
    while not room:
        room = re.search(r"Table ([A-Z]{6})\.", made.line())
    room = room[1]
    base = environment["TRIQUETRA_SERVER"].replace("ws:", "http:")
    for text in (f"{room[:3]} {room[3:]}", f"{room[:3]}-{room[3:]}".lower(), f"/r/{room}#x", f"{base}/r/{room}#replay",
                 f"{base}/r/{room}?a=b"):
        done = subprocess.run([CLIENT, "watch", text, "--profile", "finder"], input="quit\n", text=True, env=environment,
                              capture_output=True, timeout=PATIENCE_S)
        assert done.returncode == 0, (text, done)
    made.end()
    print("edges of a shell: closed and full streams, marks, lines that wait, codes as they are copied")


def main():
    with tempfile.TemporaryDirectory() as folder:
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith("TRIQUETRA_")}
        environment.update(XDG_STATE_HOME=folder, LC_ALL="C")
        data = os.path.join(folder, "data")
        os.mkdir(data)
        server = Process([SERVER, "--port", "0", "--bot-delay-ms", "1", *seed.server()],
                         dict(environment, TRIQUETRA_DATA=data))
        try:
            found = None
            while not found:
                found = re.search(r"listening on http://(127\.0\.0\.1:\d+)", server.line())
            environment["TRIQUETRA_SERVER"] = "ws://" + found[1]
            exit_codes(environment)
            play_together("base", environment)
            play_together("wolves", environment)
            play_duo(environment)
            play_triangles("mayhem", '{"window_ms":300}', "may play fast.", "^The game is over",
                           adds_up, environment)
            play_triangles("card_triangles", "{}", "discard", "wins?[.]$", ends_for_a_reason,
                           environment)
            port = int(found[1].split(":")[1])
            play_with_cuts(port, environment)
            quit_says_goodbye(port, environment)
            typed_lines_are_no_script(environment)
            refused_talk_comes_back(environment)
            move_to_another_device(environment)
            talk_is_not_repeated(environment)
            refused_for_now(environment)
            refused_name(environment, folder)
            edges_of_a_shell(environment, folder)
            schemas = FrameSchemas(SCHEMAS)
            for player in Player.everybody:
                schemas.check(player.frames)
        finally:
            server.end()


if __name__ == "__main__":
    started = time.monotonic()
    main()
    print(f"all well after {time.monotonic() - started:.1f} s")
