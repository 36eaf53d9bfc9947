/**
 * A browser sends its cookies with requests that any page makes, so a request with the console's cookie must come from the
 * console itself. Browsers say where a request comes from, and no page can change these headers.
 *
 * `Sec-Fetch-Site` is sent to https and to this machine only. Elsewhere, `Origin` must be the address that was asked, or
 * ASSAY_PUBLIC_URL, because a proxy may pass on another Host. A GET changes nothing and may come from the address bar; other
 * sites, and other ports of this host, may not make one.
 */
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../base/errors.ts";

const OPENED_BY_CONSOLE_OR_PERSON: ReadonlySet<unknown> = new Set([
  undefined,
  "same-origin",
  "none",
]);

/** Returns the error if a request with the cookie was not made by the console. */
export function findForgery(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  publicUrl: string | undefined,
): AppError | undefined {
  const site = headers["sec-fetch-site"];
  const isOurs =
    method === "GET"
      ? OPENED_BY_CONSOLE_OR_PERSON.has(site)
      : site === "same-origin" || (site === undefined && isOwnOrigin(headers, publicUrl));
  if (isOurs) return undefined;
  return new AppError(
    "forbidden",
    "the console's cookie works only for requests that the console itself makes; programs send Authorization: Bearer <token>",
  );
}

function isOwnOrigin(
  { origin, host }: IncomingHttpHeaders,
  publicUrl: string | undefined,
): boolean {
  const address = toUrl(origin);
  if (address === undefined || address.origin !== origin) return false;
  return address.host === host?.toLowerCase() || address.origin === toUrl(publicUrl)?.origin;
}

/** Returns true if the cookie may be sent over https only. A request tells its scheme by its origin. */
export function isHttps({ origin }: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  return [origin, publicUrl].some((text) => toUrl(text)?.protocol === "https:");
}

function toUrl(text: string | undefined): URL | undefined {
  if (text === undefined || !/^https?:\/\//.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    // An address that cannot be read is that of another site.
    return undefined;
  }
}
