import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { isTooLong, SIDE_MAX } from "../../src/media/picture-head.ts";
import { process } from "../support/drain.ts";
import {
  aPicture,
  aPictureEvent,
  aPng,
  fetchAll,
  fetchOptions,
  listPictureStates,
  openPictureGateway,
} from "../support/media/pictures.ts";
import { openTestDatabase } from "../support/test-database.ts";

const ASK = "126610LN 2024 full set €12,500";

function flat(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: "#888" } });
}

/** The head of a WebP with several parts, whose canvas has this size. */
function aCanvas(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write("RIFF", 0, "latin1");
  bytes.write("WEBPVP8X", 8, "latin1");
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}

test("a picture with a side of more than 16,384 pixels is known by its head, in each format", async () => {
  const [longest, longer] = [SIDE_MAX, SIDE_MAX + 1];
  const long = {
    png: await flat(longer, 1).png().toBuffer(),
    "png, high": await flat(1, longer).png().toBuffer(),
    "png of a wall": aPng(1, 64_000_000, Buffer.alloc(1)),
    jpeg: await flat(longer, 1).jpeg().toBuffer(),
    "jpeg, high": await flat(1, longer).jpeg().toBuffer(),
    "jpeg, progressive": await flat(longer, 8).jpeg({ progressive: true }).toBuffer(),
    "jpeg with metadata": await flat(longer, 1)
      .withMetadata({ exif: { IFD0: { Copyright: "x".repeat(1_000) } } })
      .jpeg()
      .toBuffer(),
    webp: aCanvas(longer, 1),
    "webp, high": aCanvas(1, longer),
  };
  const fine = {
    png: await flat(longest, 1).png().toBuffer(),
    jpeg: await flat(1, longest).jpeg().toBuffer(),
    webp: await flat(16_383, 1).webp().toBuffer(),
    "webp of several parts": aCanvas(longest, longest),
    photo: await flat(4_000, 3_000).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    "half a head": aPng(1, 64_000_000, Buffer.alloc(1)).subarray(0, 20),
    "no size": Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
    "only markers": Buffer.alloc(1_000_000, Buffer.from([0xff, 0xd8])),
    "no picture": Buffer.from("hello"),
  };

  for (const [name, file] of Object.entries(long)) assert.equal(isTooLong(file), true, name);
  for (const [name, file] of Object.entries(fine)) assert.equal(isTooLong(file), false, name);
});

test("pictures of 1 by 64,000,000 pixels hold up no other picture, and are not decoded", async (t) => {
  const { pool } = await openTestDatabase(t);
  const gateway = await openPictureGateway(t);
  const options = fetchOptions(t, pool, gateway);
  const wall = aPng(1, 64_000_000, deflateSync(Buffer.alloc(2 * 64_000_000), { level: 1 }));
  gateway.files.set("recv-hk-1/AA01.jpeg", wall);
  gateway.files.set("recv-hk-1/AA02.jpeg", await aPicture(1));
  await process(pool, [
    aPictureEvent({ rawId: "AA01", text: ASK }),
    aPictureEvent({ rawId: "AA02", text: "5711/1A 2019 92.000 EUR" }),
  ]);
  const startedAtMs = performance.now();

  const results = await fetchAll(options);

  // Decoding it takes ten seconds before it is given up.
  assert.ok(performance.now() - startedAtMs < 8_000);
  assert.deepEqual(results, ["gone", "stored"]);
  assert.deepEqual(
    (await listPictureStates(pool)).map(({ state, reason }) => [state, reason]),
    [
      ["gone", "too_large"],
      ["stored", null],
    ],
  );
});
