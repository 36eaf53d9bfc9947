import { hideSecrets } from "../alerts/deliveries/target.ts";
import { OperatorError } from "../base/errors.ts";

/** A place in a document: names of members and indexes of list items. */
export type Path = readonly (string | number)[];

/** One problem in a manifest. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly member: string;
  readonly text: string;
  /** Returns what the user may have meant. Called only for problems that are shown, because it is slow. */
  readonly hint?: () => string;
  /** True if another problem already covers it. It is not shown. */
  readonly isFollowUp?: boolean;
  /** The problems and notes that the API treats in its own way. */
  readonly reason?: "unknown_member" | "taken";
}

const SHOWN_MAX = 200;

/** Lists every problem of a manifest. Nothing was applied. */
export class ManifestError extends OperatorError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const sorted = problems
      .filter(({ isFollowUp }) => isFollowUp !== true)
      .toSorted((left, right) => compare(left.file, right.file) || left.line - right.line);
    const count = sorted.length === 1 ? "1 problem" : `${sorted.length} problems`;
    const lines = sorted.slice(0, SHOWN_MAX).map((problem) => hideSecrets(formatProblem(problem)));
    const rest = sorted.length > SHOWN_MAX ? [`… and ${sorted.length - SHOWN_MAX} more`] : [];
    super([`${count}; nothing was applied`, ...lines, ...rest].join("\n"));
    this.name = "ManifestError";
    this.problems = sorted;
  }
}

/** Returns for example `market.yaml:12: alerts[3].filters.year.gte: must be integer`. */
export function formatProblem({ file, line, member, text, hint }: Problem): string {
  return `${file}:${line}: ${member === "" ? "" : `${member}: `}${text}${hint?.() ?? ""}`;
}

/** Returns for example `market.yaml:12: alerts[3]`. */
export function formatPlace(problem: Problem): string {
  return formatProblem({ ...problem, text: "" }).replace(/: $/, "");
}

/** Returns for example `alerts[3].filters.year`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

export function withHint(
  problem: Problem,
  word: string,
  known: ReadonlyMap<string, unknown>,
): Problem {
  return { ...problem, hint: () => suggest(word, [...known.keys()]) };
}

/** Returns `; did you mean "reference"?` if a known word is similar enough, else an empty string. */
export function suggest(word: string, known: readonly string[]): string {
  const folded = word.toLowerCase();
  const [best] = known
    .filter((name) => isNearInLength(folded, name.toLowerCase()))
    .map((name) => ({ name, distance: wordDistance(folded, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= distanceMax(name))
    .toSorted((left, right) => left.distance - right.distance || compare(left.name, right.name));
  return best === undefined ? "" : `; did you mean "${best.name}"?`;
}

function distanceMax({ length }: string): number {
  return Math.max(1, Math.floor(length / 3));
}

/** The distance is at least the difference in length, except for a word that the other one starts with. */
function isNearInLength(word: string, name: string): boolean {
  const isNear = Math.abs(word.length - name.length) <= distanceMax(name);
  return isNear || word.startsWith(name) || name.startsWith(word);
}

const WORD_LENGTH_MAX = 60;
const START_LENGTH_MIN = 3;

/** Like `distanceBetween`, but counts a word that the other one starts with as one wrong letter. */
function wordDistance(left: string, right: string): number {
  const [short = "", long = ""] = [left, right].sort((a, b) => a.length - b.length);
  if (short.length >= START_LENGTH_MIN && long.startsWith(short)) return left === right ? 0 : 1;
  return distanceBetween(left, right);
}

/** Edit distance: the number of letters to insert, delete, replace, or swap with their neighbour. */
function distanceBetween(left: string, right: string): number {
  if (left.length > WORD_LENGTH_MAX) return WORD_LENGTH_MAX;
  let earlier: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let at = 0; at < left.length; at += 1) {
    const next = [at + 1];
    for (let column = 0; column < right.length; column += 1) {
      const exchanged = (row[column] ?? 0) + (left[at] === right[column] ? 0 : 1);
      const isSwapped = at > 0 && left[at] === right[column - 1] && left[at - 1] === right[column];
      const swapped = isSwapped ? (earlier[column - 1] ?? 0) + 1 : exchanged;
      next.push(Math.min(exchanged, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    earlier = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
