"""The number from which a test draws all its chance: printed when it begins and when it fails, and taken back as
TRIQUETRA_SEED. A fresh one where a test explores; the test's own where the outcome is known for that number.
tests/seed.hpp is the same for C++.

Usage: seed.py NUMBER PROGRAM ...   (a Python program whose chance comes from that number)
"""
import itertools
import os
import pathlib
import random
import runpy
import secrets
import shlex
import sys
import threading

_HERE = pathlib.Path(__file__).resolve()
_taken = None  # what take() gave
_servers = itertools.count()


def take(otherwise=None):
    """TRIQUETRA_SEED, or `otherwise`, or a fresh number. The kits' bots begin with it too."""
    global _taken
    if otherwise is None:
        otherwise = random.SystemRandom().getrandbits(32)
    _taken = int(os.environ.get("TRIQUETRA_SEED", otherwise))
    _begin(_taken)
    print(said(), flush=True)
    sys.excepthook = _telling(sys.excepthook)
    threading.excepthook = _telling(threading.excepthook)
    return _taken


def _begin(number):
    random.seed(number)
    # What bots promise for the shuffle must be nobody's guess, but here.
    secrets.token_hex = lambda count=32: random.randbytes(count).hex()


def said():
    return f"seed {_taken} (again: TRIQUETRA_SEED={_taken} {shlex.join([sys.executable, *sys.argv])})"


def _telling(hook):
    """What says of an exception also which chance has led to it."""
    def tell(*exception):
        hook(*exception)
        print(said(), file=sys.stderr, flush=True)
    return tell


def python(script):
    """The words that run a Python program with chance of ours."""
    return [sys.executable, str(_HERE), str(_taken), str(script)]


def node(script):
    """The same for JavaScript."""
    return ["node", f"--random-seed={_taken % 2**31}", "--require", str(_HERE.with_suffix(".cjs")), str(script)]


def server():
    """The flags of a server of ours, so that its codes, deals and bots come from the number too: each one's own, or
    a second start would give out the first one's tokens again."""
    return [] if _taken is None else ["--test-seed", f"{_taken} {next(_servers)}"]


if __name__ == "__main__":
    _begin(int(sys.argv[1]))
    del sys.argv[:2]
    sys.path[0] = str(pathlib.Path(sys.argv[0]).resolve().parent)
    runpy.run_path(sys.argv[0], run_name="__main__")
