/** Returns the answer, or throws if it takes longer than `timeoutMs`. The work itself is not cancelled. */
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
