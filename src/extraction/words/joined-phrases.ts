/**
 * Phrases that words of two classes make together, in any language: what comes with a watch ("caixa e documentos", "no box but
 * card"), a condition that is denied ("never worn"), and a word that is about something else ("new strap", "Datejust look").
 *
 * Idea: a set is said by words for box and papers, with words for and, with, without and only around them. Each word has a
 * role, and the roles decide what is there and what is missing. Invariant: the result is in line order without overlaps.
 *
 * Example: "no box but with card": a box that is missing and a card that is there, so WATCH_AND_CARD.
 */
import type { FullSetStatus } from "../extraction.ts";
import type { Meaning } from "../text/meaning.ts";
import { type Span, type Token, tokenAt } from "../text/token.ts";
import { classSet, isA, isOneOf, isPart } from "./words.ts";

interface Phrase extends Span {
  readonly meaning: Meaning;
}

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
] as const;

/** A place in a line. */
interface Place {
  readonly tokens: readonly Token[];
  readonly phrases: readonly Phrase[];
  readonly at: number;
  /** Index of the first phrase that starts at `at` or behind it. */
  readonly next: number;
}

function joinAt(place: Place, phrase: Phrase | undefined): Phrase | undefined {
  if (phrase?.meaning.kind === "condition") return joinNewThing(place, phrase);
  return joinDenied(place) ?? joinSet(place);
}

/** "Yacht-Master look": the name of another watch, to describe this one. */
function isBorrowed(tokens: readonly Token[], phrase: Phrase | undefined): boolean {
  const kind = phrase?.meaning.kind;
  return (kind === "model" || kind === "brand") && isA(tokens[phrase?.to ?? 0], "alike");
}

const IGNORED: Meaning = { kind: "cue", cue: "ignored" };

/** "Never worn" is new. "Not polished", "no scratches" and "not new" say nothing. */
function joinDenied({ tokens, phrases, at, next }: Place): Phrase | undefined {
  if (!isA(tokens[at], "no", "not")) return undefined;
  const denied = phrases[next]?.from === at ? phrases[next + 1] : phrases[next];
  if (denied?.from !== at + 1 || denied.meaning.kind !== "condition") return undefined;
  const isNew = isA(tokens[denied.to - 1], "worn");
  return {
    from: at,
    to: denied.to,
    meaning: isNew ? { kind: "condition", condition: "NEW" } : IGNORED,
  };
}

/** Words between "new" and a part, as in "new black Rolex rubber strap". */
const NEW_GAP_MAX = 3;

/** "New strap", "new style", "correa nueva": the word is about something else than the watch. */
function joinNewThing(place: Place, phrase: Phrase): Phrase | undefined {
  const { tokens, phrases, at, next } = place;
  if (phrase.meaning.kind !== "condition" || phrase.meaning.condition !== "NEW") return undefined;
  if (at > 0 && isA(tokens[at - 1], "colour_behind"))
    return { from: at, to: phrase.to, meaning: IGNORED };
  let index = next + 1;
  const isCard = isPiece(phrases[index]) && phrases[index]?.from === phrase.to;
  if (isPart(tokens[phrase.to]) || isA(tokens[phrase.to], "news") || isCard) {
    // "New box and papers" is a new watch with them.
    const set = joinSet({ tokens, phrases, at: phrase.to, next: index });
    if (set !== undefined) return undefined;
    const to = isCard ? (phrases[index]?.to ?? phrase.to) : phrase.to + 1;
    return { from: at, to, meaning: IGNORED };
  }
  let to = phrase.to;
  for (let gap = 0; gap < NEW_GAP_MAX; gap += 1) {
    const adjective = phrases[index]?.from === to ? phrases[index] : undefined;
    if (adjective !== undefined) index += 1;
    if (adjective === undefined ? !isA(tokens[to], "news") : !isAdjective(adjective)) break;
    to = adjective?.to ?? to + 1;
    // "Black strap" is one phrase.
    const end = [to - 1, to].find((last) => isA(tokens[last], "strap", "loose_part", "part"));
    if (end !== undefined) return { from: at, to: end + 1, meaning: IGNORED };
  }
  return undefined;
}

function isAdjective({ meaning }: Phrase): boolean {
  if (meaning.kind === "cue") return meaning.cue === "metal";
  return meaning.kind === "dial" || meaning.kind === "brand" || meaning.kind === "bracelet";
}

function isPiece(phrase: Phrase | undefined): boolean {
  const meaning = phrase?.meaning;
  return meaning?.kind === "cue" && (meaning.cue === "box" || meaning.cue === "card");
}

/** What a word says in a set. `sign` is a comma, a plus or another sign between two pieces. */
type Role =
  | "box"
  | "card"
  | "watch"
  | "with"
  | "no"
  | "only"
  | "except"
  | "but"
  | "missing"
  | "yes"
  | "not"
  | "without_box"
  | "without_card"
  | "and"
  | "sign"
  | "filler";

/** A word of a set expression. */
interface Element {
  readonly role: Role;
  readonly to: number;
}

/** More words are a sentence. The bound keeps the work linear. */
const ELEMENTS_MAX = 14;

/** Returns the set that the words from `at` on say, if they say one. */
function joinSet(place: Place): Phrase | undefined {
  const first = elementAt(place, place.at, place.next);
  if (first === undefined || !OPENING.has(first.role)) return undefined;
  // The letters of "26420SO" are no word.
  const [before, opening] = [tokenAt(place.tokens, place.at - 1), place.tokens[place.at]];
  if (opening?.isGlued === true && before?.kind === "digits" && first.role === "only")
    return undefined;
  // "Everything but the box". Otherwise "but" is a word of a sentence.
  if (first.role === "but" && !isA(tokenAt(place.tokens, place.at - 1), "everything", "all"))
    return undefined;
  const elements: Element[] = [];
  let { at, next } = place;
  while (elements.length < ELEMENTS_MAX) {
    const element = elementAt(place, at, next);
    if (element === undefined) break;
    elements.push(element);
    at = element.to;
    while ((place.phrases[next]?.from ?? at) < at) next += 1;
  }
  return toSet(place.at, elements);
}

const OPENING: ReadonlySet<Role> = new Set(
  "box card watch with no only except but missing without_box without_card".split(" ") as Role[],
);

/** Reads one word of the line. `next` is the index of the first phrase that starts at `at` or behind it. */
function elementAt({ tokens, phrases }: Place, at: number, next: number): Element | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const phrase = phrases[next]?.from === at ? phrases[next] : undefined;
  if (phrase?.meaning.kind === "cue") {
    const { cue } = phrase.meaning;
    if (cue === "box" || cue === "card") return { role: cue, to: phrase.to };
    if (cue === "without_box" || cue === "without_card") return { role: cue, to: phrase.to };
    if (cue === "without") return { role: isA(token, "missing") ? "missing" : "no", to: phrase.to };
  }
  // A single word can have another meaning elsewhere: in Dutch "met" is "with", otherwise meteorite.
  if (phrase !== undefined && phrase.to > at + 1) return undefined;
  const role = token.kind === "symbol" ? signRole(token) : wordRole(token, phrase);
  return role === undefined ? undefined : { role, to: at + 1 };
}

function signRole({ word }: Token): Role | undefined {
  if (word === "&" || word === "/") return "and";
  return word === "," || word === "+" ? "sign" : undefined;
}

const FILLERS = classSet("the", "a", "my", "own");

function wordRole(token: Token, phrase: Phrase | undefined): Role | undefined {
  if (token.facts === undefined) return undefined;
  if (isA(token, "with")) return "with";
  if (phrase !== undefined && phrase.meaning.kind !== "cue") return undefined;
  if (isA(token, "no")) return "no";
  if (isA(token, "yes")) return "yes";
  if (isA(token, "and", "or")) return "and";
  if (isA(token, "only")) return "only";
  if (isA(token, "watch")) return "watch";
  if (isA(token, "missing")) return "missing";
  if (isA(token, "except")) return "except";
  if (isA(token, "but")) return "but";
  if (isA(token, "not")) return "not";
  return isOneOf(token, FILLERS) ? "filler" : undefined;
}

/** What the words say about one piece. A bare piece is named, and nothing says that it is there. */
type State = "there" | "absent" | "bare";

/** What is known after the words so far. */
interface SetFacts {
  box?: State;
  card?: State;
  hasWatch: boolean;
  hasOnly: boolean;
  isJoined: boolean;
  /** "Everything except papers": the rest is there. */
  hasExcept: boolean;
  /** The pieces have answers: "papers yes, box no". */
  hasAnswer: boolean;
  /** What applies to the next piece. */
  state: State;
  last?: "box" | "card";
  /** The word behind the last one that says something. */
  to: number;
}

/** Returns the set phrase, or undefined if the words name one piece and say nothing about it. */
function toSet(from: number, elements: readonly Element[]): Phrase | undefined {
  const facts: SetFacts = {
    hasWatch: false,
    hasOnly: false,
    isJoined: false,
    hasExcept: false,
    hasAnswer: false,
    state: "bare",
    to: from,
  };
  for (const [index, element] of elements.entries())
    addElement(facts, element, elements[index + 1], isBeforePiece(elements, index));
  const set = setOf(facts);
  if (set === undefined) return undefined;
  const missing = missingOf(facts);
  const meaning: Meaning = { kind: "set", set, ...(missing && { missing }) };
  return { from, to: facts.to, meaning };
}

function missingOf({ box, card }: SetFacts): "box" | "card" | "both" | undefined {
  if (box === "absent") return card === "absent" ? "both" : "box";
  return card === "absent" ? "card" : undefined;
}

/** "No box" is a watch with its card. "No papers" is the watch alone, unless a box is named. */
function setOf(facts: SetFacts): FullSetStatus | undefined {
  const { box, card, hasWatch, hasOnly, isJoined } = facts;
  const hasBox = box === "there" || box === "bare";
  const hasCard = card === "there" || card === "bare";
  if (hasBox && hasCard) return "FULL_SET";
  if (!hasBox && !hasCard && ((hasWatch && hasOnly) || (box !== undefined && card !== undefined)))
    return "WATCH";
  const isStated = box === "absent" || card === "absent" || hasOnly || (hasWatch && isJoined);
  if (card === "there" || box === "absent" || (hasCard && isStated)) return "WATCH_AND_CARD";
  if (box === "there" || (hasBox && isStated)) return "WATCH_AND_BOX";
  if (card !== "absent") return undefined;
  return facts.hasExcept ? "WATCH_AND_BOX" : "WATCH";
}

/** "Missing the box". In "box missing, sadly" no piece follows. */
function isBeforePiece(elements: readonly Element[], index: number): boolean {
  const next = elements.slice(index + 1).find(({ role }) => role !== "filler");
  return next?.role === "box" || next?.role === "card";
}

function addElement(
  facts: SetFacts,
  { role, to }: Element,
  next: Element | undefined,
  isBefore: boolean,
): void {
  if (role === "box" || role === "card") {
    // "Box, no card, box": what is said first counts.
    facts[role] ??= facts.state;
    facts.isJoined ||= facts.hasWatch;
    facts.last = role;
    // "With" applies to all pieces behind it, "no" only to those that "and" joins.
    if (facts.state === "absent" && next?.role !== "and") facts.state = "bare";
  } else if (role === "missing" && !isBefore) {
    if (facts.last === undefined) return;
    facts[facts.last] = "absent";
  } else if (role === "without_box" || role === "without_card") {
    facts.last = role === "without_box" ? "box" : "card";
    facts[facts.last] = "absent";
  } else if (role === "yes") {
    if (facts.last === undefined) return;
    answerYes(facts, facts.last);
  } else if (role === "not" || (role === "no" && !isBefore)) {
    if (!facts.hasAnswer || facts.last === undefined) return;
    facts[facts.last] = "absent";
  } else if (role === "no" || role === "missing") {
    facts.state = "absent";
    return;
  } else if (role === "with") {
    facts.state = "there";
    return;
  } else if (role === "except" || role === "but") {
    facts.hasExcept = true;
    const before = facts.last === undefined ? undefined : facts[facts.last];
    facts.state = before === "absent" ? "there" : "absent";
    return;
  } else if (role === "watch") {
    facts.hasWatch = true;
    facts.isJoined ||= facts.last !== undefined;
  } else if (role === "only") {
    facts.hasOnly = true;
    if (facts.state === "absent") facts.state = "bare";
  } else return;
  facts.to = to;
}

/** "Papers yes, box no". In "box no, papers yes" the "no" is an answer too, about the piece before it. */
function answerYes(facts: SetFacts, piece: "box" | "card"): void {
  const other = piece === "box" ? "card" : "box";
  if (facts[piece] === "absent" && facts[other] === "bare") facts[other] = "absent";
  facts[piece] = "there";
  facts.hasAnswer = true;
}
