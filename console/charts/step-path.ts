/** Paths of values that hold until the next one, as SVG. Where there is no value, the path has a gap. */
export interface StepValue {
  readonly x: number;
  readonly y: number | undefined;
}

/** A line. The last value holds until `endX`. */
export function stepLine(values: readonly StepValue[], endX: number): string {
  const parts: string[] = [];
  let isDrawing = false;
  for (const [at, { x, y }] of values.entries()) {
    if (y !== undefined) {
      parts.push(isDrawing ? `V${round(y)}` : `M${round(x)} ${round(y)}`);
      parts.push(`H${round(values[at + 1]?.x ?? endX)}`);
    }
    isDrawing = y !== undefined;
  }
  return parts.join("");
}

export interface StepRange {
  readonly x: number;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** The area between two such lines. */
export function stepBand(ranges: readonly StepRange[], endX: number): string {
  const parts: string[] = [];
  let back: string[] = [];
  const close = (): void => {
    if (back.length > 0) parts.push(...back.toReversed(), "Z");
    back = [];
  };
  for (const [at, { x, low, high }] of ranges.entries()) {
    if (low === undefined || high === undefined) {
      close();
      continue;
    }
    const nextX = ranges[at + 1]?.x ?? endX;
    parts.push(back.length > 0 ? `V${round(high)}` : `M${round(x)} ${round(high)}`);
    parts.push(`H${round(nextX)}`);
    // Read from its end: down to the lower line, and along it to the start.
    back.push(`V${round(low)}H${round(x)}`);
  }
  close();
  return parts.join("");
}

/** A tenth of a pixel is enough. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
