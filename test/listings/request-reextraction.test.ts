import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { buildCatalogue } from "../../src/extraction/catalogue/catalogue.ts";
import {
  extractListings,
  readerOf,
  requestReextraction,
} from "../../src/listings/extract-listings.ts";
import { countOutdatedMessages } from "../../src/listings/message-extraction-store.ts";
import { process, stepContext } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { aMessageEvent } from "../support/waha.ts";

test("only messages read by another version or catalogue are queued again, also those without a listing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const context = await stepContext(pool);
  t.after(() => context.close());
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "126610LN €12,500" }),
    aMessageEvent({ rawId: "A2", text: "good morning" }),
    aMessageEvent({ rawId: "A3", text: "126710BLRO €17,500" }),
  ]);
  const reader = readerOf(context.catalogue);
  const other = buildCatalogue(context.catalogue.brands.slice(1));
  await pool.execute(sql`
    update message_extraction set extraction_version = 0
     where canonical_message_id in (select id from canonical_message where text = 'good morning')`);

  const outdated = await countOutdatedMessages(pool, reader);
  const queued = {
    current: await requestReextraction(pool, { reader }),
    again: await requestReextraction(pool, { reader }),
    otherCatalogue: await requestReextraction(pool, { reader: readerOf(other) }),
  };
  const waiting = await countOutdatedMessages(pool, reader);
  await extractListings(pool, { ...context, batchMax: 10 });
  const left = await requestReextraction(pool, { reader });
  const all = await requestReextraction(pool);

  // Messages that are already queued are not counted again.
  assert.deepEqual(queued, { current: 1, again: 0, otherCatalogue: 2 });
  assert.deepEqual([outdated, waiting], [1, 0]);
  assert.equal(left, 0);
  assert.equal(all, 3);
});
