"""One match as PettingZoo's AEC interface has it: agents act in turn."""
from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._batch import Batch
from ._games import game_of
from ._library import Json
from ._spaces import Box, Dict, Discrete

if TYPE_CHECKING:
    class _Base:
        """PettingZoo's own class, where it is installed: wrappers ask for it."""
else:
    try:
        from pettingzoo import AECEnv as _Base
    except ImportError:
        _Base = object

Observation = dict[str, Any]


class Environment(_Base):
    """A match; each seat that the caller plays is an agent, "seat_0" and so on.

    An observation is {"observation": numbers, "action_mask": 1 for each act open}, an action the number of an act. At
    the end each agent gets its part of the win beyond its fair share, which adds up to nothing over all seats. Whoever
    is asked next stands in agent_selection: windows before what stands beside them, ballots seat by seat (nobody sees
    what was answered).
    """

    metadata: dict[str, Any] = {"name": "triquetra", "render_modes": [], "is_parallelizable": False}
    render_mode: str | None = None

    def __init__(self, game: str, seats: int | None = None, *, options: Json | None = None,
                 players: Sequence[str | None] | None = None) -> None:
        """`players` says by seat who acts, as for Batch."""
        self.batch = Batch(game, 1, seats=seats, options=options, players=players, restarts=False)
        mine = [seat for seat in range(self.batch.seat_count) if not (players and players[seat])]
        self._seats = {f"seat_{seat}": seat for seat in mine}
        self._agents = {seat: agent for agent, seat in self._seats.items()}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        layout, acts = game_of(game).layout, self.batch.game.acts
        self.observation_spaces: dict[str, Any] = {agent: Dict({
            "observation": Box(layout.low, layout.high, dtype=np.float32),
            "action_mask": Box(np.zeros(acts, np.int8), np.ones(acts, np.int8), dtype=np.int8),
        }) for agent in self._seats}
        self.action_spaces: dict[str, Any] = {agent: Discrete(acts) for agent in self._seats}
        self.agent_selection = ""
        self._seen: Observation | None = None  # what it knows, while the match lasts
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}

    def observation_space(self, agent: str) -> Any:
        """What this agent may observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What this agent may do, if its mask allows."""
        return self.action_spaces[agent]

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> Environment:
        return self

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new match: with the same seed the same one. The game's options are set once, when it is made."""
        self.batch.start(secrets.randbits(64) if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """The act of agent_selection; None takes an agent out whose match is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._take_out(agent, action)
            return
        if action is None:
            raise ValueError("only an agent whose match is over does nothing")
        self.batch.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        is_over = bool(self.batch.over[0])
        for other, seat in self._seats.items():
            self.rewards[other] = float(self.batch.rewards[0, seat])
            self._cumulative_rewards[other] += self.rewards[other]
            self.terminations[other] = is_over
        self._select()

    def _take_out(self, agent: str, action: int | None) -> None:
        if action is not None:
            raise ValueError("the match is over: the only action is None")
        for of_agent in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del of_agent[agent]  # type: ignore[attr-defined]
        self.agents.remove(agent)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self._select()

    def _select(self) -> None:
        seat = int(self.batch.seats[0])
        self.agent_selection = self._agents[seat] if seat >= 0 else self.agents[0]
        mask = self.batch.masks[0].astype(np.int8)
        self._seen = None if seat < 0 else {"observation": self.batch.observations[0].copy(), "action_mask": mask}
        self.infos[self.agent_selection] = {"action_mask": mask}

    def observe(self, agent: str) -> Observation:
        """What this agent knows; no act is open unless it is its turn."""
        if agent == self.agent_selection and self._seen is not None:
            return self._seen
        observation, mask = self.batch.observe(self._seats[agent])
        return {"observation": observation, "action_mask": mask.view(np.int8)}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Of agent_selection: what it knows (None if `observe` says no), its reward since its last act, whether it is
        over, cut short, and info."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """agent_selection again and again, until nobody is left."""
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def view(self, agent: str) -> Any:
        """What this agent knows as the view of the protocol: a dictionary in the game's words, with previews."""
        return self.batch.view(self._seats[agent])

    def record(self) -> Json:
        """The record of the match that is over."""
        return self.batch.record()

    def render(self) -> None:
        """There is nothing to see here: `triquetra replay` shows a record."""

    def close(self) -> None:
        """Nothing is left open."""


def env(game: str, seats: int | None = None, *, options: Json | None = None,
        players: Sequence[str | None] | None = None) -> Environment:
    """A match as an AEC environment."""
    return Environment(game, seats, options=options, players=players)
