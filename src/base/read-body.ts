/**
 * Reads the body of a response of `fetch` while it arrives. Returns undefined once it has more than `bytesMax` bytes, whatever its
 * headers say, and reads no more of it.
 */
export async function readBody(
  { body }: Pick<Response, "body">,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
