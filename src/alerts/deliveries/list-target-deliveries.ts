import { isUuid } from "../../base/ids.ts";
import type { Database } from "../../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../db/page.ts";
import { type Delivery, listTargetDeliveries } from "./delivery-overview-store.ts";

/** One page of the deliveries of a target, newest first. */
export async function listDeliveryPage(
  db: Database,
  targetId: string,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly items: readonly Delivery[]; readonly next_cursor?: string }> {
  const digest = toQueryDigest(["deliveries", targetId.toLowerCase()]);
  const after = page.cursor === undefined ? undefined : parseCursor(page.cursor, digest, toPlace);
  // One row more than the page holds shows whether there is a next page.
  const rows = await listTargetDeliveries(db, targetId, { after, limit: page.limit + 1 });
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  if (rows.length === items.length || last === undefined) return { items };
  return { items, next_cursor: toCursor(digest, [last.created_at_ms, last.id]) };
}

function toPlace([createdAtMs, id]: readonly unknown[]) {
  if (!Number.isSafeInteger(createdAtMs) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { createdAtMs: createdAtMs as number, id };
}
