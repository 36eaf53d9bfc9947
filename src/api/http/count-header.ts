import type { IncomingMessage } from "node:http";

/** How often a request has a header. Node keeps only the first of most headers, so only the raw list tells. */
export function countHeader(
  { rawHeaders }: Pick<IncomingMessage, "rawHeaders">,
  wanted: string,
): number {
  let count = 0;
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}
