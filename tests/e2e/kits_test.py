"""The bot kits as packages: installed without a network into a place of their own, typed strictly, and playing.

Usage: kits_test.py TRIQUETRAD SOURCES [WITH_NODE]   (without WITH_NODE the Python kit alone)
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

import seed
from triquetrad import Server

SERVER, SOURCES, *WITH_NODE = [pathlib.Path(word).resolve() for word in sys.argv[1:4]]
KITS = SOURCES / "clients/sdk"
MINUTES_S = 300  # only a hang takes that long


def run(*words, cwd=None, fails=False):
    done = subprocess.run([str(word) for word in words], cwd=cwd, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=MINUTES_S,
                          env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "MYPY_CACHE_DIR": str(cwd)})
    assert (done.returncode != 0) == fails, f"{words} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def plays(words, server, cwd):
    """A bot of a kit plays a match against two of the server's."""
    told = run(*words, "--game", "triqueta", "--bots", "2", "--server", server.url, "--json", cwd=cwd)
    assert json.loads(told.splitlines()[-1])["matches"] == 1, told


def planted(path, text, mistakes):
    """Each of these changes is one that the type checker must find."""
    for right, wrong in mistakes:
        assert right in text, right
        path.write_text(text.replace(right, wrong, 1))
        yield wrong


def python_kit(folder, server):
    shutil.copytree(KITS / "python", folder / "kit", symlinks=True)
    # Debian's setuptools builds it, and Debian's websockets is there: nothing is fetched.
    run("/usr/bin/python3", "-m", "venv", "--system-site-packages", "--without-pip", folder / "venv")
    python = folder / "venv/bin/python"
    run("/usr/bin/python3", "-m", "pip", "--python", python, "install", "--no-index", "--no-build-isolation",
        folder / "kit")
    bot = folder / "bot/my_bot.py"  # away from the kit's own file
    bot.parent.mkdir()
    page = (SOURCES / "docs/BOTS.md").read_text()
    text = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    bot.write_text(text)
    mypy = ["/usr/bin/mypy", "--strict", "--python-executable", python, bot]
    run(*mypy, cwd=bot.parent)
    plays([python, bot], server, bot.parent)
    for wrong in planted(bot, text, [("random.choice([", "str(["), ('act.get("preview", 0) for', 'act["previous"] for'),
                                     ("view: View", "view: Viev")]):
        told = run(*mypy, cwd=bot.parent, fails=True)
        assert "error: " in told, (wrong, told)
    run("/usr/bin/mypy", "--strict", KITS / "python/triquetra_bot.py", cwd=folder)


def javascript_kit(folder, server):
    node = WITH_NODE[0]
    kit = KITS / "javascript"
    run(node, "tsc", "--project", kit / "types.json", "--outDir", folder / "types")
    assert (folder / "types/triquetra-bot.d.mts").read_text() == (kit / "triquetra-bot.d.mts").read_text(), \
        "the types are stale: see clients/sdk/javascript/README.md"
    bot = folder / "bot"
    bot.mkdir()
    (bot / "package.json").write_text('{"name": "my-bot", "private": true, "type": "module"}')
    run(node, "npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", bot, kit)
    page = (kit / "README.md").read_text()
    text = re.search(r"```typescript\n(.*?)```", page, re.DOTALL)[1]
    source = bot / "my-bot.ts"
    source.write_text(text)
    (bot / "tsconfig.json").write_text(json.dumps({"files": ["my-bot.ts"], "compilerOptions": {
        "strict": True, "noImplicitOverride": True, "noUncheckedIndexedAccess": True, "target": "es2022",
        "module": "nodenext", "types": [], "outDir": "out"}}))
    tsc = [node, "tsc", "--project", bot]
    run(*tsc)
    plays([node, "node", bot / "out/my-bot.js"], server, bot)
    for wrong in planted(source, text, [("legal[Math", "view[Math"), ("LegalAct | undefined", "string"),
                                        ("override choose", "override chose")]):
        told = run(*tsc, fails=True)
        assert "error TS" in told, (wrong, told)


def version_of_all():
    """The version stands in CMakeLists.txt; what needs it elsewhere says the same."""
    version = re.search(r"project\(triquetra VERSION (\S+)", (SOURCES / "CMakeLists.txt").read_text())[1]
    said = {
        "pyproject.toml": tomllib.loads((KITS / "python/pyproject.toml").read_text())["project"]["version"],
        "the gym": tomllib.loads((SOURCES / "gym/python/pyproject.toml").read_text())["project"]["version"],
        "package.json": json.loads((KITS / "javascript/package.json").read_text())["version"],
        "CHANGELOG.md": re.search(r"^## (\d\S*)", (SOURCES / "CHANGELOG.md").read_text(), re.MULTILINE)[1],
        "Dockerfile": re.search(r"^ARG VERSION=(\S+)", (SOURCES / "docker/Dockerfile").read_text(), re.MULTILINE)[1],
    }
    assert set(said.values()) == {version}, (version, said)


def main():
    seed.take()
    version_of_all()
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--bot-delay-ms", "0") as server:
        for kit in [python_kit, javascript_kit][:1 + len(WITH_NODE)]:
            place = pathlib.Path(folder).resolve() / kit.__name__
            place.mkdir()
            kit(place, server)
            print(f"{kit.__name__}: installed, typed, and played", flush=True)


if __name__ == "__main__":
    main()
