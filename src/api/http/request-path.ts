/** The path of a request as the router sees it: without scheme, host and query, and decoded. */
export function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
  try {
    return decodeURIComponent(path);
  } catch {
    // It cannot be decoded, so no route has it; as it is written it still says whether it lies below /v2.
    return path;
  }
}
