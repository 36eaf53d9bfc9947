import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListingFields } from "../../src/listings/corrections/correction-store.ts";
import { toLabelledMessage } from "../../src/listings/label.ts";

function aListing(fields: Partial<ListingFields> = {}): ListingFields {
  return {
    side: "for_sale",
    brand: null,
    model: null,
    reference: "126610LN",
    dial_type: null,
    variant: null,
    year: null,
    card_month: null,
    condition: null,
    full_set_status: [],
    price: null,
    alternative_price: null,
    status: null,
    is_listing: null,
    sources: {},
    ...fields,
  };
}

function label(...listings: readonly ListingFields[]) {
  return toLabelledMessage({
    canonical_message_id: "",
    text: "126610LN",
    phone_number: null,
    default_currency: null,
    first_seen_at_ms: 0,
    listings,
  });
}

test("a value that a person removed is null, and one that was not read is left out", () => {
  const sources = { year: "corrected", full_set_status: "corrected", condition: "explicit" };

  const { input, expected } = label(aListing({ sources, condition: "USED" }));

  assert.deepEqual(input, { text: "126610LN", message_date: "1970-01-01" });
  assert.deepEqual(expected, {
    side: "for_sale",
    listings: [{ reference: "126610LN", year: null, condition: "USED", full_set_status: null }],
  });
});

test("what a label cannot say is left out, and never said to be absent", () => {
  const sources = { full_set_status: "corrected", variant: "corrected", status: "corrected" };

  const { expected } = label(
    aListing({ sources, full_set_status: ["WATCH_AND_BOX"], variant: "jubilee", status: "sold" }),
  );

  assert.deepEqual(expected.listings, [
    { reference: "126610LN", full_set_status: ["WATCH_AND_BOX"] },
  ]);
});

test("the side is that of the first listing, and a message of which nothing is left has none", () => {
  const wish = aListing({ side: "want_to_buy" });
  const removed = aListing({ is_listing: false });

  assert.equal(label(removed, wish, aListing()).expected.side, "want_to_buy");
  assert.deepEqual(label(removed).expected, { side: "none", listings: [] });
});

test("amounts are in minor units, both prices with their currency", () => {
  const { expected } = label(
    aListing({
      price: { amount_minor: 9_850_050, currency: "HKD" },
      alternative_price: { amount_minor: 1_150_000, currency: "EUR" },
    }),
  );

  assert.deepEqual(expected.listings, [
    {
      reference: "126610LN",
      price: { amount_minor: 9_850_050, currency: "HKD" },
      alternative_price: { amount_minor: 1_150_000, currency: "EUR" },
    },
  ]);
});
