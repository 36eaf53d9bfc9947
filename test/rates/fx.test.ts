import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../src/base/clock.ts";
import { WORD_FILES } from "../../src/extraction/words/words.ts";
import { BUILT_IN_RATES } from "../../src/rates/built-in-rates.ts";
import {
  ageInDays,
  createRateTable,
  PEGS,
  pegRates,
  type RateKind,
  toEurPrice,
} from "../../src/rates/fx.ts";
import { SHIPPED_RATES_VERSION } from "../../src/rates/fx-store.ts";

function aRate(currency: string, day_number: number, kind: RateKind, per_eur: string) {
  return { currency, day_number, kind, per_eur };
}

test("of the rates of one day a declared one wins over a pegged one, and a pegged one over a built-in one", () => {
  const kinds: readonly RateKind[] = ["declared", "built_in", "pegged"];
  const rateOf = createRateTable(kinds.map((kind) => aRate("AED", 100, kind, "4.3")));
  const withoutDeclared = createRateTable(
    kinds.slice(1).map((kind) => aRate("AED", 100, kind, "4.3")),
  );

  assert.equal(rateOf("AED", 100 * DAY_MS)?.kind, "declared");
  assert.equal(withoutDeclared("AED", 100 * DAY_MS)?.kind, "pegged");
});

test("the latest rate that is not after the day counts, whatever its kind, and has its age", () => {
  const rateOf = createRateTable([
    aRate("USD", 100, "declared", "1.1"),
    aRate("USD", 110, "built_in", "1.2"),
  ]);

  const endOfDay = 109 * DAY_MS + DAY_MS - 1;
  const before = rateOf("USD", endOfDay);

  assert.equal(rateOf("USD", 100 * DAY_MS - 1), undefined);
  assert.equal(before?.kind, "declared");
  assert.equal(before && ageInDays(before, endOfDay), 9);
  assert.equal(rateOf("USD", 110 * DAY_MS)?.kind, "built_in");
});

test("a price in euros is approximate if its rate is built in or treats a token as a dollar", () => {
  const rateOf = createRateTable([
    aRate("HKD", 100, "built_in", "8.5"),
    aRate("USDT", 100, "pegged", "1.1"),
    aRate("AED", 100, "pegged", "4"),
    aRate("USD", 100, "declared", "1.1"),
  ]);
  const isApproximate = (currency: string) =>
    toEurPrice({ amountMinor: 100, currency }, 100 * DAY_MS, rateOf)?.isApproximate;

  assert.equal(isApproximate("HKD"), true);
  assert.equal(isApproximate("USDT"), true);
  assert.equal(isApproximate("AED"), false);
  assert.equal(isApproximate("USD"), false);
  assert.equal(isApproximate("EUR"), false);
  assert.equal(isApproximate("XXX"), undefined);
});

test("a price in euros is exact and rounded half up", () => {
  const rateOf = createRateTable([
    aRate("HKD", 0, "declared", "8"),
    aRate("USD", 0, "declared", "1.1762"),
  ]);
  const toEur = (amountMinor: number, currency: string) =>
    toEurPrice({ amountMinor, currency }, 0, rateOf)?.eurMinor;

  assert.equal(toEur(12, "HKD"), 2);
  assert.equal(toEur(11, "HKD"), 1);
  assert.equal(toEur(10_000_000, "USD"), 8_501_955);
  assert.equal(toEur(0, "USD"), 0);
  assert.equal(toEur(1_234, "EUR"), 1_234);
});

test("a peg multiplies without rounding", () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.nat({ max: 8 }))
    .map(([digits, scale]) => {
      const text = String(digits).padStart(scale + 1, "0");
      return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
    });

  fc.assert(
    fc.property(decimal, (per_eur) => {
      const [dirham] = pegRates([{ currency: "USD", day: "2026-01-02", per_eur }]);
      const rateOf = createRateTable([
        { currency: "USD", day_number: 0, kind: "declared", per_eur },
        { currency: "AED", day_number: 0, kind: "pegged", per_eur: dirham?.per_eur ?? "" },
      ]);
      const usd = rateOf("USD", 0);
      const aed = rateOf("AED", 0);
      assert.ok(usd && aed);
      assert.equal(aed.digits * usd.divisor * 10_000n, usd.digits * 36_725n * aed.divisor);
    }),
  );
});

/** Read so that the group's default is not taken for them. Asks in them have a price in euros once a rate is imported. */
const WITHOUT_BUILT_IN_RATE = new Set("NZD PHP VND BRL MXN ZAR RUB KWD ILS HUF EGP".split(" "));

test("every currency that extraction knows has a built-in rate, is pegged to one that has, or is listed here", () => {
  const known = new Set([
    ...BUILT_IN_RATES.map(({ currency }) => currency),
    ...pegRates(BUILT_IN_RATES).map(({ currency }) => currency),
  ]);

  for (const currency of Object.keys(WORD_FILES.currency)) {
    const isExpected = !WITHOUT_BUILT_IN_RATE.has(currency);
    assert.equal(currency === "EUR" || known.has(currency), isExpected, currency);
  }
  assert.equal(new Set(PEGS.map(({ currency }) => currency)).size, PEGS.length);
});

test("there is one built-in rate for each month from 2024-01 to 2026-11, on a day on which the ECB publishes", () => {
  const days = [...new Set(BUILT_IN_RATES.map(({ day }) => day))];

  assert.equal(days.length, 35);
  for (const [at, day] of days.entries()) {
    const month = new Date(Date.UTC(2024, at, 1)).toISOString().slice(0, 7);
    assert.equal(day.slice(0, 7), month);
    assert.ok(isPublishingDay(day), day);
  }
  for (const { per_eur } of BUILT_IN_RATES) assert.match(per_eur, /^\d+(\.\d+)?$/);
});

test("the version of the shipped rates must be raised when they change", () => {
  const shipped = JSON.stringify([BUILT_IN_RATES, PEGS]);
  const fingerprint = createHash("sha256").update(shipped).digest("hex").slice(0, 12);

  assert.deepEqual([SHIPPED_RATES_VERSION, fingerprint], [1, "3d4c179a5325"]);
});

/** Not on weekends and not on TARGET holidays: New Year, Good Friday, Easter Monday, 1 May, 25 and 26 December. */
function isPublishingDay(day: string): boolean {
  const easter: Readonly<Record<string, string>> = {
    "2024": "2024-03-31",
    "2025": "2025-04-20",
    "2026": "2026-04-05",
  };
  const atMs = Date.parse(day);
  const easterMs = Date.parse(easter[day.slice(0, 4)] ?? "");
  const isHoliday =
    /-(01-01|05-01|12-25|12-26)$/.test(day) ||
    atMs === easterMs - 2 * DAY_MS ||
    atMs === easterMs + DAY_MS;
  const weekday = new Date(atMs).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !isHoliday;
}
