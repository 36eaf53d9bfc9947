/** The service answered, and said no. `code` is for programs; see docs/api.md for all of them. */
export class AssayError extends Error {
  readonly status: number;
  readonly code: string;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(answer: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly requestId: string | undefined;
  }) {
    super(answer.message);
    this.name = "AssayError";
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId;
  }
}

/** There was no answer, or none that can be read: nobody knows whether the request was carried out. */
export class AssayConnectionError extends Error {
  readonly isTimeout: boolean;

  constructor(message: string, options: { readonly isTimeout: boolean; readonly cause: unknown }) {
    super(message, { cause: options.cause });
    this.name = "AssayConnectionError";
    this.isTimeout = options.isTimeout;
  }
}
