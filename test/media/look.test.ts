import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "../../src/db/sql.ts";
import { bandsNear, bandsOf, DISTANCE_MAX } from "../../src/media/look.ts";
import { saveFile, saveNoted } from "../../src/media/media-write-store.ts";
import { mediaIdOf } from "../../src/media/picture.ts";
import { groupIdOf } from "../../src/messages/message.ts";
import { distanceOf } from "../support/media/pictures.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { GROUP } from "../support/waha.ts";

const look = fc
  .bigInt({ min: 0n, max: (1n << 64n) - 1n })
  .map((bits) => bits.toString(16).padStart(16, "0"));
const flips = fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: 12 });

function flip(text: string, bits: readonly number[]): string {
  const flipped = bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), BigInt(`0x${text}`));
  return flipped.toString(16).padStart(16, "0");
}

test("looks that differ in at most seven bits share a band or a neighbour of it", () => {
  fc.assert(
    fc.property(look, flips, (first, bits) => {
      const second = flip(first, bits);
      const near = new Set(bandsNear(first));
      const isFound = bandsOf(second).some((band) => near.has(band));
      return distanceOf(first, second) > DISTANCE_MAX || isFound;
    }),
    { numRuns: 2_000 },
  );
});

test("the pairs that are stored are those that a comparison of all with all finds", async (t) => {
  const { pool } = await openTestDatabase(t);
  const groupId = groupIdOf(GROUP);
  await pool.execute(sql`
    insert into market_group (id, gateway_group_id) values (${groupId}, ${GROUP})`);

  await fc.assert(
    fc.asyncProperty(
      look,
      fc.array(flips, { minLength: 2, maxLength: 12 }),
      async (first, changes) => {
        await pool.execute(sql`delete from media`);
        await pool.execute(sql`delete from media_file`);
        const looks = changes.map((bits) => flip(first, bits));
        for (const [at, text] of looks.entries()) await save(at, text);

        const pairs = looks.flatMap((left, at) =>
          looks
            .slice(at + 1)
            .flatMap((right, offset) =>
              distanceOf(left, right) <= DISTANCE_MAX ? [`${at} ${at + 1 + offset}`] : [],
            ),
        );
        const stored = await pool.query<{ left: number; right: number }>(sql`
        select get_byte(sha256, 0) as left, get_byte(other_sha256, 0) as right from media_twin limit 1000`);
        assert.deepEqual(stored.map(({ left, right }) => `${left} ${right}`).sort(), pairs.sort());
      },
    ),
    { numRuns: 20 },
  );

  async function save(at: number, text: string): Promise<void> {
    const id = mediaIdOf(groupId, `AA${at}`, 1);
    const noted = {
      id,
      group_id: groupId,
      raw_id: `AA${at}`,
      second: 1,
      sent_at_ms: 1,
      sender_ids: [],
    };
    await saveNoted(
      pool,
      [{ ...noted, raw_event_id: 1, album_raw_id: null, has_path: true, is_fresh: false }],
      1,
    );
    const small = {
      width: 1,
      height: 1,
      look: text,
      picture: Buffer.from("p"),
      thumb: Buffer.from("t"),
    };
    const isSaved = await saveFile(pool, id, { sha256: Buffer.alloc(32, at), small, nowMs: 1 });
    assert.ok(isSaved);
  }
});
