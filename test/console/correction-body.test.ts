import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../client/assay-client.ts";
import {
  hasHalfPrice,
  isDisputed,
  toCorrection,
  toForm,
} from "../../console/pages/listing/correction-body.ts";

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
  assert.equal(form.amount, "900050");
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

test("a correction is disputed if someone else has changed the same member since", () => {
  const seen = { year: 2019, model: null };

  assert.equal(isDisputed({ seen, stored: seen, body: { year: 2020, model: null } }), false);
  assert.equal(
    isDisputed({ seen, stored: { year: 2018, model: null }, body: { year: 2020, model: null } }),
    true,
  );
  assert.equal(
    isDisputed({
      seen,
      stored: { ...seen, condition: "NEW" },
      body: { year: 2020, model: null, condition: "NEW" },
    }),
    false,
  );
  assert.equal(isDisputed({ seen, stored: { model: null }, body: undefined }), false);
  assert.equal(
    isDisputed({ seen: undefined, stored: { side: "for_sale" }, body: undefined }),
    true,
    "all is taken back, also what was not seen",
  );
});
