import type { FieldSource, FullSetStatus } from "../extraction.ts";
import { type LinePart, quotePhrase } from "../lines/line-reading.ts";
import { isForSaleAbbreviation } from "../lines/sides.ts";
import { isSign, lastUntil, within } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { isA } from "../words/words.ts";
import { addEvidence, type ListingDraft, readOwnFirst } from "./listing-draft.ts";

interface SetReading {
  readonly status: FullSetStatus;
  readonly part: LinePart;
  readonly phrase: PhraseMatch;
}

export function fillFullSet(draft: ListingDraft): void {
  let found = readOwnFirst(draft.segment, readFullSet);
  let source: FieldSource = "explicit";
  for (const part of draft.inherited) {
    if (found !== undefined) break;
    found = readFullSet([part]);
    source = "section";
  }
  if (found === undefined) return;
  draft.fields.fullSetStatus = [found.status];
  addEvidence(draft, "fullSetStatus", quotePhrase(found.part, found.phrase), source);
}

/**
 * Returns what comes with the watch, if the text states it. Phrases such as "full set" count first, then answers
 * ("box: yes"), then single pieces ("box", "card"). A missing box beats "full set". Alternatives state
 * nothing ("full set or only watch").
 */
function readFullSet(parts: readonly LinePart[]): SetReading | undefined {
  if (!parts.some(namesSet)) return undefined;
  const found: SetReading[] = [];
  const pieces: SetReading[] = [];
  const answers: YesNoAnswer[] = [];
  for (const part of parts) {
    const phrases = within(part.reading.line.phrases, part);
    for (const [index, phrase] of phrases.entries()) {
      if (isForSaleAbbreviation(part.reading.line, phrase)) continue;
      if (phrase.meaning.kind === "set") {
        if (isAlternative(phrases, index)) return undefined;
        found.push({ status: phrase.meaning.set, part, phrase });
      }
      const piece = pieceOf(phrase);
      if (piece === undefined) continue;
      const answer = answerAfter(part, phrase);
      if (answer !== undefined) answers.push({ status: piece, part, phrase, isIncluded: answer });
      else pieces.push({ status: piece, part, phrase });
    }
  }
  return chooseStatus(found, pieces) ?? fromAnswers(answers, pieces) ?? fromPieces(pieces);
}

/** Most lines say nothing about box and papers. */
function namesSet({ reading }: LinePart): boolean {
  return reading.line.phrases.some(
    (phrase) => phrase.meaning.kind === "set" || pieceOf(phrase) !== undefined,
  );
}

interface YesNoAnswer extends SetReading {
  readonly isIncluded: boolean;
}

/** "Box: yes", "papers - no": returns the answer, or undefined if there is none. */
function answerAfter(part: LinePart, phrase: PhraseMatch): boolean | undefined {
  const { tokens } = part.reading.line;
  const at = isSign(tokens[phrase.to], ":-") ? phrase.to + 1 : phrase.to;
  if (isA(tokens[at], "yes")) return true;
  // In "papers no box" the "no" belongs to the box.
  const isAnswer = at > phrase.to || tokens[at + 1] === undefined;
  return isAnswer && isA(tokens[at], "no", "missing") ? false : undefined;
}

function fromAnswers(
  answers: readonly YesNoAnswer[],
  pieces: readonly SetReading[],
): SetReading | undefined {
  const all = [...answers, ...pieces.map((piece) => ({ ...piece, isIncluded: true }))];
  const box = all.find(({ status }) => status === "WATCH_AND_BOX");
  const card = all.find(({ status }) => status === "WATCH_AND_CARD");
  const first = answers[0];
  if (first === undefined) return undefined;
  const [hasBox, hasCard] = [box?.isIncluded === true, card?.isIncluded === true];
  if (hasBox && hasCard) return { ...first, status: "FULL_SET" };
  if (hasBox || hasCard) return { ...first, status: hasBox ? "WATCH_AND_BOX" : "WATCH_AND_CARD" };
  return box !== undefined && card !== undefined ? { ...first, status: "WATCH" } : undefined;
}

/** "Full set, no box" is watch and card. "No box, no papers" is the watch alone. "No papers, box 1990" has a box. */
function chooseStatus(
  found: readonly SetReading[],
  pieces: readonly SetReading[],
): SetReading | undefined {
  const [first] = found;
  if (first === undefined) return undefined;
  const watchOnly = findStatus(found, "WATCH");
  if (watchOnly !== undefined) return watchOnly;
  const full = findStatus(found, "FULL_SET");
  const box = found.find((reading) => lacks(reading, "box"));
  const card = found.find((reading) => lacks(reading, "card"));
  if (box !== undefined && card !== undefined) return { ...box, status: "WATCH" };
  if (box !== undefined) return box;
  const withBox = findStatus(found, "WATCH_AND_BOX");
  if (card !== undefined) return { ...card, status: "WATCH_AND_BOX" };
  if (full !== undefined) return full;
  // "Card 2023, with box".
  const hasCard = pieces.some(({ status }) => status === "WATCH_AND_CARD");
  return withBox !== undefined && hasCard ? { ...withBox, status: "FULL_SET" } : first;
}

function findStatus(found: readonly SetReading[], status: FullSetStatus): SetReading | undefined {
  return found.find((reading) => reading.status === status && missingOf(reading) === undefined);
}

function missingOf({ phrase }: SetReading): "box" | "card" | "both" | undefined {
  return phrase.meaning.kind === "set" ? phrase.meaning.missing : undefined;
}

function lacks(reading: SetReading, piece: "box" | "card"): boolean {
  const missing = missingOf(reading);
  return missing === piece || missing === "both";
}

/** Returns the status of a single named piece: "papers", "inner and outer box". */
function pieceOf({ meaning }: PhraseMatch): FullSetStatus | undefined {
  if (meaning.kind !== "cue") return undefined;
  if (meaning.cue === "box") return "WATCH_AND_BOX";
  return meaning.cue === "card" ? "WATCH_AND_CARD" : undefined;
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

/** Returns true if "with", or "watch" and a joint, is shortly before the piece. */
function isStatedAsIncluded(part: LinePart, phrase: PhraseMatch): boolean {
  const { tokens } = part.reading.line;
  if (isBarePapers(part, phrase)) return true;
  let isJoined = false;
  for (let at = phrase.from - 1; at >= part.from && at >= phrase.from - WITH_GAP_MAX; at -= 1) {
    const token = tokens[at];
    if (isA(token, "with") || (isA(token, "watch") && isJoined)) return true;
    isJoined ||= isSign(token, "+,&/") || isA(token, "and");
  }
  return false;
}

/** "5711 used papers 590k", "1998 papers": papers right behind a condition or an ask, or beside their year. */
function isBarePapers({ reading }: LinePart, phrase: PhraseMatch): boolean {
  const { line, prices, dates } = reading;
  if (!isA(line.tokens[phrase.from], "set_piece") || phrase.to > phrase.from + 1) return false;
  if (dates.some(({ from, to }) => to === phrase.from || from === phrase.to)) return true;
  if (line.ends[phrase.from]?.meaning.kind === "condition") return true;
  return lastUntil(prices, phrase.from)?.to === phrase.from;
}

function isAlternative(phrases: readonly PhraseMatch[], index: number): boolean {
  const [phrase, joint, other] = [phrases[index], phrases[index + 1], phrases[index + 2]];
  if (phrase?.meaning.kind !== "set" || other?.meaning.kind !== "set") return false;
  if (joint?.meaning.kind !== "cue" || joint.meaning.cue !== "or") return false;
  return phrase.meaning.set !== other.meaning.set;
}
