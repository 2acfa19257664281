"""A server for tests and benches: a child on a port of its own, whose log can be read and waited for."""
import json
import random
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

import seed


def free_port():
    """Below those that the system gives to whoever connects: else another test could get it while ours is down."""
    while True:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", random.SystemRandom().randrange(20000, 32000)))
                return probe.getsockname()[1]
            except OSError:
                pass


class Server:
    """Runs while it is entered, or from start() to stop(). `program` gets `flags` after its port, and the test's chance unless
    it is one for people, which does not take it."""

    def __init__(self, program, *flags, port=0, patience_s=60, takes_chance=True):
        self.words = [str(word) for word in (program, "--port", port, *flags)]
        self.patience_s = patience_s  # only a hang takes that long
        self.takes_chance = takes_chance
        self.process = self.port = None

    def start(self, *more_flags):
        self.log = tempfile.NamedTemporaryFile(suffix=".log")
        # Python ignores SIGXFSZ, and so does the child: a file that may not grow is an error then.
        chance = seed.server() if self.takes_chance else []
        self.process = subprocess.Popen([*self.words, *chance, *more_flags], stdout=self.log, stderr=subprocess.STDOUT,
                                        restore_signals=False)
        self.port = int(self.told(r"listening on \S+:(\d+) "))
        return self

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(self.patience_s) == 0, f"SIGTERM must end the server well\n{self.text()[-5000:]}"

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, *_):
        if kind:
            self.kill()
            print("the server said at last:", self.text()[-5000:], sep="\n")
        else:
            self.stop()

    def text(self):
        """All that it has said until now."""
        with open(self.log.name, errors="replace") as log:
            return log.read()

    def told(self, pattern):
        """Waits until it has said something like this; the first group."""
        until = time.monotonic() + self.patience_s
        while not (found := re.search(pattern, self.text())):
            assert self.process.poll() is None and time.monotonic() < until, self.text()[-5000:]
            time.sleep(0.02)
        return found[1] if found.groups() else found[0]

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.port}"

    def get(self, path):
        return urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=self.patience_s).read()

    def games(self):
        return json.loads(self.get("/api/v1/games"))["games"]

    @property
    def operators(self):
        """Host and port for metrics and admin, of a server with --metrics-listen."""
        return "127.0.0.1:" + self.told(r"metrics at port (\d+)")

    def metric(self, name):
        text = urllib.request.urlopen(f"http://{self.operators}/metrics", timeout=self.patience_s).read().decode()
        return float(re.search(rf"^{name} (\S+)$", text, re.MULTILINE)[1])

    def memory_kib(self):
        """
        What it has allocated, by its own word: exact also under a sanitizer, whose allocator keeps for a
        while what was given back.
        """
        return int(self.metric("triquetra_heap_bytes")) // 1024
