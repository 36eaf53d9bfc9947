/** The answer if it comes in time; the work itself is not stopped, only no longer waited for. */
export function withDeadline<Answer>(
  answer: PromiseLike<Answer>,
  timeoutMs: number,
): Promise<Answer> {
  return new Promise((settle, reject) => {
    const timer = setTimeout(() => reject(new DeadlineError(timeoutMs)), timeoutMs);
    answer.then(settle, reject).then(() => clearTimeout(timer));
  });
}

class DeadlineError extends Error {
  readonly code = "ETIMEDOUT";

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.name = "DeadlineError";
  }
}
