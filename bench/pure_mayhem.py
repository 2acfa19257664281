"""Triangle Mayhem in Python alone: what one would write who has no engine. bench/gym.py measures the gym against
it, and plays both side by side to see that they play the same game.

Without windows (window_ms 0) and with checked claims: the statements M1 to M15 and M22 to M27 of the game's RULES.md.
What an agent is given is what the gym gives: an array of numbers, a mask, and at the end its part of the win.
"""
from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt

Piece = tuple[int, int, int]  # cut, number, colour: each from 0
PIECES = [(cut, number, color) for cut in range(3) for number in range(3) for color in range(3)]
CELLS = 2 + 3 * 3 + 81 * (1 + 2 * 3) + 8 * 4  # how many numbers an observation has
ACTS = 1 + 27 * 82 + 1  # none, each piece onto each triangle or none, the end of the turn
END = ACTS - 1


def act_of(piece: Piece, onto: int) -> int:
    """The number of a play: `onto` counts from 1, 0 starts another triangle."""
    cut, number, color = piece
    return 1 + (cut * 9 + number * 3 + color) * 82 + onto


class Mayhem:
    """One match."""

    def __init__(self, seats: int, deck: list[Piece] | None = None, first: int | None = None) -> None:
        if deck is None:
            deck = PIECES * 3
            random.shuffle(deck)
        self.seats = seats
        self.turn = random.randrange(seats) if first is None else first
        self.pile = deck[::-1]  # the next card is the last
        self.hands: list[list[Piece]] = [[] for _ in range(seats)]
        for card in range(3):
            for step in range(seats):
                self.hands[(self.turn + step) % seats].append(self.pile.pop())
        self.open: dict[int, list[Piece]] = {}
        self.last_triangle = 0
        self.taken: list[list[list[Piece]]] = [[] for _ in range(seats)]
        self.played = 0
        self.is_over = False

    def legal(self) -> list[int]:
        """The acts of the seat on turn."""
        acts = []
        if self.played < 3:
            for piece in sorted(set(self.hands[self.turn])):
                fits = [name for name, pieces in self.open.items()
                        if pieces[0][0] == piece[0] and all(one[1] != piece[1] for one in pieces)]
                acts += [act_of(piece, name) for name in fits or [0]]
        if self.played > 0:
            acts.append(END)
        return acts

    def step(self, act: int) -> None:
        """Before: it is one of legal()."""
        if act == END:
            self._end_turn()
            return
        kind, onto = divmod(act - 1, 82)
        piece = PIECES[kind]
        self.hands[self.turn].remove(piece)
        self.played += 1
        if onto == 0:
            self.last_triangle += 1
            self.open[self.last_triangle] = [piece]
        else:
            self.open[onto].append(piece)
            if len(self.open[onto]) == 3:
                self.taken[self.turn].append(self.open.pop(onto))
                self.is_over = sum(map(len, self.taken)) == 27

    def _end_turn(self) -> None:
        hand = self.hands[self.turn]
        while len(hand) < 3 and self.pile:
            hand.append(self.pile.pop())
        self.played = 0
        self.turn = (self.turn + 1) % self.seats
        while not self.hands[self.turn]:
            self.turn = (self.turn + 1) % self.seats

    def points(self) -> list[int]:
        """By seat."""
        return [sum(6 if len({piece[2] for piece in triangle}) == 1 else 3 for triangle in taken)
                for taken in self.taken]

    def rewards(self) -> list[float]:
        """By seat, at the end: its part of the win beyond its fair share."""
        points = self.points()
        best = max(points)
        return [(1.0 / points.count(best) if one == best else 0.0) - 1.0 / self.seats for one in points]

    def observe(self) -> npt.NDArray[np.float32]:
        """What the seat on turn knows."""
        numbers: list[float] = [self.turn, len(self.pile)]
        hand = sorted(self.hands[self.turn])
        for place in range(3):
            numbers += hand[place] if place < len(hand) else (-1, -1, -1)
        for pieces in self.open.values():
            numbers.append(len(pieces))
            for place in range(2):
                numbers += pieces[place] if place < len(pieces) else (-1, -1, -1)
        numbers += [0.0] * (2 + 9 + 81 * 7 - len(numbers))
        for seat in range(8):
            if seat < self.seats:
                pure = sum(len({piece[2] for piece in triangle}) == 1 for triangle in self.taken[seat])
                numbers += [1, len(self.hands[seat]), len(self.taken[seat]), pure]
            else:
                numbers += [0, 0, 0, 0]
        return np.array(numbers, np.float32)

    def mask(self, legal: list[int]) -> npt.NDArray[np.bool_]:
        """Which acts are legal."""
        mask = np.zeros(ACTS, np.bool_)
        mask[legal] = True
        return mask


def play(seats: int) -> dict[str, Any]:
    """A match of random acts, with what an agent is given before each."""
    match = Mayhem(seats)
    acts = 0
    while not match.is_over:
        match.observe()
        legal = match.legal()
        match.mask(legal)
        match.step(random.choice(legal))
        acts += 1
    return {"acts": acts, "rewards": match.rewards()}
