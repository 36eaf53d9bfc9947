/** The path of a request as the router sees it: without scheme, host and query, and decoded. */
export function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
  try {
    return decodeURIComponent(path);
  } catch {
    // No route matches a path that cannot be decoded. Undecoded, it still shows whether it is below /v2.
    return path;
  }
}

/** Everything below `/v2` and `/console` needs one, except the webhooks of gateways. The console's page is at other paths. */
export function needsToken(url: string): boolean {
  const path = url.startsWith("/v2/") && !url.includes("%") ? url : pathOf(url);
  if (isBelow(path, "/console")) return true;
  return isBelow(path, "/v2") && !path.startsWith("/v2/webhooks/");
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
