import type { TestContext } from "node:test";
import { createLogger } from "../../../src/base/log.ts";
import { sql } from "../../../src/db/sql.ts";
import { newMemory, syncOnce } from "../../../src/messages/sync/sync-gateway.ts";
import { process } from "../drain.ts";
import { createTestClock, NOW_MS } from "../test-app.ts";
import { openTestDatabase } from "../test-database.ts";
import { aMessageEvent, openWahaGateway, SESSION_A, type WahaSession } from "../waha.ts";

export const NOW_S = NOW_MS / 1000;
export const MISSED = ["M1", "M2", "M3", "M4", "M5"];

/** A store with one message of the session, and its gateway. */
export async function openMarket(t: TestContext, session: WahaSession = SESSION_A) {
  const { pool } = await openTestDatabase(t);
  const gateway = await openWahaGateway(t, session);
  const clock = createTestClock();
  const memory = newMemory();
  await process(pool, [aMessageEvent({ session, rawId: "A1", atS: NOW_S - 60 })]);
  const rawIds = async () => {
    await process(pool, []);
    const rows = await pool.query<{ raw_id: string }>(sql`select raw_id from occurrence`);
    return rows.map(({ raw_id }) => raw_id);
  };
  return {
    pool,
    gateway,
    memory,
    rawIds,
    /** Messages that the gateway has, but whose events never arrived. */
    miss: (ids: readonly string[]) => {
      for (const [at, rawId] of ids.entries()) gateway.add({ rawId, atS: NOW_S + 60 + at });
    },
    /** Lets time pass, then processes the events. */
    pass: async (ms: number, events: readonly unknown[]) => {
      clock.advance(ms);
      if (events.length > 0) await process(pool, events);
    },
    round: (ofMemory = memory) =>
      syncOnce({ pool, client: gateway.client, clock, log: createLogger("silent") }, ofMemory),
    missedFound: async () => (await rawIds()).filter((id) => MISSED.includes(id)).length,
  };
}
