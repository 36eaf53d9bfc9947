/** The service answered with an error. Programs should compare `code`; docs/api.md lists all codes. */
export class AssayError extends Error {
  readonly status: number;
  readonly code: string;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(answer: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly requestId: string | undefined;
    readonly retryAfterMs?: number | undefined;
  }) {
    super(answer.message);
    this.name = "AssayError";
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** There was no response, or it could not be read. The service may or may not have executed the request. */
export class AssayConnectionError extends Error {
  readonly isTimeout: boolean;

  constructor(message: string, options: { readonly isTimeout: boolean; readonly cause: unknown }) {
    super(message, { cause: options.cause });
    this.name = "AssayConnectionError";
    this.isTimeout = options.isTimeout;
  }
}
