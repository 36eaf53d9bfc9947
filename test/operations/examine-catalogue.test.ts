import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DAY_MS } from "../../src/base/clock.ts";
import type { Database } from "../../src/db/database.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { loadCatalogue } from "../../src/listings/dealer-catalogue.ts";
import { listNamedWatches } from "../../src/listings/figures/named-watch-store.ts";
import { toFoldedColumns } from "../../src/listings/listing.ts";
import { examineCatalogue } from "../../src/operations/examine-pipeline.ts";
import { process, rawEvent } from "../support/drain.ts";
import { aListing, aMessage } from "../support/rows.ts";
import { aFolder, callAssay } from "../support/run-assay.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { aMessageEvent } from "../support/waha.ts";

interface Watch {
  readonly brand?: string;
  readonly reference?: string;
  readonly model?: string;
  readonly columns?: Readonly<Record<string, unknown>>;
}

function aWatch(db: Database, { columns, ...words }: Watch): Promise<string> {
  const written = { brand: "Rolex", reference: null, model: null, ...words };
  const others = { dial_type: null, variant: null };
  return aListing(db, { ...written, ...toFoldedColumns({ ...written, ...others }), ...columns });
}

async function examine(db: Database, nowMs = NOW_MS): Promise<readonly string[]> {
  const findings = await examineCatalogue(db, await loadCatalogue(undefined), nowMs);
  assert.ok(findings.every(({ isFine }) => isFine));
  return findings.map(({ text }) => text);
}

const COMPLETE = ["catalogue: it has all references and models of the last 30 days"];

test("the catalogue has references by their base and by their repaired form, and models by name and by word", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const brand = "Patek Philippe";
  await aWatch(pool, { reference: "m126610ln-0001" });
  await aWatch(pool, { reference: "1266I0LN", columns: { reference_normalized: "126610LN" } });
  await aWatch(pool, { brand, reference: "5167/1X-001" });
  await aWatch(pool, { brand, reference: "51671X001" });
  await aWatch(pool, { brand: "Richard Mille", reference: "RM35-02" });
  await aWatch(pool, { model: "Daytona" });
  await aWatch(pool, { model: "cosmograph" });

  assert.deepEqual(await examine(pool), COMPLETE);
});

test("references, models and brands that the catalogue lacks are counted by messages, most frequent first", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const canonical_message_id = await aMessage(pool);
  await aWatch(pool, { reference: "998877", columns: { canonical_message_id } });
  await aWatch(pool, { reference: "998877", columns: { canonical_message_id, line: 1 } });
  await aWatch(pool, { reference: "99 AB/1", model: "Daytona" });
  await aWatch(pool, { reference: "99ab1" });
  // A number of another brand is not known by it.
  await aWatch(pool, { brand: "Omega", reference: "126610LN" });
  for (const model of ["Quai des Bergues Sapphire", "Quai-des-Bergues Sapphire"])
    await aWatch(pool, { brand: "Czapek", model });
  await aWatch(pool, { brand: "Badollet", model: "Ivresse" });
  await aWatch(pool, { brand: "Badollet", reference: "B77-12" });

  const texts = await examine(pool);

  assert.match(
    texts[0] ?? "",
    /^catalogue: it lacks 4 references and 2 models of the last 30 days, and has no model of 1 brands; .*ASSAY_CATALOGUE/,
  );
  assert.deepEqual(texts.slice(1), [
    "catalogue: references that it lacks, by messages: Rolex 99 AB/1 (2), Badollet B77-12 (1), Omega 126610LN (1), Rolex 998877 (1)",
    "catalogue: models that it lacks, by messages: Czapek Quai des Bergues Sapphire (2), Badollet Ivresse (1)",
    "catalogue: brands without a model, by messages: Badollet (2)",
  ]);
});

test("listings that are hidden, revoked or older than 30 days do not count", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aWatch(pool, { reference: "998877", columns: { is_hidden: true } });
  await aWatch(pool, { reference: "998877", columns: { is_revoked: true } });
  const hidden = await examine(pool);
  await aWatch(pool, { reference: "998877" });

  const recent = await examine(pool, NOW_MS + 30 * DAY_MS);
  const old = await examine(pool, NOW_MS + 30 * DAY_MS + 1);

  assert.deepEqual(hidden, COMPLETE);
  assert.equal(recent[1], "catalogue: references that it lacks, by messages: Rolex 998877 (1)");
  assert.deepEqual(old, COMPLETE);
});

test("ten gaps of a kind are listed, long names are cut, and the number of the others is told", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  for (let at = 0; at < 12; at += 1)
    await aWatch(pool, { brand: "Czapek", model: `Unheard ${at} ${"of".repeat(50)}` });

  const texts = await examine(pool);

  assert.match(texts[0] ?? "", /it lacks 0 references and 12 models/);
  assert.match(texts[1] ?? "", /^catalogue: models.*\(1\) and 2 more$/);
  assert.equal(texts[1]?.match(/Czapek Unheard \d+ (of)+o? \(1\)/g)?.length, 10);
  assert.ok((texts[1]?.length ?? 0) < 800);
});

test("only the listings that were seen last are read", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aWatch(pool, { reference: "998877", columns: { last_seen_at_ms: NOW_MS + 1 } });
  await aWatch(pool, { reference: "998866" });

  const watches = await listNamedWatches(pool, { sinceMs: 0, listingsMax: 1 });

  assert.deepEqual(
    watches.map(({ kind, reference }) => [kind, reference]),
    [
      ["reference", "998877"],
      ["brand", "998877"],
    ],
  );
});

test("doctor lists what was read beyond the catalogue, its exit code stays 0, and a file of one's own fills the gap", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const nowMs = Date.now();
  const text = "Badollet Ivresse 2022 full set €14,500";
  const event = aMessageEvent({ text, atS: Math.floor(nowMs / 1000) - 60 });
  await saveRawEvents(pool, [rawEvent(event, { receivedAtMs: nowMs })], "never");
  await process(pool, []);
  const file = join(aFolder(t), "catalogue.json");
  const models = [{ name: "Ivresse", words: ["ivresse"] }];
  writeFileSync(file, JSON.stringify({ brands: [{ name: "Badollet", models }] }));
  const environment = {
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
    ASSAY_WAHA_UNSIGNED: "true",
  };

  const before = await callAssay(["doctor"], environment);
  const after = await callAssay(["doctor"], { ...environment, ASSAY_CATALOGUE: file });

  assert.match(
    before.out,
    /^ok {3}catalogue: models that it lacks, by messages: Badollet Ivresse \(1\)$/m,
  );
  assert.equal(before.code, 0, before.out);
  assert.match(after.out, /^ok {3}catalogue: it has all references and models/m);
});

test("doctor names the words of one's own file that have no class, and says what to do when the words change", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const event = aMessageEvent({ text: "126334 käytetty 2022 €9,400" });
  await saveRawEvents(pool, [rawEvent(event)], "never");
  await process(pool, []);
  const file = join(aFolder(t), "catalogue.json");
  const environment = {
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
    ASSAY_WAHA_UNSIGNED: "true",
    ASSAY_CATALOGUE: file,
  };
  const callWith = (condition: object) => {
    writeFileSync(file, JSON.stringify({ words: { condition } }));
    return callAssay(["doctor"], environment);
  };

  const wrong = await callWith({ worn: { fi: ["käytetty"] } });
  const right = await callWith({ used: { fi: ["käytetty"] } });

  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /\/words\/condition\/worn is not a class; the classes are new/);
  assert.match(right.out, /1 messages were extracted with another version, catalogue or words/);
});
