/**
 * What comes with a watch, said by several words: "caixa e documentos", "no box but with card".
 *
 * Idea: a set is said by words for box and papers, with words for and, with, without and only around them. Each word has a
 * role, and the roles decide what is there and what is missing.
 *
 * Example: "no box but with card": a box that is missing and a card that is there, so WATCH_AND_CARD.
 */
import type { FullSetStatus } from "../extraction.ts";
import type { Meaning } from "../text/meaning.ts";
import { isSign, type Span, type Token, tokenAt } from "../text/token.ts";
import { classSet, isA, isOneOf } from "./words.ts";

export interface Phrase extends Span {
  readonly meaning: Meaning;
}

/** A place in a line. */
export interface Place {
  readonly tokens: readonly Token[];
  readonly phrases: readonly Phrase[];
  readonly at: number;
  /** Index of the first phrase that starts at `at` or behind it. */
  readonly next: number;
}

/** What a word says in a set. `sign` is a comma, a plus or another sign between two pieces. */
type Role =
  | "box"
  | "card"
  | "both"
  | "extras"
  | "nothing"
  | "watch"
  | "with"
  | "no"
  | "only"
  | "except"
  | "but"
  | "missing"
  | "yes"
  | "not"
  | "answer_no"
  | "without_box"
  | "without_card"
  | "and"
  // "Si" is yes in Italian, and joins two pieces in Romanian.
  | "and_yes"
  | "sign"
  | "filler";

function roles(names: string): ReadonlySet<Role> {
  return new Set(names.split(" ") as Role[]);
}

/** A word of a set expression. */
interface Element {
  readonly role: Role;
  readonly to: number;
}

/** More words are a sentence. The bound keeps the work linear. */
const ELEMENTS_MAX = 14;

/** Returns the set that the words from `at` on say, if they say one. */
export function joinSet(place: Place): Phrase | undefined {
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
    const element = elementAt(place, at, next) ?? lossBehind(place, at, next, elements.at(-1));
    if (element === undefined) break;
    elements.push(element);
    at = element.to;
    while ((place.phrases[next]?.from ?? at) < at) next += 1;
  }
  // "Has box". Otherwise "has" is a word of a sentence.
  if (first.role === "yes" && !isBeforePiece(elements, 0)) return undefined;
  return toSet(place.at, elements);
}

const OPENING = roles(
  "box card both watch with no only except but missing yes without_box without_card",
);

/** Reads one word of the line. `next` is the index of the first phrase that starts at `at` or behind it. */
function elementAt({ tokens, phrases }: Place, at: number, next: number): Element | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const phrase = phrases[next]?.from === at ? phrases[next] : undefined;
  if (phrase?.meaning.kind === "cue") {
    const { cue } = phrase.meaning;
    if (cue === "box" || cue === "card") return { role: cue, to: phrase.to };
    if (cue === "box_and_card") return { role: "both", to: phrase.to };
    if (cue === "without_box" || cue === "without_card") return { role: cue, to: phrase.to };
    if (cue === "without") return { role: withoutRole(tokens, at, phrase.to), to: phrase.to };
  }
  // A single word can have another meaning elsewhere: in Dutch "met" is "with", otherwise meteorite.
  if (phrase !== undefined && phrase.to > at + 1) return undefined;
  const role = token.kind === "symbol" ? signRole(token) : wordRole(token, phrase);
  if ((role === "no" || role === "not") && isPause(tokens[at + 1]))
    return { role: "answer_no", to: at + 1 };
  // "Karte dabei": in "dabei Karte" the word is with.
  if (role === "with" && isA(token, "yes") && isPause(tokens[at + 1]))
    return { role: "yes", to: at + 1 };
  if (role === "yes" && isA(token, "and")) return { role: "and_yes", to: at + 1 };
  return role === undefined ? undefined : { role, to: at + 1 };
}

/** Words between a piece and its loss, as in "Schachtel leider beim Umzug verschwunden". */
const LOSS_GAP_MAX = 5;

const BEFORE_LOSS = roles("box card filler and");

/** "The box went missing in 2010": a word for a loss in the same clause. */
function lossBehind(
  { tokens, phrases }: Place,
  from: number,
  next: number,
  last: Element | undefined,
): Element | undefined {
  if (last === undefined || !BEFORE_LOSS.has(last.role)) return undefined;
  let index = next;
  for (let at = from; at < from + LOSS_GAP_MAX; at += 1) {
    const token = tokens[at];
    // An ideograph is too short to be sure.
    if (token?.kind !== "letters" || token.word.length < 2) return undefined;
    if (isA(token, "missing") && !isA(token, "sentence", "no", "not"))
      return { role: "missing", to: at + 1 };
    while ((phrases[index]?.from ?? at) < at) index += 1;
    const meaning = phrases[index]?.from === at ? phrases[index]?.meaning : undefined;
    if (meaning?.kind === "cue" && PIECES.has(meaning.cue as Role)) return undefined;
  }
  return undefined;
}

/** "Box no, papers yes": behind a piece and before a pause the word is an answer. */
function withoutRole(tokens: readonly Token[], at: number, to: number): Role {
  if (isA(tokens[at], "missing")) return "missing";
  return isPause(tokens[to]) ? "answer_no" : "no";
}

function isPause(token: Token | undefined): boolean {
  return token?.kind !== "letters" && !isSign(token, "&+'");
}

function signRole({ word, isGlued }: Token): Role | undefined {
  // "Pas d'écrin", "box-card-book".
  if (word === "'") return "filler";
  if (word === "-" && isGlued) return "sign";
  if (word === "&" || word === "/") return "and";
  return word === "," || word === "+" ? "sign" : undefined;
}

const FILLERS = classSet("the", "a", "my", "own", "single", "been", "all", "enclosure");

function wordRole(token: Token, phrase: Phrase | undefined): Role | undefined {
  if (token.facts === undefined) return undefined;
  if (isA(token, "with")) return "with";
  // "Box available" is an answer, though "available" alone offers the watch.
  if (phrase?.meaning.kind === "side" && isA(token, "yes", "missing"))
    return isA(token, "yes") ? "yes" : "missing";
  if (phrase !== undefined && phrase.meaning.kind !== "cue") return undefined;
  if (isA(token, "no")) return "no";
  if (isA(token, "extras")) return "extras";
  if (isA(token, "nothing")) return "nothing";
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

type Piece = "box" | "card";

/** What is known after the words so far. */
interface SetFacts {
  box?: State;
  card?: State;
  hasWatch: boolean;
  hasOnly: boolean;
  /** "Only" is about the piece behind it. */
  isOnlyPiece: boolean;
  isJoined: boolean;
  /** "Everything except papers": the rest is there. */
  hasExcept: boolean;
  /** The pieces have answers: "papers yes, box no". */
  hasAnswer: boolean;
  /** What applies to the next piece. */
  state: State;
  last?: Piece;
  /** The pieces since the last pause or answer: "box and papers missing" are both missing. */
  chain: Piece[];
  /** The role before the word. */
  before?: Role;
  /** "Box no papers yes": the "no" is right behind a piece. */
  isNoBehind: boolean;
  /** The word behind the last one that says something. */
  to: number;
}

/** Returns the set phrase, or undefined if the words name one piece and say nothing about it. */
function toSet(from: number, elements: readonly Element[]): Phrase | undefined {
  const facts: SetFacts = {
    hasWatch: false,
    hasOnly: false,
    isOnlyPiece: false,
    isJoined: false,
    hasExcept: false,
    hasAnswer: false,
    state: "bare",
    chain: [],
    isNoBehind: false,
    to: from,
  };
  for (const [index, element] of elements.entries()) {
    addElement(facts, element, elements[index + 1], isBeforePiece(elements, index));
    if (element.role !== "filler") facts.before = element.role;
  }
  const set = setOf(facts);
  if (set === undefined) return undefined;
  const missing = missingOf(facts);
  const meaning: Meaning = { kind: "set", set, ...(missing && { missing }) };
  return { from, to: facts.to, meaning };
}

function missingOf({ box, card, hasWatch, hasOnly }: SetFacts): Piece | "both" | undefined {
  // "Only the watch, no papers".
  if (hasWatch && hasOnly && !isThere(box) && !isThere(card)) return undefined;
  if (box === "absent") return card === "absent" ? "both" : "box";
  return card === "absent" ? "card" : undefined;
}

function isThere(state: State | undefined): boolean {
  return state === "there" || state === "bare";
}

/** "No box" is a watch with its card. "No papers" is the watch alone, unless a box is named. */
function setOf(facts: SetFacts): FullSetStatus | undefined {
  const { box, card, hasWatch, hasOnly, isJoined } = facts;
  const [hasBox, hasCard] = [isThere(box), isThere(card)];
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
  // "O" is an article in Portuguese and joins two pieces in Italian.
  const isArticle = elements[index]?.role === "yes" && elements[index + 1]?.role === "and";
  const rest = elements.slice(isArticle ? index + 2 : index + 1);
  const next = rest.find(({ role }) => role !== "filler");
  return next !== undefined && (PIECES.has(next.role) || next.role === "nothing");
}

const PIECES = roles("box card both extras");

function addElement(
  facts: SetFacts,
  { role, to }: Element,
  next: Element | undefined,
  isBefore: boolean,
): void {
  if (role === "box" || role === "card") addPieces(facts, [role], next);
  else if (role === "both") addPieces(facts, ["box", "card"], next);
  else if (role === "extras") {
    if (facts.state === "bare") return;
    addPieces(facts, ["box", "card"], next);
  } else if (role === "missing" && !isBefore) {
    if (facts.last === undefined) return;
    // "Box yok papers yok": the first word was about the box before it.
    if (facts.isNoBehind && facts[facts.last] === "absent") facts[otherOf(facts.last)] = "absent";
    denyChain(facts);
  } else if (role === "nothing") {
    // "Neither box nor anything".
    if (facts.state !== "absent" || facts.last === undefined) return;
    facts[otherOf(facts.last)] ??= "absent";
  } else if (role === "without_box" || role === "without_card") {
    facts.last = role === "without_box" ? "box" : "card";
    facts[facts.last] = "absent";
  } else if (role === "yes" || (role === "and_yes" && facts.state !== "absent")) {
    if (isBefore && facts.before !== "box" && facts.before !== "card") {
      if (facts.state !== "absent") facts.state = "there";
      return;
    }
    if (facts.last === undefined) return;
    // "Box not included".
    if (facts.before === "not") denyChain(facts);
    else answerYes(facts, facts.last);
  } else if (role === "answer_no" || role === "not" || (role === "no" && !isBefore)) {
    if (facts.last === undefined || !(facts.hasAnswer || isAnswer(facts, role))) return;
    denyChain(facts);
  } else if (role === "no" || role === "missing") {
    facts.isNoBehind = facts.before !== undefined && PIECES.has(facts.before);
    facts.state = "absent";
    facts.chain = [];
    return;
  } else if (role === "with") {
    facts.state = "there";
    facts.chain = [];
    return;
  } else if (role === "except" || role === "but") {
    facts.hasExcept = true;
    const before = facts.last === undefined ? undefined : facts[facts.last];
    facts.state = before === "absent" ? "there" : "absent";
    facts.chain = [];
    return;
  } else if (role === "watch") {
    facts.hasWatch = true;
    facts.isJoined ||= facts.last !== undefined;
  } else if (role === "only") {
    // "We sell watches, so ...": in Portuguese "so" is only.
    if (facts.before === "sign" && facts.hasWatch && !isBefore) return;
    facts.hasOnly = true;
    facts.isOnlyPiece = isBefore;
    if (facts.state === "absent") facts.state = "bare";
  } else {
    if (role === "sign") facts.chain = [];
    return;
  }
  facts.to = to;
}

const JOINTS = roles("and and_yes nothing");

/** "Box no": the answer is right behind the piece. */
function isAnswer({ before }: SetFacts, role: Role): boolean {
  return role === "answer_no" && before !== undefined && PIECES.has(before);
}

function otherOf(piece: Piece): Piece {
  return piece === "box" ? "card" : "box";
}

/** "Box and papers missing". In "only the card box missing" it is the box. */
function denyChain(facts: SetFacts): void {
  const all = facts.chain.length === 0 && facts.last !== undefined ? [facts.last] : facts.chain;
  const denied = facts.isOnlyPiece ? all.slice(-1) : all;
  for (const piece of denied) facts[piece] = "absent";
  facts.chain = [];
}

function addPieces(facts: SetFacts, pieces: readonly Piece[], next: Element | undefined): void {
  for (const piece of pieces) {
    // "Box, no card, box": what is said first counts.
    facts[piece] ??= facts.state;
    facts.last = piece;
    facts.chain.push(piece);
  }
  facts.isJoined ||= facts.hasWatch;
  // "With" applies to all pieces behind it, "no" only to those that "and" joins.
  if (facts.state === "absent" && !(next !== undefined && JOINTS.has(next.role)))
    facts.state = "bare";
}

/**
 * "Papers yes, box no". In "box no papers yes" the "no" is an answer too, about the piece before it. In "no box and no papers
 * available" the pieces are missing.
 */
function answerYes(facts: SetFacts, piece: Piece): void {
  facts.chain = [];
  const other = otherOf(piece);
  if (facts[piece] === "absent") {
    if (!facts.isNoBehind || facts[other] !== "bare") return;
    facts[other] = "absent";
  }
  facts[piece] = "there";
  facts.hasAnswer = true;
}
