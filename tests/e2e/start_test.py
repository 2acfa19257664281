"""How a server starts: wrong options are named, with what to do; it is seen while it reads its rooms; whoever
starts it may have closed its streams; a terminal that hangs up does not end it.

Usage: start_test.py TRIQUETRAD
"""
import asyncio
import hashlib
import http.client
import json
import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

import websockets

import seed
from triquetrad import Server, free_port

SERVER = sys.argv[1]
PATIENCE_S = 60
seed.take()


def refused(words, **variables):
    """What the server says that does not start."""
    done = subprocess.run([SERVER, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE_S,
                          env={**os.environ, **variables})
    assert done.returncode in (1, 2), (words, done)
    assert "/boost" not in done.stderr and "system:" not in done.stderr, done.stderr
    return done.stderr


def wrong_options(folder):
    """For each option: a value that cannot be, and what the server must say of it."""
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    port = str(taken.getsockname()[1])
    pipe, text, short, empty = folder / "pipe", folder / "text", folder / "short", folder / "empty"
    os.mkfifo(pipe)
    text.write_text("no certificate, but long enough for a token\n")
    short.write_text("short\n")
    empty.mkdir()
    nowhere = folder / "nowhere"
    table = [
        (["--listen", "localhost"], ["--listen", "localhost", "127.0.0.1"]),
        (["--listen", "[::1"], ["--listen", "[::1", "[::1]"]),
        (["--listen", "127.0.0.1:80"], ["--listen", "127.0.0.1:80", "127.0.0.1"]),
        (["--listen", "192.0.2.1", "--port", "0"], ["--listen", "192.0.2.1", "0.0.0.0"]),
        (["--port", port], ["--port", port, "another"]),
        (["--port", "65536"], ["--port", "65536", "65535"]),
        (["--port", "http"], ["--port", "http", "65535"]),
        (["--threads", "65"], ["--threads", "65", "64"]),
        (["--threads", "many"], ["--threads", "many", "64"]),
        (["--log-format", "xml"], ["--log-format", "xml", "json"]),
        (["--log-level", "loud"], ["--log-level", "loud", "debug"]),
        (["--bot-delay-ms", "-1"], ["--bot-delay-ms", "-1", "60000"]),
        (["--allow-origin", "example.org"], ["--allow-origin", "example.org", "https://"]),
        (["--allow-origin", "https://example.org/play"], ["--allow-origin", "/play", "path"]),
        (["--allow-host", "a,b c"], ["--allow-host", '"b c"', "example.org"]),
        (["--allow-host", "https://example.org"], ["--allow-host", "https://example.org", "without"]),
        (["--allow-host", "example.org:8080"], ["--allow-host", "example.org:8080", "without"]),
        (["--trusted-proxies", "10.0.0.0/33"], ["--trusted-proxies", "10.0.0.0/33", "10.0.0.0/8"]),
        (["--trusted-proxies", "127.0.0.1,nginx"], ["--trusted-proxies", '"nginx"', "network"]),
        (["--unlimited-addresses", "school"], ["--unlimited-addresses", "school", "network"]),
        (["--tls-certificate", text], ["--tls-certificate", "--tls-key"]),
        (["--tls-key", text], ["--tls-key", "--tls-certificate"]),
        (["--tls-certificate", nowhere, "--tls-key", text], ["--tls-certificate", str(nowhere), "No such file"]),
        (["--tls-certificate", text, "--tls-key", text], ["--tls-certificate", str(text)]),
        (["--tls-certificate", pipe, "--tls-key", text], ["--tls-certificate", str(pipe), "regular"]),
        (["--metrics-listen", "9100"], ["--metrics-listen", "9100", "ADDRESS:PORT"]),
        (["--metrics-listen", "localhost:9100"], ["--metrics-listen", "localhost", "127.0.0.1"]),
        (["--metrics-listen", "127.0.0.1:x"], ["--metrics-listen", "127.0.0.1:x", "ADDRESS:PORT"]),
        (["--metrics-listen", "127.0.0.1:99999"], ["--metrics-listen", "127.0.0.1:99999", "ADDRESS:PORT"]),
        (["--metrics-listen", "::1:9100"], ["--metrics-listen", "::1:9100", "[::1]:9100"]),
        (["--metrics-listen", f"127.0.0.1:{port}", "--port", "0"], ["--metrics-listen", port, "another"]),
        (["--admin-token-file", text], ["--admin-token-file", "--metrics-listen"]),
        (["--metrics-listen", "127.0.0.1:0", "--port", "0", "--admin-token-file", short],
         ["--admin-token-file", str(short), "16"]),
        (["--metrics-listen", "127.0.0.1:0", "--port", "0", "--admin-token-file", pipe],
         ["--admin-token-file", str(pipe), "regular"]),
        (["--data", text / "x", "--port", "0"], ["--data", str(text), "Not a directory"]),
        (["--web-root", empty, "--port", "0"], ["--web-root", str(empty), "index.html"]),
        (["--config", nowhere], ["--config", str(nowhere)]),
        (["--prot", "80"], ["--prot", "--port"]),
        (["serve"], ["serve"]),
        (["restore", nowhere, "--data", empty], [str(nowhere)]),
        (["backup", nowhere], ["--data"]),
        (["--store", "mysql://ada:geheim@db/games"], ["--store", "postgresql://"]),
        (["--store", "postgresql://ada:ge%zzheim@db/games", "--port", "0"], ["--store"]),
        (["--link-address", "a.example:7000", "--link-secret-file", text], ["--link-address", "--store"]),
        (["--store", "postgresql:///games", "--link-address", "a.example:7000"], ["--link-address", "--link-secret-file"]),
        (["--store", "postgresql:///games", "--link-address", "a.example", "--link-secret-file", text],
         ["--link-address", "a.example", "HOST:PORT"]),
        (["--store", "postgresql:///games", "--link-address", "a.example:0", "--link-secret-file", text],
         ["--link-address", "a.example:0", "port"]),
        (["--store", "postgresql:///games", "--link-address", "127.0.0.1:1", "--port", "0", "--link-secret-file", short],
         ["--link-secret-file", str(short), "32"]),
        (["--node", "a b"], ["--node", "a b"]),
    ]
    for words, expected in table:
        said = refused(words)
        for part in expected:
            assert part in said, (words, part, said)
        assert "heim" not in said, ("a password is told", said)
    config = folder / "config"
    for line, expected in (("prt = 80", ["prt", "port"]), ("allow-host = a,b c", ["--allow-host", '"b c"']),
                           ("listen = localhost", ["--listen", "localhost"]),
                           ("healthcheck = true", ["healthcheck"])):
        config.write_text(line + "\n")
        said = refused(["--config", config, "--check-config"])
        for part in expected:
            assert part in said, (line, part, said)
    assert "--listen" in refused([], TRIQUETRA_LISTEN="localhost")
    good = ["--listen", "[::1]", "--allow-host", "a,b.example", "--allow-host", "*", "--allow-origin", "https://a.example:81",
            "--trusted-proxies", "10.0.0.0/8,fd00::/8", "--unlimited-addresses", "192.0.2.7", "--metrics-listen",
            "[::1]:9100", "--check-config"]
    assert subprocess.run([SERVER, *good], timeout=PATIENCE_S).returncode == 0
    interfaces = pathlib.Path("/proc/net/if_inet6")
    if interfaces.exists() and "0" * 31 + "1 " in interfaces.read_text():
        with Server(SERVER, "--listen", "[::1]", patience_s=PATIENCE_S) as server:
            assert "http://[::1]:" in server.text(), server.text()
    taken.close()
    print("of", len(table), "wrong options each is named, with what to do")


def copied(database, room, count):
    """More rooms with the log of this one: what a server finds that has been up for long."""
    with sqlite3.connect(database) as db:
        rows = db.execute("SELECT seq, epoch, at, data FROM event WHERE room = ? ORDER BY seq", (room,)).fetchall()
        for number in range(count):
            code, letters = "", number
            for _ in room:
                letters, letter = divmod(letters, 20)
                code += "BCDFGHJKLMNPQRSTVWXZ"[letter]
            chain = code.encode()
            for seq, epoch, at, data in rows:
                data = data.replace(room, code)
                chain = hashlib.sha256(chain + f"/{seq}/{data}".encode()).digest()[:16]
                db.execute("INSERT INTO event (room, seq, epoch, at, data, chain) VALUES (?, ?, ?, ?, ?, ?)",
                           (code, seq, epoch, at, data, chain))
    db.close()


def asked(port, path, headers=None):
    """(status, text, Retry-After), or None if nobody listens."""
    try:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        line.request("GET", path, headers=headers or {})
        answer = line.getresponse()
        return answer.status, answer.read().decode(), answer.headers["Retry-After"]
    except ConnectionRefusedError:
        return None
    finally:
        line.close()


UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}


async def seen_while_it_reads(folder):
    """A server with many rooms answers /healthz at once, and says to all else that it is starting."""
    data, port = folder / "many", free_port()
    server = Server(SERVER, "--data", data, port=port, patience_s=PATIENCE_S).start()
    async with websockets.connect(server.url + "/ws", compression=None) as ws:
        async def ask(frame):
            await ws.send(json.dumps({"id": "1", **frame}))
            while (answer := json.loads(await asyncio.wait_for(ws.recv(), PATIENCE_S))).get("re") != "1":
                pass
            return answer
        await ask({"type": "hello", "protocol": 1, "name": "Ada"})
        room = (await ask({"type": "create", "game": "triqueta", "seats": 2}))["room"]
        assert (await ask({"type": "add_bot", "room": room}))["type"] == "ok"
        assert (await ask({"type": "start", "room": room}))["type"] == "ok"
    server.stop()
    count = 4000
    copied(data / "triquetra.db", room, count)
    process = subprocess.Popen([SERVER, "--data", data, "--port", str(port)], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    started = time.monotonic()
    while (healthy := asked(port, "/healthz")) is None:
        assert process.poll() is None and time.monotonic() - started < PATIENCE_S
    assert healthy[:2] == (200, "ok\n"), healthy
    early = []
    for path in ("/readyz", "/", "/ws", "/api/v1/rooms", "/version"):
        answer = asked(port, path, UPGRADE if path == "/ws" else {})
        if answer[0] != 503:  # the machine had other things to do, and all has been read
            assert asked(port, "/readyz")[0] == 200, (path, answer)
            break
        assert answer[1].startswith("starting") and answer[2] == "1", (path, answer)
        early.append(path)
    assert early, "nothing was seen of the start"
    slowest = 0
    while (ready := asked(port, "/readyz"))[0] != 200:
        assert ready[0] == 503 and ready[1].startswith("starting"), ready
        before = time.monotonic()
        assert asked(port, "/healthz")[0] == 200
        slowest = max(slowest, time.monotonic() - before)
        time.sleep(0.05)  # an address may open so many connections
        assert time.monotonic() - started < PATIENCE_S
    assert asked(port, "/")[0] == 200 and asked(port, "/ws", UPGRADE)[0] == 101
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0 and "is shut" not in said, said[-5000:]
    print(f"{count} rooms were read meanwhile; /healthz took {slowest * 1000:.0f} ms at most")


def without_streams(folder):
    """With descriptors 0 to 2 closed no file of ours becomes one of them, and gets what is logged."""
    data, port = folder / "streams", free_port()

    def close_all():
        for descriptor in (0, 1, 2):
            os.close(descriptor)

    process = subprocess.Popen([SERVER, "--data", data, "--port", str(port)], preexec_fn=close_all)
    until = time.monotonic() + PATIENCE_S
    while (answer := asked(port, "/readyz")) is None or answer[0] != 200:
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.05)
    streams = {os.readlink(f"/proc/{process.pid}/fd/{descriptor}") for descriptor in (0, 1, 2)}
    assert streams == {"/dev/null"}, streams
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0
    assert (data / "lock").stat().st_size == 0, (data / "lock").read_bytes()
    # What is printed and cannot be written is not well.
    for words in (["--version"], ["--help"], ["--print-config"], ["--check-data", "--data", data]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([SERVER, *map(str, words)], stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE_S)
        assert done.returncode != 0 and b"written" in done.stderr, (words, done)
        assert subprocess.run([SERVER, *map(str, words)], stdout=subprocess.DEVNULL, timeout=PATIENCE_S).returncode == 0
    print("closed streams and a full device harm nothing")


def hung_up():
    """A terminal that hangs up, or a reload, changes nothing without TLS; and a log that nobody reads ends nothing."""
    with Server(SERVER, patience_s=PATIENCE_S) as server:
        for _ in range(3):
            server.process.send_signal(signal.SIGHUP)
        server.told("SIGHUP changes nothing")
        assert asked(server.port, "/readyz")[0] == 200
    print("SIGHUP does not end a server without TLS")


async def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wrong_options(folder)
        without_streams(folder)
        hung_up()
        await seen_while_it_reads(folder)


asyncio.run(main())
