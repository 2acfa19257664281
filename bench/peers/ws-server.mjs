// A peer: Node's ws with the rules written by hand.   node ws-server.mjs PORT
import { WebSocketServer } from 'ws';
import { ACTIONS, act, deal, shuffled, view } from './draft60.mjs';

const rooms = new Map();
const server = new WebSocketServer({
  host: '127.0.0.1', port: +process.argv[2], perMessageDeflate: false, maxPayload: 4096, backlog: 4096,
});

server.on('connection', (socket, request) => {
  const query = new URL(request.url, 'http://localhost').searchParams;
  const id = query.get('room'), seat = +query.get('seat');
  let room = rooms.get(id);
  if (!room) rooms.set(id, room = { seq: 0, game: deal(shuffled(), 1), sockets: [] });
  room.sockets[seat] = socket;
  socket.send(JSON.stringify(view(room.game, room.seq, seat)));
  socket.on('error', () => {});
  socket.on('close', () => {
    room.sockets[seat] = undefined;
    if (room.sockets.every((other) => !other)) rooms.delete(id);
  });
  socket.on('message', (data) => {
    let frame;
    try { frame = JSON.parse(data); } catch { return socket.send('{"t":"err","e":"json"}'); }
    if (frame.t !== 'act' || frame.seq !== room.seq) return socket.send('{"t":"err","e":"stale"}');
    const refusal = act(room.game, room.seq, seat, frame.move, frame.slot);
    if (refusal) return socket.send(`{"t":"err","e":"${refusal}"}`);
    room.seq++;
    if (room.game.n === ACTIONS) room.game = deal(shuffled(), room.game.round + 1);
    room.sockets.forEach((other, to) => other?.send(JSON.stringify(view(room.game, room.seq, to))));
  });
});
