import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import { sql } from "../../src/db/sql.ts";
import { examineRateFetch } from "../../src/operations/examine-market.ts";
import { changeRates } from "../../src/pipeline/change-rates.ts";
import { fetchDueRates, startRateFetch } from "../../src/rates/fetch-rates.ts";
import { findRateFetch } from "../../src/rates/rate-fetch-store.ts";
import { process } from "../support/drain.ts";
import { buildZip } from "../support/files.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS, until } from "../support/test-app.ts";
import { aMessageEvent } from "../support/waha.ts";

const DAILY = "Date, USD, GBP, \n13 November 2026, 1.2, 0.9, \n";
const HISTORY = "Date,USD,GBP,\n2026-11-13,1.2,0.9,\n2026-11-12,1.1,N/A,\n2015-01-02,1.3,0.8,\n";
const zip = (name: string, text: string) => buildZip([{ name, content: Buffer.from(text) }]);

type Files = Record<string, Buffer | ((response: ServerResponse) => void)>;

/** Serves the files like the ECB, and notes what was asked for. */
async function serve(t: TestContext, files: Files) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = request.url?.replace("/mirror/", "") ?? "";
    asked.push(name);
    const file = files[name];
    if (typeof file === "function") file(response);
    else if (file === undefined) response.writeHead(404).end();
    else response.end(file);
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror/`, asked };
}

async function open(t: TestContext, files: Files) {
  const { pool } = await borrowTestDatabase(t);
  const server = await serve(t, files);
  const clock = createTestClock();
  const log = createLogger("silent");
  const options = { pool, clock, log, url: server.url, changeRates, timeoutMs: 5_000 };
  return { pool, clock, asked: server.asked, options, fetch: () => fetchDueRates(options) };
}

const ecbFiles = (): Files => ({
  "eurofxref.zip": zip("eurofxref.csv", DAILY),
  "eurofxref-hist.zip": zip("eurofxref-hist.csv", HISTORY),
});

test("the first fetch reads the history of four years, the next one the latest day, once a day", async (t) => {
  const { pool, clock, asked, fetch } = await open(t, ecbFiles());

  await fetch();
  await fetch();
  const rates = await pool.query(sql`
    select currency, day::text as day, per_eur::text as per_eur
      from fx_rate where kind = 'ecb' order by currency, day`);
  const pegged = await pool.query(sql`
    select per_eur::text as per_eur from fx_rate where kind = 'pegged' and currency = 'SAR' order by day`);
  const state = await findRateFetch(pool);
  clock.advance(DAY_MS + HOUR_MS);
  await fetch();

  assert.deepEqual(rates, [
    { currency: "GBP", day: "2026-11-13", per_eur: "0.9" },
    { currency: "USD", day: "2026-11-12", per_eur: "1.1" },
    { currency: "USD", day: "2026-11-13", per_eur: "1.2" },
  ]);
  assert.deepEqual(pegged, [{ per_eur: "4.125" }, { per_eur: "4.500" }]);
  assert.equal(state.fetched_at_ms, NOW_MS);
  assert.equal(state.latest_day, "2026-11-13");
  assert.ok(state.next_at_ms > NOW_MS && state.next_at_ms < NOW_MS + DAY_MS);
  assert.deepEqual(asked, ["eurofxref.zip", "eurofxref-hist.zip", "eurofxref.zip"]);
});

test("a redirect is followed on the same server, and never to another one", async (t) => {
  const elsewhere = await serve(t, ecbFiles());
  const [daily = "", history = ""] = Object.keys(ecbFiles());
  const files: Files = {
    ...ecbFiles(),
    [daily]: (response) => response.writeHead(302, { location: "moved.zip" }).end(),
    "moved.zip": zip("eurofxref.csv", DAILY),
    [history]: (response) =>
      response.writeHead(301, { location: `${elsewhere.url}eurofxref-hist.zip` }).end(),
  };
  const { pool, clock, asked, fetch } = await open(t, files);

  await fetch();
  const refused = await findRateFetch(pool);
  files[history] = zip("eurofxref-hist.csv", HISTORY);
  clock.advance(HOUR_MS);
  await fetch();
  const followed = await findRateFetch(pool);
  files[daily] = (response) => response.writeHead(307, { location: daily }).end();
  clock.advance(2 * DAY_MS);
  await fetch();

  assert.deepEqual(asked.slice(0, 3), [daily, "moved.zip", history]);
  assert.match(
    refused.last_error ?? "",
    /^the server redirects to another address \(http:\/\/127\.0\.0\.1:\d+\), .*set ASSAY_RATES_URL/,
  );
  assert.deepEqual(elsewhere.asked, []);
  assert.deepEqual([followed.failed_count, followed.latest_day], [0, "2026-11-13"]);
  assert.match((await findRateFetch(pool)).last_error ?? "", /redirects more than 3 times/);
});

test("after missed working days the history is read again", async (t) => {
  const files = ecbFiles();
  const { clock, asked, fetch } = await open(t, files);
  await fetch();

  files["eurofxref.zip"] = zip("a.csv", "Date, USD, \n17 November 2026, 1.3, \n");
  clock.advance(3 * DAY_MS);
  await fetch();

  assert.deepEqual(asked.slice(2), ["eurofxref.zip", "eurofxref-hist.zip"]);
});

test("fetched rates change prices; a declared rate has precedence, also for what is pegged to it", async (t) => {
  const { pool, fetch } = await open(t, ecbFiles());
  const atS = Date.UTC(2026, 10, 13, 9) / 1000;
  const declared = [{ day: "2026-11-13", currency: "GBP", per_eur: "0.5" }];
  await pool.transaction((tx) => changeRates(tx, declared));
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 12,000 USD", atS }),
    aMessageEvent({ rawId: "A2", text: "126710BLRO 2024 10,000 GBP", atS }),
    aMessageEvent({ rawId: "A3", text: "126500LN 2024 45,000 SAR", atS }),
  ]);

  await fetch();
  await process(pool, []);

  const prices = await pool.query(sql`
    select price_currency, price_eur_minor from listing order by price_currency`);
  assert.deepEqual(prices, [
    { price_currency: "GBP", price_eur_minor: 2_000_000 },
    { price_currency: "SAR", price_eur_minor: 1_000_000 },
    { price_currency: "USD", price_eur_minor: 1_000_000 },
  ]);
});

test("a pegged rate follows from the declared rate of its base, whichever comes first", async (t) => {
  const { pool, fetch } = await open(t, ecbFiles());
  const declared = [{ day: "2026-11-13", currency: "USD", per_eur: "2" }];
  await pool.transaction((tx) => changeRates(tx, declared));

  await fetch();

  const [sar] = await pool.query<{ per_eur: string }>(sql`
    select per_eur::text as per_eur from fx_rate
     where kind = 'pegged' and currency = 'SAR' and day = '2026-11-13'`);
  assert.equal(sar?.per_eur, "7.50");
});

test("rates that are known change nothing and stop no step", async (t) => {
  const { pool, clock, fetch } = await open(t, ecbFiles());
  await fetch();
  clock.advance(DAY_MS + HOUR_MS);
  // The fetch would wait for this transaction if it took the lock that stops the steps.
  await pool.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock_shared(4170003)`);
    await fetch();
  });

  assert.equal((await findRateFetch(pool)).fetched_at_ms, NOW_MS + DAY_MS + HOUR_MS);
});

const BAD: Readonly<Record<string, Files[string]>> = {
  "404": (response) => response.writeHead(404).end(),
  "500": (response) => response.writeHead(500).end("sorry"),
  "no answer in time": () => undefined,
  "a broken connection": (response) => response.destroy(),
  "a page": Buffer.from("<html>maintenance</html>"),
  "an empty file": Buffer.alloc(0),
  "a broken archive": zip("a.csv", DAILY).subarray(0, 60),
  "an archive without a file": buildZip([]),
  "an archive with another file": zip("readme.txt", DAILY),
  "a day in the future": zip("a.csv", "Date, USD, \n17 November 2026, 1.3, \n"),
  "a bad rate": zip("a.csv", "Date, USD, \n13 November 2026, 0, \n"),
  "a file without an end": (response) => {
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
      response.once("drain", write);
    };
    write();
  },
};

test("a fetch that fails saves no rate, says why, and is retried later", async (t) => {
  const files: Files = {};
  const { pool, clock, options, asked } = await open(t, files);
  for (const [name, file] of Object.entries(BAD)) {
    Object.assign(files, ecbFiles(), { "eurofxref.zip": file });
    const startMs = clock.nowMs();
    const fetch = (timeoutMs: number) => fetchDueRates({ ...options, timeoutMs });

    await fetch(name === "no answer in time" ? 300 : 10_000);
    await fetch(10_000);
    const state = await findRateFetch(pool);
    const soon = await examineRateFetch(pool, { ratesSource: "ecb" }, startMs + MINUTE_MS);
    const late = await examineRateFetch(pool, { ratesSource: "ecb" }, startMs + 3 * DAY_MS);
    const [count] = await pool.query<{ ecb: number }>(
      sql`select count(*) as ecb from fx_rate where kind = 'ecb'`,
    );
    clock.advance(2 * MINUTE_MS);
    Object.assign(files, ecbFiles());
    await fetch(10_000);

    assert.equal(state.failed_count, 1, name);
    assert.equal(state.failing_since_ms, startMs, name);
    assert.ok((state.last_error ?? "").length > 5, name);
    assert.ok(state.next_at_ms > startMs && state.next_at_ms <= startMs + 2 * MINUTE_MS, name);
    assert.equal(count?.ecb, 0, name);
    assert.equal(soon[0]?.isFine, true, name);
    assert.equal(late[0]?.isFine, false, name);
    assert.match(late[0]?.text ?? "", /not fetched yet; 1 attempts failed since/, name);
    assert.deepEqual(asked.splice(0), ["eurofxref.zip", "eurofxref.zip", "eurofxref-hist.zip"]);
    assert.equal((await findRateFetch(pool)).failed_count, 0, name);
    await pool.script("delete from rate_fetch; delete from fx_rate where kind = 'ecb'");
  }
});

test("of several processes one fetches, and the others do not ask", async (t) => {
  const { pool, options, asked } = await open(t, ecbFiles());
  const metrics = createMetrics();
  const others = [1, 2, 3].map(() => startRateFetch({ ...options, metrics: createMetrics() }));
  const first = startRateFetch({ ...options, metrics });

  await until(async () => (await findRateFetch(pool)).fetched_at_ms !== null);
  await until(async () => (await metrics.render()).text.includes("assay_rates_failures 0"));
  await Promise.all([first, ...others].map((fetcher) => fetcher.stop()));

  assert.deepEqual(asked, ["eurofxref.zip", "eurofxref-hist.zip"]);
});

test("doctor says how old the fetched rates are, and nothing if none are to be fetched", async (t) => {
  const { pool, fetch } = await open(t, ecbFiles());
  const off = await examineRateFetch(pool, { ratesSource: "none" }, NOW_MS);
  const before = await examineRateFetch(pool, { ratesSource: "ecb" }, NOW_MS);
  await fetch();
  const after = await examineRateFetch(pool, { ratesSource: "ecb" }, NOW_MS);
  const old = await examineRateFetch(pool, { ratesSource: "ecb" }, NOW_MS + 3 * DAY_MS);

  assert.deepEqual(off, []);
  assert.deepEqual(before, [{ isFine: true, text: "rates of the ECB: not fetched yet" }]);
  assert.match(
    after[0]?.text ?? "",
    /^rates of the ECB: those of 2026-11-13, fetched at 2026-11-15T12/,
  );
  assert.equal(after[0]?.isFine, true);
  assert.equal(old[0]?.isFine, false);
});
