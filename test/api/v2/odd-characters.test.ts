import assert from "node:assert/strict";
import { test } from "node:test";
import { process } from "../../support/drain.ts";
import { applyTexts } from "../../support/manifest.ts";
import { CONFIGURATIONS, MARKET } from "../../support/pricing.ts";
import { openTestApp } from "../../support/test-app.ts";
import { GROWING_UNITS } from "../../support/texts.ts";
import { aMessageEvent } from "../../support/waha.ts";

const LENGTH_MAX = 500;
/** All different, so that the store cannot make an index entry smaller by compressing it. */
const SQUARES = Array.from({ length: 88 }, (_, at) =>
  String.fromCharCode(0x3300 + ((at * 37) % 88)),
).join("");
/** The longest text that a filter takes, and shorter ones. Half of a character cannot be sent in an address. */
const TEXTS = [...GROWING_UNITS, SQUARES, "\ud800", "a\udc00"].flatMap((unit) =>
  [40, LENGTH_MAX].map((repeats) => unit.repeat(repeats).slice(0, LENGTH_MAX)),
);
const FILTERS: readonly ((text: string) => object)[] = [
  (text) => ({ q: text }),
  (text) => ({ text_search: { query: text, mode: "exact" } }),
  (text) => ({ text_search: { query: text, mode: "exact_light" } }),
  (text) => ({ brand: Array(20).fill(text), model: [text] }),
  (text) => ({ reference: [text], dial_type: [text], variant: [text], group_names: [text] }),
  (text) => ({ phone_number: text, country_codes: { include: [text], exclude: [text] } }),
];

test("no search and no filter of odd characters breaks the service", async (t) => {
  const { db, call, send } = await openTestApp(t, {
    environment: { ASSAY_RATE_LIMIT_PER_MINUTE: "0" },
  });
  await applyTexts(db, MARKET);
  await process(db, [
    aMessageEvent({ text: `126610LN 2024 €12,500 ${"\ufdfa".repeat(2_000)}` }),
    aMessageEvent({ rawId: "B", text: "126710BLRO 2024 €17,500" }),
  ]);
  const statuses = new Map<number, number>();
  const note = (status: number, request: string): void => {
    assert.ok(status < 500, `${status}: ${request}`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };

  for (const [at, text] of TEXTS.entries()) {
    const filters = (FILTERS[at % FILTERS.length] ?? FILTERS[0])?.(text);
    const shown = JSON.stringify(filters).slice(0, 200);
    note((await send("POST", "/v2/market/listings/search", { filters })).status, shown);
    const alert = { name: `${at} ${text.slice(0, 50)}`, filters };
    note((await send("POST", "/v2/alerts", alert)).status, shown);
    const watch = {
      brand: text.slice(0, 200),
      reference: text.slice(0, 200),
      label: text.slice(0, 50),
    };
    if (at % 4 === 0)
      note((await send("POST", CONFIGURATIONS, { profile: "p", ...watch })).status, shown);
    const query = encodeURIComponent(text.toWellFormed());
    note((await call("GET", `/v2/messages?q=${query}`)).status, shown);
    note((await call("GET", `/v2/market/listings?brand=${query}`)).status, shown);
  }
  // The saved filters are matched too.
  await process(db, [aMessageEvent({ rawId: "C", text: "15510ST 2024 €44,000 \ufdfa" })]);
  const found = await send("POST", "/v2/market/listings/search", { filters: { q: "\ufdfa" } });

  // The requests reached the routes: some filters were saved, and some have too many words.
  for (const status of [200, 201, 400]) assert.ok((statuses.get(status) ?? 0) > 0, `${status}`);
  assert.equal(found.body.items.length, 2);
});
