import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../src/base/clock.ts";
import { hkMarkupOf } from "../../src/pricing/cells/cell.ts";
import {
  compareHeadlines,
  findNoBuyReason,
  findOfferUpTo,
  toEvidence,
} from "../../src/pricing/listing-price.ts";
import { judgeBuy, toComparableAsk } from "../../src/pricing/thresholds.ts";
import { createRateTable, toEurPrice } from "../../src/rates/fx.ts";

const TODAY = 20_000;
const NOW_MS = TODAY * DAY_MS + 1;
const ASKED_AT_MS = (TODAY - 3) * DAY_MS;

/** The worked example: a maximum of 9,820.00, and a mark-up of 5 % + 150.00. */
const CELL = {
  hk_markup_rate_bps: 500,
  hk_markup_fixed_eur_minor: 15_000,
  maximum_buy_eur_minor: 982_000,
  plausible_min_eur_minor: 520_000,
  plausible_max_eur_minor: 3_120_000,
};
const rateOf = createRateTable([
  { currency: "HKD", day_number: TODAY - 3, kind: "ecb", per_eur: "9.05" },
  { currency: "HKD", day_number: TODAY, kind: "ecb", per_eur: "9.00" },
  { currency: "THB", day_number: 0, kind: "built_in", per_eur: "38" },
]);

const aPerEur = fc
  .tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, scale]) => {
    const text = String(digits).padStart(scale + 1, "0");
    return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  });

const aMaximum = fc.oneof(
  fc.integer({ min: 0, max: 50_000_000 }),
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 10 ** 12 }),
);

test("an ask of the amount to offer is a buy, and one minor unit more is none", () => {
  let count = 0;
  fc.assert(
    fc.property(
      fc.record({
        perEur: aPerEur,
        perEurToday: fc.option(aPerEur, { nil: undefined }),
        maximum: aMaximum,
        rateBps: fc.oneof(fc.constant(0), fc.constant(500), fc.integer({ min: 0, max: 10_000 })),
        fixed: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_000 })),
        market: fc.constantFrom("EU" as const, "HK" as const),
        isEuro: fc.boolean(),
        amount: fc.integer({ min: 0, max: 10 ** 9 }),
      }),
      ({ perEur, perEurToday, maximum, rateBps, fixed, market, isEuro, amount }) => {
        const cell = {
          hk_markup_rate_bps: rateBps,
          hk_markup_fixed_eur_minor: fixed,
          maximum_buy_eur_minor: maximum,
          plausible_min_eur_minor: null,
          plausible_max_eur_minor: null,
        };
        const rates = createRateTable([
          { currency: "XXX", day_number: TODAY - 3, kind: "ecb", per_eur: perEur },
          ...(perEurToday === undefined
            ? []
            : [
                {
                  currency: "XXX",
                  day_number: TODAY,
                  kind: "ecb" as const,
                  per_eur: perEurToday,
                },
              ]),
        ]);
        const currency = isEuro ? "EUR" : "XXX";
        const judge = (amountMinor: number) => {
          const eur = toEurPrice({ amountMinor, currency }, ASKED_AT_MS, rates);
          const ask = toComparableAsk(eur?.eurMinor ?? 0, market, hkMarkupOf(cell));
          return judgeBuy(ask.comparableAskEurMinor, cell);
        };

        const offer = findOfferUpTo(
          { amountMinor: amount, currency, askedAtMs: ASKED_AT_MS },
          { cell, market },
          { rateOf: rates, nowMs: NOW_MS },
        );

        if (offer === undefined) {
          // No ask is a buy, or none of a euro cent or more; or the amount is above what a number holds.
          const cent = toComparableAsk(1, market, hkMarkupOf(cell)).comparableAskEurMinor;
          const isNone = judge(1) !== "buy" || judgeBuy(cent, cell) !== "buy";
          assert.ok(isNone || Number(perEur) * maximum > 2 ** 52);
          return;
        }
        count += 1;
        assert.equal(judge(offer.amount_minor), "buy");
        assert.equal(judge(offer.amount_minor + 1), "above_maximum");
        assert.ok(offer.shown_minor <= offer.amount_minor);
        assert.match(String(offer.shown_minor), /^\d{1,4}0*$/);
        assert.equal(offer.currency, currency);
      },
    ),
    { numRuns: 3_000 },
  );
  assert.ok(count > 1_000, String(count));
});

test("the worked example goes on to what to offer in Hong Kong", () => {
  const ask = { amountMinor: 8_000_000, currency: "HKD", askedAtMs: ASKED_AT_MS };

  const offer = findOfferUpTo(ask, { cell: CELL, market: "HK" }, { rateOf, nowMs: NOW_MS });

  // 9,209.52 euros at 9.05; at the rate of today, 9.00, it is 82,885.72.
  assert.deepEqual(offer, {
    amount_minor: 8_334_620,
    shown_minor: 8_288_000,
    currency: "HKD",
    rate_day_ms: (TODAY - 3) * DAY_MS,
    is_approximate: false,
  });
});

test("there is nothing to offer without a rate, with a maximum of 0, without prices, and for a suspect ask", () => {
  const ask = { amountMinor: 900_000, currency: "EUR", askedAtMs: ASKED_AT_MS };
  const offer = (given: object, cell: object = {}, market: "EU" | "HK" = "EU") =>
    findOfferUpTo(
      { ...ask, ...given },
      { cell: { ...CELL, ...cell }, market },
      { rateOf, nowMs: NOW_MS },
    );

  assert.equal(offer({})?.amount_minor, 982_000);
  assert.equal(offer({ currency: "EGP" }), undefined);
  assert.equal(offer({}, { maximum_buy_eur_minor: 0 }), undefined);
  assert.equal(offer({}, { maximum_buy_eur_minor: null }), undefined);
  assert.equal(offer({}, { maximum_buy_eur_minor: 15_000 }, "HK"), undefined);
  assert.equal(offer({ amountMinor: 519_999 }), undefined);
  assert.equal(offer({ amountMinor: 3_120_001 }), undefined);
  assert.equal(offer({}, { plausible_min_eur_minor: 982_001 }), undefined);
  assert.equal(offer({ currency: "THB", amountMinor: 30_000_000 })?.is_approximate, true);
});

test("an ask is no buy for the first of the reasons that hold", () => {
  const rule = { cell: CELL, market: "EU", sendsBuys: true, isStale: false } as const;

  assert.equal(findNoBuyReason(982_000, rule, "today"), undefined);
  assert.equal(findNoBuyReason(982_000, rule, "quiet"), undefined);
  assert.equal(findNoBuyReason(982_001, rule, "today"), "above_maximum");
  assert.equal(findNoBuyReason(920_952, { ...rule, market: "HK" }, "today"), undefined);
  assert.equal(findNoBuyReason(920_953, { ...rule, market: "HK" }, "today"), "above_maximum");
  assert.equal(findNoBuyReason(982_000, { ...rule, sendsBuys: false }, "today"), "signals_off");
  assert.equal(findNoBuyReason(982_000, { ...rule, isStale: true }, "today"), "stale");
  assert.equal(findNoBuyReason(519_999, rule, "today"), "suspect");
  assert.equal(findNoBuyReason(3_120_001, rule, "today"), "suspect");
  assert.equal(findNoBuyReason(519_999, rule, "replaced"), "replaced");
  assert.equal(findNoBuyReason(519_999, rule, "gone"), "gone");
});

test("a cell without quartiles or without asks has no evidence, and fewer than five asks are thin", () => {
  const cell = {
    ...CELL,
    maximum_hk_ask_eur_minor: 920_952,
    listing_count: 5,
    quartile_low_eur_minor: 1_000_000,
    quartile_high_eur_minor: 1_060_000,
    newest_at_ms: NOW_MS,
  };

  assert.deepEqual(toEvidence(cell), {
    counted: 5,
    low_eur_minor: 1_000_000,
    high_eur_minor: 1_060_000,
    newest_at_ms: NOW_MS,
    is_thin: false,
  });
  assert.equal(toEvidence({ ...cell, listing_count: 4 })?.is_thin, true);
  assert.equal(toEvidence({ ...cell, quartile_low_eur_minor: null }), undefined);
  assert.equal(toEvidence({ ...cell, newest_at_ms: null }), undefined);
});

test("the order of headlines is total: any order of the rules has the same first", () => {
  const rank = fc.record({
    buy_signals_enabled: fc.boolean(),
    specificity: fc.integer({ min: 0, max: 3 }),
    configuration_key: fc.string({ unit: "grapheme", maxLength: 4 }),
  });
  const ranks = fc.uniqueArray(rank, {
    selector: ({ configuration_key }) => configuration_key,
    minLength: 1,
  });

  fc.assert(
    fc.property(
      ranks.chain((rules) =>
        fc.tuple(
          fc.constant(rules),
          fc.shuffledSubarray(rules, { minLength: rules.length, maxLength: rules.length }),
        ),
      ),
      ([rules, shuffled]) => {
        assert.deepEqual(shuffled.toSorted(compareHeadlines), rules.toSorted(compareHeadlines));
        const [first] = rules.toSorted(compareHeadlines);
        assert.equal(
          first?.buy_signals_enabled,
          rules.some(({ buy_signals_enabled }) => buy_signals_enabled),
        );
      },
    ),
  );
});
