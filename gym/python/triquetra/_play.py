"""Lets bots play in this process: the class that plays at a server plays here, many times as fast."""
from __future__ import annotations

import asyncio
import inspect
from collections.abc import Sequence
from typing import Any, Protocol

from ._batch import Batch
from ._library import Json


class Player(Protocol):
    """A bot: whatever has this method, such as a `Bot` of the kit (clients/sdk/python). Its on_happened() and on_over()
    are called as they are there, if it has them; there is no room, so on_room() is not. All may be async."""

    def choose(self, view: Any, legal: Any) -> Any:
        """One element of `legal`; None lets a window pass."""


def play(game: str, players: Sequence[Player | str], *, options: Json | None = None, matches: int = 1,
         seed: int | str = 0) -> list[Json]:
    """Plays so many matches, one player on each seat: a bot of yours, or the level of one of the game's. Returns the
    records."""
    with asyncio.Runner() as runner:
        batch = Batch(game, options=options, players=[None] * len(players), restarts=False)
        evening = _Evening(batch, players, runner)
        return [evening.play(seed if match == 0 else f"{seed} {match}") for match in range(matches)]


class _Evening:
    """Some players at a table."""

    def __init__(self, batch: Batch, players: Sequence[Player | str], runner: asyncio.Runner) -> None:
        self.batch, self.players, self.runner = batch, players, runner
        self.names = [player if isinstance(player, str) else str(getattr(player, "name", "a bot"))
                      for player in players]
        self.told_rev = 0

    def play(self, seed: int | str) -> Json:
        """One match; its record."""
        self.batch.start(seed)
        self.told_rev = 0
        while not self.batch.over[0]:
            self.batch.step(self._choose(int(self.batch.seats[0])))
            self._happened()
        record = self.batch.record(names=self.names)
        for player in self.players:
            self._tell(player, "on_over", record)
        return record

    def _choose(self, seat: int) -> int:
        player = self.players[seat]
        if isinstance(player, str):
            return self.batch.choose(player)
        view = self.batch.view(seat)
        chosen = self._done(player.choose(view, view["legal"]))
        if chosen is not None and chosen not in view["legal"]:
            raise ValueError(f"choose() must return one of the legal acts, not {chosen!r}")
        return self.batch.game.number(None if chosen is None else chosen["action"])

    def _happened(self) -> None:
        """What the last step did, to everybody: each step is one act or lapse at most."""
        view = None
        for seat, player in enumerate(self.players):
            if hasattr(player, "on_happened"):
                view = view or self.batch.view(seat)
                if view["rev"] > self.told_rev:
                    self._tell(player, "on_happened", view["rev"], view["happened"])
        if view is not None:
            self.told_rev = view["rev"]

    def _tell(self, player: Player | str, what: str, *words: Any) -> None:
        if hasattr(player, what):
            self._done(getattr(player, what)(*words))

    def _done(self, given: Any) -> Any:
        """What the author's code gives, at once or in the end."""
        if not inspect.isawaitable(given):
            return given

        async def wait() -> Any:
            return await given
        return self.runner.run(wait())
