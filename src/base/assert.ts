/** Throws if something that our own code guarantees does not hold. The batch or the request then fails. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Ends a switch that must handle every kind. A new kind does not compile until the switch handles it. */
export function assertNever(value: never): never {
  throw new Error(`assertion failed: unhandled ${JSON.stringify(value)}`);
}
