import { isOfKind } from "../catalogue/word-kinds.ts";
import { hasWordOf, type Line } from "../lines/line.ts";
import type { LinePart } from "../lines/line-part.ts";
import { firstFrom } from "../lines/span.ts";
import { tokenAt } from "../lines/token.ts";

/** "My regular comes on Friday and wants a 126610LV": returns the token of the verb if a client wants a watch. */
export function findClientsWish({ reading, from, to }: LinePart): number | undefined {
  const { line } = reading;
  if (!hasWordOf(line, "client")) return undefined;
  for (let at = from; at < to; at += 1) {
    if (WANTING.test(line.tokens[at]?.word ?? "") && hasClientBefore(line, at) && isWatch(line, at))
      return at;
  }
  return undefined;
}

const WANTING =
  /^(wants?|needs?|will|mochte|braucht|sucht|wil|zoekt|veut|cherche|vuole|cerca|quiere|busca|necesita)$/;

/** Tokens from the client to the verb. */
const CLIENT_GAP_MAX = 10;

function hasClientBefore(line: Line, at: number): boolean {
  for (let before = at - 1; before >= 0 && before >= at - CLIENT_GAP_MAX; before -= 1)
    if (isOfKind(tokenAt(line.tokens, before)?.word ?? "", "client")) return true;
  return false;
}

/** Tokens from the verb to the watch, as in "wants a brand new Rolex 126610LV". */
const WATCH_GAP_MAX = 6;

/** Returns true if only articles and a description are between the verb and a watch. */
function isWatch(line: Line, verb: number): boolean {
  let at = verb + 1;
  while (at <= verb + WATCH_GAP_MAX) {
    if (firstFrom(line.references, at)?.from === at) return true;
    const phrase = line.starts[at];
    if (phrase?.meaning.kind === "model") return true;
    const isKnown = phrase !== undefined && DESCRIPTIONS.has(phrase.meaning.kind);
    if (!isKnown && !BEFORE_WATCH.test(line.tokens[at]?.word ?? "")) return false;
    at = isKnown ? phrase.to : at + 1;
  }
  return false;
}

const DESCRIPTIONS: ReadonlySet<string> = new Set(["brand", "condition", "dial"]);

const BEFORE_WATCH =
  /^(a|an|one|two|another|clean|nice|really|badly|urgently|eine|einen|noch|unbedingt|dringend|een|graag|une|un|una|uno)$/;
