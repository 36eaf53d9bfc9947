/** A seeded random generator. The same seed produces the same sequence on every machine. */
export interface Random {
  /** Returns a number from 0 up to but not including 1. */
  next(): number;
  /** Returns a whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns true with a probability of `share`. */
  isBelow(share: number): boolean;
  /** Returns a value of the standard normal distribution, clamped to -3 and 3. */
  normal(): number;
}

/** Each key has its own sequence, so that what happens on one day does not depend on the day before. */
export function createRandom(...key: readonly (string | number)[]): Random {
  let state = hashOf(key.join("\u0000"));
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new RangeError("pick: the list is empty");
      return item;
    },
    isBelow: (share) => next() < share,
    normal: () => {
      const sum = Array.from({ length: 12 }, next).reduce((total, value) => total + value, 0) - 6;
      return Math.max(-3, Math.min(3, sum));
    },
  };
}

/** FNV-1a with a final mix. Without it, keys that differ in one digit produce similar sequences. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
