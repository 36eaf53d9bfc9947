/** Ends the batch or the request when something that our own code guarantees does not hold. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** For the end of a switch that must know every kind: a new one does not compile until it is handled. */
export function assertNever(value: never): never {
  throw new Error(`assertion failed: unhandled ${JSON.stringify(value)}`);
}
