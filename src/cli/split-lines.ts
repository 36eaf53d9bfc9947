import { StringDecoder } from "node:string_decoder";

/** A message has at most 65,536 characters. Escaped as JSON and with its other members, it stays below this. */
export const LINE_MAX = 1_048_576;

/**
 * Yields the lines of a stream, trimmed, and holds at most one line and one chunk in memory. Keeps only the start of a line
 * that is too long, so that the caller can reject it.
 */
export async function* splitLines(input: NodeJS.ReadableStream): AsyncGenerator<string> {
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
