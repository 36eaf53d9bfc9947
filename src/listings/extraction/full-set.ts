import type { Part } from "./anchors.ts";
import type { FullSetStatus } from "./extraction.ts";
import type { Mark } from "./lexicon.ts";
import { within } from "./span.ts";

export interface SetReading {
  readonly status: FullSetStatus;
  readonly part: Part;
  readonly mark: Mark;
}

/** What comes with the watch. A missing box beats "full set"; alternatives ("full set or only watch") say nothing. */
export function readFullSet(parts: readonly Part[]): {
  readonly reading?: SetReading;
  readonly isOpen: boolean;
} {
  const found: SetReading[] = [];
  const pieces: SetReading[] = [];
  const answers: Answer[] = [];
  for (const part of parts) {
    const marks = within(part.reading.line.marks, part);
    for (const [index, mark] of marks.entries()) {
      if (isSaleSign(part, mark)) continue;
      if (mark.meaning.kind === "set") {
        if (isAlternative(marks, index)) return { isOpen: true };
        found.push({ status: mark.meaning.set, part, mark });
      }
      const piece = pieceOf(marks, index);
      if (piece === undefined) continue;
      const answer = answerBehind(part, mark);
      if (answer !== undefined) answers.push({ status: piece, part, mark, isThere: answer });
      else pieces.push({ status: piece, part, mark });
    }
  }
  const reading = choose(found) ?? fromAnswers(answers) ?? fromPieces(pieces);
  return { isOpen: false, ...(reading === undefined ? {} : { reading }) };
}

interface Answer extends SetReading {
  readonly isThere: boolean;
}

/** "Box: yes", "papers - no". */
function answerBehind(part: Part, mark: Mark): boolean | undefined {
  const { tokens } = part.reading.line;
  const at = /^[:-]$/.test(tokens[mark.to]?.word ?? "") ? mark.to + 1 : mark.to;
  const word = tokens[at]?.word ?? "";
  if (/^(yes|ja|oui|si|available)$/.test(word)) return true;
  // "Papers no box" goes on with the next piece.
  const isAnswer = at > mark.to || tokens[at + 1] === undefined;
  return isAnswer && /^(no|nein|nee|non|none|missing)$/.test(word) ? false : undefined;
}

function fromAnswers(answers: readonly Answer[]): SetReading | undefined {
  const box = answers.find(({ status }) => status === "WATCH_AND_BOX");
  const card = answers.find(({ status }) => status === "WATCH_AND_CARD");
  const first = answers[0];
  if (first === undefined) return undefined;
  const [hasBox, hasCard] = [box?.isThere === true, card?.isThere === true];
  if (hasBox && hasCard) return { ...first, status: "FULL_SET" };
  if (hasBox || hasCard) return { ...first, status: hasBox ? "WATCH_AND_BOX" : "WATCH_AND_CARD" };
  return box !== undefined && card !== undefined ? { ...first, status: "WATCH" } : undefined;
}

/** "FS" opens a line for "for sale" and stands inside it for "full set". */
function isSaleSign(part: Part, mark: Mark): boolean {
  const { tokens } = part.reading.line;
  return (
    tokens[mark.from]?.word === "fs" &&
    tokens.slice(0, mark.from).every((token) => token.kind === "mark")
  );
}

function choose(found: readonly SetReading[]): SetReading | undefined {
  const of = (status: FullSetStatus): SetReading | undefined =>
    found.find((reading) => reading.status === status);
  const first = found[0];
  if (first === undefined) return undefined;
  const missing = found.find(({ part, mark }) => isMissing(part, mark));
  // "Full set, no box" is watch and card; "no box, no papers" is the watch alone.
  if (missing !== undefined && found.length > 1) {
    const other = found.find(
      (reading) => isMissing(reading.part, reading.mark) && reading.status !== missing.status,
    );
    return other === undefined ? missing : { ...missing, status: "WATCH" };
  }
  return of("WATCH") ?? of("FULL_SET") ?? first;
}

function isMissing(part: Part, mark: Mark): boolean {
  const words = part.reading.line.tokens.slice(mark.from, mark.to).map((token) => token.word);
  return words.some((word) => MISSING.has(word));
}

const MISSING: ReadonlySet<string> = new Set(
  "no without ohne zonder sans senza sin missing minus less but except".split(" "),
);

/** "With Italian papers", "inner and outer box, warranty card": pieces that are named one by one. */
function pieceOf(marks: readonly Mark[], index: number): FullSetStatus | undefined {
  const mark = marks[index];
  if (mark?.meaning.kind !== "cue") return undefined;
  const { cue } = mark.meaning;
  if (cue !== "box" && cue !== "card") return undefined;
  const before = marks[index - 1];
  if (
    before?.meaning.kind === "cue" &&
    before.meaning.cue === "without" &&
    mark.from - before.to <= 1
  )
    return undefined;
  return cue === "box" ? "WATCH_AND_BOX" : "WATCH_AND_CARD";
}

function fromPieces(pieces: readonly SetReading[]): SetReading | undefined {
  const box = pieces.find(({ status }) => status === "WATCH_AND_BOX");
  const card = pieces.find(({ status }) => status === "WATCH_AND_CARD");
  if (box !== undefined && card !== undefined) return { ...card, status: "FULL_SET" };
  // A card's year or a paper's origin says nothing; that the watch comes with it does.
  const given = pieces.find(({ part, mark }) => isGiven(part, mark));
  return given;
}

/** "With Italian papers", "w/ 2014 card": so many tokens may stand between. */
const WITH_GAP_MAX = 3;

/** "with", or a word for it, shortly before the piece. */
function isGiven(part: Part, mark: Mark): boolean {
  const { tokens } = part.reading.line;
  for (let at = mark.from - 1; at >= part.from && at >= mark.from - WITH_GAP_MAX; at -= 1) {
    if (WITH.has(tokens[at]?.word ?? "")) return true;
  }
  return /^(included|inklusive|inclusa|incluida)$/.test(tokens[mark.to]?.word ?? "");
}

const WITH: ReadonlySet<string> = new Set("with w mit met avec con incl including".split(" "));

function isAlternative(marks: readonly Mark[], index: number): boolean {
  const [mark, joint, other] = [marks[index], marks[index + 1], marks[index + 2]];
  if (mark?.meaning.kind !== "set" || other?.meaning.kind !== "set") return false;
  if (joint?.meaning.kind !== "cue" || joint.meaning.cue !== "or") return false;
  return mark.meaning.set !== other.meaning.set;
}
