"""One server goes and the next comes, on a listening socket that this test holds as systemd does: whoever connects meanwhile
waits and is answered, nobody is refused, and games go on to their ends.

Usage: handover_test.py TRIQUETRAD SOURCES [RESTARTS]
"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import seed
import triquetrad

SERVER, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2])
RESTARTS = int(sys.argv[3]) if len(sys.argv) > 3 else 8
COMING = 6  # who connect all the time
PATIENCE_S = 60  # for a machine under load; nothing here measures time


def started(handed, *flags, process="$$", count=1):
    """The words of a server that gets these sockets as its descriptors from 3 on."""
    moves = " ".join(f"{3 + i}<&{one.fileno()}" for i, one in enumerate(handed))
    return ["sh", "-c", f'LISTEN_PID={process} LISTEN_FDS={count} exec "$@" {moves}', "sh", SERVER, *map(str, flags)]


class Held(triquetrad.Server):
    """A server on a socket that outlives it."""

    def __init__(self, door, folder):
        super().__init__(SERVER, patience_s=PATIENCE_S)
        self.door = door
        # It is bound: what --port says does not matter.
        self.words = started([door], "--data", folder, "--bot-delay-ms", 20, "--port", 1, "--unlimited-addresses", "127.0.0.1")

    def start(self, *more_flags):
        self.log = tempfile.NamedTemporaryFile(suffix=".log")
        self.process = subprocess.Popen([*self.words, *seed.server(), *more_flags], stdout=self.log, stderr=subprocess.STDOUT,
                                        pass_fds=[self.door.fileno()], restore_signals=False)
        self.port = int(self.told(r"listening on \S+:(\d+) "))
        return self


class Comer(threading.Thread):
    """Connects again and again, and wants an answer each time."""

    def __init__(self, port, end):
        super().__init__(daemon=True)
        self.port, self.end, self.answers, self.refused = port, end, 0, []

    def run(self):
        while not self.end.is_set():
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S) as line:
                    line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    answer = b""
                    while piece := line.recv(4096):
                        answer += piece
                    assert answer.startswith(b"HTTP/1.1 "), answer
                self.answers += 1
            except (OSError, AssertionError) as problem:
                self.refused.append(repr(problem))
            time.sleep(0.002)


def nobody_is_refused():
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0), backlog=512) as door:
        server = Held(door, folder).start()
        assert server.port == door.getsockname()[1], "it listens elsewhere"
        kit = SOURCES / "clients/sdk/python/random_bot.py"
        games = [subprocess.Popen(["/usr/bin/python3", kit, "--game", game, "--bots", "1", "--server", server.url, "--json"],
                                  stdout=subprocess.PIPE, text=True)
                 for game in ("triqueta", "mayhem", "card_triangles")]
        end = threading.Event()
        comers = [Comer(server.port, end) for _ in range(COMING)]
        for comer in comers:
            comer.start()
        for _ in range(RESTARTS):
            before = sum(comer.answers for comer in comers)
            while sum(comer.answers for comer in comers) < before + 5 * COMING:
                time.sleep(0.02)
            server.stop()
            # Between the two there is nobody, and the door is open.
            socket.create_connection(door.getsockname()).close()
            server.start()
        end.set()
        for comer in comers:
            comer.join(PATIENCE_S)
            assert not comer.is_alive(), "one waits for ever"
        results = [json.loads(game.communicate(timeout=600)[0].splitlines()[-1]) for game in games]
        assert all(game.returncode == 0 for game in games), results
        server.stop()
        refused = [problem for comer in comers for problem in comer.refused]
        assert not refused, refused[:10]
        print(f"{RESTARTS} servers one after the other: {sum(comer.answers for comer in comers)} came and were answered, "
              f"{len(games)} games went on to their ends")


def what_else_is_handed():
    def ends_with(handed, what, **more):
        done = subprocess.run(started(handed, "--port", 0, **more), pass_fds=[one.fileno() for one in handed], text=True,
                              capture_output=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == 1 and what in done.stderr and "LISTEN" not in done.stdout, done
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        ends_with([one, other], "takes one", count=2)
    with socket.socket() as not_listening:
        ends_with([not_listening], "does not listen for TCP")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        ends_with([datagrams], "does not listen for TCP")
    with socket.socket(socket.AF_UNIX) as local, tempfile.TemporaryDirectory() as folder:
        local.bind(os.path.join(folder, "door"))
        local.listen()
        ends_with([local], "does not listen for TCP")
    # Words that were meant for whoever started it.
    with socket.create_server(("127.0.0.1", 0)) as door:
        server = Held(door, tempfile.mkdtemp())
        server.words = started([door], "--port", 0, process=os.getpid())
        with server:
            assert server.port != door.getsockname()[1]
    print("what cannot be a door is refused in words")


signal.alarm(900)
what_else_is_handed()
nobody_is_refused()
