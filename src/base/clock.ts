/** The only code that reads the time. Tests pass a clock that they set themselves. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
