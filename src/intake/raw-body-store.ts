import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { RawEvent } from "./raw-event-store.ts";

/** How many bytes of bodies a page has, unless its first body alone is larger. */
const PAGE_BYTES_MAX = 8 * 1024 * 1024;

export async function findLastRawEvent(db: Database): Promise<number> {
  const [row] = await db.query<{ last: number | null }>(sql`select max(id) as last from raw_event`);
  return row?.last ?? 0;
}

/** Events with a body, in the order of their ids: at least one, unless there are no more. */
export async function listBodies(
  db: Database,
  page: { readonly afterId: number; readonly lastId: number; readonly limit: number },
): Promise<readonly Pick<RawEvent, "id" | "gateway" | "body">[]> {
  return db.query<Pick<RawEvent, "id" | "gateway" | "body">>(sql`
    with page as materialized (
      select id, octet_length(body) as bytes
        from raw_event
       where id > ${page.afterId} and id <= ${page.lastId} and body is not null
       order by id
       limit ${page.limit}
    )
    select raw_event.id, raw_event.gateway, raw_event.body
      from (select id, bytes, sum(bytes) over (order by id) as total_bytes from page) as measured
      join raw_event using (id)
     where total_bytes <= ${PAGE_BYTES_MAX} or total_bytes = bytes
     order by raw_event.id`);
}

/** The key of the event stays the hash of what came, so the same bytes are still a repeat. */
export async function replaceBodies(
  tx: Database,
  events: readonly { readonly id: number; readonly body: Buffer | null }[],
): Promise<void> {
  const sorted = events.toSorted((left, right) => left.id - right.id);
  for (const { id, body } of sorted) {
    await tx.execute(sql`update raw_event set body = ${body} where id = ${id}`);
  }
}
