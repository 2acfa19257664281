"""Plays anything that is possible. Needs to know nothing of any game."""
import random

from triquetra_bot import Bot, LegalAct, View


class RandomBot(Bot):
    """Plays anything that is possible."""

    name = "Random Python"

    def choose(self, view: View, legal: list[LegalAct]) -> LegalAct:
        return random.choice(legal)


if __name__ == "__main__":
    RandomBot.main()
