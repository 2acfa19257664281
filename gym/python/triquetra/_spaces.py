"""What may be observed and done, as spaces: those of gymnasium where it is installed, else these, which can what is
needed of theirs."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt


class Space:
    """A set of values."""

    def __init__(self, shape: tuple[int, ...] | None, dtype: Any) -> None:
        self.shape = shape
        self.dtype: np.dtype[Any] | None = None if dtype is None else np.dtype(dtype)
        self._chance = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """The same seed, the same samples."""
        self._chance = np.random.default_rng(seed)

    def contains(self, value: Any) -> bool:
        """Whether a value is one of them."""
        raise NotImplementedError

    def __contains__(self, value: Any) -> bool:
        return self.contains(value)


class Discrete(Space):
    """The whole numbers from 0 to below n."""

    def __init__(self, n: int) -> None:
        super().__init__((), np.int64)
        self.n = n

    def sample(self, mask: npt.NDArray[np.int8] | None = None) -> int:
        """One of them, each as likely, or of those that the mask allows. With none allowed, 0."""
        allowed = np.arange(self.n) if mask is None else np.flatnonzero(mask)
        return int(self._chance.choice(allowed)) if len(allowed) else 0

    def contains(self, value: Any) -> bool:
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        return whole and 0 <= int(value) < self.n


class Box(Space):
    """Arrays of numbers, each within its own bounds."""

    def __init__(self, low: npt.NDArray[Any], high: npt.NDArray[Any], dtype: Any) -> None:
        super().__init__(low.shape, dtype)
        self.low, self.high = low, high

    def sample(self) -> npt.NDArray[Any]:
        """One of them."""
        return self._chance.uniform(self.low, self.high).astype(self.dtype)

    def contains(self, value: Any) -> bool:
        return (isinstance(value, np.ndarray) and value.shape == self.shape and value.dtype == self.dtype
                and bool(np.all(value >= self.low) and np.all(value <= self.high)))


class Dict(Space):
    """Dictionaries, each key with a space of its own."""

    def __init__(self, spaces: Mapping[str, Any]) -> None:
        super().__init__(None, None)
        self.spaces = dict(spaces)

    def __getitem__(self, key: str) -> Any:
        return self.spaces[key]

    def seed(self, seed: int | None = None) -> None:
        for space in self.spaces.values():
            space.seed(seed)

    def sample(self) -> dict[str, Any]:
        """One of them."""
        return {key: space.sample() for key, space in self.spaces.items()}

    def contains(self, value: Any) -> bool:
        return (isinstance(value, dict) and value.keys() == self.spaces.keys()
                and all(space.contains(value[key]) for key, space in self.spaces.items()))


if not TYPE_CHECKING:
    try:
        from gymnasium.spaces import Box, Dict, Discrete, Space
    except ImportError:
        pass
