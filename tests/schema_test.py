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

sys.path.insert(0, str(pathlib.Path(__file__).parent / "e2e"))
import seed  # noqa: E402
from frames import FrameSchemas, files  # noqa: E402

WRITER, ROOM_TEST, SOURCE = sys.argv[1:4]
COMMITTED = pathlib.Path(SOURCE) / "protocol" / "schema"

with tempfile.TemporaryDirectory() as fresh:
    subprocess.run([WRITER, fresh], check=True)
    assert files(fresh) == files(COMMITTED), "files are missing or too many: run write_schemas protocol/schema"
    for name in files(fresh):
        assert filecmp.cmp(pathlib.Path(fresh) / name, COMMITTED / name, shallow=False), f"{name} is stale"

schemas = FrameSchemas(COMMITTED)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "frames")
    subprocess.run([ROOM_TEST], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "TRIQUETRA_SEED": str(seed.take()), "TRIQUETRA_RECORD_FRAMES": path})
    lines = open(path, encoding="utf-8").read().splitlines()
kinds = schemas.check(lines)
assert {"ok", "error", "room", "view"} <= kinds.keys() and kinds["view"] > 100, kinds

# A canary: the validators do refuse.
view = next(json.loads(line) for line in lines if '"type":"view"' in line)
assert list(schemas.frames["server/view.json"].iter_errors({**view, "deck": []})), "an unknown field must not pass"
print(kinds)
