/** The addresses that the service answers with the console. A test compares them with `CONSOLE_PAGES` of the service. */
export const PATHS = [
  "/",
  "/market",
  "/references",
  "/references/:reference",
  "/listings/:listing_id",
  "/dealers",
  "/dealers/:contact_id",
  "/deals",
  "/alerts",
  "/alerts/:alert_id",
  "/operations",
  "/settings",
  "/start",
] as const;
export type Path = (typeof PATHS)[number];
export type Parameters = Readonly<Record<string, string>>;

export function isConsolePath(path: string): boolean {
  return PATHS.some((pattern) => matchPath(pattern, path) !== undefined);
}

/** The decoded parameters if the path has this shape: `/listings/:listing_id` and `/listings/7` give `{listing_id: "7"}`. */
export function matchPath(pattern: string, path: string): Parameters | undefined {
  const wanted = pattern.split("/");
  const segments = path.split("/");
  if (wanted.length !== segments.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const segment = segments[at] ?? "";
    if (!part.startsWith(":")) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decode(segment);
    if (value === undefined || value === "") return undefined;
    found[part.slice(1)] = value;
  }
  return found;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
