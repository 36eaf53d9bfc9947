/**
 * What a picture looks like, in 64 bits: the signs of its slowest waves (a discrete cosine transform of 32 by 32 points of grey, of
 * which the 8 by 8 lowest frequencies count). Compressing or resizing a picture changes fast waves, so the bits stay. A thin frame, which
 * would shift everything, is left out.
 *
 * Two pictures look the same if at most `DISTANCE_MAX` bits differ. They are found by their bands: four quarters of 16 bits. If 7 bits
 * differ, one quarter has at most one of them, so the quarter itself or one of its 16 neighbours is equal.
 *
 * Example: looks `00ff…` and `01ff…` differ in one bit of the first band. The other three bands are equal, so each finds the other.
 */

/** The side of the picture that `lookOf` reads. */
export const GRID = 256;
const POINTS = 32;
/** A frame is thinner than this, on all sides. A wider one belongs to the picture, as the white around a watch in a catalogue does. */
const FRAME_MAX = 16;
/** Compressing a picture changes a grey by less. */
const FRAME_NOISE = 16;
const WAVES = 8;
const BANDS = 4;
const BAND_BITS = 16;
export const DISTANCE_MAX = 7;

/** Returns the look in hexadecimal. `grey` has one byte for each point. */
export function lookOf(grey: Uint8Array): string {
  const waves = listWaves(toPoints(grey, frameOf(grey)));
  // The first one is the brightness of the whole picture.
  const sorted = waves.slice(1).toSorted((left, right) => left - right);
  const middle = sorted[sorted.length >> 1] ?? 0;
  const bits = waves.map((wave) => (wave > middle ? "1" : "0")).join("");
  return (bits.match(/.{4}/g) ?? []).map((four) => Number.parseInt(four, 2).toString(16)).join("");
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const NO_FRAME = { left: 0, top: 0, right: 0, bottom: 0 } as const;

/** How thick a plain frame of one tone is on each side. Dealers' programs add one, and it would shift everything. */
function frameOf(grey: Uint8Array): Frame {
  const tone = grey[0] ?? 0;
  const isPlain = (at: (step: number) => number): boolean => {
    for (let step = 0; step < GRID; step += 1) {
      if (Math.abs((grey[at(step)] ?? 0) - tone) > FRAME_NOISE) return false;
    }
    return true;
  };
  const thickness = (at: (depth: number, step: number) => number): number => {
    let depth = 0;
    while (depth <= FRAME_MAX && isPlain((step) => at(depth, step))) depth += 1;
    return depth;
  };
  const last = GRID - 1;
  const sides = {
    left: thickness((depth, step) => step * GRID + depth),
    top: thickness((depth, step) => depth * GRID + step),
    right: thickness((depth, step) => step * GRID + last - depth),
    bottom: thickness((depth, step) => (last - depth) * GRID + step),
  };
  const isFrame = Object.values(sides).every((depth) => depth > 0 && depth <= FRAME_MAX);
  if (!isFrame) return NO_FRAME;
  // The next row is mixed of the frame and the picture.
  const { left, top, right, bottom } = sides;
  return { left: left + 1, top: top + 1, right: right + 1, bottom: bottom + 1 };
}

/** Means of what is within the frame. */
function toPoints(grey: Uint8Array, { left, top, right, bottom }: Frame): Float64Array {
  const [width, height] = [GRID - left - right, GRID - top - bottom];
  const sums = new Float64Array(POINTS * POINTS);
  const counts = new Float64Array(POINTS * POINTS);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const point = Math.floor((y * POINTS) / height) * POINTS + Math.floor((x * POINTS) / width);
      sums[point] = (sums[point] ?? 0) + (grey[(y + top) * GRID + x + left] ?? 0);
      counts[point] = (counts[point] ?? 0) + 1;
    }
  }
  return sums.map((sum, at) => sum / (counts[at] ?? 1));
}

const COSINES = Array.from({ length: WAVES }, (_, wave) =>
  Float64Array.from({ length: POINTS }, (_, at) =>
    Math.cos(((2 * at + 1) * wave * Math.PI) / (2 * POINTS)),
  ),
);

/** Row by row, the lowest frequency first. */
function listWaves(points: Float64Array): readonly number[] {
  const rows = COSINES.map((cosine) =>
    Float64Array.from({ length: POINTS }, (_, y) =>
      cosine.reduce((sum, factor, x) => sum + factor * (points[y * POINTS + x] ?? 0), 0),
    ),
  );
  return COSINES.flatMap((cosine) =>
    rows.map((row) => cosine.reduce((sum, factor, y) => sum + factor * (row[y] ?? 0), 0)),
  );
}

/** Each band as a number, with its place above its bits. */
export function bandsOf(look: string): readonly number[] {
  return Array.from(
    { length: BANDS },
    (_, place) => (place << BAND_BITS) | Number.parseInt(look.slice(place * 4, place * 4 + 4), 16),
  );
}

/** The bands that a look within `DISTANCE_MAX` has at least one of. */
export function bandsNear(look: string): readonly number[] {
  return bandsOf(look).flatMap((band) => [
    band,
    ...Array.from({ length: BAND_BITS }, (_, bit) => band ^ (1 << bit)),
  ]);
}
