// For node --random-seed=N --require seed.cjs: what a program draws for its entropy comes from Math.random then,
// and so from that number.
const { webcrypto } = require("node:crypto");

webcrypto.getRandomValues = (bytes) => {
  bytes.forEach((_, i) => (bytes[i] = Math.floor(256 * Math.random())));
  return bytes;
};
