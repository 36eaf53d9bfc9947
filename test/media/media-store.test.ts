import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import { takeLock } from "../../src/db/locks.ts";
import { sql } from "../../src/db/sql.ts";
import { findMessageMedia } from "../../src/media/media-store.ts";
import { saveFile } from "../../src/media/media-write-store.ts";
import { process } from "../support/drain.ts";
import {
  aPicture,
  aPictureEvent,
  fetchAll,
  fetchOptions,
  openPictureGateway,
} from "../support/media/pictures.ts";
import { NOW_MS } from "../support/test-app.ts";
import { type Lifetime, openTestDatabase } from "../support/test-database.ts";

const ASK = "126610LN 2024 full set €12,500";
const NOW_S = NOW_MS / 1000;

async function open(t: Lifetime) {
  const { pool } = await openTestDatabase(t);
  const gateway = await openPictureGateway(t);
  const options = fetchOptions(t, pool, gateway);
  /** One post each, a second apart; what has no file cannot be had. */
  const post = async (ids: readonly string[], atS: number, hasFile = true): Promise<void> => {
    for (const [at, rawId] of ids.entries()) {
      const file = await aPicture(Number(rawId.slice(2)), { width: 64, height: 48 });
      if (hasFile) gateway.files.set(`recv-hk-1/${rawId}.jpeg`, file);
      await process(pool, [aPictureEvent({ rawId, text: ASK, atS: atS + at })]);
    }
    await fetchAll(options);
  };
  const listShown = async () => {
    const [message] = await pool.query<{ id: string }>(
      sql`select canonical_message_id as id from listing limit 1`,
    );
    const media = await findMessageMedia(pool, [message?.id ?? ""], { isWhole: true });
    const names = await pool.query<{ id: string; raw_id: string }>(
      sql`select id, raw_id from media limit 100`,
    );
    const nameOf = new Map(names.map(({ id, raw_id }) => [id, raw_id]));
    return (media.get(message?.id ?? "") ?? []).map(({ id, state }) => [nameOf.get(id), state]);
  };
  return { pool, post, listShown };
}

const OLD = Array.from({ length: 10 }, (_, at) => `AA${10 + at}`);

test("a text that was posted again shows the pictures of its latest post first", async (t) => {
  const { post, listShown } = await open(t);
  await post(OLD, NOW_S - 600);
  await post(["AA20", "AA21"], NOW_S - 60);

  assert.deepEqual(
    await listShown(),
    ["AA21", "AA20", ...OLD.slice(2).reverse()].map((id) => [id, "stored"]),
  );
});

test("pictures that cannot be had push out none that is stored, and those of older posts are not missed", async (t) => {
  const { post, listShown } = await open(t);
  await post(OLD, NOW_S - 600, false);
  await post(["AA20"], NOW_S - 60);
  const complete = await listShown();
  await post(["AA21"], NOW_S - 50, false);

  assert.deepEqual(complete, [["AA20", "stored"]]);
  assert.deepEqual((await listShown()).slice(0, 3), [
    ["AA21", "gone"],
    ["AA20", "stored"],
    ["AA19", "gone"],
  ]);
});

test("of two files that look the same and are stored at the same moment, the second one finds the first", async (t) => {
  const { pool, post } = await open(t);
  await post(["AA10", "AA11"], NOW_S - 60, false);
  const pictures = await pool.query<{ id: string }>(
    sql`select id from media order by raw_id limit 2`,
  );
  const small = {
    width: 1,
    height: 1,
    look: "00ff00ff00ff00ff",
    picture: Buffer.from("picture"),
    thumb: Buffer.from("thumb"),
  };
  const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte));

  let later: Promise<boolean> | undefined;
  await pool.transaction(async (tx) => {
    await takeLock(tx, "looks");
    await tx.execute(sql`
      insert into media_file (sha256, width, height, picture, thumb, byte_count, look, bands, stored_at_ms)
      values (${first}, 1, 1, ''::bytea, ''::bytea, 1, x'00ff00ff00ff00ff'::bit(64), array[255, 65791, 131327, 196863], ${NOW_MS})`);
    later = saveFile(pool, pictures[1]?.id ?? "", {
      sha256: second ?? Buffer.of(),
      small,
      nowMs: NOW_MS,
    });
    await sleep(300);
  });
  await later;

  const [row] = await pool.query<{ count: number }>(sql`select count(*) as count from media_twin`);
  assert.equal(row?.count, 1);
});
