#!/usr/bin/env python3
"""How long a room is silent when its server is killed or handed over, and how long a player waits at most while all three
servers of a database are started anew one after the other.

usage: silences.py TRIQUETRAD TIMES

Two players sit at different servers and act as soon as they are asked. A silence is the longest time between two acts that were
acknowledged, around the moment, without the players' own pace. The last line is JSON: seconds, by what happened.
"""
import asyncio
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests" / "e2e"))
import postgres  # noqa: E402
from several_servers import PATIENCE_S, Node, Story, owner_of, sit_down, until  # noqa: E402


async def killed(owner, _):
    owner.kill()
    return owner.start


async def handed_over(owner, _):
    await asyncio.to_thread(owner.stop)
    return owner.start


async def all_started_anew(_, nodes):
    for node in nodes:
        await asyncio.to_thread(node.stop)
        await asyncio.to_thread(node.start)


async def silence(cluster, nodes, what, pace_s):
    story = Story()
    players = await sit_down(nodes, story, pace_s)
    playing = asyncio.gather(*(player.play() for player in players))
    await until(lambda: len(story.acts_at) >= 4, "the match does not begin")
    begin = len(story.acts_at) - 1
    mend = await what(owner_of(cluster, players[0].room, nodes), nodes)
    so_far = len(story.acts_at)
    await until(lambda: len(story.acts_at) >= so_far + 2 or playing.done(), "the match does not go on")
    until_now = story.acts_at[begin:]
    if mend:
        await asyncio.to_thread(mend)
    await asyncio.wait_for(playing, PATIENCE_S)
    for player in players:
        await player.ws.close()
    await until(lambda: all(node.metric("triquetra_links") == len(nodes) - 1 for node in nodes), "the servers are not linked")
    return max(after - before for before, after in zip(until_now, until_now[1:])) - pace_s


async def main(program, times):
    told = {}
    with tempfile.TemporaryDirectory() as folder, postgres.Cluster() as cluster:
        nodes = [Node(program, cluster.url, folder, f"node{i}", takes_chance=False) for i in range(3)]
        try:
            await asyncio.gather(*(asyncio.to_thread(node.start) for node in nodes))
            for _ in range(times):
                for name, what, pace_s in (("its server is killed", killed, 0.05), ("its server is handed over", handed_over, 0.05),
                                           ("all servers are started anew", all_started_anew, 0.4)):
                    told.setdefault(name, []).append(await silence(cluster, nodes, what, pace_s))
        finally:
            for node in nodes:
                if node.is_up():
                    node.kill()
    print(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
