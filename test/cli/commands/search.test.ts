import assert from "node:assert/strict";
import { test } from "node:test";
import { buildTypedMarket } from "../../filters/typed/typed-market.ts";
import { callAssay } from "../../support/run-assay.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";

test("search shows how the words were read, the listings, and the references that they name", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  await buildTypedMarket(pool);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };

  const { out, code, err } = await callAssay(["search", "pepsi", "under", "18k"], environment);
  const dealer = await callAssay(["search", "hans adler 126500ln"], environment);
  const json = await callAssay(["search", "pepsi hk", "--json", "--limit", "1"], environment);

  assert.equal(code, 0, err);
  const [chips, , first, second, third, ...rest] = out.split("\n");
  assert.equal(chips, "Pepsi · up to €18,000");
  assert.match(
    first ?? "",
    /^148,000\.00 HKD +Rolex 126710BLRO +2023 .*full set +Jubilee +Mei Wong/,
  );
  assert.match(second ?? "", /^17,500\.00 EUR .*Hans Adler/);
  assert.match(third ?? "", /Kenji Mori/);
  assert.match(rest.join("\n"), /Rolex 126710BLRO +GMT-Master II +4 listings/);
  assert.match(dealer.out, /Hans Adler · 126500LN\n/);
  assert.match(dealer.out, /Hans Adler +\+49555000105 +seen/);
  const { listings, chips: read, filters } = JSON.parse(json.out);
  assert.equal(listings.length, 1);
  assert.deepEqual(filters.country_codes, { include: ["852"] });
  assert.equal(read.length, 2);
});

test("search says if nothing is like that, and refuses no words or too many", async (t) => {
  const { url } = await borrowTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };

  const nothing = await callAssay(["search", "pepsi"], environment);
  const empty = await callAssay(["search"], environment);
  const long = await callAssay(["search", "x".repeat(501)], environment);

  assert.equal(nothing.code, 0, nothing.err);
  assert.match(nothing.err, /no listing is like that; to search the demo database, add --demo/);
  assert.equal(empty.code, 2);
  assert.match(empty.err, /expected the words to search for/);
  assert.equal(long.code, 2);
});
