import { once } from "node:events";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { parseArgs } from "node:util";
import { OperatorError } from "../../base/errors.ts";
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import { extract } from "../../extraction/extract.ts";
import type { ExtractionInput } from "../../extraction/extraction.ts";
import { loadCatalogue } from "../../listings/dealer-catalogue.ts";
import { type Label, parseLabel } from "../../listings/label.ts";
import {
  type Finding,
  scoreMessage,
  type Tally,
  tallyFindings,
} from "../../listings/label-score.ts";
import { parseLabelText } from "../../listings/label-text.ts";
import { type Command, explainRead, formatTable, type Terminal, UsageError } from "../command.ts";
import {
  explainExtraction,
  parseInput,
  parseMessage,
  parseObject,
  toExtractionBody,
} from "../extract-message.ts";

/** A message has at most 65,536 characters. Escaped as JSON and with its other members, it stays below this. */
const LINE_MAX = 1_048_576;

export const extractCommand: Command = {
  summary: "extracts watch listings from messages on standard input",
  help: `Extracts watch listings from messages. Reads one JSON object per line from standard input and writes one per line to
standard output, in the same order. Nothing is stored.

Usage:
  assay extract [--explain] [--catalogue FILE] < messages.jsonl
  assay extract --score FILE [--misses] [--json] [--catalogue FILE]

  in   {"text", "sender_country"?, "message_date"?, "default_currency"?}
  out  {"side"?, "message_type", "listings": [...], "rejections": [...]}

message_date is an ISO day or month, sender_country is the calling code in digits, default_currency is a code such as EUR.
For a line that cannot be read, the output has {"error": ...}, standard error has a message, and the exit code is 1.

  --explain         prints a readable page: which words gave which field, where they are, and what was left out
  --catalogue FILE  JSON with your own brands, references and words, added to the built-in catalogue
  --score FILE      compares the reading with labels, field by field; - for standard input. FILE has one {"input", "expected"}
                    per line, as \`assay corrections export\` writes it, or is a .txt file of messages, each with its watches
                    below it (docs/extraction.md). Prints a table, and then one line of JSON
  --misses          prints each wrong value before the table, one JSON object per line
  --json            prints no table

Examples:
  assay corrections export > labels.jsonl && assay extract --score labels.jsonl
  echo '{"text":"WTS 124060 N3/26, complete, HKD 93k","message_date":"2026-04-02"}' | assay extract
`,
  async run(args, terminal) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        explain: { type: "boolean" },
        catalogue: { type: "string" },
        score: { type: "string" },
        misses: { type: "boolean" },
        json: { type: "boolean" },
      },
    });
    if (values.score === undefined && (values.misses ?? values.json) !== undefined)
      throw new UsageError("--misses and --json need --score FILE");
    if (values.score !== undefined && values.explain !== undefined)
      throw new UsageError("use either --score or --explain");
    const catalogue = await loadCatalogue(values.catalogue);
    if (values.score !== undefined)
      return scoreMessages(terminal, readLabels(terminal, values.score), {
        catalogue,
        showsMisses: values.misses === true,
        showsTable: values.json !== true,
      });
    const toAnswer = (line: string): string => answer(line, catalogue, values.explain === true);
    return await answerLines(terminal, toAnswer);
  },
};

function answer(line: string, catalogue: Catalogue, isExplained: boolean): string {
  const input = parseMessage(line);
  const extraction = extract(input, catalogue);
  return isExplained
    ? explainExtraction(input.text, extraction)
    : JSON.stringify(toExtractionBody(extraction));
}

/** Writes one answer per line, in order. Holds at most one line and one chunk in memory. */
async function answerLines(
  terminal: Terminal,
  toAnswer: (line: string) => string,
): Promise<number> {
  let lineNumber = 0;
  let exitCode = 0;
  for await (const line of splitLines(terminal.in)) {
    lineNumber += 1;
    if (line === "") continue;
    let text: string;
    try {
      if (line.length > LINE_MAX) throw new OperatorError(`longer than ${LINE_MAX} characters`);
      text = toAnswer(line);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      const message = `line ${lineNumber}: ${error.message}`;
      terminal.err.write(`assay extract: ${message}\n`);
      text = JSON.stringify({ error: message });
      exitCode = 1;
    }
    if (!terminal.out.write(`${text}\n`)) await once(terminal.out, "drain");
  }
  return exitCode;
}

interface ScoreOptions {
  readonly catalogue: Catalogue;
  readonly showsMisses: boolean;
  readonly showsTable: boolean;
}

interface LabelledInput {
  /** Where the message starts in its file, from 1. */
  readonly line: number;
  readonly input: ExtractionInput;
  readonly expected: Label;
}

async function scoreMessages(
  terminal: Terminal,
  labels: AsyncIterable<LabelledInput>,
  options: ScoreOptions,
): Promise<number> {
  const findings: Finding[] = [];
  let messages = 0;
  for await (const { line, input, expected } of labels) {
    const found = scoreMessage(expected, extract(input, options.catalogue));
    messages += 1;
    findings.push(...found);
    if (options.showsMisses) terminal.out.write(describeMisses({ line, text: input.text }, found));
  }
  const tallies = tallyFindings(findings);
  if (options.showsTable) terminal.out.write(toTable(tallies));
  const fields = Object.fromEntries(
    [...tallies].map(([field, tally]) => [field, { ...tally, share: shareOf(tally) }]),
  );
  terminal.out.write(`${JSON.stringify({ messages, fields })}\n`);
  return 0;
}

/** The labels of a file, in order. A line that cannot be read ends the command: a score of a part would mislead. */
async function* readLabels(terminal: Terminal, file: string): AsyncGenerator<LabelledInput> {
  if (file.endsWith(".txt")) {
    const text = await readFile(file, "utf8").catch((error) => {
      throw explainRead(file, error);
    });
    for (const { line, input, expected } of parseLabelText(text))
      yield { line, input: parseInput({ ...input }), expected };
    return;
  }
  let lineNumber = 0;
  for await (const line of readLines(terminal, file)) {
    lineNumber += 1;
    if (line !== "") yield { line: lineNumber, ...parseLabelLine(line, lineNumber) };
  }
}

function parseLabelLine(line: string, lineNumber: number): Omit<LabelledInput, "line"> {
  try {
    if (line.length > LINE_MAX) throw new OperatorError(`longer than ${LINE_MAX} characters`);
    const { input, expected } = parseObject(line);
    return { input: parseInput(toMembers(input)), expected: parseLabel(expected) };
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

/** The lines of a file, or of standard input for `-`. */
async function* readLines(terminal: Terminal, file: string): AsyncGenerator<string> {
  try {
    yield* splitLines(file === "-" ? terminal.in : createReadStream(file));
  } catch (error) {
    throw explainRead(file, error);
  }
}

/**
 * Yields the lines of a stream, trimmed, and holds at most one line and one chunk in memory. Keeps only the start of a line
 * that is too long, so that the caller can reject it.
 */
async function* splitLines(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of input) {
    const lines = (typeof chunk === "string" ? chunk : decoder.write(chunk)).split("\n");
    for (const [index, piece] of lines.entries()) {
      if (rest.length <= LINE_MAX) rest += piece;
      if (index === lines.length - 1) break;
      yield rest.trim();
      rest = "";
    }
  }
  rest += decoder.end();
  if (rest.trim() !== "") yield rest.trim();
}
