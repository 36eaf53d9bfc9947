import { OperatorError } from "../base/errors.ts";

/** Where something stands: names of members and numbers of list items. */
export type Path = readonly (string | number)[];

/** One thing that is wrong in a manifest. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly member: string;
  readonly text: string;
  /** What may have been meant; worked out for the problems that are shown only, because it costs. */
  readonly hint?: () => string;
  /** Said about something that was told of already. */
  readonly isEcho?: boolean;
}

const SHOWN_MAX = 200;

/** All that is wrong, at once; nothing was applied. */
export class ManifestError extends OperatorError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const sorted = problems
      .filter(({ isEcho }) => isEcho !== true)
      .toSorted((left, right) => compare(left.file, right.file) || left.line - right.line);
    const count = sorted.length === 1 ? "1 problem" : `${sorted.length} problems`;
    const lines = sorted.slice(0, SHOWN_MAX).map((problem) => hideSecrets(formatProblem(problem)));
    const rest = sorted.length > SHOWN_MAX ? [`… and ${sorted.length - SHOWN_MAX} more`] : [];
    super([`${count}; nothing was applied`, ...lines, ...rest].join("\n"));
    this.name = "ManifestError";
    this.problems = sorted;
  }
}

/** `market.yaml:12: alerts[3].filters.year.gte: must be integer`. */
export function formatProblem({ file, line, member, text, hint }: Problem): string {
  return `${file}:${line}: ${member === "" ? "" : `${member}: `}${text}${hint?.() ?? ""}`;
}

/** `alerts[3].filters.year`. */
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

/** `; did you mean "reference"?` if a known word is near enough to be the one that was meant, else nothing. */
export function suggest(word: string, known: readonly string[]): string {
  const folded = word.toLowerCase();
  const [best] = known
    .map((name) => ({ name, distance: nearness(folded, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((left, right) => left.distance - right.distance || compare(left.name, right.name));
  return best === undefined ? "" : `; did you mean "${best.name}"?`;
}

const WORD_LENGTH_MAX = 60;
const START_LENGTH_MIN = 3;

/** A word that the other one begins with is as near as one with a wrong letter. */
function nearness(left: string, right: string): number {
  const [short = "", long = ""] = [left, right].sort((a, b) => a.length - b.length);
  if (short.length >= START_LENGTH_MIN && long.startsWith(short)) return left === right ? 0 : 1;
  return distanceBetween(left, right);
}

/** How many letters must be put in, left out, exchanged, or swapped with their neighbour. */
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

/** A secret that stands in the wrong place, because a colon is missing, is shown neither. */
function hideSecrets(text: string): string {
  return text.replace(/whsec_\S+/g, "whsec_…");
}
