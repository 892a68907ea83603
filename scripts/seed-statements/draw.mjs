/** `count` of the items, always the same ones for a seed. */
export function draw(items, count, seed) {
  const random = mulberry32(seed);
  const rest = [...items];
  return Array.from({ length: Math.min(count, items.length) }, () => rest.splice(Math.floor(random() * rest.length), 1)[0]);
}

/** A small generator of numbers from 0 to 1, good enough to draw with. */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
