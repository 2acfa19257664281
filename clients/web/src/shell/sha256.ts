// SHA-256 as in FIPS 180-4. The browser's own works over encrypted connections only, and people play
// in local networks without one.

const isPrime = (n: number) => {
  for (let i = 2; i * i <= n; ++i) if (n % i === 0) return false;
  return true;
};
const kPrimes: number[] = [];
for (let n = 2; kPrimes.length < 64; ++n) if (isPrime(n)) kPrimes.push(n);
/** The first 32 bits of the fraction. */
const fraction = (value: number) => Math.floor((value % 1) * 2 ** 32) | 0;
const kStart = kPrimes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const kRounds = kPrimes.map((prime) => fraction(Math.cbrt(prime)));

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The message with a one, zeros, and its length in bits. */
function padded(bytes: Uint8Array): DataView {
  const all = new Uint8Array((((bytes.length + 8) >> 6) << 6) + 64);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(all.length - 4, bytes.length * 8);
  return view;
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const message = padded(bytes);
  const hash = [...kStart];
  const w = new Int32Array(64);
  for (let at = 0; at < message.byteLength; at += 64) {
    for (let i = 0; i < 64; ++i) {
      if (i < 16) {
        w[i] = message.getInt32(at + 4 * i);
        continue;
      }
      const [x, y] = [w[i - 15]!, w[i - 2]!];
      const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
      const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let i = 0; i < 64; ++i) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + kRounds[i]! + w[i]!) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = (hash[i]! + word) | 0));
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

export const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
