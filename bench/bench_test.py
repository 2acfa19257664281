#!/usr/bin/env python3
"""Holds what the load generator tells: whole games against the real server in every game, with people who watch, and at a
fixed rate; the floor beside it. And that it can fail: what is refused, cut or never answered makes the run an error.

Usage: bench_test.py TRIQUETRAD LOAD FLOOR
"""
import contextlib
import json
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "e2e"))

import seed  # noqa: E402
from triquetrad import Server, free_port  # noqa: E402

TRIQUETRAD, LOAD, FLOOR = sys.argv[1:4]
seed.take()


def load(port, *words):
    """How the generator ended, and its figures if it has some."""
    seconds = () if "--seconds" in words else ("--seconds", "0.5")
    done = subprocess.run([LOAD, "--port", str(port), "--warm", "0", *seconds, *map(str, words)],
                          capture_output=True, text=True, timeout=200, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr


def plays_every_game():
    with Server(TRIQUETRAD, "--unlimited-addresses", "127.0.0.0/8") as server:
        pid = ("--pid", server.process.pid)
        for words in (("--game", "triqueta", "--watchers", 2), ("--game", "mayhem", "--seats", 2),
                      ("--game", "card_triangles", "--seats", 3, "--no-hints"), ("--game", "triqueta", "--rate", 100)):
            code, figures, said = load(server.port, "--rooms", 100, *pid, *words)
            assert code == 0 and not said, (words, code, said)
            assert figures["errors"] == figures["lost_turns"] == 0, figures
            assert figures["acts"] > 0 and figures["answers"] > 0 and figures["server_us_per_act"] > 0, figures
            watchers = 2 if "--watchers" in words else 0
            seats = words[words.index("--seats") + 1] if "--seats" in words else 4
            # Each act is shown to everybody; the ends of the time cut off some, and a slow reader misses some.
            assert figures["views"] > figures["acts"] * (seats + watchers) / 2, figures
        # Bots pause as people do, and one may begin: it takes as long as it takes until the first person is asked.
        code, figures, said = load(server.port, "--rooms", 5, "--seats", 1, "--bots", 2, "--level", "hard",
                                   "--seconds", 60, "--acts", 3)
        assert code == 0 and figures["errors"] == 0 and figures["acts"] > 0, (code, figures, said)
        code, figures, said = load(server.port, "--rooms", 5, "--matches", 1)
        assert code == 0 and figures["errors"] == 0, (code, said)


def drives_the_floor():
    port = free_port()
    floor = subprocess.Popen([FLOOR, "--port", str(port), "--view", "500", "--answer", "20"])
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert floor.poll() is None
        code, figures, said = load(port, "--dialect", "floor", "--rooms", 10)
        assert code == 0 and figures["view_bytes"] == 500 and figures["answer_bytes"] == 20, (code, figures, said)
    finally:
        floor.send_signal(signal.SIGTERM)
        floor.wait()


def tells_of_refusals():
    with Server(TRIQUETRAD, "--unlimited-addresses", "127.0.0.0/8") as server:
        code, _, said = load(server.port, "--game", "no_such", "--rooms", 1)
        assert code != 0 and "no_such_game" in said, (code, said)
    code, _, said = load(free_port(), "--rooms", 1)
    assert code != 0 and "was lost" in said, (code, said)


def tells_of_lost_turns():
    """A floor that lets everybody in and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        def let_in():
            guests = []
            for _ in range(4):
                guest = door.accept()[0]
                guest.sendall(struct.pack("<I", 100) + b"v" * 100)
                guests.append(guest)
            with contextlib.suppress(ConnectionResetError):  # the generator goes
                while guests[0].recv(1000):
                    pass
        threading.Thread(target=let_in, daemon=True).start()
        code, figures, _ = load(door.getsockname()[1], "--dialect", "floor", "--rooms", 1)
        assert code == 1 and figures["lost_turns"] == 1 and figures["acts"] == 0, (code, figures)


for check in (plays_every_game, drives_the_floor, tells_of_refusals, tells_of_lost_turns):
    check()
    print(check.__name__.replace("_", " "))
