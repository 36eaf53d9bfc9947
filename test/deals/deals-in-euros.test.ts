/** Amounts in euros are stored with deals. They are those of the rates as they are now, whatever came first. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { beginDeals } from "../../src/deals/deal-write-store.ts";
import { changeRates } from "../../src/pipeline/change-rates.ts";
import { toEurPrice } from "../../src/rates/fx.ts";
import { findRates } from "../../src/rates/fx-store.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

const FIRST_DAY = Date.UTC(2026, 9, 1) / DAY_MS;
/** None of them has a rate that is built in. */
const CURRENCIES = ["QQA", "QQB", "EUR"] as const;

const day = fc.integer({ min: 0, max: 5 });
const amount = fc.record({
  amount: fc.oneof(
    fc.integer({ min: 0, max: 2_000 }),
    fc.maxSafeNat().map((n) => n % 100_000_000_000_000),
  ),
  currency: fc.constantFrom(...CURRENCIES),
  day,
});
const write = fc.oneof(
  fc.record({
    kind: fc.constant("rate" as const),
    currency: fc.constantFrom("QQA", "QQB"),
    day,
    // Halves of a cent occur.
    perEur: fc.constantFrom("0.5", "2", "8", "9.0501", "1.0823", "0.0000001", "160.37"),
  }),
  fc.record({
    kind: fc.constant("deal" as const),
    paid: amount,
    sold: fc.option(amount, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("lost" as const), currency: fc.constantFrom("QQA", "QQB"), day }),
);
type Write = typeof write extends fc.Arbitrary<infer Value> ? Value : never;
type Amount = Extract<Write, { kind: "deal" }>["paid"];

test("what is stored in euros is what the rates of now give, whichever of rates and deals came first", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 4, maxLength: 20 }), async (writes) => {
      await pool.execute(sql`delete from deal`);
      await pool.execute(sql`delete from fx_rate where currency like 'QQ%'`);
      for (const one of writes) await pool.transaction((tx) => save(tx, one));
      await compare(pool);
    }),
    { numRuns: 25 },
  );
});

test("a deal that is written while its rate changes has the new rate", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const paid = { amount: 1_000, currency: "QQA", day: 1 } as const;
  const rate = { kind: "rate", currency: "QQA", day: 1 } as const;
  await pool.transaction((tx) => save(tx, { ...rate, perEur: "2" }));

  let change: Promise<void> | undefined;
  await pool.transaction(async (tx) => {
    await save(tx, { kind: "deal", paid, sold: undefined });
    change = pool.transaction((other) => save(other, { ...rate, perEur: "8" }));
    // The change waits for the deal, whose commit follows.
    await new Promise((settle) => setTimeout(settle, 200));
  });
  await change;

  const [row] = await pool.query<{ paid_eur_minor: number }>(sql`select paid_eur_minor from deal`);
  assert.equal(row?.paid_eur_minor, 125);
});

async function save(tx: Database, one: Write): Promise<void> {
  if (one.kind === "lost") {
    await tx.execute(sql`
      delete from fx_rate where currency = ${one.currency} and day = ${toText(one.day)}::date`);
    return;
  }
  if (one.kind === "rate") {
    const { currency, perEur } = one;
    await changeRates(tx, [{ currency, day: toText(one.day), per_eur: perEur }]);
    return;
  }
  const { paid, sold } = one;
  await beginDeals(tx);
  await tx.execute(sql`
    insert into deal (listing_id, state, paid_amount_minor, paid_currency, paid_at_ms, sold_amount_minor, sold_currency,
                      sold_at_ms, created_at_ms, updated_at_ms, posted_at_ms, watch)
    values (${randomUUID()}, 'bought', ${paid.amount}, ${paid.currency}, ${toMs(paid)}, ${sold?.amount ?? null}::bigint,
            ${sold?.currency ?? null}, ${sold === undefined ? null : toMs(sold)}::bigint, 0, 0, 0, '{}')`);
}

function toText(at: number): string {
  return new Date((FIRST_DAY + at) * DAY_MS).toISOString().slice(0, 10);
}

function toMs({ day: at }: Amount): number {
  return (FIRST_DAY + at) * DAY_MS + 12_345_678;
}

async function compare(pool: DatabasePool): Promise<void> {
  const rows = await pool.query<{
    readonly amount: number;
    readonly currency: string;
    readonly at_ms: number;
    readonly eur_minor: number | null;
  }>(sql`
    select paid_amount_minor as amount, paid_currency as currency, paid_at_ms as at_ms, paid_eur_minor as eur_minor from deal
     union all
    select sold_amount_minor, sold_currency, sold_at_ms, sold_eur_minor from deal where sold_at_ms is not null`);
  const needed = rows.map(({ currency, at_ms }) => ({ currency, atMs: at_ms }));
  const rateOf = await findRates(pool, needed);
  for (const { amount: amountMinor, currency, at_ms, eur_minor } of rows) {
    const price = toEurPrice({ amountMinor, currency }, at_ms, rateOf)?.eurMinor;
    const expected = price === undefined || price >= 9e15 ? null : price;
    assert.equal(eur_minor, expected, `${amountMinor} ${currency} at ${at_ms}`);
  }
}
