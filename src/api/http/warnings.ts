import type { FastifyReply } from "fastify";

/** A proxy often takes 4 kB for all headers of a response, and drops the response if they are longer. */
const BYTES_MAX = 2_000;
const WARNING_BYTES_MAX = 300;

/**
 * Names what a write kept but will not use. In the header, warnings are separated by `; `. In each of them `%`, `;` and
 * everything but printable ASCII is percent-encoded as UTF-8, so text of the caller can neither end the header nor add one.
 */
export function sendWarnings(reply: FastifyReply, warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  const shown: string[] = [];
  let byteCount = 0;
  for (const warning of warnings.map(encodeWarning)) {
    byteCount += warning.length + 2;
    if (byteCount > BYTES_MAX) break;
    shown.push(warning);
  }
  const restCount = warnings.length - shown.length;
  if (restCount > 0) shown.push(`and ${restCount} more`);
  reply.header("x-assay-warnings", shown.join("; "));
}

function encodeWarning(warning: string): string {
  let encoded = "";
  for (const letter of warning) {
    const next = encodeLetter(letter);
    if (encoded.length + next.length > WARNING_BYTES_MAX) return `${encoded}...`;
    encoded += next;
  }
  return encoded;
}

function encodeLetter(letter: string): string {
  if (/[\x20-\x24\x26-\x3a\x3c-\x7e]/.test(letter)) return letter;
  return [...Buffer.from(letter)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
