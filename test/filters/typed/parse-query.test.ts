import assert from "node:assert/strict";
import { test } from "node:test";
import { buildCatalogue } from "../../../src/extraction/catalogue/catalogue.ts";
import { searchListings } from "../../../src/filters/sql/search-listings.ts";
import { parseQuery } from "../../../src/filters/typed/parse-query.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { NOW_MS } from "../../support/test-app.ts";
import { buildTypedMarket, readFixture } from "./typed-market.ts";

const catalogue = buildCatalogue();
const reader = { catalogue, nowMs: NOW_MS };

interface Expected {
  readonly query: string;
  /** The query, its chips, its rest and what it finds, as in the file. */
  readonly lines: readonly string[];
}

test("what dealers type becomes the chips and finds the listings that they mean", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  const keys = await buildTypedMarket(db);
  const queries = readQueries();
  const wrong: { read: string; expected: string }[] = [];

  for (const { query, lines } of queries) {
    const parsed = await parseQuery(db, query, reader);
    const chips = parsed.chips.map(
      ({ start, end, label }) => `${query.slice(start, end)} = ${label}`,
    );
    const { rows } = await searchListings(db, {
      filters: parsed.filters,
      sort: "newest",
      limit: 20,
      isTotalAsked: false,
    });
    const read = [
      query,
      `  ${chips.join(" | ")}`,
      ...(parsed.rest === "" ? [] : [`  rest ${parsed.rest}`]),
      `  ${rows.map(({ id }) => keys.get(id)).join(" ") || "-"}`,
    ].join("\n");
    const expected = [query, ...lines].join("\n");
    if (read !== expected) wrong.push({ read, expected });
  }

  assert.ok(queries.length >= 60);
  assert.deepEqual(wrong, []);
});

function readQueries(): readonly Expected[] {
  const queries: { query: string; lines: string[] }[] = [];
  for (const line of readFixture("queries.txt")) {
    if (line.startsWith(" ")) queries.at(-1)?.lines.push(line);
    else queries.push({ query: line, lines: [] });
  }
  return queries;
}
