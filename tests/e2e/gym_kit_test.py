"""The gym as pip installs it: strictly typed, docs/GYM.md as printed, one bot class in process and at a server, and the
training of that page in short.

Usage: gym_kit_test.py TRIQUETRAD LIBRARY SOURCES   (LIBRARY is the gym's, built already: compiling it is the build's)
"""
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import seed
from triquetrad import Server

SERVER, LIBRARY, SOURCES = [pathlib.Path(word).resolve() for word in sys.argv[1:4]]


def run(*words, cwd, fails=False):
    done = subprocess.run([str(word) for word in words], cwd=cwd, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, check=False,
                          env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "MYPY_CACHE_DIR": str(cwd / "types")})
    assert (done.returncode != 0) == fails, f"{words} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def installed(folder):
    """A Python that has the gym and the kit, and nothing of the sources beside it."""
    run("/usr/bin/python3", "-m", "venv", "--system-site-packages", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv/bin/python"
    for name, package in (("gym", "gym/python"), ("kit", "clients/sdk/python")):
        shutil.copytree(SOURCES / package, folder / name, symlinks=True,
                        ignore=shutil.ignore_patterns("build", "*.egg-info"))
        run("/usr/bin/python3", "-m", "pip", "--python", python, "install", "--no-index", "--no-build-isolation",
            folder / name, cwd=folder)
    del os.environ["TRIQUETRA_GYM_LIBRARY"]  # from now on the one that was installed
    return python


def pages(folder, python):
    """What docs/GYM.md prints runs, and is typed."""
    blocks = re.findall(r"```python\n(.*?)```", (SOURCES / "docs/GYM.md").read_text(), re.DOTALL)
    assert len(blocks) == 3
    shutil.copy(SOURCES / "clients/sdk/python/greedy_bot.py", folder)
    mypy = ["/usr/bin/mypy", "--strict", "--python-executable", python]
    for number, block in enumerate(blocks):
        page = folder / f"page_{number}.py"
        page.write_text(block)
        run(python, page, cwd=folder)
    run(*mypy, *sorted(folder.glob("page_*.py")), SOURCES / "gym/python/examples/train.py",
        SOURCES / "bench/pure_mayhem.py", cwd=folder)
    wrong = folder / "page_1.py"
    wrong.write_text(blocks[1].replace("batch.draw()", "batch.drawn()"))
    assert "error: " in run(*mypy, wrong, cwd=folder, fails=True)


def one_class_here_and_there(folder, python):
    with Server(SERVER) as server:
        told = run(python, folder / "greedy_bot.py", "--game", "triqueta", "--bots", "1", "--server", server.url, "--json",
                   cwd=folder)
    assert json.loads(told.splitlines()[-1])["matches"] == 1, told
    run(python, "-c", "import triquetra; from greedy_bot import GreedyBot\n"
        "records = triquetra.play('triqueta', [GreedyBot(), 'greedy'])\n"
        "assert len(records) == 1 and records[0]['result']['scores']", cwd=folder)


def training(folder, python):
    told = run(python, SOURCES / "gym/python/examples/train.py", "--minutes", "0.02", "--matches", "20", "--slots", "16",
               cwd=folder)
    parts = [float(part) for part in re.findall(r"against (?:random|greedy): ([0-9.]+) of the wins", told)]
    assert len(parts) == 4 and all(0 <= part <= 1 for part in parts), told
    assert int(re.search(r"after (\d+) matches", told)[1]) > 0, told


def learning(site):
    """The sums of the example: what has gone better than expected is done more often, and the other way round."""
    sys.path.append(str(site))
    import numpy as np
    of_file = importlib.util.spec_from_file_location("train", SOURCES / "gym/python/examples/train.py")
    train = importlib.util.module_from_spec(of_file)
    of_file.loader.exec_module(train)
    chance = np.random.default_rng(1)
    policy = train.Policy(6, 4, 8, chance)
    seen = chance.standard_normal((64, 6)).astype(np.float32)
    masks = np.ones((64, 4), np.bool_)
    masks[:, 3] = False
    for _ in range(200):
        acts = train.drawn_by(policy.look(seen, masks)[1], chance)
        gains = np.where(acts == 2, 1.0, -1.0).astype(np.float32)
        policy.learn(seen, masks, acts, gains, np.full(64, 0.25, np.float32), 0.02)
    _, chances, worth = policy.look(seen, masks)
    assert chances[:, 2].mean() > 0.9 and not chances[:, 3].any(), chances.mean(axis=0)
    assert abs(worth.mean() - 0.25) < 0.1, worth.mean()


if __name__ == "__main__":
    seed.take()
    os.environ["TRIQUETRA_GYM_LIBRARY"] = str(LIBRARY)
    with tempfile.TemporaryDirectory() as name:
        at = pathlib.Path(name)
        with_gym = installed(at)
        pages(at, with_gym)
        one_class_here_and_there(at, with_gym)
        training(at, with_gym)
        learning(next(at.glob("venv/lib/*/site-packages")))
