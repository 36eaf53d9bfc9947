import { type Line, phraseEndingAt } from "./line.ts";
import type { Meaning } from "./meaning.ts";

const KINDS: ReadonlySet<Meaning["kind"]> = new Set(["set", "condition", "dial", "bracelet"]);

/** Returns true if words that describe the watch, or its date, end right before the token: "full set 11.95". */
export function isBehindDescription(line: Line, at: number): boolean {
  const phrase = phraseEndingAt(line, at);
  if (phrase !== undefined) return KINDS.has(phrase.meaning.kind);
  return line.tokens[at - 1]?.kind === "digits" && line.claimed[at - 1] === true;
}
