#!/usr/bin/env python3
"""How many matches a second the gym plays, and how many an environment in Python alone does: Triangle Mayhem
without windows (bench/pure_mayhem.py), random acts, an observation and a mask before each. tests/gym_test.py holds that
both play the same game. Takes turns, several times; tells the median of each, in seconds of this process.

usage: bench/gym.py [--seconds S] [--rounds N]   (with the package triquetra installed: docs/GYM.md)
"""
import argparse
import random
import statistics
import time

import numpy as np

import pure_mayhem
import triquetra

OPTIONS = {"window_ms": 0}


def pure(seats, seconds):
    """Matches a second."""
    matches, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        pure_mayhem.play(seats)
        matches += 1
    return matches / (time.process_time() - start)


def one_at_a_time(seats, seconds):
    """By PettingZoo's interface: one match, one act, one call."""
    env = triquetra.env("mayhem", seats, options=OPTIONS)
    matches, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        env.reset()
        for _ in env.agent_iter():
            seen, _, is_over, _, _ = env.last()
            env.step(None if is_over else random.choice(np.flatnonzero(seen["action_mask"])))
        matches += 1
    return matches / (time.process_time() - start)


def batched(seats, seconds, players=None, slots=256):
    """Many side by side."""
    batch = triquetra.Batch("mayhem", slots, options=OPTIONS, players=players or [None] * seats)
    batch.start(random.random())
    matches, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        batch.step(batch.draw())
        matches += int(batch.over.sum())
    return matches / (time.process_time() - start)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    words.add_argument("--rounds", type=int, default=5)
    args = words.parse_args()
    print("| seats | pure Python | one at a time | | batch of 256 | | caller on one seat, bots by chance | |")
    print("|---|---|---|---|---|---|---|---|")
    for seats in (2, 5):
        ways = [pure, one_at_a_time, batched,
                lambda seats, seconds: batched(seats, seconds, [None] + ["random"] * (seats - 1))]
        seen = [[way(seats, args.seconds) for way in ways] for _ in range(args.rounds)]
        floor, *others = [statistics.median(column) for column in zip(*seen)]
        factors = [statistics.median(row[way] / row[0] for row in seen) for way in range(1, len(ways))]
        cells = [f"{rate:.0f} | x {factor:.1f}" for rate, factor in zip(others, factors)]
        print(f"| {seats} | {floor:.0f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
