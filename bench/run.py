#!/usr/bin/env python3
"""Measures the server beside what the kernel asks for the same bytes, and beside its peers.

usage: run.py [WHAT ...] [--pairs N] [--seconds S] [--tries N] [--write FILE]

WHAT is one or more of: acts games rooms seats watchers length latency bots stores servers silences threads memory restart arrivals parts
expect; all of them if absent. Needs the Release build of triquetrad and of bench/ (scripts/bench makes it), and npm for the peers.
A run beside which the machine was busy is made again, --tries in all, and the quietest counts. Prints each table; with
--write puts it between its markers in FILE, a page such as docs/PERFORMANCE.md.

x is the server's CPU for an act as a multiple of the floor's, which was measured right before it: a machine has fast
minutes and slow ones, and a quotient of neighbours does not care. Medians [quartiles] over the pairs.
"""
import argparse
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import platform
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import machine
from machine import Pairs, Sizes, boardgame_io, broadcast, floor, node_ws, triquetrad, undisturbed

sys.path.insert(0, str(machine.ROOT / "tests" / "e2e"))
import postgres  # noqa: E402
from triquetrad import free_port  # noqa: E402

ROOMS = 300  # so many that no connection sends as many frames a second as the server refuses
TABLE_GAMES = [
    ("Triqueta, base", "triqueta", {}, 2), ("Triqueta, base", "triqueta", {}, 4), ("Triqueta, base", "triqueta", {}, 5),
    ("Triqueta, Hidden Wolves", "triqueta", {"variant": "wolves"}, 4), ("Triqueta, duo", "triqueta", {"variant": "duo"}, 2),
    ("Triangle Mayhem", "mayhem", {}, 4), ("Triangle Mayhem", "mayhem", {}, 8),
    ("Triangle Mayhem, unchecked", "mayhem", {"claims": "unchecked"}, 4),
    ("21/15/9-Card Triangles", "card_triangles", {}, 2), ("21/15/9-Card Triangles", "card_triangles", {}, 4),
    ("21/15/9-Card Triangles, free call", "card_triangles", {"call": "free"}, 4),
]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def ratio_of(pairs):
    low, high = pairs.quartiles()
    return f"**{pairs.ratio():.2f}** [{low:.2f}-{high:.2f}]"


def workload(seats=4, game="triqueta", options=None, rooms=ROOMS, watchers=0):
    return ["--game", game, "--options", json.dumps(options or {}), "--seats", seats, "--rooms", rooms,
            "--watchers", watchers]


class Bench:
    def __init__(self, pairs, seconds):
        self.pairs, self.seconds = pairs, seconds
        self.sizes = {}

    # ---- Pairs

    def timed(self, *more):
        return ["--warm", 1, "--seconds", self.seconds, *more]

    def sizes_of(self, words):
        """What the frames of a workload of ours weigh."""
        # The same in few rooms, which acts would be too fast for when nothing holds them back.
        words = list(words)
        words[words.index("--rooms") + 1] = ROOMS
        key = json.dumps([str(word) for word in words])
        if key not in self.sizes:
            with triquetrad() as server:
                alone = server.load(*words, *self.timed())
                watcher_view = None
                watchers = int(words[words.index("--watchers") + 1])
                if watchers:
                    # Views of seats are known without watchers; what is left of the bytes is the watchers'.
                    seats = int(words[words.index("--seats") + 1])
                    without = list(words)
                    without[without.index("--watchers") + 1] = 0
                    of_seats = self.sizes_of(without).view
                    watcher_view = ((seats + watchers) * alone["view_bytes"] - seats * of_seats) / watchers
                    alone["view_bytes"] = of_seats
                self.sizes[key] = Sizes(alone, watcher_view)
        return self.sizes[key]

    def floor_run(self, base, words, sizes, *more):
        rooms = words[words.index("--rooms") + 1]
        seats = words[words.index("--seats") + 1]
        watchers = words[words.index("--watchers") + 1]
        return undisturbed(lambda: base.load("--rooms", rooms, "--seats", seats, "--watchers", watchers, "--frame-bytes",
                                             sizes.act, "--warm", 0.3, "--seconds", min(1.5, self.seconds), *more))

    def paired(self, servers, words, *more, warm=1, seconds=None):
        """Pairs of each of the servers, in turn, so that what the machine does falls on all of them."""
        sizes = self.sizes_of(words)
        seats = words[words.index("--seats") + 1]
        all_pairs = {name: Pairs() for name in servers}
        with floor(sizes, seats=seats) as base:
            for _ in range(self.pairs):
                for name, make in servers.items():
                    with make(sizes) as server:
                        of_floor = self.floor_run(base, words, sizes)
                        if server.dialect == "triquetra":
                            run = words
                        else:
                            rooms = words[words.index("--rooms") + 1]
                            run = ["--rooms", rooms, "--seats", seats, "--frame-bytes", sizes.act]
                        is_node = server.words[0] == "node"
                        run = [*run, "--warm", 4 if is_node else warm, "--seconds", seconds or self.seconds, *more]
                        all_pairs[name].add(of_floor, undisturbed(lambda: server.load(*run)))
        return all_pairs

    # ---- Tables

    def acts(self):
        machine.install_peers()
        servers = {
            "the floor: epoll, constant bytes, answer and view apart": floor,
            "the floor, answer and view in one send": lambda sizes: floor(sizes, "--joined"),
            "Beast, constant bytes": broadcast,
            "**triquetrad, memory store**": lambda sizes: triquetrad(),
            "**triquetrad, SQLite**": lambda sizes: triquetrad(store="sqlite"),
            "Node `ws`": lambda sizes: node_ws(),
            "boardgame.io": lambda sizes: boardgame_io(),
        }
        results = self.paired(servers, workload())
        rows = [[name, len(pairs.runs), ratio_of(pairs), f"{pairs.median('server_us_per_act'):.0f}",
                 f"{min(pairs.values('server_us_per_act')):.0f}", f"{pairs.median('acts_s'):,.0f}",
                 f"{pairs.median('view_bytes'):.0f}", f"{pairs.others():.0f} %"] for name, pairs in results.items()]
        ours = results["**triquetrad, memory store**"].ratio()
        text = table(["server, one core", "pairs", "x", "us an act", "best", "acts/s", "bytes a view", "others on the machine"],
                     rows)
        peers = [f"{name} {results[name].ratio() / ours:.1f} times" for name in ("Node `ws`", "boardgame.io")]
        return text + f"\n\nCPU for an act as a multiple of triquetrad's with the memory store: {', '.join(peers)}."

    def games(self):
        rows = []
        for name, game, options, seats in TABLE_GAMES:
            words = workload(seats, game, options)
            pairs = self.paired({"memory": lambda sizes: triquetrad()}, words)["memory"]
            rows.append([name, seats, ratio_of(pairs), f"{pairs.median('server_us_per_act'):.0f}",
                         f"{pairs.median('view_bytes'):.0f}", f"{max(pairs.values('largest_view')):,}"])
        return table(["game", "seats", "x", "us an act", "bytes a view", "largest"], rows)

    def rooms(self):
        rows = []
        first = None
        for rooms in (100, 300, 1000, 3000):
            words = workload(rooms=rooms)
            # As many acts a second as any of them can do, so that each connection stays below its rate.
            pairs = self.paired({"memory": lambda sizes: triquetrad()}, words, "--rate", 2000)["memory"]
            first = first or pairs.ratio()
            rows.append([f"{rooms:,}", f"{rooms * 4:,}", ratio_of(pairs), f"{pairs.median('server_us_per_act'):.0f}",
                         f"{pairs.ratio() / first:.2f}"])
        return table(["rooms of four", "connections", "x", "us an act", "beside the first"], rows) + \
            "\n\nAt 2,000 acts a second; the floor saturated."

    def seats(self):
        rows = []
        for game, name, counts in (("triqueta", "Triqueta", (2, 3, 4, 5)), ("mayhem", "Triangle Mayhem", (2, 4, 6, 8))):
            for seats in counts:
                pairs = self.paired({"memory": lambda sizes: triquetrad()}, workload(seats, game))["memory"]
                floors = statistics.median(run["server_us_per_act"] for run in pairs.floors)
                rows.append([name, seats, ratio_of(pairs), f"{pairs.median('server_us_per_act'):.0f}", f"{floors:.0f}"])
        return table(["game", "seats", "x", "us an act", "floor"], rows)

    def watchers(self):
        """What each spectator adds, beside what the frame adds to the floor. With and without them in turn: what is asked
        is a difference, and a machine changes more from one minute to the next."""
        rows = []
        for watchers in (1, 4, 16):
            words = {count: workload(watchers=count) for count in (0, watchers)}
            sizes = self.sizes_of(words[watchers])
            own, floors = {0: [], watchers: []}, {0: [], watchers: []}
            with floor(sizes) as base:
                for _ in range(self.pairs):
                    for count, run in words.items():
                        floors[count].append(self.floor_run(base, run, sizes)["server_us_per_act"])
                        with triquetrad() as server:
                            one = undisturbed(lambda server=server, run=run: server.load(*run, *self.timed()))
                        own[count].append(one["server_us_per_act"])
            added, floor_added = (statistics.median((some - none) / watchers for some, none in zip(all_of[watchers], all_of[0]))
                                  for all_of in (own, floors))
            rows.append([watchers, self.pairs, *(f"{statistics.median(runs):.0f}" for runs in (own[0], own[watchers])),
                         f"{added:.1f}", f"{floor_added:.1f}", f"{added / floor_added:.2f}"])
        return table(["spectators", "pairs", "us an act without", "with", "each adds", "to the floor", "quotient"], rows)

    def length(self):
        """Rooms that all begin at once: the cost of an act by how far the match is."""
        parts = [[] for _ in range(4)]
        for _ in range(self.pairs):
            with triquetrad() as server:
                run = undisturbed(lambda: server.load(*workload(), "--matches", 1, "--warm", 0, "--seconds",
                                                      max(8, 2 * self.seconds), "--slice", 0.1))
            slices = [piece for piece in run["slices"] if piece["acts"] > 100]
            longest = max(piece["revision"] for piece in slices)
            for piece in slices:
                # Only while all rooms still play: then a piece is of one age.
                if piece["revision"] < 0.8 * longest:
                    parts[min(3, int(5 * piece["revision"] / longest))].append(piece)
        rows = []
        for pieces in parts:
            acts = sum(piece["acts"] for piece in pieces)

            def mean(name, pieces=pieces, acts=acts):
                return sum(piece[name] * piece["acts"] for piece in pieces) / acts
            rows.append([f"{min(piece['revision'] for piece in pieces):.0f} to {max(piece['revision'] for piece in pieces):.0f}",
                         f"{mean('server_us_per_act'):.0f}", f"{mean('view_bytes'):.0f}"])
        return table(["acts of the match before", "us an act", "bytes a view"], rows)

    def latency(self):
        """From when an act was due to its own view, at half of what saturates our server."""
        words = workload()
        rows = []
        for name, store in (("memory store", "memory"), ("SQLite", "sqlite")):
            with triquetrad(store=store) as server:
                most = undisturbed(lambda: server.load(*words, *self.timed()))["acts_s"]
            pairs = self.paired_at(most / 2, store, words)
            for who, runs in (("the floor", pairs.floors), (f"triquetrad, {name}", pairs.runs)):
                rows.append([who, f"{most / 2:,.0f}", *(f"{statistics.median(run[key] for run in runs) / 1000:.2f}"
                                                        for key in ("p50_us", "p99_us", "p999_us"))])
            rows[-1].append(f"{pairs.ratio('p99_us'):.2f}")
            rows[-2].append("")
        disk = sync_times()
        text = table(["server", "acts/s", "p50 ms", "p99 ms", "p999 ms", "p99 x"], rows)
        return text + (f"\n\nThe disk's own sync of one page, {len(disk)} times one after the other: p50 "
                       f"{statistics.median(disk) * 1000:.2f} ms, p99 {disk[int(len(disk) * 0.99)] * 1000:.2f} ms.")

    def bots(self):
        """People's acts at a fixed rate, alone and beside a hundred rooms in which four experts think at almost every act;
        with all cores for the server, where the threads that think give way to those of rooms."""
        rooms, rate, settle_s = 100, 100, 4
        cores = range(os.cpu_count() or 2)
        runs = {"no bots": [], f"{rooms} rooms of a person and four experts": []}
        beside = []
        for _ in range(self.pairs):
            for name, of in runs.items():
                with triquetrad(store="sqlite", threads=len(cores), cores=cores) as server:
                    people = [*workload(rooms=rooms), "--rate", rate, "--warm", settle_s, "--seconds", self.seconds]
                    if name == "no bots":
                        of.append(server.load(*people))
                        continue
                    company = server.begin_load("--rooms", rooms, "--seats", 1, "--bots", 4, "--warm", settle_s,
                                                "--seconds", self.seconds)
                    of.append(server.load(*people))
                    beside.append(server.figures_of(company)["acts_s"])
        rows = [[name, f"{statistics.median(run['acts_s'] for run in of):.0f}",
                 *(f"{statistics.median(run[key] for run in of) / 1000:.2f}" for key in ("p50_us", "p99_us", "p999_us"))]
                for name, of in runs.items()]
        note = (f"\n\nThe persons beside experts act at once when they are asked: {statistics.median(beside):.0f} acts/s of "
                "theirs, and about four times as many of the bots.")
        return table(["beside them", "acts/s of people", "p50 ms", "p99 ms", "p999 ms"], rows) + note

    def paired_at(self, rate, store, words):
        pairs = Pairs()
        sizes = self.sizes_of(words)
        with floor(sizes) as base:
            for _ in range(self.pairs):
                with triquetrad(store=store) as server:
                    of_floor = self.floor_run(base, words, sizes, "--rate", rate)
                    pairs.add(of_floor, undisturbed(lambda: server.load(*words, *self.timed("--rate", rate))))
        return pairs

    def stores(self):
        """One server with each of the stores, in turn; the database has the generator's core."""
        stores, runs, database_s = ("memory", "sqlite", "PostgreSQL"), {}, []
        with postgres.Cluster() as cluster:
            for _ in range(self.pairs):
                for name in stores:
                    if name == "PostgreSQL":
                        cluster.sql("games", "DROP SCHEMA IF EXISTS triquetra CASCADE")
                    with triquetrad(store=cluster.url if name == "PostgreSQL" else name) as server:
                        before = machine.cpu_s_of(cluster.pids())
                        run = undisturbed(lambda: server.load(*workload(), *self.timed()))
                        runs.setdefault(name, []).append(run)
                        if name == "PostgreSQL":
                            database_s.append((machine.cpu_s_of(cluster.pids()) - before) / run["acts"])
        cost = {name: statistics.median(run["server_us_per_act"] for run in of) for name, of in runs.items()}
        acts = {name: statistics.median(run["acts_s"] for run in of) for name, of in runs.items()}
        rows = [[name, f"{acts[name]:,.0f}", f"{acts[name] / acts['sqlite']:.2f}", f"{cost[name]:.0f}",
                 f"{cost[name] / cost['sqlite']:.2f}"] for name in stores]
        return table(["store", "acts/s", "beside SQLite", "us an act", "beside SQLite"], rows) + (
            f"\n\nThe database's own CPU, of which the load's first seconds are a part: "
            f"{statistics.median(database_s) * 1e6:.0f} us an act.")

    def servers(self):
        """One, two and three servers on one database, each with its part of the rooms; all of them have the server's core."""
        runs = {}
        with postgres.Cluster() as cluster, tempfile.TemporaryDirectory() as folder:
            secret = pathlib.Path(folder) / "secret"
            secret.write_text("a secret that these servers know")
            for _ in range(self.pairs):
                for count in (1, 2, 3):
                    cluster.sql("games", "DROP SCHEMA IF EXISTS triquetra CASCADE")
                    with contextlib.ExitStack() as stack:
                        flags = [("--link-address", f"127.0.0.1:{free_port()}", "--link-secret-file", secret)
                                 for _ in range(count)]
                        servers = [stack.enter_context(triquetrad(*words, store=cluster.url)) for words in flags]
                        before = machine.cpu_s_of(cluster.pids())
                        loads = [server.begin_load(*workload(rooms=ROOMS // count), *self.timed()) for server in servers]
                        parts = [server.figures_of(load) for server, load in zip(servers, loads)]
                        acts = sum(part["acts"] for part in parts)
                        runs.setdefault(count, []).append((
                            sum(part["acts_s"] for part in parts),
                            sum(part["server_us_per_act"] * part["acts"] for part in parts) / acts,
                            (machine.cpu_s_of(cluster.pids()) - before) / acts * 1e6))
        medians = {count: [statistics.median(column) for column in zip(*of)] for count, of in runs.items()}
        rows = [[count, f"{acts:,.0f}", f"{cost:.0f}", f"{cost / medians[1][1]:.2f}", f"{database:.0f}"]
                for count, (acts, cost, database) in medians.items()]
        return table(["servers", "acts/s of all", "us an act", "beside one", "us of the database"], rows) + (
            "\n\nAll servers share one core here, and the database the generator's: what an act costs says how they grow on cores of "
            "their own; acts/s do not.")

    def silences(self):
        """How long nobody's act is acknowledged when a room loses its server; see bench/silences.py."""
        words = ["/usr/bin/python3", machine.ROOT / "bench" / "silences.py", machine.PROGRAMS / "server" / "triquetrad", 4 * self.pairs]
        told = json.loads(subprocess.check_output([str(word) for word in words], text=True).splitlines()[-1])
        rows = [[what, len(of), f"{statistics.median(of):.2f}", f"{max(of):.2f}"] for what, of in told.items()]
        return table(["what happens", "times", "median s", "longest s"], rows)

    def threads(self):
        """CPU for an act with one thread and with two, on all cores."""
        cores = range(os.cpu_count() or 2)
        rows = []
        for store in ("memory", "sqlite"):
            of = {1: [], 2: []}
            for _ in range(self.pairs):
                for count in (1, 2):
                    with triquetrad(store=store, threads=count, cores=cores) as server:
                        of[count].append(undisturbed(lambda: server.load(*workload(), *self.timed())))
            cost = {count: statistics.median(run["server_us_per_act"] for run in runs) for count, runs in of.items()}
            acts = {count: statistics.median(run["acts_s"] for run in runs) for count, runs in of.items()}
            rows.append([store, f"{cost[1]:.0f}", f"{cost[2]:.0f}", f"{cost[2] / cost[1]:.2f}", f"{acts[2] / acts[1]:.2f}"])
        note = f"\n\nThe generator has one of the {len(cores)} cores to itself for most of the time, so the last column is less than what two free cores do."
        return table(["store", "us an act, one thread", "two", "quotient", "acts/s, quotient"], rows) + note

    def memory(self):
        rows = []
        count = 1000
        with triquetrad() as server:
            server.load("--rooms", 50, "--stage", "hello", "--seconds", 0)
            run = server.load("--rooms", count, "--stage", "hello", "--seconds", 0, "--hold", 1)
            connection = (run["memory_arrived_kib"] - run["memory_before_kib"]) / (4 * count)
            rows.append(["a connection that has said hello", f"{connection:.1f}"])
        for name, words in (("a room of four that gathers, without its connections, memory store", ("--stage", "seated", "--seconds", 0)),
                            ("a room with a match that has begun, memory store", ("--stage", "view", "--seconds", 0))):
            with triquetrad() as server:
                server.load("--rooms", 50, "--stage", "hello", "--seconds", 0)
                run = server.load("--rooms", count, *words, "--hold", 1)
                rows.append([name, f"{(run['memory_arrived_kib'] - run['memory_before_kib']) / count - 4 * connection:.1f}"])
        # What has been played is on the disk. SQLite's cache has a size of its own, however many rooms there are: the difference
        # of two servers that have both filled it is what rooms need.
        seconds = 30
        for name, game, options, halfway in (("Triqueta", "triqueta", {}, 35), ("Triqueta, Hidden Wolves", "triqueta", {"variant": "wolves"}, 35),
                                             ("Triangle Mayhem", "mayhem", {}, 60), ("21/15/9-Card Triangles", "card_triangles", {}, 50)):
            ends = []
            for rooms in (count, 2 * count):
                with triquetrad(store="sqlite") as server:
                    run = server.load(*workload(game=game, options=options, rooms=rooms), "--rate", halfway * rooms / seconds, "--warm", 0,
                                      "--seconds", seconds, "--hold", 1)
                ends.append(run["memory_end_kib"])
            rows.append([f"a room with a match halfway (at act {halfway}), SQLite: {name}", f"{(ends[1] - ends[0]) / count - 4 * connection:.1f}"])
        used = []
        for matches in (1, 3):
            with triquetrad() as server:
                run = server.load("--rooms", ROOMS, "--matches", matches, "--warm", 0, "--seconds", 12)
                used.append((run["memory_end_kib"], run["matches"], run["acts"]))
        matches = used[1][1] - used[0][1]
        rows.append([f"a finished match ({(used[1][2] - used[0][2]) / max(1, matches):.0f} acts), memory store",
                     f"{(used[1][0] - used[0][0]) / max(1, matches):.1f}"])
        used = []
        for matches in (1, 3):
            with triquetrad(store="sqlite") as server:
                run = server.load("--rooms", ROOMS, "--matches", matches, "--warm", 0, "--seconds", 20)
                used.append((run["memory_end_kib"], run["matches"]))
        rows.append(["a finished match, SQLite", f"{(used[1][0] - used[0][0]) / max(1, used[1][1] - used[0][1]):.1f}"])
        return table(["what", "KiB of memory"], rows)

    def expect(self):
        """What a core and a gigabyte carry, as arithmetic with figures of this run."""
        pace_s = 5  # between two acts of a room: people think
        with triquetrad(store="sqlite") as server:
            runs = [undisturbed(lambda: server.load(*workload(), *self.timed())) for _ in range(self.pairs)]
        acts_s = statistics.median(run["acts_s"] for run in runs) / 2
        bytes_an_act = statistics.median(run["bytes_in_per_act"] for run in runs)
        rooms = 1000
        with triquetrad(store="sqlite") as server:
            # Each room comes to the middle of its match.
            run = server.load(*workload(rooms=rooms), "--rate", 35 * rooms / 20, "--warm", 0, "--seconds", 20)
        room_kib = (run["memory_end_kib"] - run["memory_before_kib"]) / rooms
        return table(["of what", "how much"], [
            ["acts/s of one core, SQLite, at half of what saturates it", f"{acts_s:,.0f}"],
            [f"rooms of four, each with an act every {pace_s} s, that this serves", f"{acts_s * pace_s:,.0f}"],
            ["people in them", f"{4 * acts_s * pace_s:,.0f}"],
            ["what they are sent, Mbit/s", f"{acts_s * bytes_an_act * 8 / 1e6:,.0f}"],
            ["memory of a room with a match halfway and its four connections, KiB", f"{room_kib:.0f}"],
            ["such rooms in 1 GiB", f"{1024 * 1024 / room_kib:,.0f}"],
            ["people in them", f"{4 * 1024 * 1024 / room_kib:,.0f}"],
        ])

    def restart(self):
        rows = []
        empty = sorted(first_answers(None) for _ in range(9))
        rows.append(["nothing kept", *(f"{value * 1000:.0f}" for value in empty[4]), "-"])
        for rooms in (1000, 4000):
            with tempfile.TemporaryDirectory(dir=machine.PLACE) as folder:
                with triquetrad(store="sqlite", data=folder) as server:
                    run = server.load(*workload(rooms=rooms), "--rate", rooms * 2, "--warm", 0, "--seconds", 15)
                size = sum(file.stat().st_size for file in pathlib.Path(folder).iterdir()) / 1e6
                values = sorted(first_answers(folder) for _ in range(3))[1]
                rows.append([f"{rooms:,} rooms in use, matches at act {run['acts'] / rooms:.0f} on average, {size:.0f} MB",
                             *(f"{value * 1000:.0f}" for value in values), "-"])
        for count in (4000, 100000):
            with tempfile.TemporaryDirectory(dir=machine.PLACE) as folder:
                with triquetrad(store="sqlite", data=folder) as server:
                    server.load("--rooms", 1, "--seats", 4, "--stage", "seated", "--seconds", 0)
                before = memory_at_start(folder)
                keep_asleep(pathlib.Path(folder) / "triquetra.db", count)
                size = sum(file.stat().st_size for file in pathlib.Path(folder).iterdir()) / 1e6
                values = sorted(first_answers(folder) for _ in range(3))[1]
                each = (memory_at_start(folder) - before) * 1024 / count
                rows.append([f"{count:,} rooms asleep, {size:.0f} MB", *(f"{value * 1000:.0f}" for value in values), f"{each:.0f}"])
        return table(["start with", "accepts, ms", "`/healthz`, ms", "`/readyz`, ms", "bytes of memory a room"], rows)

    def arrivals(self):
        rows = []
        for name, stage in (("TCP, upgrade, hello", "hello"), ("the same, and a seat", "seated"), ("the same, and the first view", "view")):
            for store in ("memory", "sqlite"):
                runs = []
                for _ in range(self.pairs):
                    with triquetrad(store=store) as server:
                        server.load("--rooms", 50, "--stage", stage, "--seconds", 0)
                        runs.append(server.load("--rooms", 500, "--stage", stage, "--seconds", 0))

                def median(key, runs=runs):
                    return statistics.median(run[key] for run in runs)
                rows.append([name, store, f"{median('connections_s'):,.0f}", f"{median('server_us_per_connection'):.0f}",
                             f"{median('arrival_p99_us') / 1000:.0f}"])
        return table(["arriving", "store", "connections/s", "us each", "p99 ms, 64 at once"], rows)

    def parts(self):
        """The programs that measure parts alone, without sockets."""
        text = []
        for name in ("micro", "bench_engine"):
            if not (machine.PROGRAMS / "bench" / name).exists():
                continue
            done = subprocess.run([machine.PROGRAMS / "bench" / name], cwd=machine.PLACE, capture_output=True, text=True,
                                  check=True, preexec_fn=machine.prepared((machine.SERVER_CORE,)))
            is_table = done.stdout.startswith("|")
            text.append(done.stdout.strip() if is_table else f"```\n{done.stdout.strip()}\n```")
        return "\n\n".join(text)


def sync_times(count=500):
    """Seconds that the disk takes for one page to be durable, in order."""
    machine.PLACE.mkdir(parents=True, exist_ok=True)
    times = []
    with tempfile.NamedTemporaryFile(dir=machine.PLACE) as file:
        for _ in range(count):
            began = time.perf_counter()
            os.write(file.fileno(), b"x" * 4096)
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
    return sorted(times)


def status(port, path):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    except OSError:
        return 0


def first_answers(folder):
    """Seconds from the start until the server accepts, until /healthz says yes, and until /readyz does."""
    times = {}
    with triquetrad(store="sqlite" if folder else "memory", data=folder) as server:
        while len(times) < 2 and time.perf_counter() - server.began < 120:
            for path in ("/healthz", "/readyz"):
                if path not in times and status(server.port, path) == 200:
                    times[path] = time.perf_counter() - server.began
            time.sleep(0.0005)
        return server.accepted_s, times["/healthz"], times["/readyz"]


def memory_at_start(folder):
    """KiB of a server that is ready and has served nobody."""
    with triquetrad(store="sqlite", data=folder) as server:
        while status(server.port, "/readyz") != 200:
            time.sleep(0.01)
        text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s*(\d+)", text)[1])


def keep_asleep(file, count):
    """Keeps the first room of a database so many times more, asleep for a week."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        room, entry = database.execute("SELECT room, entry FROM room ORDER BY rowid LIMIT 1").fetchone()
        log = [data for (data,) in database.execute("SELECT data FROM event WHERE room = ? ORDER BY seq", (room,))]
        keys = [key for (key,) in database.execute("SELECT key FROM room_key WHERE room = ?", (room,))]
        now = int(time.time())
        for number in range(count):
            code = "".join("BCDFGHJKLMNPQRSTVWXZ"[number // 20**place % 20] for place in range(6))
            if code == room:
                continue
            chain = code.encode()
            for seq, data in enumerate(data.replace(room, code) for data in log):
                chain = hashlib.sha256(chain + f"/{seq}/{data}".encode()).digest()[:16]
                database.execute("INSERT INTO event (room, seq, epoch, at, data, chain) VALUES (?, ?, 0, ?, ?, ?)",
                                 (code, seq, now, data, chain))
            database.execute("INSERT INTO room (room, entry, asleep, alarm, seq, rested, note) VALUES (?, ?, 1, ?, ?, ?, '')",
                             (code, entry.replace(room, code), (now + 7 * 86400) * 1000, len(log), now * 1000))
            database.executemany("INSERT INTO room_key (key, room) VALUES (?, ?)", ((key, code) for key in keys))
        database.commit()


def told_about(pairs, seconds):
    commit = subprocess.run(["git", "-C", machine.ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True,
                            check=True).stdout.strip()
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return (f"{time.strftime('%d %b %Y')}, at {commit}: {os.cpu_count()} cores ({cpu[1] if cpu else platform.machine()}), Linux "
            f"{platform.release().split('-')[0]}; {pairs} pairs, {seconds:g} s each.")


def write_into(page, name, text):
    """Puts the text between the markers of that name."""
    path = pathlib.Path(page)
    old = path.read_text()
    begin, end = f"<!-- measured: {name} -->\n", f"<!-- end: {name} -->"
    if begin not in old or end not in old:
        raise SystemExit(f"{page} has no markers for {name}")
    head, rest = old.split(begin, 1)
    path.write_text(head + begin + text + "\n" + end + rest.split(end, 1)[1])


def main():
    every = ("acts", "games", "rooms", "seats", "watchers", "length", "latency", "bots", "stores", "servers", "silences",
             "threads", "memory", "restart", "arrivals", "parts", "expect")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="WHAT")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--tries", type=int, default=machine.TRIES)
    parser.add_argument("--write", metavar="FILE")
    words = parser.parse_args()
    machine.TRIES = words.tries
    unknown = set(words.what) - set(every)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are: {' '.join(every)}")
    bench = Bench(words.pairs, words.seconds)
    for name in words.what or every:
        began = time.time()
        text = getattr(bench, name)()
        print(f"\n{name} ({time.time() - began:.0f} s)\n\n{text}", flush=True)
        if words.write:
            write_into(words.write, name, text + "\n\n" + told_about(words.pairs, words.seconds))


if __name__ == "__main__":
    main()
