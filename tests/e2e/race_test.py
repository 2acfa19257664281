"""Races for the fast window of Triangle Mayhem over real sockets.

Whoever has just drawn plays fast, and the next player plays a card, in the same millisecond, a
thousand times. Each race has exactly one of two outcomes:

  fast first   the fast card counts, and the other act is judged by the table after it;
  turn first   the turn counts, the fast card hears `too_late`, and nothing else happens.

Every view that anybody got must follow from the events before it, be the same for all, stand so in
the history, and the record at the end must hold the acts that were accepted and no other.

Usage: race_test.py TRIQUETRAD SCHEMA_DIR
"""
import asyncio
import json
import random
import sys
import tempfile
import time

import websockets

import seed
from frames import FrameSchemas
from triquetrad import Server

SERVER, SCHEMAS = sys.argv[1:3]
SEED = seed.take()
RACES = 1000
ROOMS = 12
PATIENCE_S = 60  # for a machine under load
SAME_MOMENT_S = 0.001  # what counts as one race; a slower pair is played but not counted
# Below limits::kFramesPerSecond, for each connection.
FRAME_PAUSE_S = 0.03

HEARD = []  # every frame from the server, as text

CODE = {"horizontal": "h", "vertical": "v", "centered": "c"}


def code(card):
    return f"{CODE[card['cut']]}{card['number']}{card['color'][0]}"


class Model:
    """The table as it follows from the events alone."""

    def __init__(self, table):
        assert not table["triangles"] and "window" not in table, table
        self.turn, self.played, self.window = table["turn"], 0, None
        self.pile = table["pile"]
        self.triangles = {}
        self.cards = [seat["cards"] for seat in table["seats"]]
        self.points = [0] * len(self.cards)

    def hear(self, event):
        seat = event.get("seat")
        kind = event["event"]
        if kind == "play":
            if event["fast"]:
                assert self.window and self.window["seat"] == seat, event
                self.window["cards"] -= 1
            else:
                assert self.window is None and self.turn == seat, event
                self.played += 1
            cards = self.triangles.setdefault(event["triangle"], [])
            cards.append(code(event["card"]))
            assert event["how"] == ["start", "extend", "complete"][len(cards) - 1], event
            assert len({card[0] for card in cards}) == 1 and len({card[1] for card in cards}) == len(cards)
            self.cards[seat] -= 1
        elif kind == "triangle":
            assert self.triangles.pop(event["triangle"]) == [code(card) for card in event["cards"]]
            self.points[seat] += event["points"]
        elif kind == "draw":
            self.pile -= event["count"]
            self.cards[seat] += event["count"]
            if self.window and self.window["seat"] == seat:
                self.window["cards"] += event["count"]
        elif kind == "turn":
            self.turn, self.played = seat, 0
        elif kind == "window_open":
            assert self.window is None and seat != self.turn, event
            self.window = {"seat": seat, "cards": event["cards"]}
        elif kind == "window_close":
            assert self.window and self.window["seat"] == seat, event
            self.window = None
        elif kind == "over":
            assert event["scores"] == self.points and not self.triangles, event
            self.turn, self.played = None, 0

    def must_be(self, table):
        seen = {triangle["id"]: [code(card) for card in triangle["cards"]]
                for triangle in table["triangles"]}
        assert seen == self.triangles, (seen, self.triangles)
        assert (table.get("turn"), table["played"], table["pile"], table.get("window")) == \
            (self.turn, self.played, self.pile, self.window), (table, vars(self))
        assert [seat["cards"] for seat in table["seats"]] == self.cards
        assert [seat["sheet"]["points"] for seat in table["seats"]] == self.points


class Player:
    """One connection: answers by request, and all views by revision."""

    async def open(self, port, name):
        self.ws = await websockets.connect(f"ws://127.0.0.1:{port}/ws", compression=None,
                                           max_queue=None, close_timeout=PATIENCE_S)
        self.count, self.answers, self.views, self.room = 0, {}, {}, None
        self.news = asyncio.Condition()
        self.listener = asyncio.create_task(self.listen())
        await self.must({"type": "hello", "protocol": 1, "name": name})
        return self

    async def listen(self):
        async for text in self.ws:
            HEARD.append(text)
            frame = json.loads(text)
            async with self.news:
                if "re" in frame:
                    self.answers[frame["re"]] = frame
                if frame["type"] == "view":
                    again = self.views.setdefault(frame["rev"], frame)
                    assert (again["table"], again["happened"]) == (frame["table"], frame["happened"])
                if frame["type"] == "room":
                    self.room = frame
                self.news.notify_all()

    async def until(self, there):
        async with self.news:
            await asyncio.wait_for(self.news.wait_for(there), PATIENCE_S)

    def request(self, frame):
        self.count += 1
        return {"type": frame["type"], "id": f"r{self.count}", **frame}

    async def answer(self, identity):
        await self.until(lambda: identity in self.answers)
        return self.answers[identity]

    async def ask(self, frame):
        frame = self.request(frame)
        await self.ws.send(json.dumps(frame))
        await asyncio.sleep(FRAME_PAUSE_S)
        return await self.answer(frame["id"])

    async def must(self, frame):
        answer = await self.ask(frame)
        assert answer["type"] in ("ok", "welcome"), (frame, answer)
        return answer

    async def view(self, rev):
        await self.until(lambda: rev in self.views)
        return self.views[rev]

    def act_of(self, view, action):
        decision, = [d["id"] for d in view["decisions"] if view["seat"] in d["seats"]]
        return {"type": "act", "room": view["room"], "decision": decision, "action": action}

    async def close(self):
        await self.ws.close()
        await self.listener


class Match:
    """One match of two players and a spectator: races whenever the window is open."""

    def __init__(self, players, spectator, room, dice, tally):
        self.players, self.spectator, self.room = players, spectator, room
        self.dice, self.tally = dice, tally
        self.accepted = []  # (rev, seat, action) as the players were told
        self.rev = 0

    async def play(self):
        while True:
            views = [await player.view(self.rev) for player in self.players]
            if not views[0]["decisions"]:
                return await self.check()
            if "window" in views[0]["table"] and self.dice.random() < 0.8:
                await self.race(views)
            else:
                turn = views[0]["table"]["turn"]
                legal = [act["action"] for act in views[turn]["legal"]]
                await self.act(turn, views[turn], self.dice.choice(legal))

    async def act(self, seat, view, action):
        player = self.players[seat]
        answer = await player.must(player.act_of(view, action))
        self.rev += 1
        assert answer["rev"] == self.rev
        self.accepted.append((self.rev, seat, action))

    async def race(self, views):
        turn, holder = views[0]["table"]["turn"], views[0]["table"]["window"]["seat"]
        assert turn != holder
        frames = {}
        for seat in (turn, holder):
            plays = [act["action"] for act in views[seat]["legal"] if act["action"]["do"] == "play"]
            frames[seat] = self.players[seat].request(
                self.players[seat].act_of(views[seat], self.dice.choice(plays)))
        order = [turn, holder] if self.dice.random() < 0.5 else [holder, turn]
        texts = [json.dumps(frames[seat]) for seat in order]
        begin = time.perf_counter()
        await self.players[order[0]].ws.send(texts[0])
        await self.players[order[1]].ws.send(texts[1])
        apart = time.perf_counter() - begin
        answers = {seat: await self.players[seat].answer(frames[seat]["id"]) for seat in order}
        await asyncio.sleep(FRAME_PAUSE_S)
        outcome = self.judge(turn, holder, frames, answers)
        if apart < SAME_MOMENT_S:
            self.tally[outcome] += 1
        # Nothing else has happened: the next revision is that of the next act.

    def judge(self, turn, holder, frames, answers):
        action = {seat: frames[seat]["action"] for seat in frames}
        if answers[holder]["type"] == "ok":
            assert answers[holder]["rev"] == self.rev + 1, answers
            self.accepted.append((self.rev + 1, holder, action[holder]))
            self.rev += 1
            if answers[turn]["type"] == "ok":
                assert answers[turn]["rev"] == self.rev + 1, answers
                self.accepted.append((self.rev + 1, turn, action[turn]))
                self.rev += 1
                return "fast first, then the turn"
            # The turn's question stands, but the fast card may have changed what fits.
            assert answers[turn]["code"] == "illegal", answers
            assert answers[turn]["args"]["rule"] in ("M6", "M7", "M8"), answers
            return "fast first, and what the turn wanted is gone"
        assert answers[holder]["code"] == "too_late", answers
        assert answers[turn]["type"] == "ok" and answers[turn]["rev"] == self.rev + 1, answers
        self.accepted.append((self.rev + 1, turn, action[turn]))
        self.rev += 1
        return "turn first, too late to be fast"

    @staticmethod
    def next_hand(seat, hand, happened, view):
        """The hand after these events; none if the view was spared, for it says what was drawn."""
        if view is None:
            return None
        shown = sorted(map(code, view["mine"]["hand"]))
        if hand is not None:
            for event in happened:
                if event["event"] == "play" and event["seat"] == seat:
                    hand.remove(code(event["card"]))
            assert sorted(hand + [code(card) for card in view["mine"]["drew"]]) == shown, view
        return shown

    async def check(self):
        """Views, history and record say the same, and it follows from what was accepted."""
        match = self.players[0].views[0]["match"]
        pages, page = [], {"more": True}
        while page["more"]:
            page = await self.players[0].must(
                {"type": "history", "room": self.room, "match": match, "after": len(pages)})
            pages += page["pages"]
        assert [page["rev"] for page in pages] == list(range(1, self.rev + 1))
        model = Model(self.players[0].views[0]["table"])
        hands = [sorted(map(code, player.views[0]["mine"]["hand"])) for player in self.players]
        for rev in range(1, self.rev + 1):
            for event in pages[rev - 1]["happened"]:
                model.hear(event)
            for one in [*self.players, self.spectator]:
                # A slow reader may have been spared some views.
                view = one.views.get(rev)
                if view:
                    assert view["happened"] == pages[rev - 1]["happened"], (rev, view)
                    model.must_be(view["table"])
            for seat, player in enumerate(self.players):
                hands[seat] = self.next_hand(seat, hands[seat], pages[rev - 1]["happened"],
                                             player.views.get(rev))
        record = (await self.players[0].must(
            {"type": "record", "room": self.room, "match": match}))["record"]
        acted = [(step["rev"], step["seat"], step["action"]) for step in record["steps"]]
        assert acted == self.accepted
        assert record["result"]["scores"] == model.points


async def evening(port, number, tally):
    """Matches in one room until there have been enough races in all rooms."""
    dice = random.Random(f"{SEED} {number}")
    players = [await Player().open(port, name) for name in ("Ada", "Ben")]
    spectator = await Player().open(port, "Cem")
    while sum(tally.values()) < RACES:
        room = (await players[0].must({
            "type": "create", "game": "mayhem", "seats": 2, "hints": False,
            "options": {"window_ms": 30000}}))["room"]  # nothing lapses here
        await players[1].must({"type": "join", "room": room})
        await spectator.must({"type": "watch", "room": room})
        for one in [*players, spectator]:
            one.views.clear()
        await players[0].must({"type": "start", "room": room})
        await Match(players, spectator, room, dice, tally).play()
        for one in [*players, spectator]:
            await one.must({"type": "leave", "room": room})
    for one in [*players, spectator]:
        await one.close()


async def main(port):
    tally = {"fast first, then the turn": 0, "fast first, and what the turn wanted is gone": 0,
             "turn first, too late to be fast": 0}
    await asyncio.gather(*[evening(port, number, tally) for number in range(ROOMS)])
    for outcome, count in tally.items():
        print(f"{count:5} {outcome}")
        assert count > 0, "neither side may always win"
    assert sum(tally.values()) >= RACES


with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--data", folder, patience_s=PATIENCE_S) as server:
    asyncio.run(main(server.port))
kinds = FrameSchemas(SCHEMAS).check(HEARD)
assert {"welcome", "ok", "error", "room", "view"} <= kinds.keys(), kinds
print("as the schemas say:", kinds)
