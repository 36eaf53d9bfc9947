import type { Line } from "../lines/line.ts";
import type { Span } from "../lines/span.ts";

/** "Before the 126710BLNR came", "not the SBGA415": the reference is named to compare, and not to offer it. */
export function isCompared(line: Line, reference: Span): boolean {
  return COMPARING.has(wordBefore(line, reference));
}

/** "Ask him about the 5227R too": even if it is the only one of its line, such a reference is not offered. */
export function isOnlyCompared(line: Line): boolean {
  const [reference, other] = line.references;
  if (reference === undefined || other !== undefined) return false;
  return /^(about|than|unlike|instead|versus)$/.test(wordBefore(line, reference));
}

export function isCheaperThan(line: Line, reference: Span): boolean {
  return /^(than|unlike|versus|missed)$/.test(wordBefore(line, reference));
}

/** Returns the word before the reference. An article between them does not count. */
function wordBefore({ tokens }: Line, reference: Span): string {
  const before = tokens[reference.from - 1]?.word ?? "";
  return /^(the|a|an|its|his|of)$/.test(before) ? (tokens[reference.from - 2]?.word ?? "") : before;
}

const COMPARING: ReadonlySet<string> = new Set(
  "before after than not unlike versus vs instead missed called aka about replaces replaced replacing predecessor successor".split(
    " ",
  ),
);
