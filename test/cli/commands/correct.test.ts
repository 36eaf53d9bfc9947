import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { declareDefaultCurrency } from "../../../src/messages/group-store.ts";
import { process } from "../../support/drain.ts";
import { aFolder, callAssay } from "../../support/run-assay.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { aMessageEvent, GROUP } from "../../support/waha.ts";

const ID = "5f0c1a52-97b1-5d0e-8a43-0e9d8f3b2c11";

test("a listing that was left out as talk is shown with --is-a-listing", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const text = "Watched a 126610LN sell for €12,500 at the auction yesterday, crazy";
  await process(pool, [aMessageEvent({ text })]);
  const [id = ""] = await listIds(pool, "126610LN");
  const assay = (...args: readonly string[]) =>
    callAssay(args, { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" });

  const said = await assay("correct", id, "--is-a-listing");
  const listed = await assay("corrections", "list");
  const undone = await assay("correct", id, "--undo", "is_listing");
  const both = await assay("correct", id, "--is-a-listing", "--not-a-listing");

  assert.match(said.out, /^is_listing {8}no -> yes\n1 corrections saved/);
  assert.match(listed.out, /is_listing +yes +126610LN/);
  assert.match(undone.out, /^is_listing {8}yes -> no\n1 corrections undone/);
  assert.match(both.err, /use only one of --undo, --not-a-listing and --is-a-listing/);
});

test("a listing is corrected, listed, exported and scored, and the correction is undone", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "126610LN 2024 full set €12,500\n126710BLRO 2023 €17,500" }),
    aMessageEvent({ rawId: "A2", text: "WTS 5711/1A €92,000" }),
  ]);
  const assay = (...args: readonly string[]) =>
    callAssay(args, { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" });
  const [first = ""] = await listIds(pool, "126610LN");
  const [second = ""] = await listIds(pool, "57111A");

  const corrected = await assay(
    "correct",
    first,
    "price=11950.50 eur",
    "year=",
    "condition=like new",
  );
  const hidden = await assay("correct", second, "--not-a-listing");
  const listed = await assay("corrections", "list", "--json");
  const exported = await assay("corrections", "export");
  const file = join(aFolder(t), "labels.jsonl");
  writeFileSync(file, exported.out);
  const score = await callAssay(["extract", "--score", file, "--misses"]);
  const undone = await assay("correct", first, "--undo", "price", "year");
  const unknown = await assay("correct", ID, "year=2020");

  assert.equal(corrected.code, 0, corrected.err);
  assert.equal(
    corrected.out,
    "year              2024 -> none\n" +
      "condition         none -> LIKE_NEW\n" +
      "price             12,500.00 EUR -> 11,950.50 EUR\n" +
      "3 corrections saved; 1 messages with this text read again\n",
  );
  assert.match(hidden.out, /^is_listing {8}yes -> no\n1 corrections saved/);
  const rows = listed.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.map(({ field, value, set_aside, listing_id }) => [field, value, set_aside, listing_id]),
    [
      ["is_listing", false, null, second],
      ...rows.slice(1).map(({ field, value }) => [field, value, null, first]),
    ],
  );
  assert.deepEqual(rows.map(({ field }) => field).toSorted(), [
    "condition",
    "is_listing",
    "price",
    "year",
  ]);
  const labels = exported.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const label = labels.find(({ expected }) => expected.side === "for_sale");
  assert.deepEqual(label, {
    input: {
      text: "126610LN 2024 full set €12,500\n126710BLRO 2023 €17,500",
      sender_country: "44",
      message_date: "2026-08-20",
    },
    expected: {
      side: "for_sale",
      listings: [
        {
          brand: "Rolex",
          model: "Submariner Date",
          reference: "126610LN",
          year: null,
          condition: "LIKE_NEW",
          full_set_status: ["FULL_SET"],
          price: { amount_minor: 1_195_050, currency: "EUR" },
        },
        {
          brand: "Rolex",
          model: "GMT-Master II",
          reference: "126710BLRO",
          year: 2023,
          price: { amount_minor: 1_750_000, currency: "EUR" },
        },
      ],
    },
  });
  assert.deepEqual(
    labels.filter((entry) => entry !== label).map(({ expected }) => expected),
    [{ side: "none", listings: [] }],
  );
  const lines = score.out.trim().split("\n");
  const { messages, fields } = JSON.parse(lines.at(-1) ?? "");
  assert.equal(score.code, 0, score.err);
  assert.equal(messages, 2);
  // What was corrected is what extraction reads wrong, and the rest is read as it was.
  assert.deepEqual(fields, {
    side: { right: 1, all: 1, share: 1 },
    "number of listings": { right: 1, all: 1, share: 1 },
    brand: { right: 2, all: 2, share: 1 },
    reference: { right: 2, all: 2, share: 1 },
    price: { right: 1, all: 2, share: 0.5 },
    year: { right: 1, all: 2, share: 0.5 },
    condition: { right: 0, all: 1, share: 0 },
    "full set": { right: 1, all: 1, share: 1 },
    model: { right: 2, all: 2, share: 1 },
    "no listing where none is": { right: 0, all: 1, share: 0 },
  });
  assert.equal(lines.filter((line) => line.startsWith('{"line"')).length, 4);
  assert.ok(score.out.includes("price                          1       2    50.0 %"), score.out);
  assert.match(
    undone.out,
    /^year {14}none -> 2024\nprice {13}11,950.50 EUR -> 12,500.00 EUR\n2 corrections undone/,
  );
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /there is no listing with the id/);
});

test("doctor reports corrections that are set aside, and they can be undone by their ids", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  await declareDefaultCurrency(pool, { gatewayGroupId: GROUP, currency: "HKD" });
  await process(pool, [aMessageEvent({ text: "126610LN 2024 98,000" })]);
  const assay = (...args: readonly string[]) =>
    callAssay(args, { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" });
  const [id = ""] = await listIds(pool, "126610LN");

  await assay("correct", id, "price=97000 HKD");
  const before = await assay("doctor");
  await declareDefaultCurrency(pool, { gatewayGroupId: GROUP, currency: "USD" });
  await process(pool, []);
  const doctor = await assay("doctor");
  const listed = await assay("corrections", "list", "--set-aside");
  const correctionId = /^([0-9a-f-]{36}) {2}price/m.exec(listed.out)?.[1] ?? "";
  const undone = await assay("corrections", "undo", correctionId);
  const after = await assay("corrections", "list", "--set-aside");

  assert.match(before.out, /ok {3}corrections: 1, none set aside/);
  assert.match(doctor.out, /BAD {2}corrections: 1 set aside, because the group's default currency/);
  assert.match(listed.out, /97,000.00 HKD {2}126610LN .* set aside: other currency or country/);
  assert.equal(undone.out, "1 corrections undone\n");
  assert.equal(after.out, "no corrections\n");
});

test("wrong words are explained with the allowed ones", async () => {
  for (const [words, message] of [
    [["nothing"], /name a listing by its id/],
    [[ID], /say what to correct/],
    [[ID, "colour=red"], /no field "colour"; fields: side, brand, model, reference, dial_type/],
    [[ID, "year"], /expected field=value, not "year"/],
    [[ID, "year=20211"], /year must be a number from 1800 to 2100/],
    [[ID, "card_month=13"], /card_month must be a number from 1 to 12/],
    [[ID, "condition=mint"], /condition must be one of: NEW, LIKE_NEW, USED; not "mint"/],
    [[ID, "full_set_status=WATCH,box"], /full_set_status must be one of: FULL_SET, WATCH_AND_CARD/],
    [[ID, "side="], /side must be one of: for_sale, want_to_buy/],
    [[ID, "status=gone"], /status must be one of: sold, on_hold/],
    [[ID, "price=8950"], /price: "8950" has no currency; write an amount such as 11,500 EUR/],
    [[ID, "price=8,95,0 EUR"], /"8,95,0 EUR" is no number/],
    [[ID, "price=8950 XQZ"], /"8950 XQZ" is more than an amount/],
    [[ID, "reference=---"], /reference must be words/],
    [[ID, "is_listing=false"], /write --is-a-listing or --not-a-listing/],
    [[ID, "year=2020", "year=2021"], /a field is named twice/],
    [[ID, "--undo", "--not-a-listing"], /use only one of/],
  ] as const) {
    const { code, err } = await callAssay(["correct", ...words]);

    assert.match(err, message);
    assert.equal(code, 2, err);
  }
  const verb = await callAssay(["corrections", "delete"]);
  assert.match(verb.err, /expected one of: list, undo ID…, export/);
});

async function listIds(pool: Parameters<typeof process>[0], reference: string) {
  const rows = await pool.query<{ id: string }>(
    sql`select id from listing where reference_normalized = ${reference} order by id`,
  );
  return rows.map(({ id }) => id);
}
