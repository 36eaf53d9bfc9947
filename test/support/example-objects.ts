import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EXAMPLE_IDS } from "../../src/api/http/openapi-examples.ts";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { groupIdOf } from "../../src/messages/message.ts";
import { addToken, NOW_MS } from "./test-app.ts";

const GROUP = "120363000000000009@g.us";
/** Not declared in the demo's manifest, so the API may change it. */
export const EXAMPLE_GROUP_ID = groupIdOf(GROUP);

/** What the examples name and the demo does not have: a token, a group, an event that could not be read. */
export async function addExampleObjects(db: DatabasePool): Promise<void> {
  await addToken(db, { isReadOnly: true });
  await db.execute(sql`update api_token set last_used_at_ms = ${NOW_MS}`);
  await db.execute(sql`
    update api_token set id = ${EXAMPLE_IDS.tokens}, created_at_ms = ${NOW_MS - DAY_MS} where is_read_only`);
  await db.execute(sql`
    insert into market_group (id, gateway_group_id, gateway_name, named_at_ms)
    values (${EXAMPLE_GROUP_ID}, ${GROUP}, 'Chatter', ${NOW_MS})`);
  await db.execute(sql`
    insert into raw_event (id, sha256, gateway, origin, body, received_at_ms) overriding system value
    values (1000000, sha256('{}'), 'waha', 'webhook', '{}', ${NOW_MS - HOUR_MS})`);
  await db.execute(sql`
    insert into quarantined_event (raw_event_id, reason, quarantined_at_ms)
    values (1000000, 'the event has no payload', ${NOW_MS - HOUR_MS})`);
}

/** A delivery that was given up, of a match of the alert of the examples to the target that an example has created. */
export async function addExampleDelivery(db: Database): Promise<void> {
  await db.execute(sql`
    insert into webhook_delivery (id, target_id, alert_id, resource, resource_id, status, attempt_count, next_attempt_at_ms,
                                  last_result, created_at_ms, finished_at_ms)
    select ${EXAMPLE_IDS.deliveries}, ${EXAMPLE_IDS["webhook-targets"]}, alert_id, resource, resource_id, 'dead', 12,
           ${NOW_MS - HOUR_MS}, '503', ${NOW_MS - DAY_MS}, ${NOW_MS - HOUR_MS}
      from alert_match
     where alert_id = ${EXAMPLE_IDS.alerts}
     order by matched_at_ms desc, resource_id
     limit 1`);
}

/** While `run` runs, the target of the examples is a server on this machine, so that no test contacts another host. */
export async function withExampleTarget<Answer>(
  db: Database,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const server = createServer((_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/topic`;
  const [target] = await db.query<{ url: string }>(sql`
    select url from webhook_target where id = ${EXAMPLE_IDS["webhook-targets"]}`);
  const setUrl = (url: string | undefined) =>
    db.execute(
      sql`update webhook_target set url = ${url} where id = ${EXAMPLE_IDS["webhook-targets"]}`,
    );
  await setUrl(local);
  try {
    return await run();
  } finally {
    await setUrl(target?.url);
    server.closeAllConnections();
    server.close();
  }
}
