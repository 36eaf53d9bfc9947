import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import type { TestContext } from "node:test";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { until } from "./test-app.ts";
import { aMessageEvent } from "./waha.ts";

/** Clients that post events, and what the service acknowledged. */
export interface Load {
  /** Keys of the events that got 202. */
  readonly acknowledged: ReadonlySet<string>;
  /** How many requests got each status; 0 if the service did not answer. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Waits until this many more events are acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Posts events, each with a text of its own, until it is stopped. */
export function startLoad(
  t: TestContext,
  url: () => string,
  options: { readonly clients: number; readonly name: string },
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
  const acknowledged = new Set<string>();
  const statuses = new Map<number, number>();
  let isOver = false;
  t.after(() => {
    isOver = true;
  });
  const clients = Array.from({ length: options.clients }, async (_, client) => {
    for (let at = 0; !isOver; at += 1) {
      const rawId = `${options.name}x${client}x${at}`;
      const body = JSON.stringify(aMessageEvent({ rawId, text: `126610LN 2024 ${rawId}` }));
      const status = await post(`${url()}/v2/webhooks/waha`, body, agent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 202) acknowledged.add(createHash("sha256").update(body).digest("hex"));
      else await new Promise((settle) => setTimeout(settle, 20));
    }
  });
  return {
    acknowledged,
    statuses,
    more: (count) => {
      const enough = acknowledged.size + count;
      return until(() => acknowledged.size >= enough, 120_000);
    },
    stop: async () => {
      isOver = true;
      agent.destroy();
      await Promise.all(clients);
    },
  };
}

/** Returns how many acknowledged events the store does not have. */
export async function countLost(db: Database, acknowledged: ReadonlySet<string>): Promise<number> {
  const stored = await db.query<{ key: string }>(
    sql`select encode(sha256, 'hex') as key from raw_event`,
  );
  const keys = new Set(stored.map(({ key }) => key));
  return [...acknowledged].filter((key) => !keys.has(key)).length;
}

/** Returns 0 if the service does not answer. */
function post(url: string, body: string, agent: Agent): Promise<number> {
  return new Promise((settle) => {
    const call = request(url, {
      method: "POST",
      agent,
      headers: { "content-type": "application/json" },
    });
    call.on("response", (response) => {
      response.resume();
      response.on("end", () => settle(response.statusCode ?? 0));
      response.on("error", () => settle(0));
    });
    call.on("error", () => settle(0));
    call.end(body);
  });
}
