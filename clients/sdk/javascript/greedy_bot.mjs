/** Plays what brings the most points at once, as far as the server can tell beforehand. */
import { Bot } from "./triquetra-bot.mjs";

class GreedyBot extends Bot {
  static botName = "Greedy JavaScript";

  choose(view, legal) {
    const worth = (act) => act.preview ?? 0;
    const most = Math.max(...legal.map(worth));
    const best = legal.filter((act) => worth(act) === most);
    return best[Math.floor(Math.random() * best.length)];
  }

  onOver(record) {
    console.log("winners:", record.result.winners, "scores:", record.result.scores);
  }
}

await GreedyBot.main();
