import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "../../src/db/sql.ts";
import { process } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { GROWING_UNITS, growingText } from "../support/texts.ts";
import { aMessageEvent, GROUP, SENDER } from "../support/waha.ts";

const LONG = globalThis.process.env["ASSAY_TEST_LONG"] === "1";
const LISTING_BYTES_MAX = 8 * 1024;
const MESSAGE_BYTES_MAX = 64 * 1024;

/** What a text may not do: fail a step, be larger than its bound, or keep others from being listed. */
async function findFaults(pool: Parameters<typeof process>[0]): Promise<object> {
  const [row] = await pool.query<Record<string, unknown>>(sql`
    select (select count(*) from message_extraction where outcome = 'failed') as failed_count,
           (select count(*) from set_aside_item) as set_aside_count,
           (select count(*) from quarantined_event) as quarantined_count,
           (select count(*) from listing where octet_length(search_text) > ${LISTING_BYTES_MAX}) as large_count,
           (select count(*)
              from (select from listing
                     group by canonical_message_id
                    having sum(octet_length(search_text)) > ${MESSAGE_BYTES_MAX}) as large) as large_message_count,
           (select count(*) from listing
             where greatest(length(brand_folded), length(model_folded), length(reference_normalized),
                            length(dial_type_folded), length(variant_folded)) > 500) as long_word_count`);
  return { ...row };
}

const NO_FAULTS = {
  failed_count: 0,
  set_aside_count: 0,
  quarantined_count: 0,
  large_count: 0,
  large_message_count: 0,
  long_word_count: 0,
};

test("one message of 200 offers and 30,000 characters that grow is stored within its bounds", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const offers = Array.from(
    { length: 200 },
    (_, at) => `126610LN 2023 EUR ${12_000 + at} full set`,
  );
  const text = `${offers.join("\n")}\n${"\ufdfa".repeat(30_000)}`;

  await process(pool, [
    aMessageEvent({ rawId: "H1", text }),
    aMessageEvent({ rawId: "H2", text: `126610LN EUR 9000 ${"\ufdfa".repeat(65_000)}` }),
    aMessageEvent({ rawId: "GOOD", text: "126710BLRO 2024 €17,500" }),
  ]);

  const rows = await pool.query<{ count: number }>(sql`
    select count(*) as count from listing group by canonical_message_id order by 1`);
  assert.deepEqual(await findFaults(pool), NO_FAULTS);
  assert.deepEqual(
    rows.map(({ count }) => count),
    [1, 1, 200],
  );
});

test("a larger search text of an older release is matched, and replaced when its message is read again", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ text: "126610LN 2024 €12,500\n126710BLRO €17,500" })]);
  const texts = sql`select search_text from listing order by id`;
  const before = await pool.query(texts);
  await pool.execute(sql`update listing set search_text = search_text || repeat(' ab', 300000)`);
  await pool.execute(sql`
    insert into message_queue (canonical_message_id) select id from canonical_message`);

  await process(pool, []);

  assert.deepEqual(await findFaults(pool), NO_FAULTS);
  assert.deepEqual([...(await pool.query(texts))], [...before]);
});

test("no text of odd characters fails a step or keeps the others of its batch from being listed", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  let run = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(growingText, { minLength: 2, maxLength: 4 }), async (texts) => {
      run += 1;
      const sender = {
        ...SENDER,
        phone: `4477009${10_000 + run}`,
        lid: `1999000001${10_000 + run}`,
      };
      const good = `126710BLRO 2024 €17,500 number ${run}`;
      const bodies = [...texts, good].map((text, at) =>
        aMessageEvent({ rawId: `R${run}N${at}`, group: GROUP, sender, text }),
      );

      await process(pool, bodies);

      const listed = await pool.query(sql`
        select from listing join canonical_message as message on message.id = canonical_message_id
         where message.text = ${good}`);
      assert.deepEqual(await findFaults(pool), NO_FAULTS);
      assert.equal(listed.length, 1);
    }),
    { numRuns: LONG ? 200 : 8 },
  );
});

test("a name of odd characters does not keep a message from being listed", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const senders = GROWING_UNITS.map((unit, at) => ({
    phone: `44770091${1_000 + at}`,
    lid: `19990000021${1_000 + at}`,
    name: unit.repeat(300),
  }));

  await process(
    pool,
    senders.map((sender, at) =>
      aMessageEvent({ rawId: `N${at}`, sender, text: `126710BLRO 2024 €${17_500 + at}` }),
    ),
  );

  assert.deepEqual(await findFaults(pool), NO_FAULTS);
  assert.equal((await pool.query(sql`select from listing`)).length, senders.length);
});

test("half of a character in a text quarantines its event, and no other", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const half = JSON.stringify(aMessageEvent({ rawId: "L1", text: "126610LN €9,000 LONE" }));

  await process(pool, [
    half.replace("LONE", "\\ud83d"),
    half.replace("LONE", "\\udc00").replace("L1", "L2"),
    aMessageEvent({ rawId: "GOOD", text: "126710BLRO 2024 €17,500" }),
  ]);

  assert.deepEqual(await findFaults(pool), { ...NO_FAULTS, quarantined_count: 2 });
  assert.equal((await pool.query(sql`select from listing`)).length, 1);
});
