import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { splitLines } from "../../src/extraction/text/normalize.ts";
import { toListingRows } from "../../src/listings/listing-rows.ts";
import { toMessageText, toWords } from "../../src/listings/search-text.ts";
import { process } from "../support/drain.ts";
import { builtInCatalogue, readMessage } from "../support/extraction.ts";
import { correct } from "../support/listings.ts";
import { borrowTestApp, borrowTestDatabase } from "../support/shared-store.ts";
import { GROWING_UNITS } from "../support/texts.ts";
import { aMessageEvent } from "../support/waha.ts";

const REFERENCES = [
  "126500LN",
  "126334",
  "116610LV",
  "5711/1A-010",
  "79030N",
  "15202ST",
  "126710BLNR",
  "124060",
];

const LIST = [
  "Good morning friends",
  "ROLEX used",
  "126500LN 2023 full set €24.000",
  "126334 blue jubilee €9.500",
  "",
  "TUDOR",
  "79030N €2.900 kurious",
  "",
  "Insured parcels leave on Friday",
].join("\n");

/** What the listings of a message say in the store, in the order of the text. */
function textsOf(text: string): readonly string[] {
  const message = {
    id: "00000000-0000-4000-8000-000000000001",
    contact_id: null,
    text,
    first_seen_at_ms: 0,
    last_seen_at_ms: 0,
    occurrence_count: 1,
    group_ids: [],
    has_media: false,
    is_revoked: false,
    is_own: false,
    phone_number: null,
    default_currency: "EUR",
  };
  const rows = toListingRows(message, readMessage(text), {
    rateOf: () => undefined,
    catalogue: builtInCatalogue,
  });
  return rows.map(({ search_text }) => search_text);
}

test("the text of a listing has its words, its nicknames, its lines, its headers and the lines of no watch", () => {
  assert.deepEqual(textsOf(LIST), [
    "rolex\ndaytona\n126500ln\n126500ln 2023 full set 24 000\nrolex used\ngood morning friends insured parcels leave on friday",
    "rolex\ndatejust 41\n126334\nblue\njubilee\n126334 blue jubilee 9 500\nrolex used\ngood morning friends insured parcels leave on friday",
    "tudor\nblack bay\n79030n\n79030n 2 900 kurious\ngood morning friends insured parcels leave on friday",
  ]);
  assert.deepEqual(textsOf("116610LV 2018 €14.500"), [
    "rolex\nsubmariner date\nhulk\n116610lv\n116610lv 2018 14 500",
  ]);
});

test("of several watches on one line each has its own part, and what the line says of all", () => {
  const [first = "", second = ""] = textsOf(
    "126500LN €24.000 alpha / 126334 €9.500 beta, all used",
  );

  assert.match(first, /\n126500ln 24 000 alpha/);
  assert.doesNotMatch(first, /126334|beta/);
  assert.match(second, /\n126334 9 500 beta/);
  assert.doesNotMatch(second, /126500ln|alpha/);
});

const aWatchLine = fc.record({
  reference: fc.constantFrom(...REFERENCES),
  euros: fc.integer({ min: 3_000, max: 90_000 }),
  more: fc.constantFrom("", " 2021", " full set", " 🔥 like new", " \u202eجديد\u202c", " 全新"),
  below: fc.constantFrom(0, 0, 0, 1, 2),
});

const aMessage = fc.record({
  above: fc.constantFrom([], ["Good morning"], ["Hello friends", ""], ["USED"], ["ROLEX"]),
  watches: fc.array(aWatchLine, { minLength: 2, maxLength: 12 }),
  between: fc.constantFrom("", "---", "🔥🔥"),
  under: fc.constantFrom([], ["", "Insured parcels leave on Friday"], ["", "All in Milan 🇮🇹"]),
});

test("no word of another watch's line is in the text, unless it is in a line or field of its own", () => {
  let otherCount = 0;
  fc.assert(
    fc.property(aMessage, ({ above, watches, between, under }) => {
      const lines = watches.flatMap(({ reference, euros, more, below }, at) => [
        ...(between === "" || at === 0 ? [] : [between]),
        `${reference}${more} zzown${at} €${euros}`,
        ...Array.from({ length: below }, (_, row) => `zzbelow${at}x${row} card`),
      ]);
      const text = [...above, ...lines, ...under].join("\n");
      const { listings, notOffered, sharedLines } = readMessage(text);
      const written = splitLines(text).map((line) => toWords(line));
      const wordsOf = (numbers: readonly number[]) => numbers.flatMap((at) => written[at] ?? []);

      for (const [at, searchText] of textsOf(text).entries()) {
        const all = [...listings, ...notOffered].sort(
          (left, right) => left.position.firstLine - right.position.firstLine,
        );
        const { sourceLines, headerLines, ...listing } = all[at] ?? assert.fail();
        const known = new Set([
          ...wordsOf([...sourceLines, ...headerLines, ...sharedLines]),
          ...toWords(`${listing.brand} ${listing.model} ${listing.dialType} ${listing.variant}`),
          ...toWords(`${listing.reference} ${listing.referenceNormalized}`),
        ]);
        const nicknames = ["hulk", "batman", "batgirl", "jumbo"];
        const strange = searchText
          .split(/[ \n]/)
          .filter((word) => !known.has(word) && !nicknames.includes(word));
        assert.deepEqual(strange, [], text);
        const missing = wordsOf(sourceLines).filter((word) => !searchText.includes(word));
        assert.deepEqual(missing, [], text);
        const marks = searchText.match(/zzown\d+/g) ?? [];
        assert.equal(new Set(marks).size, 1, text);
        otherCount += all.length - 1;
      }
    }),
    { numRuns: 150 },
  );
  assert.ok(otherCount > 1_000);
});

test("any text keeps the bounds: 8 kB a listing and 64 kB a message", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          unit: fc.oneof(fc.constantFrom(...GROWING_UNITS), fc.string({ unit: "binary" })),
          repeats: fc.constantFrom(0, 1, 30, 700, 20_000),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      (parts) => {
        const text = parts
          .map(({ unit, repeats }, at) =>
            `126334 €${9_000 + at} ${unit.repeat(repeats)}`.slice(0, 20_000),
          )
          .join("\n");

        const texts = textsOf(text);

        const bytes = texts.map((one) => Buffer.byteLength(one));
        assert.ok(Math.max(...bytes) <= 8 * 1024);
        assert.ok(bytes.reduce((sum, one) => sum + one, 0) <= 64 * 1024);
        for (const one of texts) {
          assert.ok(one.isWellFormed());
          assert.match(one, /^rolex(\n|$)/);
        }
      },
    ),
    { numRuns: 20 },
  );
});

test("a reference in a list finds its own listing and no other, in every mode", async (t) => {
  const { db, send } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ text: LIST })]);
  const search = async (filters: object) => {
    const { status, body } = await send("POST", "/v2/market/listings/search", { filters });
    assert.equal(status, 200);
    return body.items.map((item: { reference: string }) => item.reference).sort();
  };

  assert.deepEqual(await search({ q: "126500LN" }), ["126500LN"]);
  for (const mode of ["broad", "all", "exact", "exact_light"])
    assert.deepEqual(await search({ text_search: { query: "126500LN", mode } }), ["126500LN"]);
  assert.deepEqual(await search({ text_search: { query: "set used 126500", mode: "all" } }), [
    "126500LN",
  ]);
  assert.deepEqual(await search({ text_search: { query: "blue full", mode: "all" } }), []);
  assert.deepEqual(await search({ text_search: { query: "friday used", mode: "all" } }), [
    "126334",
    "126500LN",
  ]);
  assert.deepEqual(await search({ q: "kurious" }), ["79030N"]);
});

test("a correction changes the words of the text, and the lines stay", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ text: LIST })]);
  const [first] = await stored(pool);

  await correct(pool, first?.id ?? "", { reference: "126710BLRO", model: "GMT-Master II" });
  await process(pool, []);

  const [corrected, second] = await stored(pool);
  assert.equal(
    corrected?.search_text,
    "rolex\ngmt master ii\npepsi\n126710blro\n126500ln 2023 full set 24 000\nrolex used\n" +
      "good morning friends insured parcels leave on friday",
  );
  assert.match(second?.search_text ?? "", /^rolex\ndatejust 41\n126334\n/);
});

test("a message keeps its whole text, for its search and for alerts on messages", async (t) => {
  const { db, call } = await borrowTestApp(t);
  await process(db, [aMessageEvent({ text: LIST })]);

  const query = "q=126500LN%20kurious&search_mode=all";
  const { body } = await call("GET", `/v2/messages?${query}`);

  assert.equal(body.items.length, 1);
  assert.equal(toMessageText(LIST).split(" ").length, toWords(LIST).length);
});

async function stored(db: Database) {
  return db.query<{ id: string; search_text: string }>(
    sql`select id, search_text from listing order by line, ordinal`,
  );
}
