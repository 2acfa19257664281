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
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import websockets

SERVER, CLIENT, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
PYTHON_KIT = SOURCE / "clients" / "sdk" / "python"
JAVASCRIPT_KIT = SOURCE / "clients" / "sdk" / "javascript"
sys.path.insert(0, str(PYTHON_KIT))

import greedy_bot  # noqa: E402
import random_bot  # noqa: E402
import seed  # noqa: E402
import verify_record  # noqa: E402
from triquetrad import Server  # noqa: E402

GAMES = int(os.environ.get("TRIQUETRA_BOT_GAMES", "2"))
PATIENCE_S = 120 + 5 * GAMES  # only a hang takes that long
# Where the answer depends on who is faster: a window closes, a fast card changes what is possible,
# the host opens the next match while somebody asks for the history of this one, or starts it; or opens it
# while another's line is cut, whose promise for the shuffle has then come to nobody.
HARMLESS = {"too_late", "not_your_turn", "overtaken", "no_such_match", "not_over", "entropy_not_asked"}
# Debian's Node looks there by itself, others need to be told.
ENVIRONMENT = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}
seed.take()
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
        *seed.node(JAVASCRIPT_KIT / script), *words, "--json", env=ENVIRONMENT,
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

    async def room_made(self, playing):
        """The code, once it is known to this task that plays."""
        done, _ = await asyncio.wait([self.code, playing], return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE_S)
        if playing in done:
            playing.result()  # raises what went wrong
        return self.code.result()


async def play(server, game, options, seats, games, line_up):
    """So many matches at one table; returns the records. Each word of the line-up is one more
    player: the host (Python, greedy) comes first, then these, then bots of the server."""
    host = Host(server.url)
    bots = seats - 1 - len(line_up)
    create = {"game": game, "options": options, "seats": seats}
    playing = [asyncio.create_task(host.play(create=create, bots=bots, matches=games))]
    code = await host.room_made(playing[0])
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


class Requests:
    """Takes what a client sends, piece by piece, and tells the types of the requests in it (RFC 6455, 5.2)."""

    def __init__(self):
        self.waiting, self.is_upgraded = b"", False

    def of(self, data):
        self.waiting += data
        if not self.is_upgraded:
            head, blank, rest = self.waiting.partition(b"\r\n\r\n")
            if not blank:
                return
            self.waiting, self.is_upgraded = rest, True
        while len(self.waiting) >= 8:
            length, at = self.waiting[1] & 0x7F, 2
            if length == 126:
                length, at = int.from_bytes(self.waiting[2:4], "big"), 4
            mask, end = self.waiting[at:at + 4], at + 4 + length
            if len(self.waiting) < end:
                return
            is_text, body = self.waiting[0] & 0x0F == 1, self.waiting[at + 4:end]
            self.waiting = self.waiting[end:]
            if is_text:
                yield json.loads(bytes(byte ^ mask[i % 4] for i, byte in enumerate(body)))["type"]


class CuttingProxy:
    """Hands bytes through, and cuts a line right after passing on what the client sent: so the
    server has heard what the client never gets an answer to. `limits`, line by line: after how many pieces,
    or after which request."""

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
        count, requests = 0, Requests()
        try:
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
                count += 1
                if count == limit or isinstance(limit, str) and limit in list(requests.of(data)):
                    self.cuts += 1
                    break
        except OSError:
            pass
        for end in both:
            end.close()


async def cut_at_each_request(server):
    """Whatever was under way when the line was cut, asked for again it is what the first asking has done: one
    room, one bot of the server in it (else there is no place for the guest), two matches."""
    for request in ("create", "add_bot", "start", "reveal_entropy", "act", "record", "rematch", "leave"):
        for kit in ("Python", "JavaScript"):
            async with CuttingProxy(server.port, [request]) as proxy:
                url = f"ws://127.0.0.1:{proxy.port}"
                if kit == "Python":
                    host = Host(url)
                    hosting = asyncio.create_task(
                        host.play(create={"game": "triqueta", "seats": 3}, bots=1, matches=2))
                    code = await host.room_made(hosting)
                else:
                    child = await asyncio.create_subprocess_exec(
                        *seed.node(JAVASCRIPT_KIT / "greedy_bot.mjs"), "--server", url, "--game", "triqueta",
                        "--seats", "3", "--bots", "1", "--matches", "2", "--json", env=ENVIRONMENT,
                        stdout=asyncio.subprocess.PIPE)
                    said = await asyncio.wait_for(child.stdout.readline(), PATIENCE_S)
                    code = said.decode().split()[1]
                    hosting = asyncio.create_task(child.communicate())
                guest = random_bot.RandomBot(server.url)
                await asyncio.wait_for(asyncio.gather(hosting, guest.play(code, matches=2)), PATIENCE_S)
                if kit == "Python":
                    matches, refusals = len(host.records), host.refusals
                else:
                    assert child.returncode == 0, (request, said)
                    said = json.loads(hosting.result()[0].splitlines()[-1])
                    matches, refusals = said["matches"], said["refusals"]
                assert set(refusals) <= HARMLESS, (request, kit, refusals)
                assert (matches, len(guest.records), proxy.cuts) == (2, 2, 1), (request, kit, matches, proxy.cuts)
    print("kits: cut at each kind of request", flush=True)


async def cut_while_making(server):
    """The terminal client with `--bots 1` at a table for three: one room, one bot of the server, one match."""
    for request, begins in (("create", False), ("add_bot", False), ("add_bot", True), ("start", True),
                            ("reveal_entropy", True)):
        with tempfile.TemporaryDirectory() as state:
            async with CuttingProxy(server.port, [request]) as proxy:
                child = await asyncio.create_subprocess_exec(
                    CLIENT, "create", "--seats", "3", "--bots", "1", *["--start"] * begins, "--json",
                    "--server", f"ws://127.0.0.1:{proxy.port}", env={**ENVIRONMENT, "XDG_STATE_HOME": state},
                    stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
                room, welcomes, has_view, has_asked, is_told = {"seats": []}, 0, False, False, False
                while not is_told or has_view != begins:
                    frame = json.loads(await asyncio.wait_for(child.stdout.readline(), PATIENCE_S))
                    room = frame if frame["type"] == "room" else room
                    welcomes += frame["type"] == "welcome"
                    has_view |= frame["type"] == "view"
                    if welcomes == 2 and not has_asked and any(seat["kind"] == "bot" for seat in room["seats"]):
                        # What was sent again has gone before this, which the room answers after it.
                        join = {"type": "join", "id": "last", "room": room["room"]}
                        child.stdin.write(json.dumps(join).encode() + b"\n")
                        has_asked = True
                    is_told |= frame.get("re") == "last"
                # The room comes with the answer, and after it.
                while frame["type"] != "room" and not begins:
                    frame = room = json.loads(await asyncio.wait_for(child.stdout.readline(), PATIENCE_S))
                seats = room["seats"]
                assert [seat["kind"] for seat in seats] == ["human", "bot"] + ["empty"] * (not begins), (request, seats)
                child.terminate()
                await child.communicate()
    print("terminal client: cut while it makes a room", flush=True)


async def cut_arena(server):
    """A tournament goes on, and counts each match once."""
    for request in ("create", "start", "act", "record", "leave"):
        with tempfile.TemporaryDirectory() as state:
            async with CuttingProxy(server.port, [request]) as proxy:
                child = await asyncio.create_subprocess_exec(
                    CLIENT, "arena", "--bots", "greedy,random", "--games", "2", "--json",
                    "--server", f"ws://127.0.0.1:{proxy.port}", env={**ENVIRONMENT, "XDG_STATE_HOME": state},
                    stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
                out, said = await asyncio.wait_for(child.communicate(), PATIENCE_S)
                assert child.returncode == 0 and proxy.cuts > 0, (request, child.returncode, proxy.cuts, said)
                assert len(json.loads(out)["matches"]) == 2, (request, out)
    print("arena: cut at each kind of request", flush=True)


PYTHON_AUTHOR = """
import asyncio
import sys
from triquetra_bot import Bot

class Author(Bot):
    name = "Author"
    connections = 0

    def choose(self, view, legal):
        {choose}
        return legal[0]

    {asynchronous}def on_happened(self, rev, events):
        {on_happened}

    {asynchronous}def on_over(self, record):
        {on_over}

    {asynchronous}def on_room(self, room):
        {on_room}

Author.main()
"""
JAVASCRIPT_AUTHOR = """
import {{ Bot }} from "./triquetra-bot.mjs";

class Author extends Bot {{
  choose(view, legal) {{
    {choose}
    return legal[0];
  }}
  {asynchronous}onHappened(rev, events) {{
    {on_happened}
  }}
  {asynchronous}onOver(record) {{
    {on_over}
  }}
  {asynchronous}onRoom(room) {{
    {on_room}
  }}
}}
await Author.main();
"""
PLACES = ("choose", "on_happened", "on_over", "on_room")


def authored(server, kit, asynchronous, bots=1, **code):
    """Runs a bot with this code in these places, against so many bots."""
    is_python = kit == "Python"
    nothing = "pass" if is_python else ""
    text = (PYTHON_AUTHOR if is_python else JAVASCRIPT_AUTHOR).format(
        asynchronous="async " if asynchronous else "", **{place: code.get(place, nothing) for place in PLACES})
    name, program = ("author.py", "/usr/bin/python3") if is_python else ("author.mjs", "node")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(text)
        shutil.copy(PYTHON_KIT / "triquetra_bot.py" if is_python else JAVASCRIPT_KIT / "triquetra-bot.mjs", folder)
        return subprocess.run([program, name, "--game", "triqueta", "--bots", str(bots), "--server", server.url],
                              cwd=folder, text=True, env=ENVIRONMENT, capture_output=True, timeout=PATIENCE_S,
                              check=False)


def errors_of_authors(server):
    """What the author's code raises is no lost connection: it ends the bot, and says where."""
    for place in PLACES:
        for asynchronous in (False, True):
            for error in ("OSError", "TimeoutError", "asyncio.TimeoutError", "ConnectionError"):
                done = authored(server, "Python", asynchronous, **{place: f"raise {error}('mine')"})
                assert done.returncode == 1 and "Traceback" in done.stderr, (place, error, done)
                assert 'author.py", line' in done.stderr and "mine" in done.stderr, (place, error, done.stderr)
                assert "connection lost" not in done.stderr, (place, error, done.stderr)
            done = authored(server, "JavaScript", asynchronous, **{place: "throw new Error('mine');"})
            assert done.returncode == 1 and re.search(r"mine\n(.*\n)*.*author.mjs:\d+", done.stderr), (place, done)
            assert "connection lost" not in done.stderr, (place, done.stderr)
    print("kits: errors of authors say where they are", flush=True)


def hooks_are_awaited(server):
    """An async hook has ended before the next one is called; what each act did comes in order."""
    begin = "assert not getattr(self, 'busy', False); self.busy = True; await asyncio.sleep(0.002); self.busy = False; "
    done = authored(server, "Python", True, on_room=begin + "self.rooms = 1",
                    on_happened=begin + "self.revs = [*getattr(self, 'revs', []), rev]",
                    on_over=begin + "print(self.rooms, self.revs == list(range(1, len(self.revs) + 1)))")
    assert done.returncode == 0 and "1 True" in done.stdout, done
    begin = ("if (this.busy) throw new Error('not awaited'); this.busy = true; "
             "await new Promise((done) => setTimeout(done, 2)); this.busy = false; ")
    done = authored(server, "JavaScript", True, on_room=begin + "this.rooms = 1;",
                    on_happened=begin + "this.revs = [...(this.revs ?? []), rev];",
                    on_over=begin + "console.log(this.rooms, this.revs.every((rev, i) => rev === i + 1));")
    assert done.returncode == 0 and "1 true" in done.stdout, done
    print("kits: async hooks are awaited", flush=True)


class PassingOver:
    """Hands frames through to a slow reader: only views that ask it something and the match's last, and what it
    asks of the history comes late. `late_ends`: matches whose end came before the history that they left to ask."""

    def __init__(self, server):
        self.server_url, self.url, self.late_ends = server.url, None, 0

    async def __aenter__(self):
        self.listener = await websockets.serve(self._accept, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self.listener.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self.listener.close()

    async def _accept(self, client):
        asked = set()  # ids of what is asked of the history
        async with websockets.connect(f"{self.server_url}/ws") as server:
            async def up():
                async for text in client:
                    frame = json.loads(text)
                    if frame["type"] == "history":
                        asked.add(frame["id"])
                    await server.send(text)

            async def late(text):
                await asyncio.sleep(0.2)
                asked.discard(json.loads(text)["re"])
                await client.send(text)

            async def down():
                async for text in server:
                    frame = json.loads(text)
                    if frame.get("re") in asked:
                        kept.append(asyncio.create_task(late(text)))
                    elif frame["type"] != "view" or frame["legal"] or not frame["decisions"]:
                        await client.send(text)
                    # The record is asked for when the end is heard of, and answered soon.
                    self.late_ends += "record" in frame and bool(asked)

            kept = [asyncio.create_task(up()), asyncio.create_task(down())]
            await asyncio.wait(kept, return_when=asyncio.FIRST_COMPLETED)
            for task in kept:
                task.cancel()


async def ends_after_its_history(server):
    """Whoever was passed over near the end hears what happened, then that it is over, and only then leaves."""
    keeps = {"Python": "self.revs = [*getattr(self, 'revs', []), rev]",
             "JavaScript": "this.revs = [...(this.revs ?? []), rev];"}
    tells = {"Python": "print(self.revs == list(range(1, len(record['steps']) + 1)))",
             "JavaScript": "console.log(record.steps.every((_, i) => this.revs[i] === i + 1));"}
    for kit in ("Python", "JavaScript"):
        async with PassingOver(server) as slow:
            # Whoever makes the last act itself misses nothing there: with four others, one time in five.
            for _ in range(20):
                done = await asyncio.to_thread(authored, slow, kit, False, bots=4, on_happened=keeps[kit],
                                               on_over=tells[kit])
                assert done.returncode == 0 and "true" in done.stdout.lower(), (kit, done)
                if slow.late_ends > 0:
                    break
            assert slow.late_ends > 0, kit
    print("kits: the end comes after all that happened", flush=True)


PYTHON_HINTED = """
import json
from triquetra_bot import Bot

class Hinted(Bot):
    name = "Hinted"
    wants_reviews = True
    told = {"asked": 0, "followed": 0}

    def wants_hint(self, view):
        self.told["asked"] += 1
        return self.told["asked"] <= 4

    def choose(self, view, legal):
        if self.hint is None:
            assert self.told["asked"] > 4
            return legal[-1]
        assert self.hint["decision"] in [decision["id"] for decision in view["decisions"]]
        assert self.hint["acts"] and all(0 <= act["wins"] <= 100 for act in self.hint["acts"]), self.hint
        self.told["followed"] += 1
        return next(act for act in legal if act["action"] == self.hint["action"])

    def on_over(self, record):
        self.told["over"] = len(record["steps"])

    async def on_review(self, review):
        print(json.dumps({**self.told, **review}))

Hinted.main()
"""
JAVASCRIPT_HINTED = """
import { isDeepStrictEqual } from "node:util";
import { Bot } from "./triquetra-bot.mjs";

class Hinted extends Bot {
  wantsReviews = true;
  told = { asked: 0, followed: 0 };

  wantsHint(view) {
    return ++this.told.asked <= 4;
  }
  choose(view, legal) {
    if (!this.hint) {
      if (this.told.asked <= 4) throw new Error("no hint");
      return legal.at(-1);
    }
    if (!this.hint.acts.every(({ wins }) => wins >= 0 && wins <= 100)) throw new Error(JSON.stringify(this.hint));
    this.told.followed += 1;
    return legal.find(({ action }) => isDeepStrictEqual(action, this.hint.action));
  }
  onOver(record) {
    this.told.over = record.steps.length;
  }
  async onReview(review) {
    console.log(JSON.stringify({ ...this.told, ...review }));
  }
}
await Hinted.main();
"""


def hints_and_reviews(server):
    """A bot may ask what an expert would do before it chooses, and after a match which acts cost most."""
    for text, program, kit in ((PYTHON_HINTED, ("/usr/bin/python3", "hinted.py"), PYTHON_KIT / "triquetra_bot.py"),
                               (JAVASCRIPT_HINTED, ("node", "hinted.mjs"), JAVASCRIPT_KIT / "triquetra-bot.mjs")):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / program[1]).write_text(text)
            shutil.copy(kit, folder)
            done = subprocess.run([*program, "--game", "triqueta", "--options", '{"variant": "duo"}', "--bots", "1",
                                   "--server", server.url], cwd=folder, text=True, env=ENVIRONMENT,
                                  capture_output=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == 0, (done.stdout, done.stderr)
        told = json.loads(done.stdout.splitlines()[-1])
        assert told["followed"] == 4 and told["asked"] > 4, told
        assert told["looked_at"] == told["steps"] == told["over"], told
        # Somebody who always takes the last act on the list makes mistakes.
        assert told["acts"] and all(act["action"] != act["better"] for act in told["acts"]), told
        print(f"{program[1]}: hints are followed, and the review finds {len(told['acts'])} acts", flush=True)


async def one_bot_plays_twice(server):
    """The second play() of one bot is like the first: the same player, in another room."""
    bot = greedy_bot.GreedyBot(server.url)
    plan = {"create": {"game": "triqueta", "seats": 2}, "bots": 1}
    rooms, tokens, played = [], [], []
    for _ in range(2):
        played.append(await asyncio.wait_for(bot.play(**plan), PATIENCE_S))
        rooms.append(bot.room)
        tokens.append(bot.token)
    assert [len(records) for records in played] == [1, 1] and len(bot.records) == 2, played
    assert rooms[0] != rooms[1] and tokens[0] == tokens[1], (rooms, tokens)
    script = f"""
        import {{ Bot }} from "{JAVASCRIPT_KIT}/triquetra-bot.mjs";
        class Twice extends Bot {{ choose(view, legal) {{ return legal[0]; }} }}
        const bot = new Twice("{server.url}");
        const told = [];
        for (let i = 0; i < 2; ++i) {{
          const records = await bot.play(undefined, {{ create: {{ game: "triqueta", seats: 2 }}, bots: 1 }});
          told.push([records.length, bot.room, bot.token]);
        }}
        console.log(JSON.stringify(told));"""
    child = await asyncio.create_subprocess_exec("node", "--input-type=module", "-e", script, env=ENVIRONMENT,
                                                 stdout=asyncio.subprocess.PIPE)
    out, _ = await asyncio.wait_for(child.communicate(), PATIENCE_S)
    first, second = json.loads(out)
    assert (first[0], second[0]) == (1, 1) and first[1] != second[1] and first[2] == second[2], (first, second)
    print("kits: one bot plays twice", flush=True)


def refused_names(server):
    """A name that the server does not want is said, and nothing is kept."""
    for program, words in (("/usr/bin/python3", [PYTHON_KIT / "random_bot.py", "--token", "kept"]),
                           ("node", [JAVASCRIPT_KIT / "random_bot.mjs"])):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([program, *words, "--name", "Ada\u202e", "--game", "triqueta", "--server", server.url],
                                  cwd=folder, text=True, env=ENVIRONMENT, capture_output=True, timeout=PATIENCE_S,
                                  check=False)
            assert done.returncode == 1 and "bad_text" in done.stderr and "name" in done.stderr, done
            assert not os.listdir(folder), os.listdir(folder)
    print("kits: a refused name is said", flush=True)


async def patient_at_a_start(server):
    """Whoever comes while a server reads its rooms, and hears 503, comes again."""
    paths = []

    async def pipe(reader, writer):
        while piece := await reader.read(65536):
            writer.write(piece)
        writer.close()

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        paths.append(head.split()[1].decode())
        if paths.count("/ws") < 3:
            writer.write(b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            return writer.close()
        inner = await asyncio.open_connection("127.0.0.1", server.port)
        inner[1].write(head)
        await asyncio.gather(pipe(reader, inner[1]), pipe(inner[0], writer), return_exceptions=True)

    front = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"ws://127.0.0.1:{front.sockets[0].getsockname()[1]}"
    for words in (["/usr/bin/python3", PYTHON_KIT / "random_bot.py", "BCDFGH"],
                  ["node", JAVASCRIPT_KIT / "random_bot.mjs", "BCDFGH"], [CLIENT, "bot", "BCDFGH"]):
        paths.clear()
        with tempfile.TemporaryDirectory() as folder:
            child = await asyncio.create_subprocess_exec(
                *map(str, words), "--server", url, cwd=folder, env={**ENVIRONMENT, "XDG_STATE_HOME": folder, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            _, said = await asyncio.wait_for(child.communicate(), PATIENCE_S)
        assert paths.count("/ws") == 3 and re.search(b"no.such.room|no table", said), (words, paths, said)
    front.close()
    print("kits and client: patient with a server that starts", flush=True)


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
            assert set(refusals) <= HARMLESS, refusals
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
                 lambda r: r["seats"][0].update(name="Another"),
                 lambda r: r["options"].update(first_seat=r["deal"]["first_seat"]),
                 lambda r: r.update(binding="00" * 32),
                 lambda r: r["called_off"].append({"match": "00" * 16, "commitment": "00" * 32, "names": ["Eve"]}),
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

    there = run("--bots", f"random,{shlex.join(seed.python(PYTHON_KIT / 'random_bot.py'))},greedy",
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
    """The checker follows the discards: four players at random draw so often that the pile mostly runs out."""
    for games in range(1, 21):
        host = Host(server.url)
        host.choose = random_bot.RandomBot(server.url).choose
        playing = [asyncio.create_task(host.play(create={"game": "card_triangles", "seats": 4}))]
        code = await host.room_made(playing[0])
        playing += [asyncio.create_task(random_bot.RandomBot(server.url).play(code)) for _ in range(3)]
        await asyncio.wait_for(asyncio.gather(*playing), PATIENCE_S)
        check_record(host.records[0])
        if host.records[0]["deal"]["reshuffles"]:
            print(f"card_triangles: a reshuffle in game {games}, checked", flush=True)
            return
    raise AssertionError("no game of twenty needed a reshuffle")


async def called_off(server):
    """Somebody keeps its entropy back: the host of a kit starts again, and the kits promise anew."""
    host = Host(server.url)
    create = {"game": "triqueta", "options": {"variant": "base"}, "seats": 4}
    playing = [asyncio.create_task(host.play(create=create, matches=1))]
    code = await host.room_made(playing[0])
    playing.append(asyncio.create_task(random_bot.RandomBot(server.url).play(code)))
    playing.append(asyncio.create_task(javascript_bot("random_bot.mjs", [code, "--server", server.url])))

    async def keeps_its_own():
        async with websockets.connect(f"{server.url}/ws") as line:
            for request in ({"type": "hello", "protocol": 1, "bot": True, "name": "Eve"},
                            {"type": "join", "room": code, "entropy_hash": "0" * 64}):
                await line.send(json.dumps({**request, "id": request["type"]}))
            told, number = [], 0
            async for text in line:
                frame = json.loads(text)
                if frame["type"] == "news":
                    told.append((frame["what"], frame["name"]))
                if frame["type"] == "room" and frame["status"] == "over":
                    return told
                if frame["type"] == "view" and frame["legal"]:
                    decision = next(d["id"] for d in frame["decisions"] if frame["seat"] in d["seats"])
                    number += 1
                    await line.send(json.dumps({"type": "act", "id": f"a{number}", "room": code, "decision": decision,
                                                "action": frame["legal"][0]["action"]}))

    told = (await asyncio.wait_for(asyncio.gather(keeps_its_own(), *playing), PATIENCE_S))[0]
    assert told == [("start_called_off", "Eve")], told
    record = host.records[0]
    check_record(record)
    assert [start["names"] for start in record["called_off"]] == [["Eve"]], record["called_off"]
    # Whose promise came after the second start is not in it; the host's came first.
    assert record["seats"][0]["entropy"] and not any(
        seat["entropy"] for seat in record["seats"] if seat["name"] == "Eve"), record["seats"]
    print("a start is called off, and the kits go on", flush=True)


async def main():
    with Server(SERVER, "--bot-delay-ms", "0", patience_s=PATIENCE_S) as server:
        printed_examples(server)
        arena(server)
        false_records((await play(server, "triqueta", {"variant": "duo"}, 2, 1, []))[0])
        await called_off(server)
        await cut_at_each_request(server)
        await cut_while_making(server)
        await cut_arena(server)
        await asyncio.to_thread(errors_of_authors, server)
        hooks_are_awaited(server)
        await ends_after_its_history(server)
        hints_and_reviews(server)
        await one_bot_plays_twice(server)
        refused_names(server)
        await patient_at_a_start(server)
        await cut_lines(server)
        await reshuffled(server)
        await every_variant(server)


if __name__ == "__main__":
    began = time.monotonic()
    asyncio.run(main())
    print(f"all well after {time.monotonic() - began:.1f} s")
