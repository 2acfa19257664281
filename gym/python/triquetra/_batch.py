"""Many matches of one game, stepped in one call."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _library
from ._games import Game, game_of
from ._library import Json


class Batch:
    """Matches side by side, each in a slot of its own. After start() and step() these arrays hold what came of it, a row
    for each slot; they are filled anew each time, so copy what you keep.

    observations  float32, slots x game.cells: what the seat that is asked knows
    masks         bool, slots x game.acts: which acts are open to it
    seats         int32, slots: which seat is asked; -1 if the match is over
    rewards       float32, slots x seats: of a match that this step has ended, a seat's part of the win beyond its fair
                  share; else 0
    over          bool, slots: where this step has ended a match

    A batch belongs to one thread at a time. Steps give up the lock of Python, so batches can run side by side.
    """

    def __init__(self, game: str, slots: int = 1, *, seats: int | None = None, options: Json | None = None,
                 players: Sequence[str | None] | None = None, restarts: bool = True) -> None:
        """`players` says by seat who acts: the level of a bot (random, greedy, easy, normal, hard, expert), or None for
        the caller. With `restarts` a slot whose match is over begins the next one in the same step: its observation
        and mask are those of the new match already."""
        self.game: Game = game_of(game)
        if players is None:
            players = [None] * (seats or self.game.min_seats)
        if seats is not None and seats != len(players):
            raise _library.Refused("one player for each seat")
        self.options: Json = options or {}
        self.slots, self.seat_count = slots, len(players)
        words = [player or "" for player in players]
        self._batch: int | None = _library.call(
            "make", _library.text(game), _library.written(self.options), slots, _library.written(words), restarts)
        self.observations: npt.NDArray[np.float32] = np.zeros((slots, self.game.cells), np.float32)
        self.masks: npt.NDArray[np.bool_] = np.zeros((slots, self.game.acts), np.bool_)
        self.seats: npt.NDArray[np.int32] = np.zeros(slots, np.int32)
        self.rewards: npt.NDArray[np.float32] = np.zeros((slots, self.seat_count), np.float32)
        self.over: npt.NDArray[np.bool_] = np.zeros(slots, np.bool_)
        self._acts: npt.NDArray[np.int32] = np.zeros(slots, np.int32)
        arrays: list[npt.NDArray[Any]] = [self.observations, self.masks, self.seats, self.rewards, self.over]
        self._rows = _library.Rows(*(array.ctypes.data for array in arrays))
        self._rows_at = ctypes.addressof(self._rows)
        self._acts_at = self._acts.ctypes.data

    def __del__(self) -> None:
        if getattr(self, "_batch", None) is not None:
            _library.free(self._batch or 0)
            self._batch = None

    def start(self, seed: int | str = 0) -> None:
        """Begins a first match in every slot. The same seed and acts give the same matches, whatever the other slots
        do."""
        _library.call("start", self._batch, _library.text(str(seed)), self._rows_at)

    def step(self, acts: npt.ArrayLike) -> None:
        """One act by number for each slot (where a match is over it is not read), then bots act until the caller is
        asked. Refused if one of them is not open: then none is made."""
        self._acts[:] = acts
        if _library.step(self._batch, self._acts_at, self.slots, self._rows_at) == -1:
            raise _library.refusal()

    def observe(self, seat: int, slot: int = 0) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """What a seat knows, whoever is asked, and its acts if it is the one."""
        observation = np.empty(self.game.cells, np.float32)
        mask = np.empty(self.game.acts, np.bool_)
        _library.call("observe", self._batch, slot, seat, observation.ctypes.data, mask.ctypes.data)
        return observation, mask

    def view(self, seat: int, slot: int = 0) -> Any:
        """The same as the view of the protocol, with previews: what a bot's choose() gets."""
        return _library.read("view", self._batch, slot, seat)

    def draw(self) -> npt.NDArray[np.int32]:
        """An open act of each slot, each as likely; 0 where the match is over."""
        acts = np.empty(self.slots, np.int32)
        if _library.draw(self._batch, acts.ctypes.data, self.slots) == -1:
            raise _library.refusal()
        return acts

    def choose(self, level: str, slot: int = 0) -> int:
        """The number of the act that a bot of this level would make for the seat that is asked."""
        return int(_library.call("choose", self._batch, slot, _library.text(level)))

    def result(self, slot: int = 0) -> Json:
        """Winners and scores of the match that ended last in this slot."""
        result: Json = _library.read("result", self._batch, slot)
        return result

    def record(self, slot: int = 0, names: Sequence[str] | None = None) -> Json:
        """The record of the match that ended last in this slot, as a server gives it: `triquetra verify` checks it."""
        names = names or [f"seat {seat}" for seat in range(self.seat_count)]
        record: Json = _library.read("record", self._batch, slot, _library.written(list(names)))
        return record

    def copy(self, slot: int, to: int) -> None:
        """Puts the match of one slot into another one too. The arrays do not show it: observe() does."""
        _library.call("copy", self._batch, slot, to)

    def imagine(self, seat: int, slot: int = 0, seed: int | str = 0) -> None:
        """Goes on in another world that this seat cannot tell from this one: for bots that look ahead without peeking.
        There is no record of such a match."""
        _library.call("imagine", self._batch, slot, seat, _library.text(str(seed)))
