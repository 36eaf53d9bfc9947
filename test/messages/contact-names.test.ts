import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import {
  findContactsNamed,
  searchContactsByName,
} from "../../src/messages/contacts/contact-store.ts";
import { foldStoredNames } from "../../src/messages/contacts/contact-write-store.ts";
import { process } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { aMessageEvent, SENDER } from "../support/waha.ts";

async function post(db: DatabasePool, name: string, rawId: string, atS = 1_790_000_000) {
  const sender = { ...SENDER, name };
  await process(db, [aMessageEvent({ rawId, sender, addressing: "phone", text: rawId, atS })]);
}

async function names(db: DatabasePool, ...words: string[]) {
  return (await searchContactsByName(db, words, 5)).map(({ display_name }) => display_name);
}

test("a contact is found by the words of its present name, whatever its case, accents and script", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  await post(db, "José Müller 表行", "A1");

  assert.deepEqual(await names(db, "jose"), ["José Müller 表行"]);
  assert.deepEqual(await names(db, "mull", "表"), ["José Müller 表行"]);
  assert.deepEqual(await names(db, "uller"), []);

  await post(db, "Игорь Часы", "A2", 1_790_000_000 + 86_400);
  assert.deepEqual(await names(db, "jose"), []);
  assert.deepEqual(await names(db, "игорь"), ["Игорь Часы"]);
});

test("names from before the update are folded once, and a name changed meanwhile is left alone", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  await post(db, "José Müller", "A1");
  await db.execute(sql`update contact_identifier set name_words = null`);
  assert.deepEqual(await names(db, "jose"), []);

  await foldStoredNames(db);
  await foldStoredNames(db);

  assert.deepEqual(await names(db, "jose"), ["José Müller"]);
});

test("words name a contact if they follow each other in its name", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  await post(db, "Mei Ling Wong", "A1");
  const found = async (words: string) =>
    (await findContactsNamed(db, [words])).map((row) => row.display_name);

  assert.deepEqual(await found("mei"), ["Mei Ling Wong"]);
  assert.deepEqual(await found("ling wong"), ["Mei Ling Wong"]);
  assert.deepEqual(await found("mei wong"), []);
  assert.deepEqual(await found("me"), []);
});
