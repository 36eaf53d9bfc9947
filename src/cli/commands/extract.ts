import { once } from "node:events";
import { StringDecoder } from "node:string_decoder";
import { parseArgs } from "node:util";
import { OperatorError } from "../../base/errors.ts";
import type { Catalogue } from "../../listings/extraction/catalogue/catalogue.ts";
import { extract } from "../../listings/extraction/extract.ts";
import { loadCatalogue } from "../../listings/load-catalogue.ts";
import type { Command, Terminal } from "../command.ts";
import { explainExtraction, parseMessage, toExtractionBody } from "../extract-message.ts";

export const extractCommand: Command = {
  summary: "extracts watch listings from messages on standard input",
  help: `Extracts watch listings from messages. Reads one JSON object per line from standard input and writes one per line to
standard output, in the same order. Nothing is stored.

Usage: assay extract [--explain] [--catalogue FILE] < messages.jsonl

  in   {"text", "sender_country"?, "message_date"?, "default_currency"?}
  out  {"side"?, "message_type", "listings": [...], "rejections": [...]}

message_date is an ISO day or month, sender_country is the calling code in digits, default_currency is a code such as EUR.
For a line that cannot be read, the output has {"error": ...}, standard error has a message, and the exit code is 1.

  --explain         prints a readable page: which words gave which field, where they are, and what was left out
  --catalogue FILE  JSON with your own brands, references and words, added to the built-in catalogue

Example:
  echo '{"text":"WTS 124060 N3/26, complete, HKD 93k","message_date":"2026-04-02"}' | assay extract
`,
  async run(args, terminal) {
    const { values } = parseArgs({
      args: [...args],
      options: { explain: { type: "boolean" }, catalogue: { type: "string" } },
    });
    const catalogue = await loadCatalogue(values.catalogue);
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

/** A message has at most 65,536 characters. Escaped as JSON and with its other members, it stays below this. */
const LINE_MAX = 1_048_576;

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

/** Yields the lines of a stream. Keeps only the start of a line that is too long, so that the caller can reject it. */
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
