"""The gym (docs/GYM.md): numbers of acts, observations and what they may not tell, batches, records, opponents, PettingZoo's
interface, bots, and the pure Python environment that bench/gym.py measures against.

Usage: gym_test.py LIBRARY TRIQUETRA SOURCES   (LIBRARY has the games for tests in it, TRIQUETRA those that ship)
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys

LIBRARY, TRIQUETRA, SOURCES = [pathlib.Path(word).resolve() for word in sys.argv[1:4]]
os.environ["TRIQUETRA_GYM_LIBRARY"] = str(LIBRARY)
sys.path[:0] = [str(SOURCES / folder) for folder in ("tests/e2e", "gym/python", "bench", "clients/sdk/python")]

import numpy as np  # noqa: E402

import greedy_bot  # noqa: E402
import pure_mayhem  # noqa: E402
import seed  # noqa: E402
import triquetra  # noqa: E402

GAMES = triquetra.games()
LEVELS = ["random", "greedy", "easy", "normal", "hard", "expert"]


def tables():
    """Every variant of every game, at its fewest and most seats."""
    for game in GAMES.values():
        for options in game.variants:
            seats = []
            for count in range(game.min_seats, game.max_seats + 1):
                try:
                    triquetra.Batch(game.name, seats=count, options=options)
                    seats.append(count)
                except triquetra.Refused:
                    pass
            for count in sorted({seats[0], seats[-1]}):
                yield game, options, count


def drawn(batch):
    """An act of each slot that is open."""
    acts = (np.random.random_sample(batch.masks.shape) * batch.masks).argmax(axis=1)
    assert (batch.masks[np.arange(batch.slots), batch.draw()] | (batch.seats < 0)).all()
    return acts


def refused(work, *words):
    try:
        work(*words)
    except triquetra.Refused as error:
        return str(error)
    raise AssertionError("this was not refused")


def acts_have_numbers():
    assert set(GAMES) == {"bids", "card_triangles", "mayhem", "triqueta"}, "also of a game that nobody told the gym of"
    for game in GAMES.values():
        acts = {json.dumps(game.act(number)) for number in range(1, game.acts)}
        assert len(acts) == game.acts - 1, game
        for number in range(game.acts):
            assert game.number(game.act(number)) == number
        refused(game.act, game.acts)
        refused(game.number, {"do": "nothing"})


def masks_are_what_is_legal():
    for game, options, seats in tables():
        batch = triquetra.Batch(game.name, seats=seats, options=options)
        batch.start(random.random())
        for step in range(300):
            if step % 5 == 0:
                seat = int(batch.seats[0])
                view = batch.view(seat)
                legal = {game.number(act["action"]) for act in view["legal"]}
                asked = [one for one in view["decisions"] if seat in one["seats"]]
                assert len(asked) == 1 and legal
                may_pass = {0} if asked[0]["kind"] == "window" else set()
                assert set(np.flatnonzero(batch.masks[0])) == legal | may_pass, view
                for other in range(seats):
                    assert other == seat or not batch.observe(other)[1].any(), "an act for a seat that is not asked"
            batch.step(drawn(batch))


def meant(view, name):
    """What a cell of this name should hold, by the view that people are sent."""
    path, kind, word = re.fullmatch(r"([^=?#]*)([=?#]?)(.*)", name).groups()
    value = view
    for key, place in re.findall(r"([a-z_]+)|\[(\d+)\]", path):
        if isinstance(value, list):
            value = value[int(place)] if place and int(place) < len(value) else None
        elif isinstance(value, dict):
            value = value.get(key)
    if kind == "?":
        return value is not None
    if kind == "#":
        return len(value or [])
    if kind == "=":
        return value is not None and str(value) == word
    return value or 0


def observations_are_the_view():
    for game, options, seats in tables():
        names = game.layout.names
        assert len(names) == len(set(names)) == game.cells
        batch = triquetra.Batch(game.name, 8, seats=seats, options=options)
        batch.start(random.random())
        for step in range(60):
            assert (batch.observations >= game.layout.low).all() and (batch.observations <= game.layout.high).all()
            if step % 20 == 0:
                slot = random.randrange(8)
                seat = random.randrange(seats)
                view = batch.view(seat, slot)
                want = np.array([meant(view, name) for name in names], np.float32)
                got = batch.observe(seat, slot)[0]
                wrong = np.flatnonzero(want != got)
                assert not len(wrong), [(names[at], got[at], want[at]) for at in wrong]
            batch.step(drawn(batch))


def nobody_learns_what_they_may_not():
    """Worlds that a seat cannot tell apart are the same to it. Those who may see more do see it: so this can fail."""
    for game, options, seats in tables():
        batch = triquetra.Batch(game.name, 2, seats=seats, options=options)
        batch.start(random.random())
        others_see = 0
        for step in range(120):
            batch.step(drawn(batch))
            if step % 4 or batch.over.any():
                continue
            seat = random.randrange(seats)
            batch.copy(0, 1)
            batch.imagine(seat, 1, random.random())
            for known, imagined in zip(batch.observe(seat, 0), batch.observe(seat, 1)):
                assert np.array_equal(known, imagined), (game, seat)
            assert batch.view(seat, 0) == batch.view(seat, 1)
            others_see += any(not np.array_equal(batch.observe(other, 0)[0], batch.observe(other, 1)[0])
                              for other in range(seats) if other != seat)
            batch.copy(0, 1)  # back to what is real
            batch.masks[1] = batch.masks[0]
        assert others_see > 0, f"nothing is hidden in {game.name}?"


def the_same_seed_gives_the_same_game():
    def played(slots, of_seed, steps=150):
        batch = triquetra.Batch("mayhem", slots, seats=3, players=[None, "random", "easy"])
        batch.start(of_seed)
        rows = []
        for _ in range(steps):
            rows.append((batch.observations[0].copy(), batch.rewards[0].copy()))
            batch.step(batch.masks.argmax(axis=1))
        return rows

    def same(one, other):
        return all(np.array_equal(a, b) for rows in zip(one, other) for a, b in zip(*rows))

    # Until the first match ends: which match comes next in a slot depends on how many slots there are.
    assert same(played(1, 7), played(1, 7))
    assert same(played(1, 7, 20), played(5, 7, 20)), "the other slots changed what happens in this one"
    assert not same(played(1, 7, 20), played(1, 8, 20))


def matches_follow_each_other():
    batch = triquetra.Batch("triqueta", 16, seats=3)
    batch.start(random.random())
    ended, seen = 0, set()
    while ended < 40:
        batch.step(drawn(batch))
        for slot in np.flatnonzero(batch.over):
            ended += 1
            result, record = batch.result(int(slot)), batch.record(int(slot))
            seen.add(record["match"])
            share = 1 / len(result["winners"])
            want = [share * (seat in result["winners"]) - 1 / 3 for seat in range(3)]
            assert np.allclose(batch.rewards[slot], want), (result, batch.rewards[slot])
        assert not batch.rewards[~batch.over].any() and (batch.seats >= 0).all()
    assert len(seen) == ended, "a match came twice"


def what_is_not_open_is_refused():
    batch = triquetra.Batch("triqueta", 2)
    assert "start" in refused(batch.view, 0)
    batch.start(1)
    before = batch.observe(0), batch.observe(0, 1)
    for act in (np.flatnonzero(~batch.masks[1])[0], -1, batch.game.acts):
        assert "not open" in refused(batch.step, [batch.masks[0].argmax(), act])
    for one, other in zip(before, (batch.observe(0), batch.observe(0, 1))):
        assert np.array_equal(one[0], other[0]), "a step that was refused has changed something"
    refused(batch.result)
    refused(batch.observe, 2)
    refused(batch.observe, 0, 2)
    refused(triquetra.Batch, "chess")
    refused(lambda: triquetra.Batch("triqueta", seats=9))
    refused(lambda: triquetra.Batch("triqueta", options={"variant": "none"}))
    refused(lambda: triquetra.Batch("triqueta", players=["greedy", "greedy"]))
    refused(lambda: triquetra.Batch("triqueta", players=[None, "best"]))


def verified(record, tamper=False):
    if tamper:
        acts = [step for step in record["steps"] if "action" in step]
        acts[0]["seat"] = 1 - acts[0]["seat"]
    done = subprocess.run([TRIQUETRA, "verify", "/dev/stdin"], input=json.dumps(record), text=True,
                          capture_output=True, timeout=60, check=False)
    return done.returncode == 0


def records_are_true():
    for game, options, seats in tables():
        if game.name == "bids":
            continue  # the program that ships does not know it
        players = [None] + ["random"] * (seats - 1)
        batch = triquetra.Batch(game.name, players=players, options=options, restarts=False)
        batch.start(random.random())
        while not batch.over[0]:
            batch.step(drawn(batch))
        assert batch.seats[0] == -1 and not batch.masks.any()
        record = batch.record(names=["Ada"] + [""] * (seats - 1))
        assert [one["kind"] for one in record["seats"]] == ["human"] + ["bot"] * (seats - 1)
        assert verified(record), record
        assert not verified(record, tamper=seats == 2) or seats > 2
        batch.start(2)
        batch.imagine(0)
        while not batch.over[0]:
            batch.step(drawn(batch))
        refused(batch.record)


def opponents_have_names():
    for game in GAMES.values():
        for level in LEVELS:
            batch = triquetra.Batch(game.name, seats=game.min_seats)
            batch.start(random.random())
            for _ in range(3):
                act = batch.choose(level)
                assert batch.masks[0, act], (game, level)
                batch.step(act)

    def part_of_wins(own):
        batch = triquetra.Batch("triqueta", players=[None, "random"])
        batch.start("strength")  # the same matches each time
        won = []
        while len(won) < 60:
            batch.step(batch.choose(own))
            won += (batch.rewards[batch.over, 0] + 0.5).tolist()
        return np.mean(won)
    assert part_of_wins("greedy") > 0.75 > part_of_wins("random")


def as_pettingzoo_has_it():
    """What PettingZoo's api_test checks, and that itself where it is installed."""
    for game in GAMES.values():
        env = triquetra.env(game.name)
        env.reset(seed=0, options={"options": 1})
        for agent in env.possible_agents:
            assert isinstance(agent, str)
            assert env.observation_space(agent) is env.observation_space(agent)
            assert env.action_space(agent) is env.action_space(agent)
        for _ in range(2):
            cycle(env)
        env.reset(seed=5)
        first = env.last()[0]
        env.reset(seed=5)
        assert np.array_equal(first["observation"], env.last()[0]["observation"])
        for act in (int, np.int64, np.array):  # whatever a number may come as
            env.reset()
            env.step(act(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        try:
            env.step(None)
            raise AssertionError("nothing was done, and nobody minded")
        except ValueError:
            pass
        env.close()
        try:
            from pettingzoo.test import api_test
            api_test(env, num_cycles=100)
        except ImportError:
            pass


def cycle(env):
    """One match with all that is promised of each step."""
    env.reset()
    assert env.agents == env.possible_agents and env.num_agents == len(env.agents) == env.max_num_agents
    owed, done = dict.fromkeys(env.agents, 0.0), set()
    for agent in env.agent_iter():
        assert agent == env.agent_selection and agent in env.agents and agent not in done
        seen, reward, terminated, truncated, info = env.last()
        assert reward == owed[agent] and isinstance(info, dict) and not truncated
        assert env.observation_space(agent).contains(seen)
        if terminated:
            assert not seen["action_mask"].any()
            done.add(agent)
            env.step(None)
        else:
            assert np.array_equal(info["action_mask"], seen["action_mask"])
            act = env.action_space(agent).sample(seen["action_mask"])
            assert env.action_space(agent).contains(act) and seen["action_mask"][act]
            assert env.view(agent)["seat"] == int(agent[len("seat_"):])
            env.step(act)
        owed[agent] = 0.0
        for other, more in env.rewards.items():
            owed[other] += more
        for each in (env.rewards, env.terminations, env.truncations, env.infos):
            assert set(each) == set(env.agents)
        if env.agents:
            for other in env.agents:
                assert env.observation_space(other).contains(env.observe(other))
    assert done == set(env.possible_agents) and env.num_agents == 0


class Listener(greedy_bot.GreedyBot):
    """The kit's own example, which also writes down what it hears."""
    def __init__(self):
        super().__init__()
        self.revs, self.events, self.ended = [], [], []

    def on_happened(self, rev, events):
        self.revs.append(rev)
        self.events += events

    async def on_over(self, record):
        self.ended.append(record)


def bots_of_the_kit_play_here():
    for game, options, seats in tables():
        if seats > 3 or game.name == "bids":
            continue
        bot = Listener()
        records = triquetra.play(game.name, [bot] + ["random"] * (seats - 1), options=options, matches=2,
                                 seed=random.random())
        assert bot.ended == records and all(map(verified, records))
        steps = [len(record["steps"]) for record in records]
        assert bot.revs == [rev for count in steps for rev in range(1, count + 1)], "not each act once and in order"
        assert bot.events
        assert records[0]["seats"][0]["name"] == "Greedy Python"

    class Cheat(Listener):
        def choose(self, view, legal):
            return {"action": {"do": "win"}}
    try:
        triquetra.play("triqueta", [Cheat(), "random"])
        raise AssertionError("an act that is not legal was taken")
    except ValueError:
        pass


def the_pure_environment_plays_the_same_game():
    """The one that bench/gym.py measures against: the same acts are open, and they come to the same points."""
    letters = {"cut": "hvc", "color": "prg"}
    for seats in (2, 5):
        batch = triquetra.Batch("mayhem", seats=seats, options={"window_ms": 0}, restarts=False)
        batch.start(random.random())
        acts, masks = [], []
        while not batch.over[0]:
            masks.append(set(np.flatnonzero(batch.masks[0])))
            acts.append(int(drawn(batch)[0]))
            batch.step(acts[-1])
        deal = batch.record()["deal"]
        deck = [(letters["cut"].index(code[0]), int(code[1]) - 1, letters["color"].index(code[2])) for code in deal["deck"]]
        match = pure_mayhem.Mayhem(seats, deck, deal["first_seat"])
        for act, mask in zip(acts, masks):
            legal = match.legal()
            assert set(legal) == mask, (legal, mask)
            assert match.observe().shape == (pure_mayhem.CELLS,) and match.mask(legal).sum() == len(legal)
            match.step(act)
        assert match.is_over and match.points() == batch.result()["scores"]
        assert np.allclose(match.rewards(), batch.rewards[0])


if __name__ == "__main__":
    np.random.seed(seed.take() % 2**32)
    for check in (acts_have_numbers, masks_are_what_is_legal, observations_are_the_view,
                  nobody_learns_what_they_may_not, the_same_seed_gives_the_same_game, matches_follow_each_other,
                  what_is_not_open_is_refused, records_are_true, opponents_have_names, as_pettingzoo_has_it,
                  bots_of_the_kit_play_here, the_pure_environment_plays_the_same_game):
        print(check.__name__, flush=True)
        check()
