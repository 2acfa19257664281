"""The committed schemas are those of the types, and every frame of a whole evening is as they say.

Usage: schema_test.py WRITE_SCHEMAS ROOM_TEST SOURCE_DIR
"""
import filecmp
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

WRITER, ROOM_TEST, SOURCE = sys.argv[1:4]
COMMITTED = pathlib.Path(SOURCE) / "protocol" / "schema"


def files(folder):
    return sorted(str(p.relative_to(folder)) for p in pathlib.Path(folder).rglob("*.json"))


with tempfile.TemporaryDirectory() as fresh:
    subprocess.run([WRITER, fresh], check=True)
    assert files(fresh) == files(COMMITTED), "files are missing or too many: run write_schemas protocol/schema"
    for name in files(fresh):
        assert filecmp.cmp(pathlib.Path(fresh) / name, COMMITTED / name, shallow=False), f"{name} is stale"

schemas = {name: json.loads((COMMITTED / name).read_text()) for name in files(COMMITTED)}
for name, schema in schemas.items():
    if name != "asyncapi.json":
        Draft202012Validator.check_schema(schema)
frames = {name: Draft202012Validator(schema) for name, schema in schemas.items() if "/" in name}
games = {name[6:-5]: {part: Draft202012Validator(schema) for part, schema in schema["$defs"].items()}
         for name, schema in schemas.items() if name.startswith("games/")}


def complain(validator, value, what):
    for error in validator.iter_errors(value):
        raise AssertionError(f"{what}: {error.message} at {list(error.path)}")


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "frames")
    subprocess.run([ROOM_TEST], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "TRIQUETRA_RECORD_FRAMES": path})
    lines = list(dict.fromkeys(open(path, encoding="utf-8").read().splitlines()))  # distinct, in order

kinds = {}
game_of = {}  # by room, as its last room frame said
for line in lines:
    frame = json.loads(line)
    kinds[frame["type"]] = kinds.get(frame["type"], 0) + 1
    complain(frames[f"server/{frame['type']}.json"], frame, line[:200])
    if frame["type"] == "room":
        game_of[frame["room"]] = games[frame["game"]]
        complain(games[frame["game"]]["options"], frame["options"], "options")
    if frame["type"] == "view":
        game = game_of[frame["room"]]
        complain(game["table"], frame["table"], "table")
        for event in frame["happened"]:
            complain(game["event"], event, "event")
        if "mine" in frame:
            complain(game["mine"], frame["mine"], "mine")
        for act in frame.get("legal", []):
            complain(game["action"], act["action"], "action")
        if "answer" in frame:
            complain(game["action"], frame["answer"], "answer")
assert {"ok", "error", "room", "view"} <= kinds.keys() and kinds["view"] > 100, kinds

# A canary: the validators do refuse.
view = next(json.loads(line) for line in lines if '"type":"view"' in line)
assert list(frames["server/view.json"].iter_errors({**view, "deck": []})), "an unknown field must not pass"
print(kinds)
