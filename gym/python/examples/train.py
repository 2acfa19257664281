"""Trains a small policy by plain numpy: it plays one seat against bots, and learns from who wins. docs/GYM.md tells how.

    python3 train.py --minutes 5                       # triqueta for two, against random
    python3 train.py --game mayhem --against greedy
"""
from __future__ import annotations

import argparse
import math
import time

import numpy as np
import numpy.typing as npt

import triquetra

Floats = npt.NDArray[np.float32]


class Eyes:
    """What of an observation the policy looks at: the cells that change, about as large as 1."""

    def __init__(self, batch: triquetra.Batch) -> None:
        """Plays on by chance for a while, to see which those are."""
        lowest, highest = batch.observations.copy(), batch.observations.copy()
        for _ in range(200):
            batch.step(batch.draw())
            np.minimum(lowest, batch.observations, out=lowest)
            np.maximum(highest, batch.observations, out=highest)
        self.cells = np.flatnonzero(lowest.min(axis=0) != highest.max(axis=0))
        self.scale = batch.game.layout.scale()[self.cells]

    def see(self, batch: triquetra.Batch) -> Floats:
        """A row for each slot."""
        seen: Floats = batch.observations[:, self.cells] * self.scale
        return seen


class Policy:
    """One hidden layer, which gives a score for each act and says how well the match stands."""

    def __init__(self, cells: int, acts: int, hidden: int, chance: np.random.Generator) -> None:
        def drawn(rows: int, columns: int, size: float) -> Floats:
            return (chance.standard_normal((rows, columns)) * size / math.sqrt(rows)).astype(np.float32)
        self.weights = [drawn(cells, hidden, 1.0), np.zeros(hidden, np.float32),
                        drawn(hidden, acts, 0.1), drawn(hidden, 1, 0.1)]
        self._mean = [np.zeros_like(one) for one in self.weights]
        self._square = [np.zeros_like(one) for one in self.weights]
        self._steps = 0

    def look(self, seen: Floats, masks: npt.NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
        """The hidden layer, how likely each act is, and the part of the win that is to be expected."""
        inner, bias, act, worth = self.weights
        hidden = np.maximum(seen @ inner + bias, 0.0)
        scores = np.where(masks, hidden @ act, np.float32(-1e9))
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True), (hidden @ worth)[:, 0]

    def learn(self, seen: Floats, masks: npt.NDArray[np.bool_], acts: npt.NDArray[np.int64], gains: Floats,
              returns: Floats, rate: float) -> None:
        """Makes acts likelier that did better than expected: one step of Adam down the gradient."""
        hidden, chances, worth = self.look(seen, masks)
        count = np.float32(len(acts))
        logs = np.log(np.maximum(chances, 1e-9))
        doubt = -(chances * logs).sum(axis=1, keepdims=True)
        by_score = chances * gains[:, None]
        by_score[np.arange(len(acts)), acts] -= gains
        by_score = (by_score + 0.01 * chances * (logs + doubt)) / count  # and a little for staying undecided
        by_worth = (worth - returns)[:, None] / count
        by_hidden = (by_score @ self.weights[2].T + by_worth @ self.weights[3].T) * (hidden > 0)
        self._adam([seen.T @ by_hidden, by_hidden.sum(axis=0), hidden.T @ by_score, hidden.T @ by_worth], rate)

    def _adam(self, gradient: list[Floats], rate: float) -> None:
        self._steps += 1
        for weight, mean, square, change in zip(self.weights, self._mean, self._square, gradient):
            mean += 0.1 * (change - mean)
            square += 0.001 * (change * change - square)
            now = mean / (1 - 0.9 ** self._steps)
            weight -= (rate * now / (np.sqrt(square / (1 - 0.999 ** self._steps)) + 1e-8)).astype(np.float32)


def drawn_by(chances: Floats, chance: np.random.Generator) -> npt.NDArray[np.int64]:
    """One act of each row, as likely as the row says."""
    sums = np.cumsum(chances, axis=1)
    drawn: npt.NDArray[np.int64] = (sums < chance.random((len(chances), 1)) * sums[:, -1:]).sum(axis=1)
    return drawn


def train(policy: Policy, batch: triquetra.Batch, eyes: Eyes, minutes: float, chance: np.random.Generator) -> int:
    """Plays and learns for so long (of one processor's time); how many matches that were."""
    length, rate, matches = 32, 1e-3, 0
    slots, until = np.arange(batch.slots), time.process_time() + 60 * minutes
    while time.process_time() < until:
        seen = np.empty((length + 1, batch.slots, len(eyes.cells)), np.float32)
        masks = np.empty((length + 1, batch.slots, batch.game.acts), np.bool_)
        acts = np.empty((length, batch.slots), np.int64)
        worth = np.empty((length + 1, batch.slots), np.float32)
        rewards = np.empty((length, batch.slots), np.float32)
        over = np.empty((length, batch.slots), np.float32)
        for step in range(length + 1):
            seen[step], masks[step] = eyes.see(batch), batch.masks
            _, chances, worth[step] = policy.look(seen[step], masks[step])
            if step < length:
                acts[step] = drawn_by(chances, chance)
                batch.step(acts[step])
                rewards[step], over[step] = batch.rewards[slots, 0], batch.over
        matches += int(over.sum())
        # What each act brought beyond what was expected, as far as it can be told by now (GAE).
        gains = np.zeros((length, batch.slots), np.float32)
        later = np.zeros(batch.slots, np.float32)
        for step in reversed(range(length)):
            goes_on = 1 - over[step]
            later = rewards[step] + goes_on * (worth[step + 1] + 0.95 * later) - worth[step]
            gains[step] = later
        flat = np.arange(length * batch.slots)
        returns = (gains + worth[:-1]).reshape(-1)
        spread = gains.reshape(-1) / (gains.std() + 1e-6)
        chance.shuffle(flat)
        for part in np.array_split(flat, 8):
            policy.learn(seen[:-1].reshape(len(flat), -1)[part], masks[:-1].reshape(len(flat), -1)[part],
                         acts.reshape(-1)[part], spread[part], returns[part], rate)
    return matches


def part_of_wins(policy: Policy, batch: triquetra.Batch, eyes: Eyes, matches: int) -> tuple[float, float]:
    """By the likeliest act each time: seat 0's part of the wins, and how far chance may have moved it (95 %)."""
    parts: list[float] = []
    batch.start("these are not trained on")
    while len(parts) < matches:
        _, chances, _ = policy.look(eyes.see(batch), batch.masks)
        batch.step(chances.argmax(axis=1))
        parts += (batch.rewards[batch.over, 0] + 1 / batch.seat_count).tolist()
    return float(np.mean(parts)), 1.96 * float(np.std(parts)) / math.sqrt(len(parts))


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--game", default="triqueta")
    words.add_argument("--seats", type=int, default=2)
    words.add_argument("--against", default="random", help="the level of the others")
    words.add_argument("--minutes", type=float, default=5.0, help="of one processor's time")
    words.add_argument("--slots", type=int, default=128, help="matches side by side")
    words.add_argument("--hidden", type=int, default=128, help="the size of the layer")
    words.add_argument("--matches", type=int, default=2000, help="to see how good it is")
    words.add_argument("--seed", type=int, default=1)
    args = words.parse_args()

    def table(level: str) -> triquetra.Batch:
        batch = triquetra.Batch(args.game, args.slots, players=[None] + [level] * (args.seats - 1))
        batch.start(args.seed)
        return batch

    chance = np.random.default_rng(args.seed)
    batch = table(args.against)
    eyes = Eyes(batch)
    policy = Policy(len(eyes.cells), batch.game.acts, args.hidden, chance)

    def tell(when: str) -> None:
        for level in dict.fromkeys([args.against, "random", "greedy"]):
            part, doubt = part_of_wins(policy, table(level), eyes, args.matches)
            print(f"{when}, against {level}: {part:.3f} of the wins, give or take {doubt:.3f}", flush=True)

    tell("untrained")
    matches = train(policy, batch, eyes, args.minutes, chance)
    tell(f"after {matches} matches in {args.minutes:g} minutes of one processor")


if __name__ == "__main__":
    main()
