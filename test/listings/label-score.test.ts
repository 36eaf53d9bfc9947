import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OperatorError } from "../../src/base/errors.ts";
import { extract } from "../../src/extraction/extract.ts";
import { loadCatalogue } from "../../src/listings/dealer-catalogue.ts";
import { type Label, parseLabel } from "../../src/listings/label.ts";
import { scoreMessage } from "../../src/listings/label-score.ts";

const catalogue = await loadCatalogue(undefined);

/** The fields that are wrong, and how many were compared. */
function score(text: string, label: Label) {
  const findings = scoreMessage(
    label,
    extract({ text, messageDate: { year: 2026, month: 4 } }, catalogue),
  );
  return {
    wrong: findings.filter(({ isRight }) => !isRight).map(({ field }) => field),
    count: findings.length,
  };
}

describe("scoring a labelled message", () => {
  test("only labelled fields are compared", () => {
    const text = "WTS 126610LN 2024 full set €12,500";

    assert.deepEqual(score(text, { side: "for_sale" }), { wrong: [], count: 1 });
    assert.deepEqual(score(text, { listings: [{ year: 2023 }] }), { wrong: ["year"], count: 2 });
    assert.deepEqual(
      score(text, {
        side: "want_to_buy",
        listings: [{ brand: "rolex", full_set_status: ["WATCH"] }],
      }),
      { wrong: ["side", "full set"], count: 4 },
    );
  });

  test("null says that there is no value, and a missed listing does not count as that", () => {
    const listings = [{ condition: null, year: null }];

    assert.deepEqual(score("126610LN 2024 €12,500", { listings }), { wrong: ["year"], count: 3 });
    assert.deepEqual(score("good morning", { listings }), {
      wrong: ["number of listings", "year", "condition"],
      count: 3,
    });
  });

  test("labels find their listings in any order, by reference and price first", () => {
    const text = "126610LN 2024 €12,500\n126610LN 2021 €11,000\n126710BLRO 2023 €17,500";

    const { wrong } = score(text, {
      listings: [
        { reference: "126710", year: 2023 },
        { reference: "126610LN", year: 2021, price: { amount_minor: 1_100_000, currency: "EUR" } },
        { reference: "126610LN", year: 2024, price: { amount_minor: 1_250_000, currency: "EUR" } },
      ],
    });

    assert.deepEqual(wrong, []);
  });

  test("a base number and a suffixed reference are the same, other references are not", () => {
    const text = "126610LN €12,500";

    assert.deepEqual(score(text, { listings: [{ reference: "126610" }] }).wrong, []);
    assert.deepEqual(score(text, { listings: [{ reference: "126610LV" }] }).wrong, ["reference"]);
    assert.deepEqual(score(text, { listings: [{ reference: "1266" }] }).wrong, ["reference"]);
  });

  test("the second currency of an ask is right too, and a price without currency is not compared", () => {
    const text = "126610LN €12,500";
    const alternative_price = { amount_minor: 1_250_000, currency: "EUR" };
    const price = { amount_minor: 10_800_000, currency: "HKD" };

    assert.deepEqual(score(text, { listings: [{ price, alternative_price }] }).wrong, []);
    assert.deepEqual(score(text, { listings: [{ price }] }).wrong, ["price"]);
    assert.deepEqual(score(text, { listings: [{ price: { amount_minor: 1, currency: null } }] }), {
      wrong: [],
      count: 1,
    });
  });

  test("messages without a listing and messages whose prices alone are labelled have fields of their own", () => {
    const euros = (amount: number) => ({ amount_minor: amount * 100, currency: "EUR" });

    assert.deepEqual(score("126610LN €12,500", { side: "none" }).wrong, [
      "no listing where none is",
    ]);
    assert.deepEqual(score("good morning", { side: "none" }), { wrong: [], count: 1 });
    assert.deepEqual(score("126610LN €12,500", { prices: [euros(12_500)] }).wrong, []);
    assert.deepEqual(score("126610LN €12,500", { prices: [] }).wrong, ["price only"]);
    assert.deepEqual(score("126610LN €12,500", { prices: [euros(12_500), euros(1)] }).wrong, [
      "price only",
    ]);
    assert.deepEqual(score("126610LN €12,500", { prices: "ambiguous" }).wrong, [
      "ambiguous price left out",
    ]);
  });
});

test("a label with a wrong word or type is rejected, with the allowed words", () => {
  for (const [label, message] of [
    [null, /"expected" must be an object/],
    [{ side: "selling" }, /"side" must be one of: for_sale, want_to_buy, none/],
    [{ listings: {} }, /"listings" must be an array/],
    [{ listings: [3] }, /a listing must be an object/],
    [{ listings: [{ condition: "mint" }] }, /"condition" must be one of: NEW, LIKE_NEW, USED/],
    [{ listings: [{ full_set_status: ["BOX"] }] }, /"full_set_status" must be one of: FULL_SET/],
    [{ listings: [{ full_set_status: "FULL_SET" }] }, /"full_set_status" must be an array/],
    [{ listings: [{ year: "2021" }] }, /"year" must be a number/],
    [{ listings: [{ price: 12_500 }] }, /"price" must be an object/],
    [{ listings: [{ price: { currency: "EUR" } }] }, /"price" must have an amount_minor/],
    [{ prices: "some" }, /"prices" must be an array or "ambiguous"/],
  ] as const) {
    assert.throws(
      () => parseLabel(label),
      (error) => error instanceof OperatorError && message.test(error.message),
    );
  }
});

test("labels with the names of 0.1.0 are read as those of today", () => {
  const label = parseLabel({
    side: "wanted",
    listings: [
      {
        reference: "126610LN",
        condition: "like_new",
        full_set: "watch_card",
        dial: "black",
        price: { amount: 12_500.5, currency: "EUR" },
        alt_price: null,
      },
    ],
  });

  assert.deepEqual(label, {
    side: "want_to_buy",
    listings: [
      {
        reference: "126610LN",
        condition: "LIKE_NEW",
        full_set_status: ["WATCH_AND_CARD"],
        dial_type: "black",
        price: { amount_minor: 1_250_050, currency: "EUR" },
        alternative_price: null,
      },
    ],
  });
  assert.deepEqual(parseLabel({ prices: [{ amount: 9, currency: "EUR" }] }), {
    prices: [{ amount_minor: 900, currency: "EUR" }],
  });
});
