import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { groupIdOf } from "../../../src/messages/message.ts";
import { buildZip } from "../../support/files.ts";
import { aGroup } from "../../support/rows.ts";
import { aFolder, callAssay } from "../../support/run-assay.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { aMessageEvent, GROUP } from "../../support/waha.ts";

const CHAT = "20/08/2026, 09:15 - Lena: WTS 5711/1A 92.000 EUR\n";

test("a file that is not what it should be is refused with a sentence, and no store is made for it", async (t) => {
  const folder = aFolder(t);
  const dataDir = join(folder, "data");
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const chat = file("chat.txt", CHAT);
  const unclear = file("unclear.txt", "8/7/26, 9:15 PM - Kenji: 126500LN 30k\n");
  const calls = [
    [["waha", chat], 1, /none of its first 1 lines is one.*event, session and payload/],
    [["waha", file("empty.jsonl", "\n\n")], 1, /is not a file of webhook bodies/],
    [["waha", file("other.jsonl", '{"a":1}\n[]\n')], 1, /none of its first 2 lines/],
    [["chat", file("e.jsonl", "{}"), "--group", "x"], 1, /contains no messages/],
    [["chat", file("bad.zip", "PK\u0003\u0004…"), "--group", "x"], 1, /unpack it first/],
    [["chat", unclear, "--group", "x"], 2, /add --date-order day-first or month-first/],
    [["chat", chat, "--group", "x", "--date-order", "month-first"], 2, /dates that do not exist/],
    [["chat", chat, "--group", "x", "--date-order", "any"], 2, /must be one of day-first/],
  ] as const;

  const results = await Promise.all(
    calls.map(([args]) => callAssay(["import", ...args], { ASSAY_DATA_DIR: dataDir })),
  );

  for (const [at, [args, code, message]] of calls.entries()) {
    assert.equal(results[at]?.code, code, `${args.join(" ")}: ${results[at]?.err}`);
    assert.match(results[at]?.err ?? "", message);
    assert.equal(results[at]?.out, "");
  }
  assert.equal(existsSync(dataDir), false);
});

test("a file with some webhook bodies is imported, and an exported .zip belongs to the declared group of its name", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const folder = aFolder(t);
  const id = groupIdOf(GROUP);
  await aGroup(pool, { id, gateway_group_id: GROUP, declared_name: "EU Dealers" });
  const bodies = join(folder, "events.jsonl");
  writeFileSync(bodies, `not JSON\n${JSON.stringify(aMessageEvent({ rawId: "A1" }))}\n`);
  const zip = join(folder, "WhatsApp Chat - EU Dealers.zip");
  const note = { name: "notes.txt", content: Buffer.from("a note that a member sent") };
  writeFileSync(zip, buildZip([note, { name: "_chat.txt", content: Buffer.from(CHAT) }]));

  const waha = await callAssay(["import", "waha", bodies], environment);
  const chat = await callAssay(["import", "chat", zip, "--group", "EU Dealers"], environment);

  assert.match(waha.out, /^2 read, 2 new/, waha.err);
  assert.match(chat.out, /^1 read, 1 new/, chat.err);
  const groups = await pool.query(sql`
    select gateway_group_id, count(*) as occurrences
      from occurrence join market_group on market_group.id = occurrence.group_id group by 1`);
  assert.deepEqual(groups, [{ gateway_group_id: GROUP, occurrences: 2 }]);
});
