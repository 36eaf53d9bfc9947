/**
 * Conditions that words make together, in any language: denied ("never been worn", "no signs of wear"), nearly ("quasi neuve"),
 * a word for the state with a word for good or a score ("condizioni molto buone", "Zustand 9/10"), and a service with its year.
 */
import type { Condition } from "../extraction.ts";
import type { Meaning } from "../text/meaning.ts";
import { isSign, type Token } from "../text/token.ts";
import { joinSet, type Phrase, type Place } from "./joined-sets.ts";
import { classSet, isA, isOneOf, isPart } from "./words.ts";

const IGNORED: Meaning = { kind: "cue", cue: "ignored" };

function said(from: number, to: number, condition: Condition): Phrase {
  return { from, to, meaning: { kind: "condition", condition } };
}

/** Returns the condition that the words from `at` on say together, if they say one. */
export function joinCondition(place: Place): Phrase | undefined {
  const token = place.tokens[place.at];
  // "Noch" is nor in Dutch and still in German.
  if (isA(token, "no", "not") && !isA(token, "own")) return joinDenied(place);
  if (isA(token, "almost")) return joinNearly(place);
  if (isA(token, "service")) return joinService(place);
  return isOneOf(token, STATE_OPENERS) ? joinState(place) : undefined;
}

/** Words between "never" and "worn", as in "n'a jamais encore été portée". */
const DENIED_GAP_MAX = 4;

/** Returns the condition behind the words that may stand between. */
function conditionBehind(
  { tokens, phrases, at, next }: Place,
  between: ReadonlySet<string>,
): Phrase | undefined {
  let index = next;
  let to = phrases[index]?.from === at ? (phrases[index]?.to ?? at + 1) : at + 1;
  for (let gap = 0; gap <= DENIED_GAP_MAX; gap += 1) {
    while ((phrases[index]?.from ?? to) < to) index += 1;
    const phrase = phrases[index];
    if (phrase?.from === to && phrase.meaning.kind === "condition") return phrase;
    if (!isOneOf(tokens[to], between)) return undefined;
    to += 1;
  }
  return undefined;
}

const DENIED_BETWEEN = classSet("been", "own", "single", "very", "state", "a", "the");

/**
 * "Never worn" is new, and "no signs of wear" or "not a single scratch" like new. "Not polished", "no scratches" and "not new"
 * say nothing.
 */
function joinDenied(place: Place): Phrase | undefined {
  const { tokens, at } = place;
  const denied = conditionBehind(place, DENIED_BETWEEN);
  if (denied?.meaning.kind !== "condition") return undefined;
  const { from, to, meaning } = denied;
  if (tokens.slice(from, to).some((token) => isA(token, "worn"))) return said(at, to, "NEW");
  if (meaning.condition !== "USED") return { from: at, to, meaning: IGNORED };
  const isAny = tokens.slice(at, from).some((token) => isA(token, "single"));
  const isWear = tokens.slice(from, to).some((token) => isA(token, "wear"));
  return isAny || isWear ? said(at, to, "LIKE_NEW") : { from: at, to, meaning: IGNORED };
}

const NEARLY_BETWEEN = classSet("been", "almost", "not", "very");

/** "Quasi ungetragen", "praktisch nie getragen". "Almost worn out" is none. */
function joinNearly(place: Place): Phrase | undefined {
  const { tokens, at } = place;
  const found = conditionBehind(place, NEARLY_BETWEEN);
  if (found?.meaning.kind !== "condition") return joinFromShop(place);
  const isDenied = tokens.slice(at, found.from).some((token) => isA(token, "not"));
  // "Almost all stickers".
  if (isA(tokens[found.from], "own", "all")) return undefined;
  const isNew = isDenied
    ? tokens.slice(found.from, found.to).some((token) => isA(token, "worn"))
    : found.meaning.condition !== "USED";
  return isNew ? said(at, found.to, "LIKE_NEW") : undefined;
}

/** Words between "like" and the shop, as in "comme au sortir de la boutique". */
const SHOP_GAP_MAX = 5;

/** "Como salido de la tienda", "wie frisch vom Juwelier". */
function joinFromShop({ tokens, at }: Place): Phrase | undefined {
  let isOut = false;
  for (let index = at + 1; index <= at + SHOP_GAP_MAX; index += 1) {
    const token = tokens[index];
    if (token?.kind !== "letters") return undefined;
    if (isA(token, "shop")) return isOut ? said(at, index + 1, "LIKE_NEW") : undefined;
    isOut ||= isA(token, "out");
  }
  return undefined;
}

const STATE_OPENERS = classSet("state", "good", "very");
const STATE_BETWEEN = classSet("been", "very", "the", "a", "own", "with", "and");
const STATE_WORDS_MAX = 7;

/** "Hervorragender Zustand", "condizioni generali molto buone", "state: good", "Zustand 9/10". */
function joinState({ tokens, at }: Place): Phrase | undefined {
  let hasState = false;
  let hasGood = false;
  let to = at;
  for (let index = at; index < at + STATE_WORDS_MAX; index += 1) {
    const token = tokens[index];
    const score = hasState ? scoreAt(tokens, index) : undefined;
    if (score !== undefined) return said(at, score.to, score.condition);
    if (isA(token, "state")) hasState = true;
    else if (isA(token, "good")) hasGood = true;
    else if (isOneOf(token, STATE_BETWEEN) || isSign(token, ":")) continue;
    else break;
    to = index + 1;
  }
  return hasState && hasGood ? said(at, to, "USED") : undefined;
}

/** From here on a watch looks new: 98 %, 9.8 of 10. */
const LIKE_NEW_MIN = 9.8;

/** "9/10", "9,5 / 10", "95%" behind a word for the state. */
function scoreAt(
  tokens: readonly Token[],
  at: number,
): { to: number; condition: Condition } | undefined {
  if (tokens[at]?.kind !== "digits") return undefined;
  const isDecimal = isSign(tokens[at + 1], ".,") && tokens[at + 2]?.kind === "digits";
  const to = isDecimal ? at + 3 : at + 1;
  const score = Number(`${tokens[at]?.word}.${isDecimal ? tokens[at + 2]?.word : 0}`);
  if (isSign(tokens[to], "/") && tokens[to + 1]?.word === "10" && score >= 5 && score <= 10)
    return { to: to + 2, condition: score >= LIKE_NEW_MIN ? "LIKE_NEW" : "USED" };
  if (isSign(tokens[to], "%") && score >= 50 && score < 100)
    return { to: to + 1, condition: score >= LIKE_NEW_MIN * 10 ? "LIKE_NEW" : "USED" };
  return undefined;
}

/** Words between a service and its year, as in "revisione effettuata da Rolex nel 2023". */
const SERVICE_GAP_MAX = 4;

/** "Revision 2023", "service done": the watch has been worn. "Needs a service" and "service papers" say nothing. */
function joinService({ tokens, at }: Place): Phrase | undefined {
  if (isA(tokens[at - 1], "not_done", "no", "not")) return undefined;
  if (isA(tokens[at + 1], "service_paper")) return undefined;
  for (let index = at + 1; index <= at + SERVICE_GAP_MAX; index += 1) {
    const token = tokens[index];
    if (isA(token, "done")) return said(at, index + 1, "USED");
    if (token?.kind === "digits" && /^20[012]\d$/.test(token.word)) return said(at, at + 1, "USED");
    if (token?.kind !== "letters" && !isSign(token, "/.-")) return undefined;
  }
  return undefined;
}

/** Words between "new" and a part, as in "new black Rolex rubber strap". */
const NEW_GAP_MAX = 3;

/** "New strap", "new style", "correa nueva": the word is about something else than the watch. */
export function joinNewThing(place: Place, phrase: Phrase): Phrase | undefined {
  const { tokens, phrases, at, next } = place;
  if (phrase.meaning.kind !== "condition" || phrase.meaning.condition !== "NEW") return undefined;
  if (at > 0 && isA(tokens[at - 1], "colour_behind"))
    return { from: at, to: phrase.to, meaning: IGNORED };
  let index = next + 1;
  const isCard =
    isPiece(phrases[index]) && phrases[index]?.from === phrase.to && !isOfWatch(place, phrase);
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

/** "Jam baru kartu 2026": in these languages "new" is behind its noun, and the card has its own year. */
function isOfWatch({ tokens, phrases, next }: Place, { from }: Phrase): boolean {
  const card = phrases[next + 1];
  return isA(tokens[from], "behind_noun") && tokens[card?.to ?? 0]?.kind === "digits";
}

function isAdjective({ meaning }: Phrase): boolean {
  if (meaning.kind === "cue") return meaning.cue === "metal";
  return meaning.kind === "dial" || meaning.kind === "brand" || meaning.kind === "bracelet";
}

function isPiece(phrase: Phrase | undefined): boolean {
  const meaning = phrase?.meaning;
  return meaning?.kind === "cue" && (meaning.cue === "box" || meaning.cue === "card");
}
