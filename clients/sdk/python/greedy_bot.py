"""Plays what brings the most points at once, as far as the server can tell beforehand."""
import random

from triquetra_bot import Bot, Json, LegalAct, View


class GreedyBot(Bot):
    """Plays what brings the most points at once."""

    name = "Greedy Python"

    def choose(self, view: View, legal: list[LegalAct]) -> LegalAct:
        best = max(act.get("preview", 0) for act in legal)
        return random.choice([act for act in legal if act.get("preview", 0) == best])

    def on_over(self, record: Json) -> None:
        print("winners:", record["result"]["winners"], "scores:", record["result"]["scores"])


if __name__ == "__main__":
    GreedyBot.main()
