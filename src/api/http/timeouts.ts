/** How long the server waits for its clients. Tests pass shorter ones. */
export interface Timeouts {
  /** From the start of a connection or request until its head is complete. */
  readonly headersMs: number;
  /** From the start of a request until its body is complete. */
  readonly requestMs: number;
  /** How often Node checks the two above; its default is 30 seconds. */
  readonly checkMs: number;
  /** From the head of a request until its response is sent. Longer than a body and a handler may take together. */
  readonly slotMs: number;
  /** How long the client has to read a last error and close its side. */
  readonly closeMs: number;
}

export const TIMEOUTS: Timeouts = {
  headersMs: 5_000,
  requestMs: 10_000,
  checkMs: 1_000,
  slotMs: 15_000,
  closeMs: 1_000,
};
