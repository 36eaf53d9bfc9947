import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { identitySha256 } from "../../src/messages/message.ts";
import { findMessagesOfText } from "../../src/messages/message-store.ts";
import { process } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { aMessageEvent } from "../support/waha.ts";

test("the messages of a text are found among many contacts, also those of unknown senders", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const sender = { phone: "447700900124", lid: "199900000000202", name: "Ana P." };
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "126610LN €12,500" }),
    aMessageEvent({ rawId: "B1", text: "126610ln  €12,500 🔥", sender }),
    aMessageEvent({ rawId: "C1", text: "126610LN €12,500", addressing: "none" }),
    aMessageEvent({ rawId: "D1", text: "126610LN €12,400" }),
  ]);
  // Ids on both sides of those of the real contacts, on more than one page.
  await pool.execute(sql`
    insert into contact (id, key)
    select md5(number::text)::uuid, 'phone:' || number from generate_series(1, 5500) as number`);

  const found = await findMessagesOfText(pool, identitySha256("126610LN €12,500") ?? "");

  const messages = await pool.query<{ id: string }>(
    sql`select id from canonical_message where text not like '%12,400' order by id`,
  );
  assert.equal(messages.length, 3);
  assert.deepEqual(
    found.toSorted(),
    messages.map(({ id }) => id),
  );
});
