#!/usr/bin/env python3
"""WebSocket (RFC 6455) over a raw socket, case by case, against the echo endpoint that test builds of
the server have: it is the same code as /ws. The categories have the numbers of the well-known
Autobahn suite, so that coverage can be compared; X are our own. Categories 12 and 13 are compression,
which the server does not offer.

usage: ws_conformance_test.py TRIQUETRAD [--only=PREFIX]
"""
import random, socket, struct, sys, time
from collections import defaultdict

import seed
from triquetrad import Server

PATH = '/test/echo'
PATIENCE_S = 60  # only a hang takes that long
seed.take()


SERVER = Server(sys.argv[1]).start()


class Peer:
    def __init__(self, ext=None):
        self.s = socket.create_connection(('127.0.0.1', SERVER.port))
        self.s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.s.settimeout(PATIENCE_S)
        self.b = b''
        r = (
            'GET '
            + PATH
            + ' HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n'
        )
        if ext:
            r += 'Sec-WebSocket-Extensions: ' + ext + '\r\n'
        self.s.sendall((r + '\r\n').encode())
        while b'\r\n\r\n' not in self.b:
            self.b += self._rx()
        h, self.b = self.b.split(b'\r\n\r\n', 1)
        self.head = h.decode('latin1')
        assert ' 101 ' in self.head.split('\r\n')[0], self.head

    def _rx(self):
        d = self.s.recv(1 << 20)
        if not d:
            raise ConnectionError('eof')
        return d

    def raw(self, data, chop=0):
        if not chop:
            self.s.sendall(data)
        else:
            for i in range(0, len(data), chop):
                self.s.sendall(data[i : i + chop])

    def frame(self, op, p=b'', fin=1, rsv=0, mask=True, chop=0, length=None):
        n = len(p) if length is None else length
        h = bytes([fin << 7 | rsv << 4 | op])
        m = 0x80 if mask else 0
        h += (
            bytes([m | n])
            if n < 126
            else bytes([m | 126]) + struct.pack('>H', n)
            if n < 65536
            else bytes([m | 127]) + struct.pack('>Q', n)
        )
        if mask:
            k = random.randbytes(4)
            h += k
            L = len(p)
            p = (
                (int.from_bytes(p, 'big') ^ int.from_bytes((k * (L // 4 + 1))[:L], 'big')).to_bytes(
                    L, 'big'
                )
                if L
                else b''
            )
        self.raw(h + p, chop)

    def need(self, n):
        while len(self.b) < n:
            self.b += self._rx()

    def recv(self):
        """one frame: (op, fin, rsv, payload); ('eof',) when the peer dropped TCP"""
        try:
            self.need(2)
            a, c = self.b[0], self.b[1]
            n = c & 127
            o = 2
            assert not c & 128, 'server frame masked'
            if n == 126:
                self.need(4)
                n = struct.unpack('>H', self.b[2:4])[0]
                o = 4
            elif n == 127:
                self.need(10)
                n = struct.unpack('>Q', self.b[2:10])[0]
                o = 10
            self.need(o + n)
            p = self.b[o : o + n]
            self.b = self.b[o + n :]
            return (a & 15, a >> 7, a >> 4 & 7, p)
        except (ConnectionError, socket.timeout) as e:
            return ('timeout' if isinstance(e, socket.timeout) else 'eof',)

    def msg(self):
        """next event: ('msg',op,data,rsv1) ('ping',p) ('pong',p) ('close',code) ('eof',)"""
        d = b''
        op = None
        r1 = 0
        while True:
            f = self.recv()
            if len(f) == 1:
                return f
            if f[0] == 8:
                return ('close', struct.unpack('>H', f[3][:2])[0] if len(f[3]) >= 2 else None)
            if f[0] == 9:
                return ('ping', f[3])
            if f[0] == 10:
                return ('pong', f[3])
            if f[0]:
                op = f[0]
                r1 = f[2] >> 2
            d += f[3]
            if f[1]:
                return ('msg', op, d, r1)

    def clean(self):
        self.frame(8, struct.pack('>H', 1000))
        e = self.msg()
        assert e == ('close', 1000), e
        assert self.recv() == ('eof',)


def echo(p, op, data):
    e = p.msg()
    assert e[:3] == ('msg', op, data), (e[0], len(e) > 2 and len(e[2]))


def lenient(f, *a, **k):
    try:
        f(*a, **k)  # the peer may already have dropped the connection, which is what is wanted
    except OSError:
        pass


def failed(p, codes):
    """the peer must fail the connection: a close frame with one of the codes, or a dropped TCP connection"""
    for _ in range(50):
        e = p.msg()
        if e[0] == 'close':
            assert e[1] in codes or e[1] is None, e
            return
        if e[0] == 'eof':
            return
        assert e[0] != 'timeout', 'not failed at all'
    raise AssertionError('not failed')


C = []


def case(id):
    def d(f):
        C.append((id, f))
        return f

    return d


def add(id, f):
    C.append((id, f))


def simple(op, n, chop=0):
    def f(p):
        b = (b'*' if op == 1 else b'\xfe') * n
        p.frame(op, b, chop=chop)
        echo(p, op, b)
        p.clean()

    return f


for op, g in ((1, 1), (2, 2)):
    for i, (n, ch) in enumerate(
        [(0, 0), (125, 0), (126, 0), (127, 0), (128, 0), (65535, 0), (65536, 0), (65536, 997)], 1
    ):
        add(f'1.{g}.{i}', simple(op, n, ch))


def ping(pl, chop=0):
    def f(p):
        p.frame(9, pl, chop=chop)
        e = p.msg()
        assert e == ('pong', pl), e
        p.clean()

    return f


add('2.1', ping(b''))
add('2.2', ping(b'Hello, world!'))
add('2.3', ping(b'\x00\xff\xfe\xfd\xfc\xfb\x00\xff'))
add('2.4', ping(b'\xfe' * 125))
add('2.5', lambda p: (p.frame(9, b'\xfe' * 126), failed(p, (1002,))))
add('2.6', ping(b'\xfe' * 125, 1))
add('2.7', lambda p: (p.frame(10), p.clean()))
add('2.8', lambda p: (p.frame(10, b'unsolicited'), p.clean()))
add('2.9', lambda p: (p.frame(10, b'unsolicited'), ping(b'x')(p)))


def many(chop):
    def f(p):
        for i in range(10):
            p.frame(9, b'p%d' % i, chop=chop)
        for i in range(10):
            e = p.msg()
            assert e[0] == 'pong', e  # a later pong may answer several pings
        p.clean()

    return f


add('2.10', many(0))
add('2.11', many(1))
for i, (rsv, first, chop) in enumerate(
    [(1, 0, 0), (2, 1, 0), (3, 1, 0), (4, 1, 1), (5, 0, 0), (6, 0, 0), (7, 0, 0)], 1
):

    def f(p, rsv=rsv, first=first, chop=chop):
        if first:
            p.frame(1, b'ok', chop=chop)
            echo(p, 1, b'ok')
        p.frame(2 if rsv == 5 else 9 if rsv == 6 else 8 if rsv == 7 else 1, b'', rsv=rsv, chop=chop)
        failed(p, (1002,))

    add(f'3.{i}', f)
for g, ops in ((1, (3, 4, 5, 6, 7)), (2, (11, 12, 13, 14, 15))):
    for i, op in enumerate(ops, 1):

        def f(p, op=op, i=i):
            if i >= 3:
                p.frame(1, b'hi')
                echo(p, 1, b'hi')
            p.frame(op, b'' if i % 2 else b'reserved')
            p.frame(9) if i >= 3 else None
            failed(p, (1002,))

        add(f'4.{g}.{i}', f)
# 5 fragmentation
add('5.1', lambda p: (p.frame(9, b'f1', fin=0), p.frame(0, b'f2'), failed(p, (1002,))))
add('5.2', lambda p: (p.frame(10, b'f1', fin=0), p.frame(0, b'f2'), failed(p, (1002,))))


def frag(parts, ctl=None, chop=0, pause=0):
    def f(p):
        for i, x in enumerate(parts):
            p.frame(1 if i == 0 else 0, x, fin=i == len(parts) - 1, chop=chop)
            if ctl and i < len(parts) - 1:
                p.frame(9, ctl, chop=chop)
                e = p.msg()
                assert e == ('pong', ctl), e
            if pause:
                time.sleep(pause)
        echo(p, 1, b''.join(parts))
        p.clean()

    return f


add('5.3', frag([b'f1', b'f2']))
add('5.4', frag([b'f1', b'f2'], chop=0))
add('5.5', frag([b'f1', b'f2'], chop=1))
add('5.6', frag([b'f1', b'f2'], b'ping'))
add('5.7', frag([b'f1', b'f2'], b'ping'))
add('5.8', frag([b'f1', b'f2'], b'ping', 1))
for i, (fin, chop) in enumerate([(1, 0), (1, 0), (1, 1), (0, 0), (0, 0), (0, 1)], 9):
    add(
        f'5.{i}',
        lambda p, fin=fin, chop=chop: (
            lenient(p.frame, 0, b'nothing to continue', fin=fin, chop=chop),
            lenient(p.frame, 1, b'x'),
            failed(p, (1002,)),
        ),
    )
add(
    '5.15',
    lambda p: (
        p.frame(1, b'a', fin=0),
        p.frame(0, b'b', fin=1),
        p.frame(0, b'c', fin=0),
        p.frame(1, b'd'),
        failed(p, (1002,)),
    ),
)
add(
    '5.16',
    lambda p: (
        p.frame(0, b'c', fin=0),
        p.frame(1, b'a', fin=0),
        p.frame(0, b'b'),
        failed(p, (1002,)),
    ),
)
add(
    '5.17',
    lambda p: (p.frame(0, b'c'), p.frame(1, b'a', fin=0), p.frame(0, b'b'), failed(p, (1002,))),
)
add('5.18', lambda p: (p.frame(1, b'a', fin=0), p.frame(1, b'b'), failed(p, (1002,))))
add('5.19', frag([b'f1', b'f2', b'f3', b'f4', b'f5'], b'pongme', pause=0.1))
add('5.20', frag([b'f1', b'f2', b'f3', b'f4', b'f5'], b'pongme', 1))
# 6 UTF-8
K = '\u03ba\u1f79\u03c3\u03bc\u03b5'.encode()
BAD = K + b'\xf4\x90\x80\x80' + b'edited'
add('6.1.1', simple(1, 0))
add('6.1.2', frag([b'', b'', b'']))
add('6.1.3', frag([b'', b'middle', b'']))
U = 'Hello-µ@ßöäüàá-UTF-8!!'.encode()
add('6.2.1', frag([U]))
add('6.2.2', frag([U[:12], U[12:]]))
add('6.2.3', frag([U[i : i + 1] for i in range(len(U))]))
add('6.2.4', frag([K[i : i + 1] for i in range(len(K))]))


def badtxt(parts):
    return lambda p: (
        [p.frame(1 if i == 0 else 0, x, fin=i == len(parts) - 1) for i, x in enumerate(parts)],
        failed(p, (1007,)),
    )


add('6.3.1', badtxt([K + b'\xed\xa0\x80edited']))


def tolerant(parts, pause=0):
    def f(p):
        try:
            for i, x in enumerate(parts):
                p.frame(1 if i == 0 else 0, x, fin=i == len(parts) - 1)
                time.sleep(pause)
        except OSError:
            pass
        failed(p, (1007,))

    return f


z = K + b'\xed\xa0\x80edited'
add('6.3.2', tolerant([z[i : i + 1] for i in range(len(z))]))


def failfast(pre, bad, chop):  # the fault must be noticed before the message ends
    def f(p):
        p.frame(1, pre, fin=0)
        time.sleep(0.05)
        p.frame(0, bad, fin=0)
        failed(p, (1007,))

    return f


add('6.4.1', failfast(K, b'\xf4\x90\x80\x80', 0))
add('6.4.2', failfast(K + b'\xf4', b'\x90', 0))


def failfast_chop(cut):
    def f(p):
        d = BAD
        h = bytes([0x81, 0x80 | len(d)]) + b'\0\0\0\0'
        p.raw(h + d[:cut])
        time.sleep(0.2)
        failed(p, (1007,))

    return f


add('6.4.3', failfast_chop(len(K) + 4))
add('6.4.4', failfast_chop(len(K) + 2))
SEQ = []  # (valid, bytes)
SEQ += [
    (1, b'hello$world'),
    (1, 'hello¢world'.encode()),
    (1, 'hello€world'.encode()),
    (1, 'hello\U00024b62world'.encode()),
    (1, K),
]
for i in range(1, len(K) + 1):
    try:
        K[:i].decode()
        SEQ.append((1, K[:i]))
    except UnicodeDecodeError:
        SEQ.append((0, K[:i]))
SEQ += [
    (1, b'\0'),
    (1, b'\xc2\x80'),
    (1, b'\xe0\xa0\x80'),
    (1, b'\xf0\x90\x80\x80'),
    (0, b'\xf8\x88\x80\x80\x80'),
    (0, b'\xfc\x84\x80\x80\x80\x80'),
    (1, b'\x7f'),
    (1, b'\xdf\xbf'),
    (1, b'\xef\xbf\xbf'),
    (1, b'\xf4\x8f\xbf\xbf'),
    (0, b'\xf7\xbf\xbf\xbf'),
    (0, b'\xfb\xbf\xbf\xbf\xbf'),
    (0, b'\xfd\xbf\xbf\xbf\xbf\xbf'),
    (1, b'\xed\x9f\xbf'),
    (1, b'\xee\x80\x80'),
    (1, b'\xef\xbf\xbd'),
    (1, b'\xf4\x8f\xbf\xbf'),
    (0, b'\xf4\x90\x80\x80'),
]
for n in range(1, 8):
    SEQ.append((0, (b'\x80\xbf' * 4)[:n]))
SEQ.append((0, bytes(range(0x80, 0xC0))))
for lo, hi in ((0xC0, 0xE0), (0xE0, 0xF0), (0xF0, 0xF8), (0xF8, 0xFC), (0xFC, 0xFE)):
    SEQ.append((0, b''.join(bytes([c]) + b' ' for c in range(lo, hi))))
for s in (
    b'\xc0',
    b'\xe0\x80',
    b'\xf0\x80\x80',
    b'\xf8\x80\x80\x80',
    b'\xfc\x80\x80\x80\x80',
    b'\xdf',
    b'\xef\xbf',
    b'\xf7\xbf\xbf',
    b'\xfb\xbf\xbf\xbf',
    b'\xfd\xbf\xbf\xbf\xbf',
):
    SEQ.append((0, s))
SEQ.append(
    (0, b'\xc0\xe0\x80\xf0\x80\x80\xf8\x80\x80\x80\xfc\x80\x80\x80\x80\xdf\xef\xbf\xf7\xbf\xbf')
)
for s in (
    b'\xfe',
    b'\xff',
    b'\xfe\xfe\xff\xff',
    b'\xc0\xaf',
    b'\xe0\x80\xaf',
    b'\xf0\x80\x80\xaf',
    b'\xf8\x80\x80\x80\xaf',
    b'\xfc\x80\x80\x80\x80\xaf',
    b'\xc1\xbf',
    b'\xe0\x9f\xbf',
    b'\xf0\x8f\xbf\xbf',
    b'\xf8\x87\xbf\xbf\xbf',
    b'\xfc\x83\xbf\xbf\xbf\xbf',
    b'\xc0\x80',
    b'\xe0\x80\x80',
    b'\xf0\x80\x80\x80',
    b'\xf8\x80\x80\x80\x80',
    b'\xfc\x80\x80\x80\x80\x80',
):
    SEQ.append((0, s))
for a in (0xD800, 0xDB7F, 0xDB80, 0xDBFF, 0xDC00, 0xDF80, 0xDFFF):
    SEQ.append((0, chr(a).encode('utf-8', 'surrogatepass')))
for a, b in (
    (0xD800, 0xDC00),
    (0xD800, 0xDFFF),
    (0xDB7F, 0xDC00),
    (0xDB7F, 0xDFFF),
    (0xDB80, 0xDC00),
    (0xDB80, 0xDFFF),
    (0xDBFF, 0xDC00),
    (0xDBFF, 0xDFFF),
):
    SEQ.append((0, (chr(a) + chr(b)).encode('utf-8', 'surrogatepass')))
for pl in range(17):
    SEQ += [(1, chr(pl * 65536 + 0xFFFE).encode()), (1, chr(pl * 65536 + 0xFFFF).encode())]
for c in range(0xFFF9, 0x10000):
    SEQ.append((1, chr(c).encode()))
for i, (ok, s) in enumerate(SEQ, 1):
    add(
        f'6.5+.{i}',
        (lambda p, s=s: (p.frame(1, s), echo(p, 1, s), p.clean()))
        if ok
        else (lambda p, s=s: (p.frame(1, s), failed(p, (1007,)))),
    )
# 7 close
cl = lambda code, r=b'': struct.pack('>H', code) + r


def close_ok(pl, accept=(1000,)):
    def f(p):
        p.frame(8, pl)
        e = p.msg()
        assert e[0] == 'close' and (e[1] in accept or e[1] is None), e
        assert p.recv()[0] == 'eof'

    return f


def close_bad(pl, codes=(1002,)):
    return lambda p: (p.frame(8, pl), failed(p, codes))


add('7.1.1', lambda p: (p.frame(1, b'hi'), echo(p, 1, b'hi'), p.clean()))


def after_close(extra):
    def f(p):
        p.frame(8, cl(1000))
        try:
            extra(p)
        except OSError:
            pass
        e = p.msg()
        assert e[0] == 'close', e
        assert p.recv()[0] == 'eof'

    return f


add('7.1.2', after_close(lambda p: p.frame(8, cl(1000))))
add('7.1.3', after_close(lambda p: p.frame(9, b'late')))
add('7.1.4', after_close(lambda p: p.frame(1, b'late')))
add('7.1.5', lambda p: (p.frame(1, b'a', fin=0), after_close(lambda q: q.frame(0, b'b'))(p)))
add(
    '7.1.6',
    lambda p: (
        p.frame(1, b'*' * 262144),
        p.frame(1, b'hi'),
        p.frame(8, cl(1000)),
        failed_or_echo(p),
    ),
)


def failed_or_echo(p):
    for _ in range(9):
        e = p.msg()
        if e[0] in ('close', 'eof'):
            return
    raise AssertionError


add('7.3.1', close_ok(b''))
add('7.3.2', close_bad(b'a'))
add('7.3.3', close_ok(cl(1000)))
add('7.3.4', close_ok(cl(1000, b'Hello World!')))
add('7.3.5', close_ok(cl(1000, b'*' * 123)))
add('7.3.6', close_bad(cl(1000, b'*' * 124)))
add('7.5.1', close_bad(cl(1000, K + b'\xed\xa0\x80edited'), (1007, 1002)))
for i, c in enumerate(
    (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999), 1
):
    add(f'7.7.{i}', close_ok(cl(c), (1000, c)))
for i, c in enumerate((0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999), 1):
    add(f'7.9.{i}', close_bad(cl(c)))
add('7.13.1', lambda p: (p.frame(8, cl(5000)), failed_or_echo(p)))
add('7.13.2', lambda p: (p.frame(8, cl(65535)), failed_or_echo(p)))
# extra: not in the usual suite
add('X.unmasked', lambda p: (p.frame(1, b'x', mask=False), failed(p, (1002,))))
add('X.nonminimal16', lambda p: (p.raw(b'\x81\xfe\x00\x05' + b'\0\0\0\0hello'), failed(p, (1002,))))
add(
    'X.nonminimal64',
    lambda p: (p.raw(b'\x81\xff' + struct.pack('>Q', 5) + b'\0\0\0\0hello'), failed(p, (1002,))),
)
add(
    'X.len-msb', lambda p: (p.raw(b'\x81\xff' + b'\xff' * 8 + b'\0\0\0\0'), failed(p, (1002, 1009)))
)
add(
    'X.huge-declared',
    lambda p: (p.raw(b'\x82\xff' + struct.pack('>Q', 1 << 40) + b'\0\0\0\0'), failed(p, (1009,))),
)
# 9 limits
for op, g in ((1, 1), (2, 2)):
    for i, n in enumerate((65536, 262144, 1 << 20, 4 << 20, 8 << 20, 16 << 20), 1):
        add(f'9.{g}.{i}', simple(op, n))
for op, g in ((1, 3), (2, 4)):
    for i, fs in enumerate((64, 256, 1024, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20), 1):

        def f(p, op=op, fs=fs):
            n = 1 << 20 if fs < 1024 else 4 << 20
            b = (b'*' if op == 1 else b'\xfe') * n
            parts = [b[k : k + fs] for k in range(0, n, fs)]
            for k, x in enumerate(parts):
                p.frame(op if k == 0 else 0, x, fin=k == len(parts) - 1)
            echo(p, op, b)
            p.clean()

        add(f'9.{g}.{i}', f)
for op, g in ((1, 5), (2, 6)):
    for i, ch in enumerate((64, 128, 256, 512, 1024, 2048), 1):
        add(f'9.{g}.{i}', simple(op, 1 << 20, ch))
for op, g in ((1, 7), (2, 8)):
    for i, n in enumerate((0, 16, 64, 256, 1024, 4096), 1):

        def f(p, op=op, n=n):
            for _ in range(1000):
                b = (b'*' if op == 1 else b'\xfe') * n
                p.frame(op, b)
                echo(p, op, b)
            p.clean()

        add(f'9.{g}.{i}', f)
add('10.1.1', lambda p: (p.frame(1, b'*' * 65536), echo(p, 1, b'*' * 65536), p.clean()))
# What a browser offers is not taken: then no frame may be compressed.
def offered(p):
    assert 'sec-websocket-extensions' not in p.head.lower(), p.head
    p.frame(1, b'plain')
    echo(p, 1, b'plain')
    p.frame(2, b'\x4a', rsv=4)
    failed(p, (1002,))


add('X.compression', ('permessage-deflate; client_max_window_bits', offered))

FEWEST = 300


def run(only):
    """Runs the cases whose names start with `only`; the counts per category, and what failed."""
    tally, bad = defaultdict(lambda: [0, 0]), []
    for name, case in C:
        if not name.startswith(only):
            continue
        offer, talk = case if isinstance(case, tuple) else (None, case)
        peer = None
        try:
            peer = Peer(offer)
            talk(peer)
            tally[name.split('.')[0]][0] += 1
        except Exception as error:
            tally[name.split('.')[0]][1] += 1
            bad.append(f'{name}: {type(error).__name__} {str(error)[:100]}')
        finally:
            if peer:
                peer.s.close()
    return tally, bad


def main():
    only = ''.join(word[7:] for word in sys.argv if word.startswith('--only='))
    try:
        tally, bad = run(only)
    finally:
        SERVER.stop()
    for line in bad:
        print('FAILED', line)
    print(
        'passed and failed, by category:',
        {category: tuple(counts) for category, counts in tally.items()},
    )
    count = sum(map(sum, tally.values()))
    assert not bad, f'{len(bad)} of {count} failed'
    assert only or count >= FEWEST, count
    print(count, 'cases')


main()
