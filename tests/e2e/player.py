"""Somebody who has a seat, as tests of stores and servers play them: asks and hears the answer, and chooses acts by chance.
How they come to a server, what they keep of what they hear, and what they do when it is lost is each test's own."""
import asyncio
import json


class Asking:
    """Needs ws, a name of its own for its requests, hear() and chance; has view, room, count and pending."""

    def __init__(self, name, chance):
        self.name, self.chance = name, chance
        self.token = self.room = self.ws = self.view = self.frame = self.pending = None
        self.count = 0

    async def ask(self, frame):
        self.count += 1
        frame = {"id": f"{self.name}{self.count}", **frame}
        await self.ws.send(json.dumps(frame))
        while (answer := await self.hear()).get("re") != frame["id"]:
            pass
        # A test may ask faster than a person does.
        if answer.get("code") == "too_fast":
            await asyncio.sleep(answer["args"]["retry_ms"] / 1000)
            return await self.ask(frame)
        return answer

    async def must(self, frame):
        answer = await self.ask(frame)
        assert answer["type"] in ("ok", "welcome"), (frame, answer)
        return answer

    def next_act(self):
        """The act to send: the one without an answer, or a new one if we are asked."""
        if not self.pending and self.view and self.view["legal"]:
            decision = [d["id"] for d in self.view["decisions"] if self.view["seat"] in d["seats"]][0]
            self.count += 1
            self.pending = {"type": "act", "id": f"{self.name}-act{self.count}", "room": self.room, "decision": decision,
                            "action": self.chance.choice(self.view["legal"])["action"]}
            self.view = None
        return self.pending

    def has_done(self, rev):
        """An act made this revision: a view of before it asks for what is done already."""
        if self.view and self.view["rev"] < rev:
            self.view = None
