import type { Database } from "./database.ts";
import { rawSql, type Sql, sql } from "./sql.ts";

const CURSOR = rawSql("rows_in_chunks");

/**
 * The rows of a query in chunks, so that only two chunks are in memory however large the result is: the server reads the
 * next one while the caller works on this one. One cursor at a time in a transaction. The driver's own cursors cannot share
 * a pipelined connection, so this one is made with SQL.
 */
export async function* readInChunks<Row>(
  tx: Database,
  question: Sql,
  chunkSize: number,
): AsyncGenerator<Row[], void, void> {
  const fetchChunk = () => tx.query<Row>(sql`fetch ${rawSql(String(chunkSize))} from ${CURSOR}`);
  // Sent together: one round trip for a small result.
  const [, first] = await Promise.all([
    tx.execute(sql`declare ${CURSOR} no scroll cursor for ${question}`),
    fetchChunk(),
  ]);
  let isFailed = false;
  try {
    for (let rows = first; rows.length > 0; ) {
      const next = rows.length < chunkSize ? Promise.resolve([]) : fetchChunk();
      // A caller that stops reading does not wait for it.
      next.catch(() => undefined);
      yield rows;
      rows = await next;
    }
  } catch (error) {
    isFailed = true;
    throw error;
  } finally {
    // Also if the caller stops reading. After an error the transaction is over, and the cursor with it.
    if (!isFailed) await tx.execute(sql`close ${CURSOR}`);
  }
}
