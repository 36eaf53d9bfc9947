import { parseCursor, toCursor, toQueryDigest } from "../../base/cursor.ts";
import { isUuid } from "../../base/ids.ts";
import { isStorableText } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import { type Delivery, listTargetDeliveries } from "./delivery-overview-store.ts";
import { listTargetObjects, type WebhookTarget } from "./webhook-target-store.ts";

interface Page {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly next_cursor?: string;
}

const TARGETS_DIGEST = toQueryDigest("webhook targets");

/** One page of the targets, by name. */
export async function listTargetPage(db: Database, page: Page): Promise<Listed<WebhookTarget>> {
  const afterName =
    page.cursor === undefined ? "" : parseCursor(page.cursor, TARGETS_DIGEST, toName);
  const rows = await listTargetObjects(db, { afterName, limit: page.limit + 1 });
  return toPage(rows, page.limit, ({ name }) => toCursor(TARGETS_DIGEST, [name]));
}

/** One page of the deliveries of a target, newest first. */
export async function listDeliveryPage(
  db: Database,
  targetId: string,
  page: Page,
): Promise<Listed<Delivery>> {
  const digest = toQueryDigest(["deliveries", targetId.toLowerCase()]);
  const after = page.cursor === undefined ? undefined : parseCursor(page.cursor, digest, toPlace);
  const rows = await listTargetDeliveries(db, targetId, { after, limit: page.limit + 1 });
  return toPage(rows, page.limit, ({ created_at_ms, id }) => toCursor(digest, [created_at_ms, id]));
}

/** `rows` has one more than the page holds if there is a next page. */
function toPage<Item>(
  rows: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): Listed<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length === items.length || last === undefined) return { items };
  return { items, next_cursor: cursorOf(last) };
}

function toName([name]: readonly unknown[]): string | undefined {
  return typeof name === "string" && isStorableText(name) ? name : undefined;
}

function toPlace([createdAtMs, id]: readonly unknown[]) {
  if (!Number.isSafeInteger(createdAtMs) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { createdAtMs: createdAtMs as number, id };
}
