import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import type { TestContext } from "node:test";
import { createLogger } from "../../../src/base/log.ts";
import type { Database } from "../../../src/db/database.ts";
import { openEmbeddedServer } from "../../../src/db/embedded/server.ts";
import { openPool } from "../../../src/db/pool.ts";
import { sql } from "../../../src/db/sql.ts";
import { until } from "../test-app.ts";
import { aMessageEvent } from "../waha.ts";

/** Clients that post events, and what the service acknowledged. */
interface Load {
  /** Raw ids of the events that got 202, by the key of the event. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** How many requests got each status; 0 if the service did not answer. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Waits until this many more events are acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Posts events until it is stopped. One in five is sent twice, as gateways do. */
export function startLoad(
  t: TestContext,
  url: () => string,
  options: { readonly clients: number; readonly name: string },
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
  const acknowledged = new Map<string, string>();
  const statuses = new Map<number, number>();
  let isOver = false;
  t.after(() => {
    isOver = true;
  });
  const clients = Array.from({ length: options.clients }, async (_, client) => {
    for (let at = 0; !isOver; at += 1) {
      const rawId = `${options.name}x${client}x${at}`;
      const text = `126610LN 2024 €12,${100 + client}`;
      const body = JSON.stringify(aMessageEvent({ rawId, text }));
      for (let copy = 0; copy < (at % 5 === 0 ? 2 : 1); copy += 1) {
        const status = await post(`${url()}/v2/webhooks/waha`, body, agent);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 202)
          acknowledged.set(createHash("sha256").update(body).digest("hex"), rawId);
        else await new Promise((settle) => setTimeout(settle, 20));
      }
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
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

/** Returns how many acknowledged events the store does not have. */
export async function countLost(
  db: Database,
  acknowledged: ReadonlyMap<string, string>,
): Promise<number> {
  const stored = await db.query<{ key: string }>(
    sql`select encode(sha256, 'hex') as key from raw_event`,
  );
  const keys = new Set(stored.map(({ key }) => key));
  return [...acknowledged.keys()].filter((key) => !keys.has(key)).length;
}

/** As `countLost`, in the embedded store of a running service. */
export async function countLostIn(dataDir: string, { acknowledged }: Load): Promise<number> {
  const server = await openEmbeddedServer({ dataDir, log: createLogger("silent") });
  const pool = openPool({ url: server.url("assay"), name: "assay test" });
  const lost = await countLost(pool, acknowledged);
  await pool.end();
  await server.release();
  return lost;
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
