"""Every game of Triquetra in this process, for whoever builds bots. docs/GYM.md tells the rest.

    games()                  which games there are, their acts and observations
    env(game, seats)         one match as PettingZoo's AEC interface has it
    Batch(game, slots, ...)  many matches stepped in one call
    play(game, players)      the bots of clients/sdk/python, in this process
"""
from ._batch import Batch
from ._environment import Environment, env
from ._games import Game, Layout, games
from ._library import Refused
from ._play import Player, play

__all__ = ["Batch", "Environment", "Game", "Layout", "Player", "Refused", "env", "games", "play"]
