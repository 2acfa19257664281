"""Checks the shuffle in the record of a finished match with nothing but Python's standard library:
proof that docs/FAIRNESS.md is enough to do it in any language.

usage: verify_record.py FILE    (- is standard input)

Exit code 0: the deal follows from the secret that the server had committed itself to, the match id
and the players' entropies. 1: it does not. 2: this is no record, or of a game that is not known
here. Whether every act was within the rules is what `triquetra verify` says.
"""
from __future__ import annotations

import hashlib
import json
import struct
import sys
from collections.abc import Iterator
from typing import Any, TypeVar

Json = dict[str, Any]
T = TypeVar("T")


def chacha20_words(key: bytes) -> Iterator[int]:
    """The key stream of RFC 8439 with nonce 0 and counters 0, 1, 2, ... as 32-bit words."""
    def turn(word: int, by: int) -> int:
        return (word << by | word >> (32 - by)) & 0xFFFFFFFF

    def quarter_round(s: list[int], a: int, b: int, c: int, d: int) -> None:
        for x, y, z, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            s[z] = turn(s[z] ^ s[x], by)

    counter = 0
    while True:
        start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key),
                 counter, 0, 0, 0]
        s = list(start)
        for _ in range(10):
            for i in range(4):
                quarter_round(s, i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                quarter_round(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        for mixed, first in zip(s, start):
            yield (mixed + first) & 0xFFFFFFFF
        counter += 1


class Chance:
    """All luck of one match."""

    def __init__(self, seed: bytes) -> None:
        self._words = chacha20_words(seed)

    def below(self, bound: int) -> int:
        limit = 2**32 - 2**32 % bound
        while True:
            word = next(self._words)
            if word < limit:
                return word % bound

    def shuffled(self, items: list[T]) -> list[T]:
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def seed_of(record: Json) -> bytes:
    parts = [b"triquetra shuffle 1", bytes.fromhex(record["secret"]),
             bytes.fromhex(record["match"])]
    parts += [bytes.fromhex(seat["entropy"]) for seat in record["seats"]]
    return hashlib.sha256(b"".join(struct.pack(">I", len(p)) + p for p in parts)).digest()


# --- Each game's deal, from the chance, in the words of the record.

def deal_of_triqueta(record: Json, chance: Chance) -> Json:
    animals = ["rabbit", "owl", "deer", "boar", "ram", "bear"]
    light = chance.shuffled([animal for animal in animals for _ in range(10)])
    shadows: list[str] = []
    if record["options"]["variant"] in ("wolves", "duo"):
        shadows = chance.shuffled(["shadow-" + animal for animal in animals + ["wolf"] * 9])
    towers = [[light[15 * tower + 3 * column:][:3] for column in range(5)] for tower in range(4)]
    if shadows:
        for column, shadow in zip((c for tower in towers[1:] for c in tower), shadows):
            column.append(shadow)
    first_seat = first_seat_of(record, chance)
    return {"towers": {"first": 0, "columns": towers}, "first_seat": first_seat}


def first_seat_of(record: Json, chance: Chance) -> int:
    fixed: int | None = record["options"].get("first_seat")
    return chance.below(len(record["seats"])) if fixed is None else fixed


def triangle_pieces() -> list[str]:
    return [cut + number + color for cut in "hvc" for number in "123" for color in "prg"
            for _ in range(3)]


def deal_of_mayhem(record: Json, chance: Chance) -> Json:
    deck = chance.shuffled(triangle_pieces())
    return {"deck": deck, "first_seat": first_seat_of(record, chance)}


def deal_of_card_triangles(record: Json, chance: Chance) -> Json:
    def code(card: Json) -> str:
        return f"{card['cut'][0]}{card.get('number', 'J')}{card['color'][0]}"

    seats = len(record["seats"])
    deck = chance.shuffled(triangle_pieces() + [cut + "J" + color for cut in "hvc"
                                                for color in "prg"])
    first_seat = first_seat_of(record, chance)
    pile = len(deck) - seats * (21 if seats == 2 else 15 if seats <= 4 else 9)
    discards: list[str] = []
    reshuffles: list[list[str]] = []
    for step in record["steps"]:
        action = step["action"]
        if action["do"] == "draw" and action["from"] == "pile":
            pile -= 1
        elif action["do"] == "draw":
            discards.pop()
        elif action["do"] == "discard":
            discards.append(code(action["card"]))
        elif action["do"] == "complete":
            discards += [code(piece["card"]) for piece in action["pieces"]
                         if piece["from"] == "hand" and piece["card"] not in action["save"]]
        elif action["do"] == "end" and pile == 0 and step is not record["steps"][-1]:
            reshuffles.append(chance.shuffled(discards[:-1]))
            discards, pile = discards[-1:], len(discards) - 1
    return {"deck": deck, "first_seat": first_seat, "reshuffles": reshuffles}


DEALS = {"triqueta": deal_of_triqueta, "mayhem": deal_of_mayhem,
         "card_triangles": deal_of_card_triangles}


def binding_of(record: Json) -> str:
    """What ties the match to the terms that it was started under."""
    terms = {name: record[name] for name in ("called_off", "game", "options", "rules")}
    terms["seats"] = [{name: value for name, value in seat.items() if name != "entropy"}
                      for seat in record["seats"]]
    text = json.dumps(terms, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    parts = [b"triquetra terms 1", bytes.fromhex(record["commitment"]),
             bytes.fromhex(record["match"]), text.encode()]
    return hashlib.sha256(b"".join(struct.pack(">I", len(p)) + p for p in parts)).hexdigest()


def wrong_with(record: Json) -> str | None:
    """What is wrong with a record, in words; None if all is well. KeyError and the like if it is
    no record."""
    if hashlib.sha256(bytes.fromhex(record["secret"])).hexdigest() != record["commitment"]:
        return "the secret is not the one of the commitment"
    for number, seat in enumerate(record["seats"]):
        entropy = bytes.fromhex(seat["entropy"])
        if entropy and hashlib.sha256(entropy).hexdigest() != seat.get("entropy_hash"):
            return f"the entropy of seat {number} is not the one of its hash"
    if record["format"] >= 2:
        if record["binding"] != binding_of(record):
            return "game, options or seats are not those that the binding names"
        if any(seat.get("entropy_hash") and not seat["entropy"] for seat in record["seats"]):
            return "an entropy was never opened"
    deal = DEALS[record["game"]](record, Chance(seed_of(record)))
    if deal != record["deal"]:
        return "the deal does not follow from the secret and the entropies"
    return None


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with sys.stdin if sys.argv[1] == "-" else open(sys.argv[1], encoding="utf-8") as file:
            record = json.load(file)
        record = record.get("record", record)  # a whole answer counts as the record in it
        if record["game"] not in DEALS:
            print(f"The deal of {record['game']} is not known here; try: triquetra verify")
            return 2
        wrong = wrong_with(record)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"No record: {error!r}", file=sys.stderr)
        return 2
    if wrong:
        print(f"NOT fair: {wrong}")
        return 1
    print("Fair: the deal follows from the commitment and the entropies")
    print("Told, not proven: who acted and when, and, unless you compare commitment and binding with "
          "what the room showed, that this is the match you played"
          + ("" if record["format"] >= 2 else "; in format 1 also names, kinds, levels, and options "
             "that the deal does not depend on"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
