"""Servers under measure: started on a core of their own, beside whatever else the machine does, and the runs of the
load generator against them."""
import http.client
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "build" / "release"
# What is no part of the sources: the peers from npm, data folders. Everything runs from there.
PLACE = pathlib.Path(os.environ.get("TRIQUETRA_BENCH_DIR", pathlib.Path(tempfile.gettempdir()) / "triquetra-bench"))
PEERS = PLACE / "peers"

GENERATOR_CORE = 0
SERVER_CORE = (os.cpu_count() or 2) - 1
WEIGHT = -15  # of what is measured, against everybody else, where we may
# A run beside which others, or the host, took more than this of a core is made again, so many times.
OTHERS_PERCENT = 25
TRIES = 3
QUIET_S = 3  # a run waits so long for a quiet machine

ports = iter(range(21100, 21999))


def prepared(cores):
    """What a child does first: its own scheduling group with a raised weight, and its cores."""
    def prepare():
        os.setsid()
        os.sched_setaffinity(0, cores)
        try:
            pathlib.Path("/proc/self/autogroup").write_text(str(WEIGHT))
            os.setpriority(os.PRIO_PROCESS, 0, WEIGHT)
        except OSError:
            pass  # not root: then the machine has to be quiet
    return prepare


class Running:
    """A server while it is entered. `words` may hold {port} and {data}, a folder that goes with it."""

    def __init__(self, words, dialect, *, cores=(SERVER_CORE,), data=None):
        self.words, self.dialect, self.cores, self.keeps = words, dialect, cores, data
        self.data = data

    def __enter__(self):
        self.port = next(ports)
        PLACE.mkdir(parents=True, exist_ok=True)
        if self.data is None:
            self.data = pathlib.Path(tempfile.mkdtemp(prefix="data-", dir=PLACE))
        words = [str(word).format(port=self.port, data=self.data) for word in self.words]
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            words, cwd=PEERS if words[0] == "node" else PLACE, preexec_fn=prepared(self.cores),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE if words[0] != "node" else subprocess.DEVNULL, text=True,
            env=dict(os.environ, NODE_ENV="production"))
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=20).close()
                break
            except OSError:
                if self.process.poll() is not None or time.perf_counter() - self.began > 60:
                    raise SystemExit(f"{words[0]} did not start: {self.process.stderr and self.process.stderr.read()}")
                time.sleep(0.0005)
        self.accepted_s = time.perf_counter() - self.began
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()
        if self.keeps is None:
            shutil.rmtree(self.data, ignore_errors=True)

    def cpu_s(self):
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9

    def wait_until_ready(self):
        """The door opens before a server of ours has looked at what it keeps: till then others hear 503."""
        while self.dialect == "triquetra":
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
            time.sleep(0.001)

    def load(self, *words, cores=(GENERATOR_CORE,)):
        """The figures of one run of the generator."""
        return self.figures_of(self.begin_load(*words, cores=cores))

    def begin_load(self, *words, cores=(GENERATOR_CORE,)):
        """A run of the generator that goes on beside others."""
        self.wait_until_ready()
        command = [PROGRAMS / "bench" / "load", "--port", self.port, "--pid", self.process.pid, "--dialect", self.dialect,
                   *words]
        return subprocess.Popen([str(word) for word in command], cwd=PLACE, preexec_fn=prepared(cores), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    @staticmethod
    def figures_of(run):
        """Waits for its end."""
        told, said = run.communicate()
        if run.returncode != 0:
            raise SystemExit(f"{' '.join(run.args)}\nended with {run.returncode}\n{told}{said}")
        return json.loads(told)


def triquetrad(*flags, store="memory", threads=1, cores=(SERVER_CORE,), data=None):
    """`store`: memory, sqlite, or the URL of a PostgreSQL."""
    keeps = {"memory": (), "sqlite": ("--data", "{data}")}.get(store, ("--store", store))
    return Running((PROGRAMS / "server" / "triquetrad", "--port", "{port}", "--threads", threads, "--log-level", "warn",
                    "--unlimited-addresses", "127.0.0.0/8", *keeps, *flags), "triquetra", cores=cores, data=data)


def cpu_s_of(processes):
    """CPU that processes have used; those that have ended meanwhile count for nothing."""
    used = 0
    for process in processes:
        try:
            used += int(pathlib.Path(f"/proc/{process}/schedstat").read_text().split()[0])
        except OSError:
            pass
    return used / 1e9


def floor(sizes, *flags, seats=4):
    return Running((PROGRAMS / "bench" / "floor", "--port", "{port}", "--view", sizes.view, "--watcher-view",
                    sizes.watcher_view, "--answer", sizes.answer, "--seats", seats, *flags), "floor")


def broadcast(sizes):
    return Running((PROGRAMS / "bench" / "broadcast", "--port", "{port}", "--view", sizes.view, "--answer", sizes.answer),
                   "draft60")


def node_ws():
    return Running(("node", PEERS / "ws-server.mjs", "{port}"), "draft60")


def boardgame_io():
    return Running(("node", PEERS / "bgio-server.cjs", "{port}"), "boardgame.io")


def install_peers():
    """npm's packages as pinned in bench/peers, once."""
    source = ROOT / "bench" / "peers"
    PEERS.mkdir(parents=True, exist_ok=True)
    pinned = (source / "package-lock.json").read_bytes()
    is_there = (PEERS / "node_modules").exists() and (PEERS / "installed.json").exists() and \
        (PEERS / "installed.json").read_bytes() == pinned
    for file in source.iterdir():
        shutil.copy(file, PEERS)
    if is_there:
        return
    print("installing Node's ws and boardgame.io from npm into", PEERS, file=sys.stderr)
    subprocess.run(["npm", "ci"], cwd=PEERS, check=True, stdout=subprocess.DEVNULL)
    (PEERS / "installed.json").write_bytes(pinned)


class Sizes:
    """What our frames weigh, for the floor to send the same."""

    def __init__(self, figures, watcher_view=None):
        self.view = round(figures["view_bytes"])
        self.watcher_view = round(watcher_view or figures["view_bytes"])
        self.answer = round(figures["answer_bytes"])
        self.act = round(figures["bytes_out_per_act"])


def busy_s():
    ticks = [int(word) for word in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(ticks[:3]) + sum(ticks[5:8])) / os.sysconf("SC_CLK_TCK")


def wait_for_quiet():
    end = time.time() + QUIET_S
    while time.time() < end:
        before = busy_s()
        time.sleep(0.3)
        if (busy_s() - before) / 0.3 * 100 < OTHERS_PERCENT:
            return


def undisturbed(run):
    """The figures of a run beside which little else went on, or of the quietest of some."""
    tries = []
    for _ in range(TRIES):
        if TRIES > 1:
            wait_for_quiet()
        figures = run()
        tries.append((figures["others_percent"] + figures["stolen_percent"], figures))
        if tries[-1][0] <= OTHERS_PERCENT:
            break
    return min(tries, key=lambda one: one[0])[1]


class Pairs:
    """Runs of one server, each with the floor measured right before it."""

    def __init__(self):
        self.runs, self.floors = [], []

    def add(self, floor_figures, figures):
        self.floors.append(floor_figures)
        self.runs.append(figures)

    def values(self, name):
        return [run[name] for run in self.runs]

    def median(self, name):
        return statistics.median(self.values(name))

    def ratios(self, name="server_us_per_act"):
        return [run[name] / other[name] for run, other in zip(self.runs, self.floors)]

    def ratio(self, name="server_us_per_act"):
        return statistics.median(self.ratios(name))

    def quartiles(self, name="server_us_per_act"):
        ratios = sorted(self.ratios(name))
        return ratios[len(ratios) // 4], ratios[(3 * len(ratios)) // 4]

    def others(self):
        return statistics.median(run["others_percent"] for run in self.runs + self.floors)
