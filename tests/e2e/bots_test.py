"""The bot kits: the examples of docs/BOTS.md as printed, whole games of every variant between Python,
JavaScript and the server's bots, cut lines, and the record checker. The number of games of each
variant is TRIQUETRA_BOT_GAMES (2).

usage: bots_test.py TRIQUETRAD TRIQUETRA SOURCE_DIR
"""
import asyncio
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SERVER, CLIENT, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
PYTHON_KIT = SOURCE / "clients" / "sdk" / "python"
JAVASCRIPT_KIT = SOURCE / "clients" / "sdk" / "javascript"
sys.path.insert(0, str(PYTHON_KIT))

import greedy_bot  # noqa: E402
import random_bot  # noqa: E402
import verify_record  # noqa: E402
from triquetrad import Server  # noqa: E402

GAMES = int(os.environ.get("TRIQUETRA_BOT_GAMES", "2"))
PATIENCE_S = 120 + 5 * GAMES  # only a hang takes that long
# Where the answer depends on who is faster: a window closes, a fast card changes what is possible,
# the host opens the next match while somebody asks for the history of this one, or starts it.
HARMLESS = {"too_late", "not_your_turn", "overtaken", "no_such_match", "not_over"}
# Debian's Node looks there by itself, others need to be told.
ENVIRONMENT = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}
ACTS = collections.Counter()  # by kit, at tables of every_variant


def variants(game):
    """Options that between them name every word that the game's schema knows."""
    schema = json.loads((SOURCE / "protocol/schema/games" / f"{game}.json").read_text())
    found = [{name: word} for name, part in schema["$defs"]["options"]["properties"].items()
             for word in part.get("enum", [])]
    return found or [{}]


def check_record(record):
    wrong = verify_record.wrong_with(record)
    assert wrong is None, wrong
    done = subprocess.run([CLIENT, "verify", "-"], input=json.dumps(record), text=True,
                          capture_output=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stdout


async def javascript_bot(script, words):
    """Runs a bot of the JavaScript kit to its end; what it says of itself."""
    child = await asyncio.create_subprocess_exec(
        "node", str(JAVASCRIPT_KIT / script), *words, "--json", env=ENVIRONMENT,
        stdout=asyncio.subprocess.PIPE)
    out, _ = await asyncio.wait_for(child.communicate(), PATIENCE_S)
    assert child.returncode == 0, (script, child.returncode, out)
    return json.loads(out.splitlines()[-1])


class Host(greedy_bot.GreedyBot):
    """Makes the room; tells its code and how it looked when all were in."""

    def __init__(self, server):
        super().__init__(server)
        self.code = asyncio.get_running_loop().create_future()
        self.seats = None

    def on_room(self, room):
        if not self.code.done():
            self.code.set_result(room["room"])
        self.seats = room["seats"]

    def on_over(self, record):
        pass


async def play(server, game, options, seats, games, line_up):
    """So many matches at one table; returns the records. Each word of the line-up is one more
    player: the host (Python, greedy) comes first, then these, then bots of the server."""
    host = Host(server.url)
    bots = seats - 1 - len(line_up)
    create = {"game": game, "options": options, "seats": seats}
    playing = [asyncio.create_task(host.play(create=create, bots=bots, matches=games))]
    done, _ = await asyncio.wait([host.code, playing[0]], return_when=asyncio.FIRST_COMPLETED,
                                 timeout=PATIENCE_S)
    if playing[0] in done:
        playing[0].result()  # raises what went wrong
    code = host.code.result()
    guests = []
    for word in line_up:
        if word.endswith(".mjs"):
            playing.append(asyncio.create_task(javascript_bot(
                word, [code, "--server", server.url, "--matches", str(games)])))
        else:
            guests.append(random_bot.RandomBot(server.url))
            playing.append(asyncio.create_task(guests[-1].play(code, matches=games)))
    results = await asyncio.wait_for(asyncio.gather(*playing), PATIENCE_S)
    said = [{"acts": bot.acts, "matches": len(bot.records), "refusals": bot.refusals}
            for bot in [host, *guests]]
    said += [result for result in results if isinstance(result, dict)]
    for bot in said:
        assert bot["matches"] == games, said
        assert set(bot["refusals"]) <= HARMLESS, said
    check_marks(host.records[0], len(line_up), bots)
    for record in host.records:
        check_record(record)
    # A short match may be over before somebody's turn; over all of them each kit has acted.
    ACTS["Python"] += sum(bot.acts for bot in [host, *guests])
    ACTS["JavaScript"] += sum(result["acts"] for result in results if isinstance(result, dict))
    total = sum(step.get("by") == "player" for record in host.records for step in record["steps"])
    assert total == sum(bot["acts"] for bot in said), (total, said)  # each act once
    return host.records


def check_marks(record, line_up, bots):
    """Programs are told from people, and from the server's own bots, which have no name."""
    seats = record["seats"]
    assert all(seat["kind"] == "bot" for seat in seats), seats
    assert sum("name" in seat for seat in seats) == 1 + line_up, seats
    assert sum("level" in seat for seat in seats) == bots, seats
    assert all(seat["entropy"] for seat in record["seats"] if "name" in seat), seats


LINE_UPS = [["greedy_bot.mjs", "random_bot.py"], ["random_bot.mjs"], ["greedy_bot.mjs"],
            ["random_bot.mjs"]]


def sizes(game, options):
    """How many can play so."""
    words = [CLIENT, "arena", "--game", game["name"], "--options", json.dumps(options),
             "--games", "1"]
    return [seats for seats in range(game["min_seats"], game["max_seats"] + 1)
            if subprocess.run([*words, "--bots", ",".join(["random"] * seats)], check=False,
                              capture_output=True, timeout=PATIENCE_S).returncode == 0]


async def every_variant(server):
    for game in server.games():
        for options in variants(game["name"]):
            played = acts = 0
            started = time.monotonic()
            tables = sizes(game, options)
            for seats in tables:
                # At each size another table; they share the games of the variant.
                line_up = LINE_UPS[seats % len(LINE_UPS)][:seats - 1]
                records = await play(server, game["name"], options, seats,
                                     -(-GAMES // len(tables)), line_up)
                played += len(records)
                acts += sum(len(record["steps"]) for record in records)
            assert played >= GAMES, (game, options)
            print(f"{game['name']} {options}: {played} games with {tables} seats, {acts} acts, "
                  f"{time.monotonic() - started:.1f} s", flush=True)
    assert ACTS["Python"] > 100 and ACTS["JavaScript"] > 100, ACTS


class CuttingProxy:
    """Hands bytes through, and cuts a line right after passing on what the client sent: so the
    server has heard what the client never gets an answer to. `limits`: after how many pieces, line by line."""

    def __init__(self, port, limits):
        self.server_port, self.limits, self.cuts, self.port = port, limits, 0, None

    async def __aenter__(self):
        self.listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self.listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.listener.close()

    async def _accept(self, reader, writer):
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.server_port)
        limit = self.limits[self.cuts] if self.cuts < len(self.limits) else 0
        await asyncio.gather(self._pass_on(reader, server_writer, [writer, server_writer], limit),
                             self._pass_on(server_reader, writer, [writer, server_writer], 0))

    async def _pass_on(self, source, sink, both, limit):
        count = 0
        try:
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
                count += 1
                if count == limit:
                    self.cuts += 1
                    break
        except OSError:
            pass
        for end in both:
            end.close()


async def cut_while_entering(server):
    """Whatever was under way when the line was cut: a room made, bots added, a match begun. Asked for again, it
    is what the first asking has done."""
    for limit in range(3, 9):  # handshake and hello before, acts behind
        words = {"create": {"game": "triqueta", "seats": 2}, "bots": 1, "matches": 1}
        async with CuttingProxy(server.port, [limit]) as proxy:
            url = f"ws://127.0.0.1:{proxy.port}"
            bot = random_bot.RandomBot(url)
            await asyncio.wait_for(bot.play(**words), PATIENCE_S)
            assert set(bot.refusals) <= HARMLESS | {"entropy_not_asked"}, bot.refusals
            assert proxy.cuts == 1
        async with CuttingProxy(server.port, [limit]) as proxy:
            said = await javascript_bot("random_bot.mjs", [
                "--server", f"ws://127.0.0.1:{proxy.port}", "--game", "triqueta", "--bots", "1", "--matches", "1"])
            assert set(said["refusals"]) <= HARMLESS | {"entropy_not_asked"}, said
            assert said["matches"] == 1 and proxy.cuts == 1
    print("cut at each step on the way to a match", flush=True)


async def cut_lines(server):
    """Both kits play on when the line is cut, and every act counts once."""
    for kit in ("Python", "JavaScript"):
        # Handshake, hello, join, and then some acts.
        async with CuttingProxy(server.port, [6, 7, 8, 9]) as proxy:
            url = f"ws://127.0.0.1:{proxy.port}"
            words = {"create": {"game": "triqueta", "seats": 2}, "bots": 1, "matches": 3}
            if kit == "Python":
                bot = random_bot.RandomBot(url)
                records = await asyncio.wait_for(bot.play(**words), PATIENCE_S)
                acts, refusals = bot.acts, bot.refusals
                for record in records:
                    check_record(record)
                made = sum(s.get("by") == "player" for r in records for s in r["steps"])
                assert made == acts, (made, acts)
            else:
                said = await javascript_bot("random_bot.mjs", [
                    "--server", url, "--game", "triqueta", "--bots", "1", "--matches", "3"])
                acts, refusals = said["acts"], said["refusals"]
                assert said["matches"] == 3
            # What was opened once is not asked for again.
            assert set(refusals) <= HARMLESS | {"entropy_not_asked"}, refusals
            assert proxy.cuts == 4, proxy.cuts
            print(f"{kit}: {proxy.cuts} cuts, {acts} acts", flush=True)


def printed_examples(server):
    """What docs/BOTS.md prints, saved beside the kit and run by the command that follows it."""
    page = (SOURCE / "docs" / "BOTS.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    for language, name, kit in (("python", "my_bot.py", PYTHON_KIT / "triquetra_bot.py"),
                                ("javascript", "my_bot.mjs", JAVASCRIPT_KIT / "triquetra-bot.mjs")):
        at = next(i for i, (word, _) in enumerate(blocks) if word == language)
        source, command = blocks[at][1], blocks[at + 1][1].split()
        assert command[1] == name, command
        if command[0] == "python3":
            command[0] = "/usr/bin/python3"  # the one that has Debian's packages
        assert len(source.splitlines()) <= 24, "an example is short"
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / name).write_text(source)
            shutil.copy(kit, folder)
            done = subprocess.run([*command, "--server", server.url], cwd=folder, text=True,
                                  env=ENVIRONMENT, capture_output=True, timeout=PATIENCE_S,
                                  check=False)
        assert done.returncode == 0, (done.stdout, done.stderr)
        assert "The winners sit at" in done.stdout, done.stdout
        print(f"{name}: {done.stdout.splitlines()}", flush=True)


def false_records(record):
    """The checker finds what was bent."""
    def verdict(changed):
        try:
            return verify_record.wrong_with(changed)
        except Exception as error:  # pylint: disable=broad-except
            return repr(error)

    assert verdict(record) is None
    for bend in (lambda r: r.update(secret="00" * 32),
                 lambda r: r.update(match="0" * 32),
                 lambda r: r["seats"][0].update(entropy="00" * 32),
                 lambda r: r["seats"].reverse(),
                 lambda r: r["deal"]["towers"]["columns"].reverse(),
                 lambda r: r["deal"].update(first_seat=1 - r["deal"]["first_seat"])):
        bent = json.loads(json.dumps(record))
        bend(bent)
        assert verdict(bent) is not None, bent
    script = str(PYTHON_KIT / "verify_record.py")
    for text, code in ((json.dumps(record), 0), (json.dumps({**record, "match": "0" * 32}), 1),
                       ("{}", 2), ("no", 2)):
        done = subprocess.run(["/usr/bin/python3", "-S", script, "-"], input=text, text=True,
                              capture_output=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == code, (text[:40], done.returncode, done.stdout, done.stderr)


def arena(server):
    """Tournaments here are the same every time; those at a server seat any program."""
    state = tempfile.TemporaryDirectory()

    def run(*words):
        return subprocess.run([CLIENT, "arena", *words], text=True, capture_output=True,
                              timeout=PATIENCE_S, check=False,
                              env={**ENVIRONMENT, "XDG_STATE_HOME": state.name})

    here = ["--bots", "greedy,random,random", "--games", "30", "--json"]
    first, again, other = run(*here), run(*here), run(*here, "--seed", "2")
    assert first.returncode == 0 and first.stdout == again.stdout, (first, again)
    assert first.stdout != other.stdout
    report = json.loads(first.stdout)
    assert len(report["matches"]) == 30 and [bot["games"] for bot in report["bots"]] == [30] * 3
    assert report["bots"][0]["wins"] > report["bots"][1]["wins"] + report["bots"][2]["wins"]
    for seat in range(3):  # every bot was at every seat equally often
        assert [m["bots"][seat] for m in report["matches"]].count(0) == 10
    assert run("--bots", "greedy,nobody").returncode == 2
    assert run("--bots", "greedy").returncode == 2
    assert run("--bots", "greedy,greedy", "--options", '{"variant":"chess"}').returncode == 2

    there = run("--bots", f"random,/usr/bin/python3 {PYTHON_KIT}/random_bot.py,greedy",
                "--games", "4", "--json", "--server", server.url)
    assert there.returncode == 0, there
    report = json.loads(there.stdout)
    assert [bot["games"] for bot in report["bots"]] == [4, 4, 4], report
    assert "clock" not in there.stderr and "error" not in there.stderr, there.stderr
    assert {tuple(m["bots"]) for m in report["matches"]} == {(0, 1, 2), (0, 2, 1)}, report
    assert run("--bots", "true,true", "--server", server.url).returncode == 2
    state.cleanup()
    print("arena: the same report twice, and", len(report["matches"]), "matches at a server")


async def reshuffled(server):
    """The checker follows the discards: players at random draw so often that the pile runs out."""
    for games in range(1, 100):
        host = random_bot.RandomBot(server.url)
        code = asyncio.get_running_loop().create_future()
        host.on_room = lambda room, code=code: code.done() or code.set_result(room["room"])
        create = {"game": "card_triangles", "seats": 2}
        playing = asyncio.create_task(host.play(create=create))
        guest = random_bot.RandomBot(server.url)
        code = await asyncio.wait_for(code, PATIENCE_S)
        await asyncio.wait_for(asyncio.gather(playing, guest.play(code)), PATIENCE_S)
        check_record(host.records[0])
        if host.records[0]["deal"]["reshuffles"]:
            print(f"card_triangles: a reshuffle in game {games}, checked", flush=True)
            return
    raise AssertionError("no game of a hundred needed a reshuffle")


async def main():
    with Server(SERVER, "--bot-delay-ms", "0", patience_s=PATIENCE_S) as server:
        printed_examples(server)
        arena(server)
        false_records((await play(server, "triqueta", {"variant": "duo"}, 2, 1, []))[0])
        await cut_while_entering(server)
        await cut_lines(server)
        await reshuffled(server)
        await every_variant(server)


if __name__ == "__main__":
    began = time.monotonic()
    asyncio.run(main())
    print(f"all well after {time.monotonic() - began:.1f} s")
