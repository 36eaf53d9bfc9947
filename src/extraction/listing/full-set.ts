import type { FieldSource, FullSetStatus } from "../extraction.ts";
import { type LinePart, quotePhrase } from "../lines/line-reading.ts";
import { lastUntil, within } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import {
  addEvidence,
  type ListingDraft,
  NOTHING_SAID,
  readOwnFirst,
  type Statement,
} from "./listing-draft.ts";

interface SetReading {
  readonly status: FullSetStatus;
  readonly part: LinePart;
  readonly phrase: PhraseMatch;
}

export function fillFullSet(draft: ListingDraft): void {
  const own = readOwnFirst(draft.segment, readFullSet);
  if (own.isUndecided) return;
  let found = own.reading;
  let source: FieldSource = "explicit";
  for (const part of draft.inherited) {
    if (found !== undefined) break;
    found = readFullSet([part]).reading;
    source = "section";
  }
  if (found === undefined) return;
  draft.fields.fullSetStatus = [found.status];
  addEvidence(draft, "fullSetStatus", quotePhrase(found.part, found.phrase), source);
}

/**
 * Returns what comes with the watch, if the text states it. Phrases such as "full set" count first, then answers
 * ("box: yes"), then single pieces ("box", "card"). A missing box beats "full set". `isUndecided` is true for
 * alternatives ("full set or only watch").
 */
function readFullSet(parts: readonly LinePart[]): Statement<SetReading> {
  if (!parts.some(namesSet)) return NOTHING_SAID;
  const found: SetReading[] = [];
  const pieces: SetReading[] = [];
  const answers: YesNoAnswer[] = [];
  for (const part of parts) {
    const phrases = within(part.reading.line.phrases, part);
    for (const [index, phrase] of phrases.entries()) {
      if (isForSaleAbbreviation(part, phrase)) continue;
      if (phrase.meaning.kind === "set") {
        if (isAlternative(phrases, index)) return { reading: undefined, isUndecided: true };
        found.push({ status: phrase.meaning.set, part, phrase });
      }
      const piece = pieceAt(phrases, index);
      if (piece === undefined) continue;
      const answer = answerAfter(part, phrase);
      if (answer !== undefined) answers.push({ status: piece, part, phrase, isIncluded: answer });
      else pieces.push({ status: piece, part, phrase });
    }
  }
  const stated = chooseStatus(found);
  const reading =
    stated === undefined
      ? (fromAnswers(answers) ?? fromPieces(pieces))
      : withNextPiece(stated, pieces);
  return { reading, isUndecided: false };
}

/** Most lines say nothing about box and papers. */
function namesSet(part: LinePart): boolean {
  return part.reading.line.phrases.some(({ meaning }) =>
    meaning.kind === "cue"
      ? meaning.cue === "box" || meaning.cue === "card"
      : meaning.kind === "set",
  );
}

interface YesNoAnswer extends SetReading {
  readonly isIncluded: boolean;
}

/** "Box: yes", "papers - no": returns the answer, or undefined if there is none. */
function answerAfter(part: LinePart, phrase: PhraseMatch): boolean | undefined {
  const { tokens } = part.reading.line;
  const at = /^[:-]$/.test(tokens[phrase.to]?.word ?? "") ? phrase.to + 1 : phrase.to;
  const word = tokens[at]?.word ?? "";
  if (/^(yes|ja|oui|si|available)$/.test(word)) return true;
  // In "papers no box" the "no" belongs to the box.
  const isAnswer = at > phrase.to || tokens[at + 1] === undefined;
  return isAnswer && /^(no|nein|nee|non|none|missing)$/.test(word) ? false : undefined;
}

function fromAnswers(answers: readonly YesNoAnswer[]): SetReading | undefined {
  const box = answers.find(({ status }) => status === "WATCH_AND_BOX");
  const card = answers.find(({ status }) => status === "WATCH_AND_CARD");
  const first = answers[0];
  if (first === undefined) return undefined;
  const [hasBox, hasCard] = [box?.isIncluded === true, card?.isIncluded === true];
  if (hasBox && hasCard) return { ...first, status: "FULL_SET" };
  if (hasBox || hasCard) return { ...first, status: hasBox ? "WATCH_AND_BOX" : "WATCH_AND_CARD" };
  return box !== undefined && card !== undefined ? { ...first, status: "WATCH" } : undefined;
}

/** "FS" means "for sale" at the start of a line, and "full set" inside it or on a line of its own. */
function isForSaleAbbreviation(part: LinePart, phrase: PhraseMatch): boolean {
  const { tokens } = part.reading.line;
  return (
    tokens[phrase.from]?.word === "fs" &&
    tokens.slice(0, phrase.from).every((token) => token.kind === "symbol") &&
    tokens.slice(phrase.to).some((token) => token.kind !== "symbol")
  );
}

function chooseStatus(found: readonly SetReading[]): SetReading | undefined {
  const findStatus = (status: FullSetStatus): SetReading | undefined =>
    found.find((reading) => reading.status === status);
  const first = found[0];
  if (first === undefined) return undefined;
  const watchOnly = findStatus("WATCH");
  if (watchOnly !== undefined) return watchOnly;
  const missing = found.find(({ part, phrase }) => isMissing(part, phrase));
  // "Full set, no box" is watch and card. "No box, no papers" is the watch alone.
  if (missing !== undefined && found.length > 1) {
    const other = found.find(
      (reading) => isMissing(reading.part, reading.phrase) && reading.status !== missing.status,
    );
    return other === undefined ? missing : { ...missing, status: "WATCH" };
  }
  return findStatus("FULL_SET") ?? first;
}

/** "With box, papers", "avec boîte et ses papiers": the other piece follows at once, so the set is full. */
function withNextPiece(stated: SetReading, pieces: readonly SetReading[]): SetReading {
  const { status, part, phrase } = stated;
  const { tokens } = part.reading.line;
  if (status === "FULL_SET" || !/^(with|mit|met|avec|con)$/.test(tokens[phrase.from]?.word ?? ""))
    return stated;
  const isNext = (piece: SetReading): boolean =>
    piece.part === part &&
    piece.status !== status &&
    piece.phrase.from >= phrase.to &&
    piece.phrase.from - phrase.to <= NEXT_PIECE_GAP_MAX &&
    tokens.slice(phrase.to, piece.phrase.from).every(({ word }) => PIECE_JOINTS.test(word));
  return pieces.some(isNext) ? { ...stated, status: "FULL_SET" } : stated;
}

/** Tokens between two pieces of a set. */
const NEXT_PIECE_GAP_MAX = 3;
const PIECE_JOINTS = /^([,+&/]|and|the|und|den|en|de|et|ses|les|e|i|y|sus|los)$/;

function isMissing(part: LinePart, phrase: PhraseMatch): boolean {
  const words = part.reading.line.tokens.slice(phrase.from, phrase.to).map((token) => token.word);
  return words.some((word) => MISSING.has(word));
}

const MISSING: ReadonlySet<string> = new Set(
  "no without ohne zonder sans senza sin missing lost fehlt fehlen ontbreekt ontbreken manquante mancante falta faltan minus less but except".split(
    " ",
  ),
);

/** "With Italian papers", "inner and outer box, warranty card": returns the status of a single named piece. */
function pieceAt(phrases: readonly PhraseMatch[], index: number): FullSetStatus | undefined {
  const phrase = phrases[index];
  if (phrase?.meaning.kind !== "cue") return undefined;
  const { cue } = phrase.meaning;
  if (cue !== "box" && cue !== "card") return undefined;
  const before = phrases[index - 1];
  if (
    before?.meaning.kind === "cue" &&
    before.meaning.cue === "without" &&
    phrase.from - before.to <= 1
  )
    return undefined;
  return cue === "box" ? "WATCH_AND_BOX" : "WATCH_AND_CARD";
}

function fromPieces(pieces: readonly SetReading[]): SetReading | undefined {
  const box = pieces.find(({ status }) => status === "WATCH_AND_BOX");
  const card = pieces.find(({ status }) => status === "WATCH_AND_CARD");
  if (box !== undefined && card !== undefined) return { ...card, status: "FULL_SET" };
  // "2022 card" or "German papers" does not say that the watch comes with them. "With papers" does.
  return pieces.find(({ part, phrase }) => isStatedAsIncluded(part, phrase));
}

/** Tokens between "with" and the piece, as in "with Italian papers" or "w/ 2014 card". */
const WITH_GAP_MAX = 4;

/** Returns true if "with", or "watch" and a joint, is shortly before the piece, or "included" right after it. */
function isStatedAsIncluded(part: LinePart, phrase: PhraseMatch): boolean {
  const { tokens } = part.reading.line;
  if (isBarePapers(part, phrase)) return true;
  let isJoined = false;
  for (let at = phrase.from - 1; at >= part.from && at >= phrase.from - WITH_GAP_MAX; at -= 1) {
    const word = tokens[at]?.word ?? "";
    if (WITH.has(word) || (word === "watch" && isJoined)) return true;
    isJoined ||= /^(\+|,|&|\/|and|und|en|et|plus)$/.test(word);
  }
  return /^(included|inklusive|inclusa|incluida)$/.test(tokens[phrase.to]?.word ?? "");
}

/** "5711 used papers 590k": papers right behind a condition or an ask, with no year or country before them. */
function isBarePapers(part: LinePart, phrase: PhraseMatch): boolean {
  const { line, prices } = part.reading;
  if (line.tokens[phrase.from]?.word !== "papers" || phrase.to > phrase.from + 1) return false;
  const before = line.ends[phrase.from]?.meaning.kind;
  return before === "condition" || lastUntil(prices, phrase.from)?.to === phrase.from;
}

const WITH: ReadonlySet<string> = new Set("with w mit met avec con incl including".split(" "));

function isAlternative(phrases: readonly PhraseMatch[], index: number): boolean {
  const [phrase, joint, other] = [phrases[index], phrases[index + 1], phrases[index + 2]];
  if (phrase?.meaning.kind !== "set" || other?.meaning.kind !== "set") return false;
  if (joint?.meaning.kind !== "cue" || joint.meaning.cue !== "or") return false;
  return phrase.meaning.set !== other.meaning.set;
}
