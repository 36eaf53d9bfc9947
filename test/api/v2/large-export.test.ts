import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { TIMEOUTS } from "../../../src/api/http/client-error.ts";
import { type DatabasePool, LONG_WORK } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import {
  addToken,
  createGate,
  NOW_MS,
  openAppOn,
  openTestApp,
  type TestApp,
  until,
} from "../../support/test-app.ts";

const ROWS = 100_000;
/** One more than may read at a time. */
const BRANDS = ["Omega", "Rolex", "Tudor", "Zenith"];
/** The exports that one process has open at a time. */
const OPEN_MAX = 16;
const HEAP_GROWTH_MAX = 24 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Without most indexes, which an export does not need, because they take most of the time. */
async function insertMany(db: DatabasePool): Promise<void> {
  await db.script(`
    do $$ declare name text; begin
      for name in select indexname from pg_indexes
                   where tablename = 'listing' and indexname not in ('listing_pkey', 'listing_newest') loop
        execute 'drop index ' || name;
      end loop;
    end $$;
    alter table listing disable trigger all;`);
  const insertAll = sql`
    insert into listing (id, canonical_message_id, side, brand, brand_folded, reference, reference_normalized,
                         message_timestamp_ms, first_seen_at_ms, last_seen_at_ms, sequence, created_at_ms, updated_at_ms)
    select md5(at::text)::uuid, md5(at::text)::uuid, 'for_sale', 'Rolex', 'rolex', '126610LN', '126610LN',
           ${NOW_MS}, ${NOW_MS}, ${NOW_MS}::bigint + at, at, ${NOW_MS}, ${NOW_MS}
      from generate_series(1, ${ROWS}::integer) as at`;
  await db.transaction((tx) => tx.execute(insertAll), LONG_WORK);
}

function openExport({ app, token }: TestApp, body = {}): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        method: "POST",
        path: "/v2/market/listings/export",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        agent: false,
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}

/** Repeats a request that is refused, or whose connection is closed because the machine is slow. */
async function openUntil200(testApp: TestApp): Promise<IncomingMessage> {
  let open: IncomingMessage | undefined;
  await until(async () => {
    open = await openExport(testApp).catch(() => undefined);
    if (open !== undefined && open.statusCode !== 200) open.resume();
    return open?.statusCode === 200;
  });
  assert.ok(open !== undefined);
  return open;
}

function countConnections({ app }: TestApp): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

function heapBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("exports of 100,000 listings", async (t) => {
  const testApp = await openTestApp(t);
  const { app, db } = testApp;
  await insertMany(db);
  await app.listen({ port: 0, host: "127.0.0.1" });

  await t.test("memory does not grow with the number of rows", async () => {
    const response = await openExport(testApp);
    const baseBytes = heapBytes();
    let [lineCount, byteCount, measuredAt, peakBytes] = [0, 0, 0, 0];
    for await (const chunk of response as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lineCount += 1;
      byteCount += chunk.length;
      if (byteCount - measuredAt < 4 * 1024 * 1024) continue;
      measuredAt = byteCount;
      peakBytes = Math.max(peakBytes, heapBytes());
    }

    assert.equal(response.statusCode, 200);
    assert.equal(lineCount, ROWS + 1);
    assert.ok(peakBytes > 0);
    assert.ok(peakBytes - baseBytes < HEAP_GROWTH_MAX, `${peakBytes - baseBytes} bytes more`);
  });

  await t.test("sixteen are open at a time, and a client that disconnects makes room", async () => {
    const holders = await Promise.all(
      Array.from({ length: OPEN_MAX }, async () => ({
        ...testApp,
        token: await addToken(db, {}),
      })),
    );
    const open = await Promise.all(holders.map((holder) => openExport(holder)));
    const refused = await openExport(testApp);
    refused.resume();
    for (const response of open) response.destroy();
    (await openUntil200(testApp)).destroy();

    assert.ok(open.every(({ statusCode }) => statusCode === 200));
    assert.equal(refused.statusCode, 503);
    assert.equal(refused.headers["retry-after"], "1");
  });

  await t.test("a client that does not read loses its connection, and so its place", async () => {
    const timeouts = { ...TIMEOUTS, requestMs: 3_000 };
    const impatient = { ...testApp, ...(await openAppOn(t, testApp, { timeouts })) };
    await impatient.app.listen({ port: 0, host: "127.0.0.1" });
    const stalled = await openUntil200(impatient);

    await until(async () => (await countConnections(impatient)) === 0);

    // Its own side is still open: it has not read that the connection was closed.
    assert.equal(stalled.destroyed, false);
    stalled.destroy();
  });

  await t.test(
    "one that cannot begin in time is refused before its connection is closed",
    async (t) => {
      const timeouts = { ...TIMEOUTS, requestMs: 3_000 };
      const impatient = { ...testApp, ...(await openAppOn(t, testApp, { timeouts })) };
      await impatient.app.listen({ port: 0, host: "127.0.0.1" });
      await until(() => impatient.feed.isLive());
      const tokens = await Promise.all(BRANDS.map(() => addToken(db, {})));
      // So that the tokens are known: a look-up would wait behind the locked table.
      for (const token of tokens) {
        const headers = { authorization: `Bearer ${token}` };
        assert.equal((await impatient.app.inject({ url: "/v2/me", headers })).statusCode, 200);
      }
      const [lock, unlock] = [createGate(), createGate()];
      const locked = db.transaction(async (tx) => {
        await tx.execute(sql`lock table listing in access exclusive mode`);
        lock.open();
        await unlock.opened;
      });
      await lock.opened;
      await until(() => impatient.feed.isLive());

      // Three may read at a time, and here the store answers none of them in time.
      const answers = await Promise.all(
        BRANDS.map((brand, at) =>
          openExport(
            { ...impatient, token: tokens[at] ?? "" },
            { filters: { brand: [brand] } },
          ).catch(() => undefined),
        ),
      );
      unlock.open();
      await locked;

      const [refused, ...others] = answers.filter((answer) => answer !== undefined);
      refused?.resume();
      assert.equal(others.length, 0);
      assert.equal(refused?.statusCode, 503);
      assert.equal(refused?.headers["retry-after"], "1");
    },
  );

  await t.test("a failure in the middle breaks the transfer", async () => {
    const response = await openUntil200(testApp);
    await db.script("alter table listing rename to renamed");

    await assert.rejects(
      async () => {
        for await (const _ of response);
      },
      { code: "ECONNRESET" },
    );
    assert.equal(response.complete, false);
    await db.script("alter table renamed rename to listing");
  });

  await t.test(
    "an export breaks when its token is revoked or lowered, and not before",
    async () => {
      const cut = async (role: "desk" | "market", change: (id: string) => Promise<unknown>) => {
        const name = `export of ${role}`;
        const { body } = await testApp.send("POST", "/v2/tokens", { name, role });
        const response = await openUntil200({ ...testApp, token: body.token });
        const chunks = response[Symbol.asyncIterator]();
        await chunks.next();
        await change(body.id);
        let byteCount = 0;
        await assert.rejects(
          async () => {
            for (;;) {
              const chunk = await chunks.next();
              if (chunk.done === true) return;
              byteCount += (chunk.value as Buffer).length;
            }
          },
          { code: "ECONNRESET" },
        );
        assert.equal(response.complete, false);
        return byteCount;
      };
      const path = (id: string) => `/v2/tokens/${id}`;

      const afterRevocation = await cut("market", (id) => testApp.send("DELETE", path(id)));
      const afterChange = await cut("desk", (id) =>
        testApp.send("PATCH", path(id), { role: "market" }),
      );

      // What is on its way; the whole export has 14 MB and more.
      for (const byteCount of [afterRevocation, afterChange]) {
        assert.ok(byteCount < 4 * 1024 * 1024, `${byteCount} bytes`);
      }
    },
  );

  await t.test("one row more is refused before the first byte", async () => {
    await db.execute(sql`
      insert into listing (id, canonical_message_id, side, message_timestamp_ms, first_seen_at_ms, last_seen_at_ms, sequence,
                           created_at_ms, updated_at_ms)
      values (gen_random_uuid(), gen_random_uuid(), 'for_sale', 0, 0, 0, 0, 0, 0)`);
    let status = 503;
    let text = "";
    await until(async () => {
      const response = await openExport(testApp);
      status = response.statusCode ?? 0;
      text = "";
      for await (const chunk of response) text += chunk;
      return status !== 503;
    });

    assert.equal(status, 400);
    assert.equal(JSON.parse(text).error.code, "too_many_rows");
  });
});
