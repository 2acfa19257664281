"""Which games there are, what their acts are called by, and what stands where in an observation."""
from __future__ import annotations

import dataclasses
import functools

import numpy as np
import numpy.typing as npt

from . import _library
from ._library import Json


@dataclasses.dataclass(frozen=True)
class Game:
    """One game of the catalogue."""
    name: str
    rules: int  # the version of its rules
    min_seats: int
    max_seats: int
    variants: list[Json]  # options that between them show what it can do
    cells: int  # numbers of an observation
    acts: int  # numbers of acts: 0 is none, which leaves a window to its clock

    @functools.cached_property
    def layout(self) -> Layout:
        """What stands where in an observation."""
        return Layout(_library.read("layout", _library.text(self.name)))

    def act(self, number: int) -> Json | None:
        """The act of a number, as the protocol has it; None for 0."""
        if number == 0:
            return None
        act: Json = _library.read("act", _library.text(self.name), number)
        return act

    def number(self, act: Json | None) -> int:
        """The number of an act."""
        if act is None:
            return 0
        return int(_library.call("number", _library.text(self.name), _library.written(act)))


class Layout:
    """The cells of an observation. A name is a path into the view: "table.seats[2].up.bear". "x=word" is 1 if x is that
    word (or that seat), "x?" is 1 if x is there, "x#" is the length of a list. What is absent is 0."""

    def __init__(self, cells: list[tuple[str, int, int]]) -> None:
        self.names: list[str] = [name for name, _, _ in cells]
        self.low: npt.NDArray[np.float32] = np.array([min(low, 0) for _, low, _ in cells], np.float32)
        self.high: npt.NDArray[np.float32] = np.array([max(high, 0) for _, _, high in cells], np.float32)

    def __len__(self) -> int:
        return len(self.names)

    def cells(self, prefix: str) -> list[int]:
        """Where the cells stand whose names begin so."""
        return [place for place, name in enumerate(self.names) if name.startswith(prefix)]

    def scale(self) -> npt.NDArray[np.float32]:
        """By what to multiply an observation, so that its numbers are about as large as 1."""
        most = np.maximum(np.abs(self.low), np.abs(self.high))
        return (1.0 / np.where(most > 1000, 10.0, np.maximum(most, 1.0))).astype(np.float32)


def games() -> dict[str, Game]:
    """Every game, by its name."""
    return dict(_all())


@functools.cache
def _all() -> dict[str, Game]:
    return {one["game"]: Game(one["game"], one["rules"], one["min_seats"], one["max_seats"], one["variants"],
                              one["cells"], one["acts"])
            for one in _library.read("games")}


def game_of(name: str) -> Game:
    """The game of this name; Refused if there is none."""
    if name not in _all():
        raise _library.Refused(f"no game is called {name!r}: there are {', '.join(_all())}")
    return _all()[name]
