import { createHash } from "node:crypto";
import { AppError } from "../base/errors.ts";
import { isUuid } from "../base/ids.ts";
import { normalizeReference } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import type { CellStatus } from "./configuration.ts";
import {
  type ConfigurationQuery,
  type ConfigurationRow,
  countConfigurations,
  listConfigurationRows,
} from "./configuration-store.ts";

export interface ConfigurationSearch {
  readonly brand?: string;
  readonly reference?: string;
  readonly status?: CellStatus;
  /** A profile's name or id. */
  readonly profile?: string;
  /** Words that must all occur in the key, label, brand, reference or summary. */
  readonly q?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export interface ConfigurationPage {
  readonly rows: readonly ConfigurationRow[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
  readonly total: number;
}

const WORDS_MAX = 8;

/** One page, ordered by key, and the total. */
export async function listConfigurations(
  db: Database,
  search: ConfigurationSearch,
): Promise<ConfigurationPage> {
  const query = toQuery(search);
  const digest = digestOf(query);
  const afterKey = search.cursor === undefined ? "" : parseCursor(search.cursor, digest);
  // One row more than requested shows whether there is a next page.
  const [rows, total] = await Promise.all([
    listConfigurationRows(db, query, { afterKey, limit: search.limit + 1 }),
    countConfigurations(db, query),
  ]);
  const shown = rows.slice(0, search.limit);
  const last = shown.at(-1);
  return {
    rows: shown,
    total,
    ...(rows.length > shown.length && last !== undefined
      ? { nextCursor: toCursor(last.configuration_key, digest) }
      : {}),
  };
}

function toQuery({
  brand,
  reference,
  status,
  profile,
  q,
}: ConfigurationSearch): ConfigurationQuery {
  const words = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length > WORDS_MAX) {
    throw new AppError("invalid_payload", `q: must not have more than ${WORDS_MAX} words`);
  }
  return {
    brandLower: brand?.toLowerCase() ?? null,
    reference: reference === undefined ? null : normalizeReference(reference),
    status: status ?? null,
    profile: profile === undefined ? null : isUuid(profile) ? profile.toLowerCase() : profile,
    words,
  };
}

/** A cursor contains the last key of a page and a digest of the query. It is not secret, and it is validated when it comes back. */
function toCursor(key: string, digest: string): string {
  return Buffer.from(JSON.stringify([digest, key])).toString("base64url");
}

function parseCursor(text: string, digest: string): string {
  const [ownDigest, key] = readArray(Buffer.from(text, "base64url").toString());
  if (typeof ownDigest !== "string" || typeof key !== "string" || key.includes("\u0000")) {
    throw new AppError("invalid_payload", "cursor: is not one that this list returned");
  }
  if (ownDigest !== digest) {
    throw new AppError("invalid_payload", "cursor: belongs to a list with other filters");
  }
  return key;
}

function readArray(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    // Text that is not JSON is not a cursor; the caller reports that.
    return [];
  }
}

function digestOf(query: ConfigurationQuery): string {
  return createHash("sha256").update(JSON.stringify(query)).digest("base64url").slice(0, 12);
}
