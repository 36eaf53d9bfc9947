import { OperatorError } from "../base/errors.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { extract } from "../extraction/extract.ts";
import { parseLabel } from "../listings/label.ts";
import { type Finding, scoreMessage, type Tally, tallyFindings } from "../listings/label-score.ts";
import type { Terminal } from "./command.ts";
import { parseInput, parseObject } from "./extract-message.ts";
import { LINE_MAX } from "./split-lines.ts";
import { formatTable } from "./table.ts";

interface ScoreOptions {
  readonly catalogue: Catalogue;
  readonly showsMisses: boolean;
  readonly showsTable: boolean;
}

/** Scores labelled messages. A line that cannot be read ends the command: a score of a part would mislead. */
export async function scoreLines(
  terminal: Terminal,
  lines: AsyncIterable<string>,
  options: ScoreOptions,
): Promise<number> {
  const findings: Finding[] = [];
  let lineNumber = 0;
  let messages = 0;
  for await (const line of lines) {
    lineNumber += 1;
    if (line === "") continue;
    const { text, found } = scoreLine(line, lineNumber, options.catalogue);
    messages += 1;
    findings.push(...found);
    if (options.showsMisses) terminal.out.write(describeMisses({ line: lineNumber, text }, found));
  }
  const tallies = tallyFindings(findings);
  if (options.showsTable) terminal.out.write(toTable(tallies));
  const fields = Object.fromEntries(
    [...tallies].map(([field, tally]) => [field, { ...tally, share: shareOf(tally) }]),
  );
  terminal.out.write(`${JSON.stringify({ messages, fields })}\n`);
  return 0;
}

function scoreLine(
  line: string,
  lineNumber: number,
  catalogue: Catalogue,
): { readonly text: string; readonly found: readonly Finding[] } {
  try {
    if (line.length > LINE_MAX) throw new OperatorError(`longer than ${LINE_MAX} characters`);
    const { input, expected } = parseObject(line);
    const message = parseInput(toMembers(input));
    return {
      text: message.text,
      found: scoreMessage(parseLabel(expected), extract(message, catalogue)),
    };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`line ${lineNumber}: ${error.message}`, error);
  }
}

function toMembers(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input === "object" && input !== null) return input as Record<string, unknown>;
  throw new OperatorError('"input" must be an object');
}

const TEXT_SHOWN_MAX = 160;

function describeMisses(
  { line, text }: { readonly line: number; readonly text: string },
  found: readonly Finding[],
): string {
  return found
    .filter(({ isRight }) => !isRight)
    .map(({ field, expected, read = null }) => {
      const miss = { line, field, expected, read, text: text.slice(0, TEXT_SHOWN_MAX) };
      return `${JSON.stringify(miss)}\n`;
    })
    .join("");
}

function toTable(tallies: ReadonlyMap<string, Tally>): string {
  const rows = [...tallies].map(([field, tally]) => [
    field,
    String(tally.right).padStart(6),
    String(tally.all).padStart(6),
    `${(100 * shareOf(tally)).toFixed(1)} %`.padStart(8),
  ]);
  return formatTable([["FIELD", " RIGHT", "   ALL", "   SHARE"], ...rows]);
}

function shareOf({ right, all }: Tally): number {
  return Number((right / all).toFixed(4));
}
