#!/usr/bin/env python3
"""Holds the instructions that an act costs, from the text of its frame to the bytes for each receiver, against the
committed figures of bench/act_cost.json: one fixed match of each game, counted by callgrind.

usage: act_cost.py ACT_COST [--renew]

ACT_COST is the program of that name, in a build of the preset dev. An act may cost a twentieth more than committed: what
grows further does so on purpose, and then --renew writes the new figures. One that costs a fifth less than committed is
also told, for a figure that is far off holds nothing.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FIGURES = pathlib.Path(__file__).with_suffix(".json")
MAY_GROW = 1 / 20
MAY_SHRINK = 1 / 5
# Copies and searches of the C library are others on other processors; these are what all of them have.
PLAIN_PROCESSOR = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-ERMS,-FSRM,-BMI2,-RTM"


def counted(program, match):
    """The acts of a match, and the instructions of one of them on average."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", "--toggle-collect=triquetra_counted_act",
             program, match["game"], json.dumps(match["options"]), str(match["seats"])],
            capture_output=True, text=True, check=False, cwd=folder, env={"GLIBC_TUNABLES": PLAIN_PROCESSOR,
                                                                         "PATH": os.environ["PATH"], "LC_ALL": "C"})
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not collected or int(collected[1]) == 0:
        raise SystemExit(f"{match['game']} could not be counted:\n{done.stdout}{done.stderr}")
    acts = int(done.stdout)
    return acts, round(int(collected[1]) / acts)


def verdict(instructions, committed):
    change = instructions / committed - 1
    return "costs more" if change > MAY_GROW else "costs less, by much" if change < -MAY_SHRINK else "as committed"


# What it is to catch, planted; and what passes.
assert [verdict(count, 1000) for count in (1051, 1049, 801, 799)] == [
    "costs more", "as committed", "as committed", "costs less, by much"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--renew", action="store_true", help="write what is counted now into bench/act_cost.json")
    words = parser.parse_args()
    program = os.path.abspath(words.program)
    matches = json.loads(FIGURES.read_text())
    games = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    missing = set(games) - {match["game"] for match in matches}
    if missing:
        sys.exit(f"bench/act_cost.json has no match of {', '.join(sorted(missing))}: give it one, then --renew")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = list(pool.map(lambda match: counted(program, match), matches))
    is_well = True
    for match, (acts, instructions) in zip(matches, counts):
        committed = match.get("instructions", instructions)  # a new game has none
        found = verdict(instructions, committed)
        is_well &= found == "as committed"
        print(f"{match['game']:16} {acts:4} acts, {instructions:9,} instructions each: "
              f"{instructions / committed - 1:+7.2%}, {found}")
        match["acts"], match["instructions"] = acts, instructions
    if words.renew:
        FIGURES.write_text("[\n" + ",\n".join("  " + json.dumps(match) for match in matches) + "\n]\n")
    elif not is_well:
        sys.exit("If that is meant, renew the figures: scripts/build dev act_cost && "
                 "bench/act_cost.py build/dev/bench/act_cost --renew")


if __name__ == "__main__":
    main()
