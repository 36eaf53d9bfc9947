/** Which minor version of PostgreSQL runs, and whether it has security holes that a newer one has not. */
import { assert } from "../base/errors.ts";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * For each major version the first minor one without known holes, from https://www.postgresql.org/support/security/ and the release
 * notes of that day. docs/operations.md (Its version) says how to bring it up to date.
 */
export const SAFE_MINORS: {
  readonly checkedOn: string;
  readonly minors: Readonly<Record<number, number>>;
} = { checkedOn: "2026-11-13", minors: { 15: 20, 16: 16, 17: 12, 18: 7 } };

interface ServerAge {
  /** Such as `18.7`. */
  readonly version: string;
  /** What is wrong with this version, in one sentence without its remedy. */
  readonly problem?: string;
}

/** Asks the server each time: a fail-over can lead to another version. */
export async function findServerAge(db: Database): Promise<ServerAge> {
  const [row] = await db.query<{ number: number }>(sql`
    select current_setting('server_version_num')::int as number`);
  assert(row !== undefined, "the query returns one row");
  return toServerAge(row.number);
}

/** From `server_version_num`, such as 180007. A major version that is newer than the table has no problem. */
export function toServerAge(
  number: number,
  { checkedOn, minors }: typeof SAFE_MINORS = SAFE_MINORS,
): ServerAge {
  const [major, minor] = [Math.floor(number / 10_000), number % 10_000];
  const version = `${major}.${minor}`;
  const safe = minors[major];
  if (safe === undefined || minor >= safe) return { version };
  return {
    version,
    problem: `PostgreSQL ${version} has known security holes; ${major}.${safe} had none on ${checkedOn}`,
  };
}

/** What an operator can do about an old version. */
export function describeUpdate(isEmbedded: boolean): string {
  return isEmbedded
    ? "install a newer PostgreSQL of this major version and set ASSAY_POSTGRES_BIN (docs/operations.md, Its version)"
    : "update the server";
}
