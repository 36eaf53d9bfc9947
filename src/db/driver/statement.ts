/** What goes to the driver and what comes back: statements with their values, and the values of rows. */
import pg from "pg";
import type { Sql } from "../sql.ts";

export interface StatementOptions {
  /**
   * False if the text of the statement depends on input, as a compiled filter does. Such a statement is not kept on the
   * server, where it would take memory for as long as the connection lives.
   */
  readonly isStatic?: boolean;
}

/** A statement as the driver takes it. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
  /** The server parses a named statement once for each connection. */
  readonly name?: string;
}

/** Far more than the program has. A guard against a statement that is marked static and is not. */
const NAMES_MAX = 2_000;
const names = new Map<string, string>();

export function toStatement(statement: Sql, { isStatic = true }: StatementOptions = {}): Statement {
  const { text, values } = statement;
  for (const value of values) checkValue(value, text);
  const name = isStatic ? nameOf(text) : undefined;
  return name === undefined ? { text, values } : { text, values, name };
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_MAX) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

// The driver would store undefined as null, and a value that it cannot serialise spoils the named statement on its
// connection for good. So both are refused before the driver sees them.
function checkValue(value: unknown, text: string): void {
  // Array.from also visits holes, which `some` would skip.
  const isBad = Array.isArray(value) ? Array.from(value).some(isUnbindable) : isUnbindable(value);
  if (isBad) throw new TypeError(`a value of this statement cannot be bound: ${text}`);
}

function isUnbindable(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
    case "bigint":
      return false;
    case "object":
      // An object would be ambiguous: JSON is bound as text, by JSON.stringify.
      return value !== null && !ArrayBuffer.isView(value);
    default:
      return true;
  }
}

const OID = {
  int8: 20,
  date: 1082,
  int8Array: 1016,
  dateArray: 1182,
  textArray: 1009,
  uuidArray: 2951,
};
const parseQuotedArray = pg.types.getTypeParser(OID.textArray as never) as (
  text: string,
) => (string | null)[];
/** The text of an array with an element that is quoted, null or itself an array. */
const QUOTED = /["\\]|.\{|null/is;

/** The driver reads arrays one character at a time. */
function parseTextArray(text: string): (string | null)[] {
  if (text === "{}") return [];
  return QUOTED.test(text) ? parseQuotedArray(text) : text.slice(1, -1).split(",");
}

type Parse = (text: string) => unknown;

const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [OID.int8, toSafeInteger],
  [
    OID.int8Array,
    (text) => parseTextArray(text).map((item) => (item === null ? null : toSafeInteger(item))),
  ],
  // The driver makes midnight in local time of a date.
  [OID.date, (text) => text],
  [OID.dateArray, parseTextArray],
  [OID.textArray, parseTextArray],
  [OID.uuidArray, parseTextArray],
]);

export function getTypeParser(oid: number, format?: "text" | "binary"): Parse {
  return PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format ?? "text") as Parse);
}

// Our bigints are milliseconds, minor units and counts: all far below 2^53.
function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("a bigint from the store is beyond 2^53");
  return value;
}
