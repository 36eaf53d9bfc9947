/** The only code that reads the time. Tests pass a clock that they set themselves. */
export interface Clock {
  /** Milliseconds since 1970, UTC. For times that are stored or shown: it can jump when the clock is set. */
  nowMs(): number;
  /** Milliseconds since some moment before. For durations: it never jumps or goes back. */
  elapsedMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
};
