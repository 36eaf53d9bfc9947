import { OperatorError } from "../base/errors.ts";

/** Where something stands: names of members and numbers of list items. */
export type Path = readonly (string | number)[];

/** One thing that is wrong in a manifest. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly member: string;
  readonly text: string;
}

/** All that is wrong, at once; nothing was applied. */
export class ManifestError extends OperatorError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const sorted = problems.toSorted(
      (left, right) => compare(left.file, right.file) || left.line - right.line,
    );
    const count = sorted.length === 1 ? "1 problem" : `${sorted.length} problems`;
    super(`${count}; nothing was applied\n${sorted.map(formatProblem).join("\n")}`);
    this.name = "ManifestError";
    this.problems = sorted;
  }
}

/** `market.yaml:12: alerts[3].filters.year.gte: must be integer`. */
export function formatProblem({ file, line, member, text }: Problem): string {
  return `${file}:${line}: ${member === "" ? "" : `${member}: `}${text}`;
}

/** `alerts[3].filters.year`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

/** `; did you mean "reference"?` if a known word is near enough to be the one that was meant, else nothing. */
export function suggest(word: string, known: readonly string[]): string {
  const folded = word.toLowerCase();
  const [best] = known
    .map((name) => ({ name, distance: distanceBetween(folded, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((left, right) => left.distance - right.distance || compare(left.name, right.name));
  return best === undefined ? "" : `; did you mean "${best.name}"?`;
}

const WORD_LENGTH_MAX = 60;

/** How many letters must be put in, left out or exchanged (Levenshtein). */
function distanceBetween(left: string, right: string): number {
  if (left.length > WORD_LENGTH_MAX) return WORD_LENGTH_MAX;
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1];
    for (const [column, other] of [...right].entries()) {
      const exchanged = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(exchanged, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
