// A peer: boardgame.io with its own redaction, storage in memory, over socket.io.   node bgio-server.cjs PORT
const { Server, Origins } = require('boardgame.io/server');

import('./draft60.mjs').then(({ deal, act, phaseOf, SEATS, ACTIONS, TOKENS }) => {
  const shuffled = (random) => random.Shuffle(Array.from({ length: TOKENS }, (_, i) => i));
  const move = (name) => ({
    client: false,
    move: ({ G, random, playerID }, slot) => {
      if (act(G, G.seq, +playerID, name, slot)) return 'INVALID_MOVE';
      G.seq++;
      if (G.n === ACTIONS) Object.assign(G, deal(shuffled(random), G.round + 1));
    },
  });
  const game = {
    name: 'draft60',
    setup: ({ random }) => ({ seq: 0, ...deal(shuffled(random), 1) }),
    moves: { draft: move('draft'), play: move('play') },
    turn: { minMoves: 1, maxMoves: 1 },
    minPlayers: SEATS, maxPlayers: SEATS,
    disableUndo: true,
    playerView: ({ G, playerID }) => ({
      seq: G.seq, phase: phaseOf(G.n), n: G.n, round: G.round, bag: G.bag.length, market: G.market,
      players: G.players.map((p, i) => (String(i) === playerID ? p : { ...p, hand: p.hand.length })),
      log: G.log,
    }),
  };
  Server({ games: [game], origins: [Origins.LOCALHOST] }).run({ port: +process.argv[2], host: '127.0.0.1' });
});
