// The game of the peers: 60 tokens, hidden hands and a hidden bag; laps of drafting and playing take turns.
const COLOURS = ['red', 'blue', 'green', 'gold', 'black'];
const HAND = 3, MARKET = 4, LOG = 8;
export const SEATS = 4, TOKENS = 60, ACTIONS = 88;
const token = (id) => ({ id, c: COLOURS[Math.floor(id / 12)], v: (id % 12) + 1 });

export function shuffled() {
  const order = Array.from({ length: TOKENS }, (_, i) => i);
  for (let i = TOKENS - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

export function deal(order, round) {
  const bag = order.slice();
  const players = [];
  for (let p = 0; p < SEATS; p++) {
    players.push({ name: 'Player ' + (p + 1), score: 0, hand: bag.splice(-HAND).map(token), tableau: [] });
  }
  return { n: 0, round, bag, market: bag.splice(-MARKET).map(token), players, log: [] };
}

export const phaseOf = (n) => (Math.floor(n / SEATS) % 2 === 0 ? 'draft' : 'play');

/** Changes the game; returns why not if the act is not allowed. */
export function act(game, seq, seat, move, slot) {
  if (seat !== game.n % SEATS) return 'not your turn';
  if (move !== phaseOf(game.n)) return 'wrong phase';
  if (!Number.isInteger(slot) || slot < 0) return 'bad slot';
  const player = game.players[seat];
  let taken;
  if (move === 'draft') {
    if (slot >= game.market.length) return 'bad slot';
    taken = game.market[slot];
    player.hand.push(taken);
    game.market[slot] = token(game.bag.pop());
  } else {
    if (slot >= player.hand.length) return 'bad slot';
    taken = player.hand.splice(slot, 1)[0];
    const last = player.tableau.at(-1);
    player.score += taken.v + (last && last.c === taken.c ? 2 : 0);
    player.tableau.push(taken);
  }
  if (game.log.length === LOG) game.log.shift();
  game.log.push({ seq, p: seat, m: move, tok: taken.id });
  game.n++;
}

/** What one seat may know. */
export function view(game, seq, you) {
  return {
    t: 'u', seq, you, turn: game.n % SEATS, phase: phaseOf(game.n), round: game.round, bag: game.bag.length,
    market: game.market,
    players: game.players.map((p, i) => ({
      name: p.name, score: p.score, hand: i === you ? p.hand : p.hand.length, tableau: p.tableau,
    })),
    log: game.log,
  };
}
