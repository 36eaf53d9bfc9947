import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import type { Database } from "../../src/db/database.ts";
import { listMigrations, type Migration, migrate } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import { buildCatalogue } from "../../src/extraction/catalogue/catalogue.ts";
import { listCorrectedTexts } from "../../src/listings/corrections/correction-store.ts";
import { requestReextraction } from "../../src/listings/extract-listings.ts";
import { toLabelledMessage } from "../../src/listings/label.ts";
import { findPriceHistory } from "../../src/listings/price-store.ts";
import { examineExtraction } from "../../src/operations/examine-pipeline.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process } from "../support/drain.ts";
import { aListingWith, correct, insertListings, listSetAside } from "../support/listings.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent, anEditEvent, aRevokeEvent } from "../support/waha.ts";

const TALK = "Watched a 126610LN sell for €12,500 at the auction yesterday, crazy";
const OFFER = "126500LN N3/24 HKD 230,000";
const OTHER_SENDER = { phone: "447700900124", lid: "199900000000202", name: "Ana P." };
const AT_S = 1_787_217_330;

test("what is read as talk is kept as a hidden listing, and a person can say that it is an offer", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ text: `${OFFER}\n${TALK}` })]);
  const [offer, talk] = await listings(pool);

  const outcome = await correct(pool, talk?.id ?? "", { is_listing: true });
  await process(pool, []);
  const said = await listings(pool);
  await correct(pool, talk?.id ?? "", { is_listing: false });
  await process(pool, []);
  const denied = await listings(pool);
  await correct(pool, talk?.id ?? "", {}, { undo: ["is_listing"] });
  await process(pool, []);

  assert.deepEqual(
    [offer, talk].map((row) => [row?.reference, row?.is_hidden, row?.left_out_reason]),
    [
      ["126500LN", false, null],
      ["126610LN", true, "not_an_offer"],
    ],
  );
  assert.deepEqual([talk?.line, talk?.ordinal], [1, 0]);
  assert.equal(outcome.kind, "saved");
  assert.deepEqual(said, [
    offer,
    {
      ...talk,
      is_hidden: false,
      left_out_reason: null,
      confidence: 1,
      sources: { ...talk?.sources, is_listing: "corrected" },
    },
  ]);
  assert.deepEqual(
    denied.map(({ is_hidden, left_out_reason }) => [is_hidden, left_out_reason]),
    [
      [false, null],
      [true, "corrected"],
    ],
  );
  assert.deepEqual(await listings(pool), [offer, talk]);
});

test("that a text is an offer holds for every post of it, after a replay and a re-extraction, and before its first post", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ rawId: "A1", addressing: "lid", text: TALK })]);
  const [talk] = await listings(pool);

  await correct(pool, talk?.id ?? "", { is_listing: true });
  await process(pool, [
    aMessageEvent({ rawId: "A2", addressing: "both", text: TALK }),
    aMessageEvent({ rawId: "B1", sender: OTHER_SENDER, text: `🔥 ${TALK}` }),
  ]);
  const said = await listings(pool);
  await requestReextraction(pool);
  await process(pool, []);
  const again = await listings(pool);
  await requestReplay(pool, { alerting: "never" });
  await process(pool, [], { batchMax: 1 });

  assert.deepEqual(
    said.map(({ is_hidden, message_type }) => [is_hidden, message_type]),
    [
      [false, "selling"],
      [false, "selling"],
    ],
  );
  assert.deepEqual(again, said);
  assert.deepEqual(await listings(pool), said);
  assert.deepEqual(await outcomes(pool), ["listings", "listings"]);
  assert.deepEqual(await listSetAside(pool), []);
});

test("an edit to another text has no correction, and one back to the text has it again", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const edit = (text: string, minutes: number) =>
    anEditEvent({ rawId: "A1", text, atS: AT_S + minutes * 60 });
  await process(pool, [aMessageEvent({ rawId: "A1", text: TALK, atS: AT_S })]);
  const [talk] = await listings(pool);
  await correct(pool, talk?.id ?? "", { is_listing: true });

  await process(pool, [edit(`${TALK}!! wow`, 1)]);
  const edited = await listings(pool);
  await process(pool, [edit(TALK, 2)]);
  const back = await listings(pool);

  const shown = (rows: readonly Row[]) =>
    rows.filter(({ is_hidden }) => !is_hidden).map(({ id }) => id);
  assert.equal(edited.length, 2);
  assert.deepEqual(shown(edited), []);
  assert.deepEqual(shown(back), [talk?.id]);
});

test("replies count for what a person made an offer, and for nothing that is left out", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const reply = (rawId: string, text: string, minutes: number) =>
    aMessageEvent({ rawId, text, replyTo: "A1", atS: AT_S + minutes * 60 });
  const post = { rawId: "A1", text: `${TALK}\n${OFFER}`, atS: AT_S };
  await process(pool, [aMessageEvent(post), reply("R1", "now HKD 225,000", 1)]);
  const read = await listings(pool);
  const talk = read.find(({ reference }) => reference === "126610LN");

  await correct(pool, talk?.id ?? "", { is_listing: true });
  await process(pool, [reply("R2", "126610LN sold", 2)]);

  const shown = (rows: readonly Row[]) =>
    rows.map(({ reference, price_amount_minor, status }) => [
      reference,
      price_amount_minor,
      status,
    ]);
  assert.deepEqual(shown(read), [
    ["126610LN", 1_250_000, null],
    ["126500LN", 22_500_000, null],
  ]);
  // With two offers, the first reply does not say which of them it is about.
  assert.deepEqual(shown(await listings(pool)), [
    ["126610LN", 1_250_000, "sold"],
    ["126500LN", 23_000_000, null],
  ]);
});

test("a person's word that a listing is one keeps it, and changes nothing that is read as an offer", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ text: OFFER })]);
  const [offer] = await listings(pool);

  const first = await correct(pool, offer?.id ?? "", { is_listing: true });
  await process(pool, []);
  const again = await correct(pool, offer?.id ?? "", { is_listing: true });

  assert.ok(first.kind === "saved" && again.kind === "saved");
  assert.deepEqual([first.corrections.length, again.corrections.length], [1, 0]);
  assert.deepEqual(await listings(pool), [
    { ...offer, confidence: 1, sources: { ...offer?.sources, is_listing: "corrected" } },
  ]);
});

test("a reader that does not find the place any more sets aside that it is an offer", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ text: TALK })]);
  const [talk] = await listings(pool);
  await correct(pool, talk?.id ?? "", { is_listing: true });
  await pool.execute(sql`update correction set line = 5`);

  await requestReextraction(pool);
  await process(pool, []);

  assert.deepEqual(await listSetAside(pool), ["no_listing"]);
  assert.equal((await listings(pool))[0]?.left_out_reason, "not_an_offer");
});

test("a listing that is left out is in no price history and in no label", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({ text: `${OFFER}\n${TALK}` })]);
  const [offer, talk] = await listings(pool);
  await correct(pool, offer?.id ?? "", { year: 2023 });
  await process(pool, []);

  const history = await findPriceHistory(pool, talk?.id ?? "");
  const left = await listCorrectedTexts(pool, { afterId: undefined, limit: 10 });
  await correct(pool, talk?.id ?? "", { is_listing: true });
  await process(pool, []);
  const said = await listCorrectedTexts(pool, { afterId: undefined, limit: 10 });

  const labelled = (texts: typeof left) =>
    texts.map((text) =>
      toLabelledMessage(text).expected.listings?.map(({ reference }) => reference),
    );
  assert.deepEqual(history?.rows, []);
  assert.deepEqual(labelled(left), [["126500LN"]]);
  assert.deepEqual(labelled(said), [["126500LN", "126610LN"]]);
});

test("an update notes which stored listings a person said are none", async (t) => {
  const { pool } = await openTestDatabase(t, { template: "template0" });
  const log = createLogger("silent");
  const isBefore = ({ version }: Migration) => version < 46;
  await migrate(pool, log, listMigrations().filter(isBefore));
  const none = aListingWith({ is_hidden: true });
  await insertListings(pool, [none, aListingWith({ is_hidden: true }), aListingWith()]);
  await pool.execute(
    sql`update listing set sources = '{"is_listing": "corrected"}' where id = ${none.id}`,
  );

  await migrate(pool, log);

  const rows = await pool.query(
    sql`select id, left_out_reason from listing where left_out_reason is not null`,
  );
  assert.deepEqual(rows, [{ id: none.id, left_out_reason: "corrected" }]);
});

test("doctor counts what is left out of messages that are still there", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const catalogue = buildCatalogue();
  const none = await examineExtraction(pool, catalogue);
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: `${TALK}\n${TALK.replace("LN", "LV")}`, atS: AT_S }),
    aMessageEvent({ rawId: "A2", text: `${TALK}!`, atS: AT_S }),
    aMessageEvent({ rawId: "A3", text: `${TALK}, really`, atS: AT_S }),
    aRevokeEvent({ rawId: "A3", atS: AT_S + 60 }),
  ]);

  const found = await examineExtraction(pool, catalogue);

  assert.ok(none.every(({ text }) => !text.includes("left out")));
  const [counted] = found.filter(({ text }) => text.includes("left out"));
  assert.equal(counted?.isFine, true);
  assert.match(
    counted?.text ?? "",
    /^listings: 3 listings of 2 messages were left out as talk: GET \/v2\/messages\?left_out=true/,
  );
});

interface Row {
  readonly id: string;
  readonly line: number;
  readonly ordinal: number;
  readonly reference: string;
  readonly message_type: string;
  readonly price_amount_minor: number | null;
  readonly status: string | null;
  readonly is_hidden: boolean;
  readonly left_out_reason: string | null;
  readonly confidence: number;
  readonly sources: Readonly<Record<string, string>>;
}

/** In the order of the text. */
async function listings(db: Database): Promise<readonly Row[]> {
  return db.query<Row>(sql`
    select id, line, ordinal, reference, message_type, price_amount_minor, status, is_hidden, left_out_reason, confidence, sources
      from listing
     order by canonical_message_id, line, ordinal`);
}

async function outcomes(db: Database): Promise<readonly string[]> {
  const rows = await db.query<{ outcome: string }>(
    sql`select outcome from message_extraction order by canonical_message_id`,
  );
  return rows.map(({ outcome }) => outcome);
}
