import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { type SenderOptions, startSender } from "../../src/alerts/deliveries/send-deliveries.ts";
import { describeListings } from "../../src/api/v2/market/listing-body.ts";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { insertRows } from "./insert.ts";
import { createTestClock, NOW_MS } from "./test-app.ts";

export const KEY = Buffer.from("a key of twenty-four byt");
const SECRET = `whsec_${KEY.toString("base64")}`;

/** A sender on a test database. `wake` makes it look for work at once. */
export function send(t: TestContext, pool: DatabasePool, options: Partial<SenderOptions> = {}) {
  let wake: () => void = () => undefined;
  const sender = startSender({
    db: pool,
    clock: createTestClock(),
    feed: {
      isLive: () => true,
      subscribe: (_topic, onChange) => {
        wake = onChange;
      },
      close: async () => undefined,
    },
    log: createLogger("silent"),
    metrics: createMetrics(),
    describeListings,
    isPrivateAllowed: true,
    ...options,
  });
  t.after(() => sender.stop());
  return { stop: () => sender.stop(), wake: () => wake() };
}

/** A target of the kind `standard`, unless `columns` say otherwise. */
export async function aTarget(
  db: Database,
  url: string | null,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const id = randomUUID();
  const row = {
    id,
    name: id,
    url,
    secret: SECRET,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
    ...columns,
  };
  await db.execute(insertRows("webhook_target", [row]));
  return id;
}

export async function countBy(db: Database, status: string): Promise<number> {
  const rows = await db.query(sql`select from webhook_delivery where status = ${status}`);
  return rows.length;
}
