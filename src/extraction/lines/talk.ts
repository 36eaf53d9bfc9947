/** Which references of a line are only named to compare, and not offered: "cheaper than the 126610LN". */
import type { Span } from "../text/token.ts";
import type { Line } from "./line.ts";

const COMPARING: ReadonlySet<string> = new Set(
  "before after than not unlike versus vs instead missed called aka about replaces replaced replacing predecessor successor".split(
    " ",
  ),
);

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

const BETWEEN = /^(the|a|an|its|his|of|old|older|newer|previous|current|ap|rolex|patek)$/;

/** Returns the word before the reference. Articles and brands between them do not count. */
function wordBefore({ tokens }: Line, reference: Span): string {
  let at = reference.from - 1;
  while (at > reference.from - 4 && BETWEEN.test(tokens[at]?.word ?? "")) at -= 1;
  return tokens[at]?.word ?? "";
}
