import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS, HOUR_MS } from "../../../src/base/clock.ts";
import type { Member } from "../../../src/pricing/cells/calculate-cells.ts";
import { findOfferUpTo, toEvidence } from "../../../src/pricing/listing-price.ts";
import { meetsThreshold, toComparableAsk } from "../../../src/pricing/thresholds.ts";
import { type DatedRateOf, toEurPrice } from "../../../src/rates/fx.ts";
import { aMember, calculate, calculatorOf, rulesWith } from "../../support/pricing.ts";
import { NOW_MS } from "../../support/test-app.ts";

const asksOf = (...euros: readonly number[]) =>
  euros.map((euro) => aMember({ price_eur_minor: euro * 100 }));

test("the worked example: four asks in the EU and one in Hong Kong, which is a buy", () => {
  const hongKong = aMember({ source_market: "HK", price_eur_minor: 900_000 });
  const rules = rulesWith({ minimum_listings: 5 });

  const [cell, ...others] = calculate([...asksOf(10_000, 10_400, 11_000, 10_600), hongKong], rules);

  assert.deepEqual(others, []);
  assert.deepEqual(cell, {
    year: 2023,
    condition_bucket: "new",
    status: "available",
    lookback_days: 30,
    listing_count: 5,
    market_average_eur_minor: 1_032_000,
    market_median_eur_minor: 1_040_000,
    consumer_min_eur_minor: 1_100_000,
    consumer_max_eur_minor: 1_166_000,
    minimum_profit_eur_minor: 50_000,
    maximum_buy_eur_minor: 982_000,
    maximum_hk_ask_eur_minor: 920_952,
    plausible_min_eur_minor: 520_000,
    plausible_max_eur_minor: 3_120_000,
    ask_median_eur_minor: 1_040_000,
    suspect_count: 0,
    quartile_low_eur_minor: 1_000_000,
    quartile_high_eur_minor: 1_060_000,
    lowest_ask_eur_minor: 960_000,
  });
  const markup = { rateBps: 500, fixedEurMinor: 15_000 };
  const ask = toComparableAsk(900_000, "HK", markup);
  assert.deepEqual(ask, {
    originalAskEurMinor: 900_000,
    hkMarkupEurMinor: 60_000,
    comparableAskEurMinor: 960_000,
  });
  assert.equal(1_032_000 - ask.comparableAskEurMinor, 72_000);
  assert.equal(meetsThreshold(ask.comparableAskEurMinor, 982_000), true);
  for (const euros of [10_000, 10_400, 11_000, 10_600]) {
    assert.equal(meetsThreshold(euros * 100, 982_000), false);
  }
});

test("the worked example: what to offer in Hong Kong and in Europe, and the evidence", () => {
  const hongKong = aMember({ source_market: "HK", price_eur_minor: 900_000 });
  const rules = rulesWith({ minimum_listings: 5 });
  const [calculated] = calculate([...asksOf(10_000, 10_400, 11_000, 10_600), hongKong], rules);
  assert.ok(calculated !== undefined);
  const cell = { ...rules, ...calculated, newest_at_ms: NOW_MS };
  const ask = { amountMinor: 8_145_000, currency: "HKD", askedAtMs: NOW_MS - DAY_MS };
  const ratesOf =
    (today: bigint): DatedRateOf =>
    (_, atMs) => ({
      digits: atMs === NOW_MS ? today : 905n,
      divisor: 100n,
      isApproximate: false,
      kind: "declared",
      dayNumber: Math.floor(atMs / DAY_MS),
    });
  const rateOf = ratesOf(905n);
  const offerAt = (today: bigint) =>
    findOfferUpTo(ask, { cell, market: "HK" }, { rateOf: ratesOf(today), nowMs: NOW_MS });
  const eurOf = (amountMinor: number) =>
    toEurPrice({ amountMinor, currency: "HKD" }, ask.askedAtMs, rateOf)?.eurMinor;

  assert.equal(eurOf(ask.amountMinor), 900_000);
  assert.deepEqual(offerAt(905n), {
    amount_minor: 8_334_620,
    shown_minor: 8_334_000,
    currency: "HKD",
    rate_day_ms: Math.floor(ask.askedAtMs / DAY_MS) * DAY_MS,
    is_approximate: false,
  });
  assert.deepEqual([eurOf(8_334_620), eurOf(8_334_621)], [920_952, 920_953]);
  assert.equal(offerAt(900n)?.shown_minor, 8_288_000);
  assert.equal(
    findOfferUpTo(
      { amountMinor: 1_000_000, currency: "EUR", askedAtMs: NOW_MS },
      { cell, market: "EU" },
      { rateOf, nowMs: NOW_MS },
    )?.shown_minor,
    982_000,
  );
  assert.deepEqual(toEvidence(cell), {
    counted: 5,
    low_eur_minor: 1_000_000,
    high_eur_minor: 1_060_000,
    newest_at_ms: NOW_MS,
    is_thin: false,
  });
});

test("a cell below the minimum number of listings has no prices, a cell at the minimum has", () => {
  const [insufficient] = calculate(asksOf(10_000, 11_000));
  const [available] = calculate(asksOf(10_000, 11_000, 12_000));

  assert.equal(insufficient?.status, "insufficient");
  assert.equal(insufficient?.listing_count, 2);
  assert.equal(insufficient?.market_average_eur_minor, null);
  assert.equal(insufficient?.maximum_hk_ask_eur_minor, null);
  assert.equal(insufficient?.minimum_profit_eur_minor, 50_000);
  assert.equal(available?.status, "available");
  assert.equal(available?.market_average_eur_minor, 1_100_000);
});

test("only the latest ask of a contact counts; ties go to the lower ask, then to the lower id", () => {
  const contact_id = randomUUID();
  const at = (last_seen_at_ms: number, price_eur_minor: number) =>
    aMember({ contact_id, last_seen_at_ms, price_eur_minor });
  const rules = rulesWith({ minimum_listings: 1 });
  const averageOf = (...members: readonly Member[]) => {
    const [cell] = calculate(members, rules);
    assert.equal(cell?.listing_count, 1);
    assert.deepEqual(calculate([...members].reverse(), rules)[0], cell);
    return cell?.market_average_eur_minor;
  };

  assert.equal(averageOf(at(NOW_MS, 900), at(NOW_MS - 1, 700)), 900);
  assert.equal(averageOf(at(NOW_MS, 900), at(NOW_MS, 800)), 800);
  // Comparable asks are compared: 700 in Hong Kong costs more than 800 in the EU.
  assert.equal(averageOf({ ...at(NOW_MS, 700), source_market: "HK" }, at(NOW_MS, 800)), 800);
});

test("a contact counts once in each cell", () => {
  const contact_id = randomUUID();

  const cells = calculate([
    aMember({ contact_id }),
    aMember({ contact_id, year: 2022 }),
    aMember({ contact_id, condition_bucket: "used" }),
  ]);

  assert.deepEqual(
    cells.map((cell) => [cell.year, cell.condition_bucket, cell.listing_count]),
    [
      [2023, "new", 1],
      [2023, "used", 1],
      [2022, "new", 1],
    ],
  );
});

test("an ask counts up to the last millisecond of the look-back; an older one creates no cell", () => {
  const edge = NOW_MS - 30 * DAY_MS;

  assert.equal(calculate([aMember({ last_seen_at_ms: edge })])[0]?.listing_count, 1);
  assert.deepEqual(calculate([aMember({ last_seen_at_ms: edge - 1 })]), []);
});

test("an override sets the minimum profit of its cell only, and creates the cell if there is no ask", () => {
  const rules = rulesWith({
    minimum_profit_overrides: [
      { year: 2021, condition_bucket: "used", amount_eur_minor: 7 },
      { year: 2023, condition_bucket: "new", amount_eur_minor: 1_100_001 },
    ],
  });

  const cells = calculate(
    [...asksOf(10_000, 11_000, 12_000), aMember({ condition_bucket: "like_new" })],
    rules,
  );

  assert.deepEqual(
    cells.map((cell) => [
      cell.year,
      cell.condition_bucket,
      cell.status,
      cell.listing_count,
      cell.minimum_profit_eur_minor,
      cell.maximum_buy_eur_minor,
      cell.maximum_hk_ask_eur_minor,
    ]),
    [
      [2023, "new", "available", 3, 1_100_001, 0, 0],
      [2023, "like_new", "insufficient", 1, 50_000, null, null],
      [2021, "used", "insufficient", 0, 7, null, null],
    ],
  );
});

test("excluded outliers do not count, and the rest may be too few for prices", () => {
  const members = asksOf(10_000, 10_100, 10_200, 10_300, 20_000);
  const rules = rulesWith({ excludes_outliers: true });

  assert.equal(calculate(members)[0]?.listing_count, 5);
  assert.equal(calculate(members, rules)[0]?.listing_count, 4);
  assert.equal(calculate(members, rules)[0]?.market_average_eur_minor, 1_015_000);
  assert.equal(calculate(members, { ...rules, minimum_listings: 5 })[0]?.status, "insufficient");
});

test("a suspect ask leaves the population before outliers are looked for", () => {
  // The lower fence is 9,700 without the ask of 202. With it, it would be 8,800, and 9,500 would count.
  const members = asksOf(202, 9_500, 10_000, 10_100, 10_200, 10_300);
  const rules = rulesWith({ excludes_outliers: true });

  const [cell] = calculate(members, rules);

  assert.equal(cell?.suspect_count, 1);
  assert.equal(cell?.listing_count, 4);
  assert.equal(cell?.market_average_eur_minor, 1_015_000);
});

test("the lowest ask is that of all on offer which are not suspect, also of those that do not count", () => {
  const members = [
    ...[1_000_000, 1_020_000, 1_040_000].map((price_eur_minor) => aMember({ price_eur_minor })),
    aMember({ price_eur_minor: 202_400 }),
    aMember({ contact_id: "twice", price_eur_minor: 1_060_000 }),
    aMember({ contact_id: "twice", price_eur_minor: 980_000, last_seen_at_ms: NOW_MS - 1 }),
  ];
  const calculator = calculatorOf(members);
  calculator.add({ ...aMember({ price_eur_minor: 970_000 }), contact_id: null });
  calculator.add({ ...aMember({ year: 1999 }), contact_id: null });
  calculator.add(aMember({ price_eur_minor: 900_000, last_seen_at_ms: 0 }));

  const cells = calculator.finish();

  assert.deepEqual(
    cells.map(({ year, listing_count, lowest_ask_eur_minor }) => [
      year,
      listing_count,
      lowest_ask_eur_minor,
    ]),
    [[2023, 4, 970_000]],
  );
});

test("an override without a valid cell is rejected, and so is an amount above 2^53", () => {
  const odd = { year: 2023, condition_bucket: "mint", amount_eur_minor: 1 } as never;

  assert.throws(() => calculate([], rulesWith({ minimum_profit_overrides: [odd] })));
  assert.throws(() =>
    calculate([aMember({ price_eur_minor: 2 ** 53 - 1 })], rulesWith({ minimum_listings: 1 })),
  );
});

test("cells do not depend on the machine's time zone", (t) => {
  const zone = process.env["TZ"];
  t.after(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });
  // Around the end of summer time in Berlin, when a local day has 25 hours.
  const nowMs = Date.UTC(2026, 9, 25, 12);
  const members = [23, 24, 24.5, 25].map((hours) =>
    aMember({ last_seen_at_ms: nowMs - hours * HOUR_MS }),
  );
  const rules = rulesWith({ lookback_days: 1, minimum_listings: 1 });
  const calculateIn = (name: string) => {
    process.env["TZ"] = name;
    const offset = new Date(nowMs).getTimezoneOffset();
    return { offset, cells: calculate(members, rules, nowMs) };
  };

  const [utc, berlin, kiritimati] = ["UTC", "Europe/Berlin", "Pacific/Kiritimati"].map(calculateIn);

  assert.deepEqual([utc?.offset, berlin?.offset, kiritimati?.offset], [0, -60, -840]);
  assert.equal(utc?.cells[0]?.listing_count, 2);
  assert.deepEqual(berlin?.cells, utc?.cells);
  assert.deepEqual(kiritimati?.cells, utc?.cells);
});
