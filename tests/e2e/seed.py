"""The number from which a test draws all its chance: printed when it begins and when it fails, and taken back as
TRIQUETRA_SEED. A fresh one where a test explores; the test's own where the outcome is known for that number."""
import os
import random
import shlex
import sys
import threading

GIVEN = os.environ.get("TRIQUETRA_SEED")
taken = None  # what take() gave


def take(otherwise=None):
    """TRIQUETRA_SEED, or `otherwise`, or a fresh number. The module `random` draws from it too, as bots do."""
    global taken
    taken = int(GIVEN or (random.SystemRandom().getrandbits(31) if otherwise is None else otherwise))
    random.seed(taken)
    print(said(), flush=True)
    sys.excepthook = telling(sys.excepthook)
    threading.excepthook = telling(threading.excepthook)
    return taken


def said():
    return f"seed {taken} (again: TRIQUETRA_SEED={taken} {shlex.join([sys.executable, *sys.argv])})"


def telling(hook):
    """What says of an exception also which chance led to it."""
    def tell(*exception):
        hook(*exception)
        print(said(), file=sys.stderr, flush=True)
    return tell
