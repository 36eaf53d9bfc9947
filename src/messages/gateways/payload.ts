import { createHash, randomUUID } from "node:crypto";
import type { HeardFact } from "../gateway-event.ts";

/** Reads JSON from outside. A value that is missing or has another type is undefined. */
export type Json = Readonly<Record<string, unknown>>;

export function toObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the object that a body is; undefined if it is none, or has more parts than an event has. */
export function parseObject(body: Uint8Array): Json | undefined {
  if (hasTooManyParts(body)) return undefined;
  try {
    return toObject(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
  } catch {
    // Not UTF-8 or not JSON. The caller quarantines it.
    return undefined;
  }
}

/** Returns why `parseObject` found none. */
export function whyNoObject(body: Uint8Array): "too_many_parts" | "not_json" {
  return hasTooManyParts(body) ? "too_many_parts" : "not_json";
}

/** More than any honest event has: a group of 5,000 members in the words of any engine has 150,000. */
export const PARTS_MAX = 200_000;
/** A message in all its wrappers, with what it quotes, has less than 50. */
const DEPTH_MAX = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What a byte outside of a text means: how much deeper it leads, and whether a part begins there. */
const PARTS = toTable({ "{": 1, "[": 1, ",": 1, ":": 1 });
const STEPS = toTable({ "{": 1, "[": 1, "}": -1, "]": -1 });

function toTable(values: Readonly<Record<string, number>>): Int8Array {
  const table = new Int8Array(256);
  for (const [char, value] of Object.entries(values)) table[char.charCodeAt(0)] = value;
  return table;
}

/**
 * Returns true if some JSON has so many parts, or is nested so deeply, that reading it would hold up everything else. A part is an object,
 * an array, a member or an element. It looks at each byte once and keeps nothing, so a megabyte takes some milliseconds, whatever it has.
 * In what is no JSON it may count anything: the parser stops at the first byte that is wrong, and up to there the count is right.
 */
function hasTooManyParts(body: Uint8Array): boolean {
  let partCount = 0;
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (byte === QUOTE) {
      at = endOfText(body, at);
      continue;
    }
    partCount += PARTS[byte] as number;
    depth += STEPS[byte] as number;
    if (partCount > PARTS_MAX || depth > DEPTH_MAX) return true;
  }
  return false;
}

/** The place of the quote that ends the text that begins at `start`. */
function endOfText(body: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Returns the value at a path of names. Uses own properties only, so that `__proto__` is safe. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((current, name) => {
    const object = toObject(current);
    return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
  }, value);
}

/** Returns the text at the path, or undefined if it is empty. */
export function textAt(value: unknown, ...names: readonly string[]): string | undefined {
  const found = at(value, ...names);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** A larger number is in milliseconds, a smaller one in seconds. */
const MS_FROM = 100_000_000_000;
/** WhatsApp started in 2009. Times before that, or a century later, are invalid. */
const TIME_MIN_MS = Date.UTC(2009, 0, 1);
const TIME_MAX_MS = Date.UTC(2109, 0, 1);

/** Returns a time in whole milliseconds. Gateways send seconds or milliseconds. */
export function timeAt(value: unknown, ...names: readonly string[]): number | undefined {
  const found = Number(at(value, ...names) ?? Number.NaN);
  const ms = Math.floor(found > MS_FROM ? found : found * 1000);
  return ms >= TIME_MIN_MS && ms < TIME_MAX_MS ? ms : undefined;
}

/**
 * What is left of a body whose sender was erased. `assay_erased` says that nothing else is to be read in it, and `assay_heard` has
 * what readers need so that groups and sessions stay as they are.
 */
export function isErased(root: unknown): boolean {
  return at(root, "assay_erased") === true;
}

/** Why a body is no event, so that nobody knows what it has. */
const UNREADABLE = ["not_json", "not_an_event", "too_many_parts"] as const;
export type Unreadable = (typeof UNREADABLE)[number];

/** What is stored in the place of such a body, so that its quarantine has the reason. The hash keeps apart what differs. */
export function writeUnreadable(reason: Unreadable, body: Uint8Array): Buffer {
  const sha256 = createHash("sha256").update(body).digest("hex");
  return Buffer.from(JSON.stringify({ assay_unreadable: reason, sha256 }));
}

export function readUnreadable(root: unknown): Unreadable | undefined {
  const reason = textAt(root, "assay_unreadable");
  return UNREADABLE.find((known) => known === reason);
}

export function readHeard(root: unknown): readonly HeardFact[] {
  return toList(at(root, "assay_heard")).map((item) => {
    const group = textAt(item, "group");
    const session = textAt(item, "session");
    const sentAtMs = timeAt(item, "sentAtMs");
    const ignoredAs = textAt(item, "ignoredAs");
    return {
      kind: "heard",
      ...(ignoredAs === undefined ? {} : { ignoredAs }),
      ...(group === undefined ? {} : { group }),
      ...(session === undefined ? {} : { session }),
      ...(sentAtMs === undefined ? {} : { sentAtMs }),
    };
  });
}

/** Returns the members that a rewritten body gets. */
export function writeHeard(heard: readonly HeardFact[]): object {
  return heard.length === 0 ? {} : { assay_heard: heard.map(({ kind: _, ...item }) => item) };
}

/** JSON that can be printed again with every number as it was written. */
interface ExactJson {
  /** A number that JavaScript would print in another way is a text here, which only `print` understands. */
  readonly value: unknown;
  print(value: unknown): string;
}

const NUMBER = /-?\d[\d.eE+-]*/g;

/**
 * Parses valid JSON, of which parts are to be printed again. `JSON.parse` alone changes integers above 2^53, which engines use as
 * ids.
 *
 * Example: `{"id": 12345678901234567891}` is parsed as if it was `{"id": "<mark> 12345678901234567891"}`.
 */
export function parseExactly(text: string): ExactJson {
  // Random, so no text of a dealer can be taken for a number.
  const mark = randomUUID();
  const toMarked = (literal: string) =>
    String(Number(literal)) === literal ? literal : `"${mark} ${literal}"`;
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const quote = text.indexOf('"', start);
    const end = quote === -1 ? text.length : quote;
    parts.push(text.slice(start, end).replace(NUMBER, toMarked));
    start = quote === -1 ? end : endOfString(text, quote);
    parts.push(text.slice(end, start));
  }
  const marked = new RegExp(`"${mark} ([^"]*)"`, "g");
  return {
    value: JSON.parse(parts.join("")),
    print: (value) => JSON.stringify(value).replace(marked, "$1"),
  };
}

/** Returns where the string that begins at `start` ends. A quote after an odd number of backslashes is part of it. */
function endOfString(text: string, start: number): number {
  let quote = start;
  let slashCount: number;
  do {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) return text.length;
    slashCount = 0;
    while (text[quote - 1 - slashCount] === "\\") slashCount += 1;
  } while (slashCount % 2 === 1);
  return quote + 1;
}
