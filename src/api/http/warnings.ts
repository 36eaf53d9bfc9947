import type { FastifyReply } from "fastify";

const WARNINGS_MAX = 20;
const WARNING_LENGTH_MAX = 200;

/**
 * Names what a write kept but will not use. In the header, warnings are separated by `; `. In each of them `%`, `;` and
 * everything but printable ASCII is percent-encoded as UTF-8, so text of the caller can neither end the header nor add one.
 */
export function sendWarnings(reply: FastifyReply, warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  const restCount = warnings.length - WARNINGS_MAX;
  const shown = warnings.slice(0, WARNINGS_MAX).map(encodeWarning);
  const rest = restCount > 0 ? [`and ${restCount} more`] : [];
  reply.header("x-assay-warnings", [...shown, ...rest].join("; "));
}

function encodeWarning(warning: string): string {
  return warning
    .slice(0, WARNING_LENGTH_MAX)
    .replace(/[^\x20-\x24\x26-\x3a\x3c-\x7e]/gu, (letter) =>
      [...Buffer.from(letter)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
        .join(""),
    );
}
