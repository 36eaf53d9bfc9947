/** Ends the batch or the request when something that our own code guarantees does not hold. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
