"""Data folders of released versions (tests/released): this server shows everybody what the released one had sent
at the same place, knows what was answered, and plays every match on to its end, and a rematch.

Usage: upgrade_test.py TRIQUETRAD TRIQUETRA SOURCE_DIR
"""
import asyncio
import copy
import hashlib
import json
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import seed

SERVER, CLIENT, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
sys.path += [str(SOURCE / "tests" / "released"), str(SOURCE / "clients" / "sdk" / "python")]

import verify_record  # noqa: E402
import visit  # noqa: E402
from visit import come_in, differences  # noqa: E402

SEED = seed.take()


def check_record(record):
    done = subprocess.run([CLIENT, "verify", "-"], input=json.dumps(record), text=True, capture_output=True,
                          timeout=visit.PATIENCE_S, check=False)
    assert done.returncode == 0, done
    assert verify_record.wrong_with(record) is None, record["match"]


def check_told(sent):
    """What the released server itself had said holds together: else there is nothing to compare with."""
    stages = {room["status"] for room in sent["rooms"].values()}
    assert stages == {"open", "starting", "playing", "over", "closed"}, stages
    for room in sent["rooms"].values():
        for asked in room["asked"]:
            if "record" in asked["answer"]:
                check_record(asked["answer"]["record"])


def without_waiting(room):
    """A room whose five seconds for opening the entropy were over before anybody came: this server calls the start
    off then, and another match gathers."""
    def waited(frame):
        seats = [{key: value for key, value in seat.items() if key != "entropy"} for seat in frame["seats"]]
        kept = {key: value for key, value in frame.items() if key not in ("status", "reveal", "match", "commitment")}
        return {**kept, "seats": seats}
    return {**room, "visits": [{**one, "room": waited(one["room"])} for one in room["visits"]]}


def as_previews_are_now(room):
    """
    What is said of a place was once called its preview, and is its worth: placing changes no score. And the point
    that the holder of the rock loses by taking a row before the last was not told.
    """
    room = copy.deepcopy(room)
    for own in [one["own"] for one in room["visits"] if "own" in one]:
        table = room["public"]["table"]
        for act in [each for each in own.get("legal", []) if "preview" in each]:
            if act["action"]["do"] == "place" and "worth" not in act:
                act |= {"preview": 0, "worth": act["preview"]}
            left = [row for row in table.get("rows", []) if "taken_by" not in row]
            if act["action"]["do"] == "take" and table["rock"] == own["seat"] and len(left) > 1:
                act["preview"] -= 1
    return room


async def wrong_with(server, sent, only=None):
    """All that this server sends otherwise than the released one, by the room, the visitor and the field."""
    wrong = []
    knows_worth = '"worth"' in json.dumps(sent)
    for code, room in sent["rooms"].items():
        if only not in (None, code):
            continue
        guests, seen = await visit.look(server, sent["players"], code, room)
        if room["status"] == "starting":
            if guests[""].room["status"] == "open":
                room = without_waiting(room)
            await guests[room["entropy"]["of"]].ask({"type": "reveal_entropy", "room": code,
                                                     "entropy": room["entropy"]["is"]})
        told = room if knows_worth else as_previews_are_now(room)
        wrong += differences(told, seen, f"{code} ({room['stage']})")
        await visit.close(guests)
    if not only:
        for name, player in sent["players"].items():
            wrong += differences(player["welcome"], await visit.welcome(server, player), name)
        for path, answer in sent["pages"].items():
            wrong += differences(in_one_order(answer), in_one_order(visit.get(server, path)), path)
    return wrong


def in_one_order(answer):
    """(status, page) with the rooms of a list by their codes: which order they have may change."""
    status, page = answer
    if isinstance(page, dict) and "rooms" in page:
        page = {**page, "rooms": sorted(page["rooms"], key=lambda room: room["room"])}
    return [status, page]


async def vote(server, sent, code, guests, votes):
    """The second of two votes, the first of which was cast at the released server."""
    seat = guests[votes["against"]].answer["seat"]
    await guests[votes["by"]].must({"type": "kick", "room": code, "seat": seat})
    await guests[votes["by"]].until(lambda: guests[votes["by"]].room["seats"][seat].get("covered"))
    guests[votes["against"]] = await come_in(server, {"type": "join", "room": code},
                                             token=sent["players"][votes["against"]]["token"])
    # Whom the table has sent away plays again when all of its people say so; a program has no voice.
    for name, guest in guests.items():
        if name != votes["against"]:
            await guest.ask({"type": "readmit", "room": code, "seat": seat})
    returned = guests[votes["against"]]
    await returned.until(lambda: not returned.room["seats"][seat].get("covered"))


async def start(code, guests):
    """Whoever is the host starts."""
    any_of_them = next(iter(guests.values()))
    host = any_of_them.room["host"]
    name = any_of_them.room["seats"][host]["name"]
    await guests[name].must({"type": "start", "room": code})
    for guest in guests.values():
        await guest.until(lambda guest=guest: guest.room["status"] == "playing" and guest.view
                          and guest.view["match"] == guest.room["match"])


async def play_to_the_end(code, guests, dice):
    """Gives the record, in which every act that was accepted stands."""
    people = [*guests.values()]
    done = await visit.play(people, dice)
    for guest in people:
        await guest.until(lambda guest=guest: guest.room["status"] == "over")
    record = (await people[0].must({"type": "record", "room": code, "match": people[0].room["match"]}))["record"]
    check_record(record)
    for guest, frame, answer in done:
        step = record["steps"][answer["rev"] - 1]
        assert (step["seat"], step["action"]) == (guest.view["seat"], frame["action"]), (step, frame)
    return record


def check_kept(record, room):
    """What the released server had accepted stands in the record of the match as it was ended here."""
    for frame, answer in ((asked["frame"], asked["answer"]) for asked in room["asked"]):
        if frame.get("match") == record["match"] and frame["type"] == "act":
            assert record["steps"][answer["rev"] - 1]["action"] == frame["action"], (frame, answer)
        if frame.get("match") == record["match"] and frame["type"] == "history":
            assert len(record["steps"]) >= len(answer["pages"])


async def play_on(server, sent, code, room):
    """One room: the match that runs, or the one that waits to begin, and a rematch. Gives the records."""
    dice = random.Random(f"{SEED} {room['stage']}")
    guests = {}
    for name in [one["who"] for one in room["visits"] if one["who"]]:
        guests[name] = await come_in(server, {"type": "join", "room": code}, token=sent["players"][name]["token"])
    for guest in guests.values():  # the last to come has told the others
        await guest.must({"type": "ping"})
    if "vote" in room:
        await vote(server, sent, code, guests, room["vote"])
    records = []
    while len(records) < 2:
        status = next(iter(guests.values())).room["status"]
        if status == "over":
            for guest in guests.values():
                await guest.must({"type": "rematch", "room": code})
        if status in ("over", "open"):
            await start(code, guests)
        records.append(await play_to_the_end(code, guests, dice))
        check_kept(records[-1], room)
    await visit.close(guests)
    return records


async def play_all(server, sent):
    """Every room that is not closed; the records, by the room."""
    rooms = {code: room for code, room in sent["rooms"].items() if room["status"] != "closed"}
    played = await asyncio.gather(*(play_on(server, sent, code, room) for code, room in rooms.items()))
    return dict(zip(rooms, played))


def records_at(server, sent, records):
    """What the server has of matches that are over, by their rooms: those of the released one and of this one."""
    async def ask():
        wrong = []
        for code, room in sent["rooms"].items():
            before = [asked["answer"]["record"] for asked in room["asked"] if "record" in asked["answer"]]
            if room["status"] == "closed":
                continue
            who = room["visits"][0]["who"]
            guest = await come_in(server, {"type": "join", "room": code}, token=sent["players"][who]["token"])
            for record in [*before, *records[code]]:
                answer = await guest.must({"type": "record", "room": code, "match": record["match"]})
                wrong += differences(record, answer["record"], code)
            await guest.close()
        return wrong
    return asyncio.run(ask())


def change_log(file, room, change, is_chained):
    """Somebody has changed the log of a room, and perhaps knows how records are chained."""
    database = sqlite3.connect(file)
    chain, changes = room.encode(), 0
    for seq, data in database.execute("SELECT seq, data FROM event WHERE room = ? ORDER BY seq", [room]).fetchall():
        changed = change(data)
        chain = hashlib.sha256(chain + f"/{seq}/{changed}".encode()).digest()[:16]
        if is_chained:
            database.execute("UPDATE event SET chain = ? WHERE room = ? AND seq = ?", [chain, room, seq])
        database.execute("UPDATE event SET data = ? WHERE room = ? AND seq = ?", [changed, room, seq])
        changes += changed != data
    database.commit()
    database.close()
    assert changes == 1, changes


def can_fail(released, sent):
    """Differences are seen: in what is expected, and in a log, also in one that this server takes for whole."""
    told = {"a": [1, {"b": "x"}], "c": True}
    assert not differences(told, {"a": [1, {"b": "x", "new": 1}], "c": True, "d": 2}), "a field may be added"
    for heard in ({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "y"}], "c": True}, {"a": [1, {"b": "x"}], "c": 1},
                  {"a": [1], "c": True}, {"a": [1, {"b": "x"}, 2], "c": True}, {"a": None, "c": True}):
        assert differences(told, heard), heard

    code, room = next((code, room) for code, room in sent["rooms"].items() if room["stage"] == "playing: just dealt")
    planted = copy.deepcopy(sent)
    planted["rooms"][code]["public"]["table"]["phase"] += "s"

    def seen(expected, *change):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(released / "triquetra.db", folder)
            if change:
                change_log(pathlib.Path(folder) / "triquetra.db", code, *change)
            with visit.server(SERVER, folder, *visit.QUIET) as server:
                return asyncio.run(wrong_with(server, expected, code))

    def another_secret(data):
        return re.sub('"secret":"(.)', lambda found: found[0][:-1] + ("1" if found[1] == "0" else "0"), data)

    assert not seen(sent)
    for what in ([planted], [sent, lambda data: data.replace('"Ben"', '"Bea"'), True],
                 [sent, another_secret, True], [sent, another_secret, False]):
        wrong = seen(*what)
        assert wrong, what
        print("planted and seen:", wrong[0][:120])


def check_folder(released):
    sent = json.loads((released / "sent.json").read_text())
    check_told(sent)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(released / "triquetra.db", folder)
        with visit.server(SERVER, folder, *visit.QUIET) as server:
            wrong = asyncio.run(wrong_with(server, sent))
            assert not wrong, "\n".join(wrong)
        with visit.server(SERVER, folder, *visit.QUICK) as server:
            records = asyncio.run(play_all(server, sent))
        whole = subprocess.run([SERVER, "--check-data", "--data", folder], capture_output=True, text=True, check=True)
        with visit.server(SERVER, folder, *visit.QUIET) as server:
            wrong = records_at(server, sent, records)
            assert not wrong, "\n".join(wrong)
    can_fail(released, sent)
    steps = sum(len(record["steps"]) for played in records.values() for record in played)
    print(f"{released.name}: {len(sent['rooms'])} rooms as they were, played on for {steps} steps; {whole.stdout}",
          end="")


folders = sorted(path.parent for path in (SOURCE / "tests" / "released").glob("*/sent.json"))
assert folders
for each in folders:
    check_folder(each)
