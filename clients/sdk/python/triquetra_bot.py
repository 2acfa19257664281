"""Write a bot for Triquetra: one class with one method. docs/BOTS.md shows how.

This one file is the whole kit. It needs Python 3.11 and the package websockets (Debian:
python3-websockets) and knows no game: the server sends the acts that are possible, the bot returns
one of them. Reconnection, coming back to the seat, request ids, and asking again under the same id
until there is an answer are in here, as docs/CLIENTS.md tells it: states and events have its names.
"""
from __future__ import annotations

import argparse
import asyncio
import collections
import dataclasses
import enum
import functools
import hashlib
import inspect
import json
import logging
import os
import random
import secrets
import sys
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Literal, NotRequired, TypedDict

import websockets
from websockets.exceptions import ConnectionClosed, WebSocketException

Json = dict[str, Any]


class LegalAct(TypedDict):
    """An act that is open to this seat, and what it is worth where that can be told."""
    action: Json
    preview: NotRequired[int]
    worth: NotRequired[int]


class Decision(TypedDict):
    """An open question, and the seats that it still waits for."""
    id: int
    kind: Literal["turn", "ballot", "window"]
    seats: list[int]


class View(TypedDict):
    """The whole table as this seat may see it. `table`, `happened` and `mine` are the game's own."""
    room: str
    match: str
    rev: int
    decisions: list[Decision]
    table: Json
    happened: list[Json]
    seat: NotRequired[int]
    mine: NotRequired[Json]
    legal: NotRequired[list[LegalAct]]
    answer: NotRequired[Json]


class WeighedAct(TypedDict):
    """What an act promises: matches that it wins out of a hundred, and the points of this seat at
    the end. Without an action a window is left to its clock."""
    action: NotRequired[Json]
    wins: int
    points: NotRequired[int]


class Hint(TypedDict):
    """What an expert would do in this seat, by what the seat knows; and the best few acts."""
    rev: int
    decision: int
    action: NotRequired[Json]
    acts: list[WeighedAct]


class ReviewedAct(TypedDict):
    """An act of a finished match, what an expert would have done, and what that would have been
    better by."""
    rev: int
    seat: int
    action: Json
    better: Json
    wins: int
    points: NotRequired[int]


class Review(TypedDict):
    """The acts that cost most, of all players but the server's bots, the costliest first."""
    steps: int
    looked_at: int
    acts: list[ReviewedAct]


class Refused(Exception):
    """The server said no, and asking again would not help."""

    def __init__(self, code: str, request: Json, args: Json) -> None:
        super().__init__(f"{request.get('type', 'something')} refused: {code} {args or ''}".strip())
        self.code = code


class NoConnection(ConnectionError):
    """The first connection could not be opened, or too many in a row did not last."""


class LinkState(enum.Enum):
    """Of the connection to the server."""
    CONNECTING = "connecting"  # it is being opened
    GREETING = "greeting"  # hello is said
    ONLINE = "online"  # welcome was heard
    WAITING = "waiting"  # for the next try
    ENDED = "ended"  # nothing is tried any more


# Answers that mean: nothing was changed, the same request again, later.
_NOT_NOW = {"busy", "too_fast", "restarting", "storage_unavailable"}
_HELLO_NOT_NOW = _NOT_NOW | {"internal_error"}
# Answers to an act that mean: somebody or the clock was faster; the newest view tells.
_STALE = {"too_late", "not_your_turn", "not_started"}
# Requests that come before all others: only who is in the room is told of it.
_ENTERING = {"create", "join", "watch"}
# Answers to what was sent again after a loss that mean: it was done at the first time.
_DONE_BEFORE = {("start", "already_started"), ("reveal_entropy", "entropy_not_asked"),
                ("rematch", "not_over"), ("leave", "not_in_room"),
                ("remove_bot", "no_such_seat"), ("kick", "no_such_seat")}
_GREETING_S = 10.0  # a connection has this long to be opened, and then hello to be answered
_LASTING_S = 10.0  # after its welcome, if no act was taken before: then a connection has lasted
_MOST_LOSSES = 42  # in a row: five minutes at 8 s each
_REVIEW_S = 1.0  # between two looks at what has come out of it
_FRAME_BYTES = 64 * 1024 * 1024  # records of whole matches are the largest

_log = logging.getLogger("triquetra")


def wait_after(losses: int, chance: float) -> float:
    """Seconds to wait after so many losses in a row (from 1) of connections that did not last: 0.25
    doubled up to 8, give or take a quarter. `chance` is anywhere in [0, 1)."""
    return 0.25 * 2.0 ** min(losses - 1, 5) * (0.75 + chance / 2)


def pause_of(retry_ms: int | None, chance: float) -> float:
    """Seconds until what was refused as "not now" may come again: what the server asked for, one if
    it said nothing, and up to a quarter more."""
    asked = 1000 if retry_ms is None else min(60_000, max(250, retry_ms))
    return asked / 1000 * (1 + chance / 4)


Then = Callable[[Json], Awaitable[None]]


async def _done(given: Any) -> Any:
    """What the author's code gives, at once or in the end."""
    return await given if inspect.isawaitable(given) else given


@dataclasses.dataclass
class _Asked:
    """A request without an answer."""
    frame: Json
    then: Then
    sent: bool = False  # on this connection
    repeated: bool = False  # sent on one that was lost: it may have been heard there
    put_off: bool = False  # refused as "not now"


class Bot:
    """Override choose(); call main(), or await play()."""

    name: ClassVar[str] = "Python bot"

    wants_reviews: ClassVar[bool] = False  # after each match, on_review()

    # Each of these may be async, but for wants_hint(). What they raise ends the bot, with a
    # traceback.

    def choose(self, view: View,
               legal: list[LegalAct]) -> LegalAct | None | Awaitable[LegalAct | None]:
        """One element of `legal`, which is never empty; None lets a window pass."""
        raise NotImplementedError

    def on_happened(self, rev: int, events: list[Json]) -> Awaitable[None] | None:
        """What each act or lapse did: every rev of a match once, in order, before choose()."""

    def on_over(self, record: Json) -> Awaitable[None] | None:
        """A match is over: its record, in which nothing is hidden any more."""

    def on_room(self, room: Json) -> Awaitable[None] | None:
        """The room has changed: people, status."""

    def wants_hint(self, view: View) -> bool:
        """Whether to ask the server what an expert would do, before choose(): it stands in `hint`
        then. The table hears of it. Ten may be asked for at once, and one in six seconds."""
        return False

    def on_review(self, review: Review) -> Awaitable[None] | None:
        """What a look at the match that is over has come to, some seconds after on_over()."""

    def __init__(self, server: str = "ws://localhost:8080", token_file: str | None = None) -> None:
        """`token_file` keeps who this bot is, so that a new process gets its seat back."""
        self.server = server
        self.token_file = token_file
        self.token: str | None = None  # who this bot is, once a server has said so
        self.refusals: collections.Counter[str] = collections.Counter()
        self.acts = 0
        self.records: list[Json] = []
        self.hint: Hint | None = None  # in choose(): what came of wants_hint()
        self.room: str | None = None
        self.is_talking = False  # tells the room's code on standard output

    async def play(self, room: str | None = None, *, create: Json | None = None, bots: int = 0,
                   level: str = "normal", seat: int | None = None, password: str | None = None,
                   matches: int = 1) -> list[Json]:
        """Joins `room`, or makes one by the fields `create` with `bots` bots of the server's in it,
        each of this level, and plays so many matches there (0: until the room closes). Returns
        their records."""
        visit = _Visit(self, room, create, bots, level, seat, password, matches)
        return await visit.run()

    @classmethod
    def main(cls) -> None:
        """Plays as the command line says."""
        words = argparse.ArgumentParser(description=cls.__doc__)
        words.add_argument("room", nargs="?", help="code of the room to join")
        words.add_argument("--server", default=os.environ.get("TRIQUETRA_SERVER",
                                                              "ws://localhost:8080"))
        words.add_argument("--game", help="make a room for this game instead of joining one")
        words.add_argument("--options", type=json.loads, default={}, help="of that game, as JSON")
        words.add_argument("--seats", type=int, help="of that room")
        words.add_argument("--bots", type=int, default=0, help="bots of the server in that room")
        words.add_argument("--level", default="normal", help="theirs: easy, normal, hard or expert")
        words.add_argument("--name", default=cls.name)
        words.add_argument("--seat", type=int, help="which seat, counted from 0")
        words.add_argument("--password")
        words.add_argument("--matches", type=int, default=1, help="how many; 0: no end")
        words.add_argument("--token", metavar="FILE", help="keeps who this bot is")
        words.add_argument("--json", action="store_true", help="one line of JSON at the end")
        args = words.parse_args()
        if (args.room is None) == (args.game is None):
            words.error("either a room code or --game is needed")
        create = None
        if args.game is not None:
            seats = args.seats or (args.bots + 1 if args.bots else None)
            create = {"game": args.game, "options": args.options}
            create |= {"seats": seats} if seats else {}
        cls.name = args.name
        bot = cls(args.server, args.token)
        bot.is_talking = True
        try:
            asyncio.run(bot.play(args.room, create=create, bots=args.bots,
                                 level=args.level, seat=args.seat, password=args.password,
                                 matches=args.matches))
        except (Refused, NoConnection) as error:
            sys.exit(f"{cls.name}: {error}")
        except KeyboardInterrupt:
            sys.exit(130)
        if args.json:
            print(json.dumps({"name": cls.name, "matches": len(bot.records), "acts": bot.acts,
                              "refusals": bot.refusals}))


class _Visit:
    """One bot's time in one room, over as many connections as it takes."""

    def __init__(self, bot: Bot, room: str | None, create: Json | None, bots: int,
                 level: str, seat: int | None, password: str | None, matches: int) -> None:
        self.bot, self.room, self.create, self.bots, self.level = bot, room, create, bots, level
        self.seat, self.password, self.matches = seat, password, matches
        self.state = LinkState.CONNECTING
        self.socket: Any = None  # while there is a connection
        self.was_open = False  # ever
        self.greeting_until = 0.0  # then hello is said again, or the silence is a loss
        self.is_hello_put_off = False
        self.hello_id = ""
        self.lasting: asyncio.TimerHandle | None = None
        self.losses = 0  # in a row, of connections that did not last
        self.pause_s = 0.0  # that a bye asked for
        self.done = False
        self.welcomed = False  # ever
        self.token = bot.token or self._stored_token()
        self.in_flight: dict[str, _Asked] = {}
        self.id_prefix = secrets.token_hex(6)  # ids must be new also for the next process
        self.id_count = 0
        self.records: list[Json] = []
        self.my_seat: int | None = None
        self.drawn = ""  # entropy whose hash was sent
        self.entropy = ""  # the same once the server has taken the hash, until it is opened
        self.match: str | None = None
        self.over: set[str] = set()  # matches
        self.started: set[str] = set()
        self.promised: set[str] = set()  # matches, after a start that was called off
        self.view: View | None = None
        self.told_rev = 0
        self.is_catching_up = False
        # What comes after the history that is asked for.
        self.after_history: Callable[[], Awaitable[None]] | None = None
        self.answered: tuple[str, int] | None = None  # match and decision
        self.hint_wanted: tuple[str, int] | None = None  # match and decision
        self.hint_heard: tuple[str, int] | None = None
        self.answered_rev = 0  # of the view that the answer was chosen by
        self.reused: tuple[str, int] | None = None  # answered under an id that was known
        self.doubted: Json | None = None  # an act that was illegal, until a view tells why
        self.later: set[asyncio.Task[None]] = set()

    # --- The connection

    async def run(self) -> list[Json]:
        try:
            while True:
                reason = await self._connection()
                if self.done:
                    break
                await asyncio.sleep(self._lost(reason))
                self._due()
        finally:
            self.state = LinkState.ENDED
            for task in self.later:
                task.cancel()
        return self.records

    async def _connection(self) -> str:
        """One connection, from its opening to its end; why it went. What the author's code raises
        goes through here: only what the network does is a loss."""
        try:
            socket = await websockets.connect(  # type: ignore[attr-defined]
                self._address(), compression=None, max_size=_FRAME_BYTES, open_timeout=_GREETING_S,
                close_timeout=1)
        except (OSError, asyncio.TimeoutError, WebSocketException) as error:
            # A server that has just been started, and is still reading its rooms.
            if getattr(error, "status_code", None) == 503:
                self.was_open = True
            return str(error) or "no answer"
        self.socket = socket
        try:
            await self._opened()
            while not self.done:
                try:
                    text = await asyncio.wait_for(socket.recv(), self._patience_s())
                except asyncio.TimeoutError:
                    if not self.is_hello_put_off:
                        return self._silent()
                    await self._hello()
                    continue
                except ConnectionClosed as error:
                    return str(error)
                await self._hear(json.loads(text))
            return "done"
        finally:
            self.socket = None
            if self.lasting is not None:
                self.lasting.cancel()
            await socket.close()

    async def _opened(self) -> None:
        self.was_open = True
        self.state = LinkState.GREETING
        await self._hello()

    def _patience_s(self) -> float | None:
        if self.state is not LinkState.GREETING:
            return None  # websockets notices by itself that a peer is gone
        return max(0.0, self.greeting_until - asyncio.get_running_loop().time())

    def _silent(self) -> str:
        return "no answer to hello"

    def _lost(self, reason: str) -> float:
        """The connection went: how long to wait before the next one, in seconds."""
        if not self.was_open or self.losses >= _MOST_LOSSES:
            raise NoConnection(f"no connection to {self.bot.server}: {reason}")
        self.state = LinkState.WAITING
        for asked in self.in_flight.values():
            asked.repeated |= asked.sent
            asked.sent = False
        self.losses += 1
        wait_s = max(wait_after(self.losses, random.random()), self.pause_s)
        self.pause_s = 0.0
        _log.warning("connection lost (%s), trying again in %.1f s", reason, wait_s)
        return wait_s

    def _due(self) -> None:
        self.state = LinkState.CONNECTING

    def _lasted(self) -> None:
        self.losses = 0

    def _address(self) -> str:
        server = self.bot.server
        if server.startswith("http"):
            server = "ws" + server[4:]
        if "://" not in server:
            server = "ws://" + server
        return server if server.rstrip("/").endswith("/ws") else server.rstrip("/") + "/ws"

    async def _send(self, frame: Json) -> None:
        if self.socket is not None:
            try:
                await self.socket.send(json.dumps(frame))
            except ConnectionClosed:
                pass  # the reader notices; what has no answer is sent again

    def _stored_token(self) -> str | None:
        if self.bot.token_file and os.path.exists(self.bot.token_file):
            with open(self.bot.token_file, encoding="ascii") as file:
                return file.read().strip() or None
        return None

    def _keep_token(self, token: str) -> None:
        self.token = self.bot.token = token
        if self.bot.token_file:
            with open(self.bot.token_file, "w", encoding="ascii",
                      opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                file.write(token + "\n")

    # --- Requests: each has an id of its own and is sent until it is answered.

    def _fresh_id(self) -> str:
        self.id_count += 1
        return f"{self.id_prefix}-{self.id_count}"

    async def _ask(self, frame: Json, then: Then) -> None:
        frame = {"type": frame.pop("type"), "id": self._fresh_id(), **frame}
        self.in_flight[frame["id"]] = _Asked(frame, then)
        await self._send_all()

    async def _send_all(self) -> None:
        """Whatever may go now: only who is in a room is told of it, so the way in comes first."""
        def is_entering(asked: _Asked) -> bool:
            return asked.frame["type"] in _ENTERING

        on_the_way_in = any(map(is_entering, self.in_flight.values()))
        for asked in list(self.in_flight.values()):
            held = asked.sent or asked.put_off or on_the_way_in and not is_entering(asked)
            if self.state is LinkState.ONLINE and not held:
                asked.sent = True
                await self._send(asked.frame)

    async def _again(self, asked: _Asked) -> None:
        asked.put_off = False
        await self._send_all()

    def _after(self, delay_s: float, then: Callable[[], Awaitable[None]]) -> None:
        async def waiting() -> None:
            await asyncio.sleep(delay_s)
            await then()
        task = asyncio.create_task(waiting())
        self.later.add(task)
        task.add_done_callback(self.later.discard)

    async def _hello(self) -> None:
        self.hello_id = self._fresh_id()
        hello: Json = {"type": "hello", "id": self.hello_id, "protocol": 1,
                       "name": self.bot.name, "bot": True}
        if self.token:
            hello["token"] = self.token
        self.is_hello_put_off = False
        self.greeting_until = asyncio.get_running_loop().time() + _GREETING_S
        await self._send(hello)

    async def _enter(self) -> None:
        if self.create is not None and self.room is None:
            await self._ask({"type": "create", **self.create, "entropy_hash": self._promise()},
                            self._entered)
            return
        join: Json = {"type": "join", "room": self.room}
        if self.my_seat is None:
            join["entropy_hash"] = self._promise()
            join |= {"seat": self.seat} if self.seat is not None else {}
            join |= {"password": self.password} if self.password else {}
        await self._ask(join, self._entered)

    def _promise(self) -> str:
        self.drawn = secrets.token_hex(32)
        return hashlib.sha256(bytes.fromhex(self.drawn)).hexdigest()

    # --- What the server says

    async def _hear(self, frame: Json) -> None:
        kind = frame.get("type")
        if kind == "welcome":
            await self._welcome(frame)
        elif kind == "ok":
            await self._answered(frame)
        elif kind == "error":
            await self._refused(frame)
        elif kind == "bye":
            self._bye(frame)
        elif kind == "room" and frame.get("room") == self.room:
            await self._room(frame)
        elif kind == "view" and frame.get("room") == self.room:
            await self._view(frame)  # type: ignore[arg-type]
        # Newer servers may say more, which is passed over.

    async def _welcome(self, frame: Json) -> None:
        if "token" in frame:
            self._keep_token(frame["token"])
        self.state = LinkState.ONLINE
        self.lasting = asyncio.get_running_loop().call_later(_LASTING_S, self._lasted)
        if self.welcomed:
            await self._resume()
        else:
            self.welcomed = True
            await self._enter()

    async def _hello_refused(self, frame: Json) -> None:
        code, args = frame["code"], frame.get("args", {})
        if code == "bad_token" and self.token:
            self.token = self.bot.token = None  # this server does not know us: come as somebody new
            await self._hello()
        elif code in _HELLO_NOT_NOW:
            pause_s = pause_of(args.get("retry_ms"), random.random())
            self.is_hello_put_off = True
            self.greeting_until = asyncio.get_running_loop().time() + pause_s
            _log.warning("hello refused (%s), saying it again in %.1f s", code, pause_s)
        else:
            raise Refused(code, {"type": "hello"}, args)

    async def _resume(self) -> None:
        """Back: enters the room again, before what has no answer is sent again."""
        kinds = {asked.frame["type"] for asked in self.in_flight.values()}
        if kinds.isdisjoint(_ENTERING | {"leave"}):
            await self._enter()
        await self._send_all()

    async def _answered(self, frame: Json) -> None:
        asked = self.in_flight.pop(frame["re"], None)
        if asked is not None:
            if asked.frame["type"] == "act":
                self._lasted()
            await self._send_all()
            await asked.then(frame)

    async def _refused(self, frame: Json) -> None:
        if self.state is LinkState.GREETING:
            if frame.get("re", self.hello_id) == self.hello_id:
                await self._hello_refused(frame)
            return
        asked = self.in_flight.get(frame.get("re", ""))
        if asked is None:
            return
        if frame["code"] in _NOT_NOW:
            self._not_now(asked, frame)
            return
        del self.in_flight[asked.frame["id"]]
        if asked.repeated and (asked.frame["type"], frame["code"]) in _DONE_BEFORE:
            await asked.then({"type": "ok", "re": asked.frame["id"]})
            return
        self.bot.refusals[frame["code"]] += 1
        await asked.then({**frame, "asked": asked.frame})

    def _not_now(self, asked: _Asked, frame: Json) -> None:
        asked.sent, asked.put_off = False, True
        delay_s = pause_of(frame.get("args", {}).get("retry_ms"), random.random())
        self._after(delay_s, functools.partial(self._again, asked))

    def _bye(self, frame: Json) -> None:
        if frame.get("room") is None:
            self.pause_s = pause_of(frame.get("retry_ms"), random.random())
        elif frame["room"] == self.room:
            self.done = True
            if frame["code"] == "kicked":
                raise Refused("kicked", {"type": "join"}, {})
            _log.warning("out of the room: %s", frame["code"])

    async def _must(self, frame: Json) -> None:
        if frame["type"] == "error":
            raise Refused(frame["code"], frame["asked"], frame.get("args", {}))

    async def _may(self, frame: Json) -> None:
        pass

    async def _promised(self, frame: Json) -> None:
        if frame["type"] == "ok":
            self.entropy = self.drawn

    # --- The room

    async def _entered(self, frame: Json) -> None:
        await self._must(frame)
        is_new = self.room is None
        self.room = self.bot.room = frame["room"]
        if self.my_seat is None:
            self.my_seat = frame.get("seat")
            self.entropy = self.drawn
        if is_new:
            if self.bot.is_talking:
                print(f"Room {self.room}", flush=True)
            for _ in range(self.bots):
                await self._ask({"type": "add_bot", "room": self.room, "level": self.level},
                                self._must)

    async def _room(self, room: Json) -> None:
        await _done(self.bot.on_room(room))
        match, seats = room["match"], room["seats"]
        if room["status"] == "starting" and self.entropy and room.get("reveal"):
            entropy, self.entropy = self.entropy, ""
            await self._ask({"type": "reveal_entropy", "room": self.room, "entropy": entropy},
                            self._may)
        if room["status"] == "open" and room.get("called_off") and match not in self.promised:
            # What was promised for the start that was called off is spent, or may be known by now.
            self.promised.add(match)
            await self._ask({"type": "rematch", "room": self.room, "entropy_hash": self._promise()},
                            self._promised)
        is_full = all(seat["kind"] != "empty" for seat in seats)
        is_mine = self.create is not None and room.get("host") == self.my_seat
        if room["status"] == "open" and is_full and is_mine and match not in self.started:
            self.started.add(match)
            await self._ask({"type": "start", "room": self.room}, self._must)
        # A match may have ended, and the next one opened, while we were not there.
        ended = match if room["status"] == "over" else self.match if match != self.match else None
        if ended is not None and ended not in self.over:
            self.over.add(ended)
            await self._ask({"type": "record", "room": self.room, "match": ended},
                            functools.partial(self._over, ended))

    async def _over(self, match: str, frame: Json) -> None:
        if self.is_catching_up and match == self.match:
            # What happened last is told before the end is, and before anybody leaves.
            self.after_history = functools.partial(self._over, match, frame)
            return
        if frame["type"] == "ok":
            self.records.append(frame["record"])
            self.bot.records.append(frame["record"])
            await _done(self.bot.on_over(frame["record"]))
        await (self._review(match) if self.bot.wants_reviews else self._next())

    async def _review(self, match: str) -> None:
        await self._ask({"type": "review", "room": self.room, "match": match},
                        functools.partial(self._reviewed, match))

    async def _reviewed(self, match: str, frame: Json) -> None:
        if frame.get("more"):  # the server is still thinking
            self._after(_REVIEW_S, functools.partial(self._review, match))
            return
        if "review" in frame:
            await _done(self.bot.on_review(frame["review"]))
        await self._next()

    async def _next(self) -> None:
        """Leaves after the last match, or asks for another."""
        if self.matches and len(self.over) >= self.matches:
            async def leave(_: Json) -> None:
                self.done = True
            await self._ask({"type": "leave", "room": self.room}, leave)
        else:
            await self._ask({"type": "rematch", "room": self.room, "entropy_hash": self._promise()},
                            self._promised)

    # --- The game

    async def _view(self, view: View) -> None:
        if view["match"] != self.match:
            if view["match"] in self.over:
                return
            self.match, self.view, self.told_rev, self.is_catching_up = view["match"], None, 0, False
        if self.view is not None and view["rev"] < self.view["rev"]:
            return
        self.view = view
        if self.doubted is not None:
            await self._judge(view)
        self.my_seat = view.get("seat", self.my_seat)  # start may have renumbered the seats
        await self._catch_up()

    async def _catch_up(self) -> None:
        """Tells the bot what happened, in order, then lets it choose. A slow reader gets only the
        newest view; the history has what the others said."""
        view = self.view
        if view is None or self.is_catching_up:
            return
        if view["rev"] > self.told_rev + 1:
            self.is_catching_up = True
            await self._ask({"type": "history", "room": self.room, "match": view["match"],
                             "after": self.told_rev},
                            functools.partial(self._history, view["match"]))
            return
        if view["rev"] == self.told_rev + 1:
            self.told_rev = view["rev"]
            await _done(self.bot.on_happened(view["rev"], view["happened"]))
        await self._choose(view)

    async def _history(self, match: str, frame: Json) -> None:
        if self.view is not None and match == self.match:
            self.is_catching_up = False
            if not frame.get("pages"):
                self.told_rev = self.view["rev"]  # nobody knows any more
            for page in frame.get("pages", []):
                if page["rev"] == self.told_rev + 1:
                    self.told_rev = page["rev"]
                    await _done(self.bot.on_happened(page["rev"], page["happened"]))
            await self._catch_up()
        then, self.after_history = self.after_history, None
        if then is not None:
            await then()

    async def _choose(self, view: View) -> None:
        legal = view.get("legal")
        mine = [d for d in view["decisions"] if view.get("seat") in d["seats"]]
        if not legal or not mine or self.answered == (view["match"], mine[0]["id"]):
            return
        if not await self._has_hint(view, (view["match"], mine[0]["id"])):
            return
        if inspect.iscoroutinefunction(self.bot.choose):
            chosen = await self.bot.choose(view, legal)
        else:  # in a thread, so that a bot may think longer than the server waits for a pong
            chosen = await _done(await asyncio.to_thread(self.bot.choose, view, legal))
        if chosen is None:
            return
        if chosen not in legal:
            raise ValueError(f"choose() must return one of the legal acts, not {chosen!r}")
        self.answered, self.answered_rev = (view["match"], mine[0]["id"]), view["rev"]
        await self._ask({"type": "act", "room": self.room, "match": view["match"],
                         "decision": mine[0]["id"], "action": chosen["action"]}, self._acted)

    async def _has_hint(self, view: View, question: tuple[str, int]) -> bool:
        """Whether all is there for a choice; if a hint is wanted, it is asked for once."""
        if question == self.hint_heard:
            return True
        if question == self.hint_wanted:
            return False
        self.bot.hint = None
        if not self.bot.wants_hint(view):
            return True
        self.hint_wanted = question
        await self._ask({"type": "hint", "room": self.room},
                        functools.partial(self._hinted, question))
        return False

    async def _hinted(self, question: tuple[str, int], frame: Json) -> None:
        self.hint_heard = question
        hint: Hint | None = frame.get("hint")  # none where a room has no hints, or it is too late
        self.bot.hint = hint if hint is not None and hint["decision"] == question[1] else None
        if self.view is not None:
            await self._choose(self.view)

    async def _acted(self, frame: Json) -> None:
        if frame["type"] == "ok":
            self.bot.acts += 1
        elif frame["code"] == "illegal" and self.view is not None:
            # Somebody's act in a window beside this turn may have changed what is possible.
            self.doubted = frame
            if self.view["rev"] > self.answered_rev:
                await self._judge(self.view)
                await self._choose(self.view)
            else:
                await self._enter()  # which always answers with the newest view
        elif frame["code"] == "id_reused" and self.view is not None:
            await self._id_reused(frame)
        elif frame["code"] not in _STALE:
            await self._must(frame)

    async def _id_reused(self, frame: Json) -> None:
        """This act was never made: answers again under another id, once."""
        question = frame["asked"]["match"], frame["asked"]["decision"]
        if self.reused == question:
            await self._must(frame)
        self.reused, self.answered = question, None
        if self.view is not None:
            await self._choose(self.view)

    async def _judge(self, view: View) -> None:
        doubted, self.doubted, self.answered = self.doubted, None, None
        if view["rev"] == self.answered_rev and doubted is not None:
            await self._must(doubted)
        self.bot.refusals["illegal"] -= 1
        self.bot.refusals["overtaken"] += 1
        self.bot.refusals += collections.Counter()  # keeps what is above 0
