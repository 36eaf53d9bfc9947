import { closeSync, createReadStream, openSync, readFileSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { OperatorError } from "../base/errors.ts";
import { readZipFile } from "../base/read-zip.ts";
import { readWaha } from "../messages/gateways/waha.ts";
import type { Terminal } from "./command.ts";

/** An export has at most 40,000 messages. */
const CHAT_BYTES_MAX = 256 * 1024 * 1024;
const LINE_BYTES_MAX = 16 * 1024 * 1024;
/** So many lines are read in search of the first webhook body. */
const HEAD_LINES_MAX = 1_000;

/** Returns the lines of a file of webhook bodies. Throws if it is another kind of file. */
export async function openWebhookBodies(
  terminal: Terminal,
  file: string,
): Promise<AsyncIterable<Uint8Array>> {
  const lines = readLines(terminal, file);
  const head: Uint8Array[] = [];
  while (head.length < HEAD_LINES_MAX) {
    const next = await lines.next();
    if (next.done === true) break;
    head.push(next.value);
    if (isWebhookBody(next.value)) return chain(head, lines);
  }
  throw new OperatorError(
    `${file} is not a file of webhook bodies: none of its first ${head.length} lines is one. ` +
      "Each line must be one JSON object with event, session and payload",
  );
}

function isWebhookBody(body: Uint8Array): boolean {
  const reading = readWaha(body);
  return (
    reading.kind === "facts" || (reading.reason !== "not_json" && reading.reason !== "not_an_event")
  );
}

/** Returns the text of an exported chat, from a text file or the archive that WhatsApp makes. */
export async function readChatText(file: string): Promise<string> {
  try {
    return isZip(file) ? await readChatOfZip(file) : readFileSync(file, "utf8");
  } catch (error) {
    throw explainFile(file, error);
  }
}

function isZip(file: string): boolean {
  const handle = openSync(file, "r");
  try {
    const start = Buffer.alloc(4);
    readSync(handle, start, 0, 4, 0);
    return start.equals(Buffer.from("PK\u0003\u0004"));
  } finally {
    closeSync(handle);
  }
}

/** iOS names it `_chat.txt`, Android after the chat. A member may have sent other text files. */
async function readChatOfZip(file: string): Promise<string> {
  const choose = (names: readonly string[]) => {
    const texts = names.filter((name) => /^[^/]+\.txt$/i.test(name));
    return (
      texts.find((name) => name === "_chat.txt") ??
      texts.find((name) => /whatsapp/i.test(name)) ??
      texts[0]
    );
  };
  const chat = await readZipFile(file, { choose, bytesMax: CHAT_BYTES_MAX });
  if (chat === undefined) throw new OperatorError(`${file} contains no text file of a chat`);
  return chat.toString("utf8");
}

async function* chain(
  head: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* head;
  yield* rest;
}

async function* readLines(terminal: Terminal, file: string): AsyncGenerator<Uint8Array> {
  const input = file === "-" ? terminal.in : createReadStream(file);
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === "") continue;
      const body = Buffer.from(line);
      if (body.byteLength > LINE_BYTES_MAX) {
        throw new OperatorError("a line is longer than 16 MiB, so it is not a webhook body");
      }
      yield body;
    }
  } catch (error) {
    throw explainFile(file, error);
  }
}

function explainFile(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== "ENOENT" && code !== "EACCES" && code !== "EISDIR") return error;
  return new OperatorError(`cannot read ${file} (${code})`, error);
}
