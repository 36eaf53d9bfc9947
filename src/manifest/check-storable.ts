import { AppError } from "../base/errors.ts";

const DEPTH_MAX = 32;

/** Throws if a request has a value that the store cannot keep as JSON. */
export function checkStorable(given: object): void {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [
    { value: given, depth: 0 },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === "string") checkText(value);
    if (typeof value !== "object" || value === null) continue;
    if (depth > DEPTH_MAX) {
      throw new AppError(
        "invalid_payload",
        `the body is nested more than ${DEPTH_MAX} levels deep`,
      );
    }
    for (const [name, member] of Object.entries(value)) {
      checkText(name);
      waiting.push({ value: member, depth: depth + 1 });
    }
  }
}

function checkText(text: string): void {
  if (text.isWellFormed() && !text.includes("\u0000")) return;
  throw new AppError(
    "invalid_payload",
    "text must not contain null characters or half surrogate pairs",
  );
}
