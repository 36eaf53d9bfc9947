import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../client/assay-client.ts";
import { hasHalfPrice, toCorrection, toForm } from "../../console/pages/listing/correction-body.ts";

const LISTING = {
  side: "for_sale",
  brand: "Rolex",
  reference: "126610LN",
  year: 2024,
  condition: "USED",
  full_set_status: ["FULL_SET"],
  price: { amount_minor: 9_000_50, currency: "EUR" },
} as unknown as Listing;

test("a form that was not changed corrects nothing", () => {
  const form = toForm(LISTING, undefined);

  assert.equal(toCorrection(form, form, undefined), undefined);
  assert.equal(form.amount, "9000.5");
});

test("only what was changed is corrected; an emptied field says that there is no such value", () => {
  const form = toForm(LISTING, undefined);
  const after = { ...form, year: "2021", reference: " ", full_set_status: "", model: "Submariner" };

  assert.deepEqual(toCorrection(form, after, undefined), {
    year: 2021,
    reference: null,
    full_set_status: null,
    model: "Submariner",
  });
});

test("amount and currency are one value", () => {
  const form = toForm(LISTING, undefined);

  assert.deepEqual(toCorrection(form, { ...form, currency: "hkd " }, undefined), {
    price: { amount_minor: 9_000_50, currency: "HKD" },
  });
  assert.deepEqual(toCorrection(form, { ...form, amount: "", currency: "" }, undefined), {
    price: null,
  });
  assert.equal(hasHalfPrice({ ...form, amount: "" }), true);
  assert.equal(hasHalfPrice(form), false);
});

test("what holds from before is sent again, because a correction replaces it", () => {
  const held = { values: { year: 2021, status: "sold" }, cleared: ["model"] };
  const form = toForm({ ...LISTING, year: 2021 }, held);

  assert.equal(form.status, "sold");
  assert.deepEqual(toCorrection(form, { ...form, condition: "NEW" }, held), {
    year: 2021,
    status: "sold",
    model: null,
    condition: "NEW",
  });
});
