"""What whoever runs the server has: readiness, metrics, the dashboard that reads them, admin commands.

Usage: operations_test.py TRIQUETRAD TRIQUETRA MONITORING_DIR SCHEMA_DIR
"""
import asyncio
import http.client
import json
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import websockets

import seed
from frames import FrameSchemas
from triquetrad import Server

SERVER, CLIENT, MONITORING, SCHEMAS = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
ROOT = MONITORING.parents[1]
PATIENCE_S = 60
HEARD = []  # every frame from a server, as text
seed.take()
TOKEN = "a token for the test, long enough"


def get(port, path, headers=None, method="GET"):
    """(status, body)"""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def value(text, name, **labels):
    """The sum of a metric's samples that have these labels; None if there is none."""
    found = None
    for line in text.splitlines():
        match = re.match(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$", line)
        if match and match.group(1) == name:
            have = dict(re.findall(r'(\w+)="([^"]*)"', match.group(2) or ""))
            if all(have.get(k) == v for k, v in labels.items()):
                found = (found or 0) + float(match.group(3))
    return found


class Player:
    def __init__(self):
        self.count, self.view, self.frames = 0, None, []

    async def open(self, port, **hello):
        self.ws = await websockets.connect(f"ws://127.0.0.1:{port}/ws", compression=None, max_queue=None)
        self.welcome = await self.ask({"type": "hello", "protocol": 1, **hello})
        return self

    async def hear(self):
        HEARD.append(await asyncio.wait_for(self.ws.recv(), PATIENCE_S))
        frame = json.loads(HEARD[-1])
        self.frames.append(frame)
        if frame["type"] == "view":
            self.view = frame
        return frame

    async def ask(self, frame):
        self.count += 1
        frame = {"type": frame["type"], "id": f"r{self.count}", **frame}
        await self.ws.send(json.dumps(frame))
        while (answer := await self.hear()).get("re") != frame["id"]:
            pass
        return answer

    async def act(self, count):
        for _ in range(count):
            while not (self.view and self.view["legal"]):
                await self.hear()
            view, self.view = self.view, None
            decision = [d["id"] for d in view["decisions"] if view["seat"] in d["seats"]][0]
            answer = await self.ask({"type": "act", "room": view["room"], "decision": decision,
                                     "action": view["legal"][0]["action"]})
            assert answer["type"] == "ok", answer


def names_in_monitoring():
    """Every metric that the dashboard and the alerts ask for."""
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += re.findall(r"expr: (.*)", (MONITORING / "alerts.yaml").read_text())
    assert len(asked) > 15
    return {name for expr in asked for name in re.findall(r"\btriquetra_\w+", expr)}


async def watched(folder, token_file):
    server = Server(SERVER, "--bot-delay-ms", "0", "--data", folder / "data", "--metrics-listen", "127.0.0.1:0",
                    "--admin-token-file", token_file, patience_s=PATIENCE_S).start()
    port, metrics = server.port, int(server.operators.split(":")[1])
    admin = [CLIENT, "admin", "--at", server.operators, "--token-file", str(token_file)]

    assert get(port, "/readyz") == (200, "ready\n")
    assert get(port, "/metrics")[0] == 404, "only at its own address"
    assert get(metrics, "/healthz")[0] == 404

    ada = await Player().open(port, name="Ada")
    room = (await ada.ask({"type": "create", "game": "triqueta", "seats": 2, "visibility": "unlisted",
                           "options": {"variant": "base"}}))["room"]
    await ada.ask({"type": "add_bot", "room": room, "level": "greedy"})
    await ada.ask({"type": "start", "room": room})
    await ada.act(3)
    refused = await ada.ask({"type": "act", "room": room, "decision": 999, "action": {"do": "end"}})
    assert refused["code"] == "too_late", refused
    await Player().open(port, token=ada.welcome["token"])
    while not (ada.view and ada.view["legal"]):
        await ada.hear()
    assert (await ada.ask({"type": "hint", "room": room}))["hint"]["acts"]

    status, text = get(metrics, "/metrics")
    assert status == 200
    assert value(text, "triquetra_connections") == 2 and value(text, "triquetra_rooms") == 1
    assert value(text, "triquetra_acts_total", game="triqueta", result="ok") == 3
    assert value(text, "triquetra_acts_total", game="triqueta", result="refused") == 1
    assert value(text, "triquetra_refused_total", code="too_late") == 1
    assert value(text, "triquetra_act_seconds_count") == 3
    assert value(text, "triquetra_commit_seconds_count") >= 4
    assert value(text, "triquetra_commit_appends_sum") >= value(text, "triquetra_commit_appends_count")
    assert value(text, "triquetra_resumes_total") == 1 and value(text, "triquetra_store_well") == 1
    # The hint; where the machine is slow its time is over first.
    thoughts = [value(text, "triquetra_thoughts_total", time=time) for time in ("whole", "shortened")]
    assert sum(thoughts) == 1, thoughts
    assert value(text, "triquetra_thoughts_total", time="none") == 0
    # What waits is counted, and soon nothing does: a frame is written a moment after it was heard.
    for waiting in ("triquetra_mailbox_messages", "triquetra_store_queue", "triquetra_outbox_frames",
                    "triquetra_thoughts_waiting", "triquetra_thoughts_running"):
        until = time.monotonic() + PATIENCE_S
        while value(get(metrics, "/metrics")[1], waiting) != 0:
            assert time.monotonic() < until, waiting
            time.sleep(0.02)
    known = set(re.findall(r"^# TYPE (\w+)", text, re.M))
    for name in names_in_monitoring():
        assert re.sub(r"_(bucket|sum|count)$", "", name) in known or name in known, f"nobody counts {name}"
    secret = ada.welcome["token"]
    assert secret not in text and room not in text and "Ada" not in text

    # Admin: with the token, on this machine, and without anything hidden.
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Bearer {TOKEN}x"}):
        assert get(metrics, "/admin/rooms", headers)[0] == 403, headers
        assert get(metrics, f"/admin/close/{room}", headers, "POST")[0] == 403
    listed = subprocess.run([*admin, "rooms"], capture_output=True, text=True)
    assert listed.returncode == 0, listed
    rooms = json.loads(listed.stdout)["rooms"]
    assert [(r["room"], r["status"], r["taken"]) for r in rooms] == [(room, "playing", 2)], rooms
    assert secret not in listed.stdout and not re.search("deer|hare|boar|bear|wolf|owl", listed.stdout)
    wrong = folder / "wrong"
    wrong.write_text("not the token at all")
    assert subprocess.run([*admin[:-1], str(wrong), "rooms"], capture_output=True).returncode != 0
    # What is said reaches everybody who is there, as it is; what is not one line of text does not.
    said = 'Bäckup at nine: <b>"5 minutes"</b> \\ {text}'
    assert subprocess.run([*admin, "announce", said], capture_output=True).returncode == 0
    watcher = subprocess.Popen([CLIENT, "watch", room, "--server", server.url, "--profile", "watcher"],
                               env={**os.environ, "XDG_STATE_HOME": str(folder), "LC_ALL": "C"}, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while (frame := await ada.hear())["type"] != "room" or not frame["watching"]:
        pass
    assert {"type": "notice", "text": said} in ada.frames
    assert subprocess.run([*admin, "announce", "once more"], capture_output=True).returncode == 0
    for wrong_text in ("two\nlines", "\x1b[31mred", "a\u202eb", "", "x" * 1001):
        assert subprocess.run([*admin, "announce", wrong_text], capture_output=True).returncode != 0, wrong_text
    assert (await ada.ask({"type": "ping"}))["type"] == "pong"
    assert [f["text"] for f in ada.frames if f["type"] == "notice"] == [said, "once more"]
    assert get(metrics, "/admin/announce", {}, "POST")[0] == 403
    # Many rooms at once: those that nobody is in, and those of an address.
    bob = await Player().open(port, name="Bob")
    wanted = {"type": "create", "game": "triqueta", "seats": 2}
    await bob.ask({"type": "leave", "room": (await bob.ask(wanted))["room"]})

    def closed(*which):
        done = subprocess.run([*admin, "close", *which], capture_output=True, text=True)
        return done.returncode == 0 and json.loads(done.stdout)["closed"]

    assert [closed("--idle", "1"), closed("--idle", "0"), closed("--idle", "0")] == [0, 1, 0]
    assert closed("--address", "192.0.2.1") == 0
    for wrong_words in ([], ["--idle", "-1"], ["--address", "home"], [room, "--idle", "0"]):
        assert subprocess.run([*admin, "close", *wrong_words], capture_output=True).returncode != 0, wrong_words
    assert subprocess.run([*admin, "close", "NOSUCH"], capture_output=True).returncode != 0
    assert subprocess.run([*admin, "close", room], capture_output=True).returncode == 0
    while (frame := await ada.hear())["type"] != "bye":
        pass
    assert frame == {"type": "bye", "code": "closed", "room": room, "why": "admin"}, frame
    shown, _ = watcher.communicate(timeout=PATIENCE_S)
    assert "once more" in shown and "by whoever runs this server" in shown, shown
    assert watcher.returncode == 0
    assert (await ada.ask({"type": "join", "room": room}))["code"] == "room_closed"
    left = (await bob.ask(wanted))["room"]
    assert closed("--address", "127.0.0.1") == 1
    assert (await bob.ask({"type": "join", "room": left}))["code"] == "no_such_room"
    assert TOKEN not in server.text()

    # Whoever asks on a connection that it has already is told that nobody else should come.
    balancer = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)

    def ready():
        balancer.request("GET", "/readyz")
        answer = balancer.getresponse()
        return answer.status, answer.read()

    assert ready() == (200, b"ready\n")
    assert subprocess.run([*admin, "drain"], capture_output=True).returncode == 0
    while (answer := ready()) == (200, b"ready\n"):
        pass
    assert answer == (503, b"draining\n"), answer
    while (frame := await ada.hear())["type"] != "bye":
        pass
    assert frame["code"] == "restarting", frame
    assert server.process.wait(PATIENCE_S) == 0
    print("metrics, readiness and admin commands do what they say")


def variables():
    """A variable that nobody reads is refused; those that others read are not, and the flags' own count."""
    def checked(**more):
        return subprocess.run([SERVER, "--print-config"], capture_output=True, text=True, env={**os.environ, **more})

    for wrong, nearest in (("TRIQUETRA_PRT", "TRIQUETRA_PORT"), ("TRIQUETRA_DTA", "TRIQUETRA_DATA"),
                           ("TRIQUETRA_ALLOWED_HOSTS", "TRIQUETRA_ALLOW_HOST")):
        done = checked(**{wrong: "1"})
        assert done.returncode == 2 and wrong in done.stderr and done.stderr.count(nearest) == 1, done
    port = checked(TRIQUETRA_PORT="1234", TRIQUETRAD="x", TRIQUETRA="y")
    assert port.returncode == 0 and re.search("^port=1234$", port.stdout, re.M), port
    # All that the clients, the tests and the scripts of this repository read.
    read = r"""(?:getenv\("|environ(?:\.get\(|\[)"|process\.env\.|\$\{?)(TRIQUETRA_[A-Z_]+)"""
    sources = [path for folder in ("clients", "engine", "gym", "scripts", "tests") for path in (ROOT / folder).rglob("*")
               if path.is_file() and "node_modules" not in path.parts and path.name != "CMakeLists.txt"]
    others = {name for path in sources for name in re.findall(read, path.read_text(errors="replace"))}
    assert {"TRIQUETRA_SERVER", "TRIQUETRA_SIM_SECONDS", "TRIQUETRA_LOAD_ROOMS"} <= others, others
    done = checked(**{name: "1" for name in others})
    assert done.returncode == 0, done
    print("of", len(others), "variables of others none disturbs, a misspelt one is refused")


def busy_seconds(pid):
    """How long its first thread has worked, or waited for a core: on a busy machine who spins gets few."""
    worked, waited, _ = pathlib.Path(f"/proc/{pid}/schedstat").read_text().split()
    return (int(worked) + int(waited)) / 1e9


def without_descriptors():
    """When no descriptor is left for an operator's connection the server rests; and operators have few of them."""
    if b"__ubsan_" in pathlib.Path(SERVER).read_bytes():
        # It looks at memory through a pipe; without one each object seems to be none.
        return print("not without descriptors: the sanitizer has its own use for them")
    with Server(SERVER, "--metrics-listen", "127.0.0.1:0", patience_s=PATIENCE_S) as server:
        pid, metrics = server.process.pid, int(server.operators.split(":")[1])
        descriptors = pathlib.Path(f"/proc/{pid}/fd")
        usual = len(os.listdir(descriptors))
        # Over what operators may have together, a connection is closed; players' are let in all the same.
        many = [socket.create_connection(("127.0.0.1", metrics), timeout=PATIENCE_S) for _ in range(70)]
        assert many[-1].recv(1) == b"", "so many operators"
        assert get(server.port, "/healthz")[0] == 200
        for each in many:
            each.close()
        while len(os.listdir(descriptors)) > usual:
            time.sleep(0.02)
        most = max(int(descriptor) for descriptor in os.listdir(descriptors)) + 4
        soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, hard))
        waiting = [socket.create_connection(("127.0.0.1", metrics), timeout=PATIENCE_S) for _ in range(40)]
        time.sleep(0.3)
        before, since = busy_seconds(pid), time.monotonic()
        time.sleep(1.5)
        busy = (busy_seconds(pid) - before) / (time.monotonic() - since)
        assert busy < 0.8, f"busy for {busy:.0%} of the time, with nothing"
        for each in waiting:
            each.close()
        assert get(server.port, "/healthz") == (200, "ok\n")
        assert get(metrics, "/metrics")[0] == 200
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
    print(f"without descriptors the server was busy for {busy:.0%} of the time")


def behind_a_careless_proxy():
    """One that changes Host, or takes Upgrade away: the log says so, and once."""
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"}
    upgrade = {**key, "Connection": "Upgrade", "Upgrade": "websocket"}
    for headers, status, word in (({**upgrade, "Origin": "https://games.example.org"}, 403, "pass Host"),
                                  ({**key, "Origin": "https://games.example.org", "Host": "games.local"}, 426,
                                   "pass Upgrade")):
        with Server(SERVER, patience_s=PATIENCE_S) as server:
            for _ in range(20):
                proxy = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
                proxy.request("GET", "/ws", headers=headers)
                assert proxy.getresponse().status == status
                proxy.close()
            assert get(server.port, "/ws")[0] == 426
            said = server.told(f".*{word}.*")
            assert "https://games.example.org" in said and headers.get("Host", "127.0.0.1") in said, said
            assert server.text().count(word) == 1, server.text()
    print("a proxy that keeps players out is told of, once")


async def main():
    variables()
    without_descriptors()
    behind_a_careless_proxy()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        token_file = folder / "token"
        token_file.write_text(TOKEN + "\n")
        await watched(folder, token_file)
        token_file.write_text("short")
        for flags in (["--metrics-listen", "127.0.0.1:0", "--admin-token-file", str(token_file)],
                      ["--metrics-listen", "nonsense"], ["--admin-token-file", str(token_file)]):
            assert subprocess.run([SERVER, "--port", "0", *flags], capture_output=True).returncode in (1, 2), flags
    kinds = FrameSchemas(SCHEMAS).check(HEARD)
    assert {"welcome", "ok", "error", "room", "view", "notice", "bye"} <= kinds.keys(), kinds
    print("as the schemas say:", kinds)


asyncio.run(main())
