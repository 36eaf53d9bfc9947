import { assert } from "../../base/assert.ts";
import { OperatorError } from "../../base/errors.ts";
import type { Database } from "../database.ts";
import { sql } from "../sql.ts";

const VERSION_MINIMUM = 150_000;

/** Refuses a server on which an acknowledged event could be lost, or that is too old for our SQL. */
export async function checkServer(
  db: Database,
  options: { readonly isUnsafeStoreAllowed: boolean },
): Promise<void> {
  const [row] = await db.query<{ version: number; encoding: string; unsafe: string[] }>(sql`
    select current_setting('server_version_num')::int as version,
           current_setting('server_encoding') as encoding,
           coalesce(array_agg(name order by name) filter (where setting = 'off'), '{}') as unsafe
      from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes')`);
  assert(row !== undefined, "an aggregate returns one row");
  if (row.version < VERSION_MINIMUM) {
    const major = Math.floor(row.version / 10_000);
    throw new OperatorError(`the server is PostgreSQL ${major}; Assay needs 15 or newer`);
  }
  if (row.encoding !== "UTF8") {
    throw new OperatorError(`the database's encoding is ${row.encoding}; Assay needs UTF8`);
  }
  if (row.unsafe.length > 0 && !options.isUnsafeStoreAllowed) {
    throw new OperatorError(
      `the server runs with ${row.unsafe.join(" and ")} off, so a power cut would lose acknowledged events; ` +
        "turn it on, or set ASSAY_ALLOW_UNSAFE_STORE=true if you accept that",
    );
  }
}
