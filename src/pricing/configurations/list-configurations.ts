import { AppError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import { normalizeReference } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../db/page.ts";
import type { CellStatus } from "../cells/cell.ts";
import {
  type ConfigurationQuery,
  type ConfigurationRow,
  countConfigurations,
  listConfigurationRows,
} from "./configuration-store.ts";

interface ConfigurationSearch {
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

interface ConfigurationPage {
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
  const digest = toQueryDigest(query);
  const afterKey = search.cursor === undefined ? "" : parseCursor(search.cursor, digest, toKey);
  // One row more than the page holds shows whether there is a next page.
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
      ? { nextCursor: toCursor(digest, [last.configuration_key]) }
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

/** A null character cannot be compared in PostgreSQL, and no key has one. */
function toKey([key]: readonly unknown[]): string | undefined {
  return typeof key === "string" && !key.includes("\u0000") ? key : undefined;
}
