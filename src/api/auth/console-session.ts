/**
 * The cookie of a browser that is signed in, and who may send it.
 *
 * A browser sends its cookies with requests that any page makes, so a request with the console's cookie must come from the
 * console itself. Browsers say where a request comes from, and no page can change these headers. `Sec-Fetch-Site` is sent to
 * https and to this machine only. Elsewhere, `Origin` must be the address that was asked, or ASSAY_PUBLIC_URL, because a proxy
 * may pass on another Host. A GET changes nothing and may come from the address bar; other sites, and other ports of this host,
 * may not make one.
 */
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../base/errors.ts";
import type { Buckets } from "../../base/shares/bucket.ts";
import { isLoopbackName } from "../http/request-frame.ts";

const COOKIE_START = "assay_";
/** With it, browsers take the cookie only over https and from this very host: another host of the domain cannot set it. */
const HOST_PREFIX = "__Host-";
const NAME_DIGITS = 8;

const OPENED_BY_CONSOLE_OR_PERSON: ReadonlySet<unknown> = new Set([
  undefined,
  "same-origin",
  "none",
]);

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\w*\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|HeadlessChrome|Chromium|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** The code is in the fragment, which browsers send to no server, so it reaches no log and no proxy. */
export function toConsoleLink(url: string, code: string): string {
  return `${url.replace(/\/+$/, "")}/#open=${code}`;
}

/** Cookies are not separated by port, so two stores on one host need two names. */
export function toCookieName(storeId: string): string {
  return COOKIE_START + storeId.replaceAll("-", "").slice(0, NAME_DIGITS);
}

/**
 * The secret of the session. Where people open Assay over https, a cookie without the prefix is not one of ours, except on the machine
 * itself, which is reached without the proxy.
 */
export function findSessionSecret(
  { cookie, host }: IncomingHttpHeaders,
  {
    cookieName,
    publicUrl,
  }: { readonly cookieName: string; readonly publicUrl: string | undefined },
): string | undefined {
  const secret = findCookie(cookie, HOST_PREFIX + cookieName);
  const isOverHttps = toUrl(publicUrl)?.protocol === "https:" && !isLocal(`http://${host}`);
  if (secret !== undefined || isOverHttps) return secret;
  return findCookie(cookie, cookieName);
}

/** The value of the first cookie with this name. */
function findCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  return header
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}

/** The text of `Set-Cookie`. An empty value with the age 0 deletes the cookie. */
export function toSetCookie(cookie: {
  readonly name: string;
  readonly value: string;
  readonly maxAgeMs: number;
  readonly isSecure: boolean;
}): string {
  const maxAge = Math.max(0, Math.floor(cookie.maxAgeMs / 1000));
  const text = `${cookie.name}=${cookie.value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Strict`;
  return cookie.isSecure ? `${HOST_PREFIX}${text}; Secure` : text;
}

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

/**
 * Returns true if the cookie may be sent over https only. A request tells its scheme by its origin. A browser on this machine may open
 * http although others come over https.
 */
export function isHttps({ origin }: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  if (toUrl(origin)?.protocol === "http:" && isLocal(origin)) return false;
  return [origin, publicUrl].some((text) => toUrl(text)?.protocol === "https:");
}

/** Counts a session that is about to be made, or a link to one. */
export function takeSession(limit: Buckets, tokenId: string): void {
  const waitSeconds = limit.take(tokenId);
  if (waitSeconds === undefined) return;
  const message = `too many sign-ins and links of this token; try again in ${waitSeconds} s`;
  throw new AppError("rate_limited", message, undefined, waitSeconds);
}

/** A few words by which people recognise a browser in a list. Nothing else of the header is stored. */
export function toBrowserLabel(userAgent: string | undefined): string {
  const find = (names: typeof BROWSERS) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined && system === undefined) return "a browser";
  return system === undefined ? `${browser}` : `${browser ?? "browser"} on ${system}`;
}

function isOwnOrigin(
  { origin, host }: IncomingHttpHeaders,
  publicUrl: string | undefined,
): boolean {
  const address = toUrl(origin);
  if (address === undefined || address.origin !== origin) return false;
  return address.host === host?.toLowerCase() || address.origin === toUrl(publicUrl)?.origin;
}

function isLocal(url: string | undefined): boolean {
  const address = toUrl(url);
  return address !== undefined && isLoopbackName(address.hostname);
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
