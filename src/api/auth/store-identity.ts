import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** Returns the id of this store, which stays the same for as long as the store exists. */
export async function ensureStoreId(db: Database): Promise<string> {
  const find = () => db.query<{ id: string }>(sql`select id from store_identity limit 1`);
  const [stored] = await find();
  if (stored !== undefined) return stored.id;
  await db.execute(sql`insert into store_identity default values on conflict do nothing`);
  const [added] = await find();
  return added?.id ?? "";
}
