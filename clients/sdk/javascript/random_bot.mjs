/** Plays anything that is possible. Needs to know nothing of any game. */
import { Bot } from "./triquetra-bot.mjs";

class RandomBot extends Bot {
  static botName = "Random JavaScript";

  choose(view, legal) {
    return legal[Math.floor(Math.random() * legal.length)];
  }
}

await RandomBot.main();
