"""The frames that tests record, held against the committed schemas."""
import json
import pathlib

from jsonschema import Draft202012Validator


def files(folder):
    return sorted(str(p.relative_to(folder)) for p in pathlib.Path(folder).rglob("*.json"))


def complain(validator, value, what):
    for error in validator.iter_errors(value):
        raise AssertionError(f"{what}: {error.message} at {list(error.path)}")


class FrameSchemas:
    """Validators of all frames, and of each game's parts of them."""

    def __init__(self, folder):
        schemas = {name: json.loads((pathlib.Path(folder) / name).read_text()) for name in files(folder)}
        for name, schema in schemas.items():
            if name != "asyncapi.json":
                Draft202012Validator.check_schema(schema)
        self.frames = {name: Draft202012Validator(schema) for name, schema in schemas.items() if "/" in name}
        self.games = {name[6:-5]: {part: Draft202012Validator(s) for part, s in schema["$defs"].items()}
                      for name, schema in schemas.items() if name.startswith("games/")}

    def check(self, lines):
        """Validates frames (JSON texts, in the order in which they were sent); how many of each kind."""
        kinds = {}
        game_of = {}  # by room, as its last room frame said
        for line in dict.fromkeys(lines):  # distinct, in order
            frame = json.loads(line)
            kinds[frame["type"]] = kinds.get(frame["type"], 0) + 1
            complain(self.frames[f"server/{frame['type']}.json"], frame, line[:200])
            if frame["type"] == "room":
                # A game for tests has no committed schema of its own: its parts are not looked at.
                game_of[frame["room"]] = self.games.get(frame["game"])
                if game_of[frame["room"]]:
                    complain(game_of[frame["room"]]["options"], frame["options"], "options")
            if frame["type"] == "view" and game_of[frame["room"]]:
                self._check_view(frame, game_of[frame["room"]])
        return kinds

    @staticmethod
    def _check_view(frame, game):
        complain(game["table"], frame["table"], "table")
        for event in frame["happened"]:
            complain(game["event"], event, "event")
        if "mine" in frame:
            complain(game["mine"], frame["mine"], "mine")
        for act in frame.get("legal", []):
            complain(game["action"], act["action"], "action")
        if "answer" in frame:
            complain(game["action"], frame["answer"], "answer")
