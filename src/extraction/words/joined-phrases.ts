/**
 * Phrases that words of two classes make together, in any language: what comes with a watch ("caixa e documentos", "no box but
 * card"), its condition ("never worn", "excellent state"), and a word that is about something else ("new strap", "Datejust
 * look").
 *
 * Invariant: the result is in line order without overlaps.
 */
import type { Token } from "../text/token.ts";
import { joinCondition, joinNewThing } from "./joined-conditions.ts";
import { joinSet, type Phrase, type Place } from "./joined-sets.ts";
import { isA } from "./words.ts";

/** Returns the phrases with the joined ones in place of those that they are made of. */
export function joinPhrases<Found extends Phrase>(
  tokens: readonly Token[],
  phrases: Found[],
): (Found | Phrase)[] {
  let joined: (Found | Phrase)[] | undefined;
  let next = 0;
  let at = 0;
  while (at < tokens.length) {
    while ((phrases[next]?.from ?? at) < at) next += 1;
    const phrase = phrases[next]?.from === at ? phrases[next] : undefined;
    if (phrase === undefined ? tokens[at]?.facts?.opensJoined !== true : !canJoin(phrase, tokens)) {
      if (phrase !== undefined) joined?.push(phrase);
      at = phrase?.to ?? at + 1;
      continue;
    }
    const found = joinAt({ tokens, phrases, at, next }, phrase);
    if (found !== undefined || isBorrowed(tokens, phrase)) joined ??= phrases.slice(0, next);
    const kept = found ?? phrase;
    if (kept !== undefined && !isBorrowed(tokens, kept)) joined?.push(kept);
    at = kept?.to ?? at + 1;
  }
  return joined ?? phrases;
}

/** Most phrases have nothing to do with the words around them. */
function canJoin({ from, to, meaning }: Phrase, tokens: readonly Token[]): boolean {
  if (meaning.kind === "condition") return true;
  if (meaning.kind === "brand" || meaning.kind === "model") return isA(tokens[to], "alike");
  if (meaning.kind === "cue" && JOINED_CUES.has(meaning.cue)) return true;
  return to === from + 1 && tokens[from]?.facts?.opensJoined === true;
}

const JOINED_CUES: ReadonlySet<string> = new Set([
  "box",
  "card",
  "box_and_card",
  "without",
  "without_box",
  "without_card",
]);

/** Classes of the words that a joined phrase can open with. */
export const OPENING_CLASSES = [
  "with",
  "no",
  "not",
  "only",
  "watch",
  "except",
  "but",
  "missing",
  "yes",
  "almost",
  "state",
  "good",
  "very",
  "service",
] as const;

function joinAt(place: Place, phrase: Phrase | undefined): Phrase | undefined {
  if (phrase?.meaning.kind === "condition") return joinNewThing(place, phrase);
  return joinCondition(place) ?? joinSet(place);
}

/** "Yacht-Master look": the name of another watch, to describe this one. */
function isBorrowed(tokens: readonly Token[], phrase: Phrase | undefined): boolean {
  const kind = phrase?.meaning.kind;
  return (kind === "model" || kind === "brand") && isA(tokens[phrase?.to ?? 0], "alike");
}
