import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { typeOf } from "../../src/media/picture.ts";
import { createShrinker } from "../../src/media/shrink-pictures.ts";
import { aPicture, aPng } from "../support/media/pictures.ts";
import type { Lifetime } from "../support/test-database.ts";

function open(t: Lifetime, options: Parameters<typeof createShrinker>[0] = {}) {
  const shrinker = createShrinker(options);
  t.after(() => shrinker.stop());
  return shrinker;
}

test("JPEG, PNG and WebP of any kind become WebP without metadata, turned as they were taken", async (t) => {
  const shrinker = open(t);
  const colours = await aPicture(1, { width: 400, height: 200 });
  const turned = await sharp(colours).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const files = {
    jpeg: colours,
    png: await aPicture(1, { width: 400, height: 200, type: "png" }),
    webp: await aPicture(1, { width: 400, height: 200, type: "webp" }),
    cmyk: await sharp(colours).toColourspace("cmyk").jpeg().toBuffer(),
    sixteen: await sharp(colours).toColourspace("rgb16").png().toBuffer(),
    clear: await sharp(colours).ensureAlpha(0.5).png().toBuffer(),
    polyglot: Buffer.concat([colours, Buffer.from("PK\x03\x04<script>alert(1)</script>")]),
    moving: await sharp(
      Buffer.concat(await Promise.all([1, 2].map((seed) => sharp(aFrame(seed)).raw().toBuffer()))),
      { raw: { width: 400, height: 400, channels: 3, pageHeight: 200 } },
    )
      .webp({ loop: 0 })
      .toBuffer(),
  };

  for (const [name, file] of Object.entries(files)) {
    const small = await shrinker.shrink(file);
    assert.deepEqual([small?.width, small?.height], [400, 200], name);
    const made = await sharp(small?.picture).metadata();
    assert.deepEqual(
      [made.format, made.exif, made.icc, made.pages],
      ["webp", undefined, undefined, undefined],
      name,
    );
    assert.ok(!small?.picture.includes("script"), name);
  }
  const upright = await shrinker.shrink(turned);
  assert.deepEqual([upright?.width, upright?.height], [200, 400]);
});

function aFrame(seed: number) {
  return {
    create: {
      width: 400,
      height: 200,
      channels: 3 as const,
      background: { r: seed * 90, g: 9, b: 9 },
    },
  };
}

test("what is no picture, not whole, too large or a bomb is refused, and the next picture is made small", async (t) => {
  const shrinker = open(t);
  const whole = await aPicture(1, { width: 800, height: 600 });
  const bomb = deflateSync(Buffer.alloc(30_000_000));
  const bad = {
    empty: Buffer.alloc(0),
    text: Buffer.from("hello"),
    cut: whole.subarray(0, whole.length / 3),
    header: whole.subarray(0, 20),
    huge: aPng(30_000, 30_000, bomb),
    lie: aPng(2_000, 2_000, deflateSync(Buffer.from("short"))),
  };

  for (const [name, file] of Object.entries(bad)) {
    assert.equal(await shrinker.shrink(file), undefined, name);
  }
  assert.ok((await shrinker.shrink(whole)) !== undefined);
});

test("an SVG is no picture, whatever it is called, nor is an animated GIF", () => {
  assert.equal(typeOf(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")), undefined);
  assert.equal(typeOf(Buffer.from("GIF89a")), undefined);
  assert.equal(typeOf(Buffer.from("RIFF1234AVI ")), undefined);
  assert.equal(typeOf(Buffer.alloc(0)), undefined);
});

test("place, phone, time, colours and notes of a picture are removed", async (t) => {
  const shrinker = open(t);
  const file = await sharp(await aPicture(1))
    .withExif({
      IFD0: { Make: "SecretPhone", Copyright: "SecretName" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "22/1 16/1 0/1" },
    })
    .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'><secret/></x:xmpmeta>")
    .withIccProfile("p3")
    .jpeg()
    .toBuffer();
  const before = await sharp(file).metadata();
  assert.ok(before.exif && before.icc && before.xmp && file.includes("SecretPhone"));

  const small = await shrinker.shrink(file);

  for (const made of [small?.picture, small?.thumb]) {
    const { exif, icc, xmp, iptc, comments } = await sharp(made).metadata();
    assert.deepEqual([exif, icc, xmp, iptc, comments], Array.from({ length: 5 }));
    assert.ok(!/secret|gps|xmp/i.test(made?.toString("latin1") ?? ""));
  }
});

/** A program that says that it is ready, and then does this with a question. */
async function aProgram(t: Lifetime, onQuestion: string, isReady = true): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "assay-shrink-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "program.mjs");
  await writeFile(
    path,
    `
const say = (answer, length) => {
  const about = Buffer.from(JSON.stringify(answer));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length ?? about.length + 4);
  head.writeUInt32BE(about.length, 4);
  process.stdout.write(Buffer.concat([head, about]));
};
${isReady ? `say({ kind: "ready", lengths: [] });` : "process.exit(1);"}
process.stdin.on("data", async (data) => { ${onQuestion} });
process.stdin.on("end", () => process.exit(0));`,
  );
  return path;
}

test("whatever the process says instead of an answer, the picture is refused and the service goes on", async (t) => {
  const picture = await aPicture(1);
  const lies = [
    `process.stdout.write("warning: something happened\\n");`,
    `say({ kind: "done" });`,
    `say({ kind: "done", lengths: [99] });`,
    `say({ kind: "done", lengths: [] }, 0xffffffff);`,
    `process.abort();`,
    `process.kill(process.pid, "SIGSEGV");`,
  ];

  for (const lie of lies) {
    const shrinker = open(t, { program: await aProgram(t, lie) });
    assert.equal(await shrinker.shrink(picture), undefined, lie);
  }
});

test("a process that something else ends says nothing about the picture", async (t) => {
  for (const end of [`process.kill(process.pid, "SIGKILL");`, "process.exit(1);"]) {
    const shrinker = open(t, { program: await aProgram(t, end) });
    await assert.rejects(shrinker.shrink(await aPicture(1)), /ended/, end);
  }
});

test("a picture that takes too long is tried once more, in another process", async (t) => {
  const program = await aProgram(
    t,
    `const { existsSync, writeFileSync } = await import("node:fs");
const mark = new URL("mark", import.meta.url);
if (existsSync(mark)) say({ kind: "done", width: 1, height: process.pid, look: "", lengths: [0, 0] });
else writeFileSync(mark, "");`,
  );
  const shrinker = open(t, { program, timeMaxMs: 500 });

  assert.equal((await shrinker.shrink(Buffer.from("x")))?.width, 1);
});

test("a file of a sender whose last one took too long has no second try, until one of his is in time", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "assay-tries-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const tries = join(folder, "tries");
  const program = await aProgram(
    t,
    `const { appendFileSync } = await import("node:fs");
appendFileSync(${JSON.stringify(tries)}, "x");
if (data.includes("good")) say({ kind: "done", width: 1, height: 1, look: "", lengths: [0, 0] });`,
  );
  const shrinker = open(t, { program, timeMaxMs: 300 });
  const triesOf = async (file: string, senderIds: readonly string[]): Promise<number> => {
    await writeFile(tries, "");
    await shrinker.shrink(Buffer.from(file), senderIds);
    return (await readFile(tries)).length;
  };

  const counts = [
    await triesOf("bad", ["phone:1"]),
    await triesOf("bad", ["lid:1", "phone:1"]),
    await triesOf("bad", ["lid:1"]),
    await triesOf("bad", ["phone:2"]),
    await triesOf("good", ["phone:1"]),
    await triesOf("bad", ["phone:1"]),
  ];

  assert.deepEqual(counts, [2, 1, 1, 2, 1, 2]);
});

test("Ctrl-C and a stop of the service do not end the process in the middle of a picture", async (t) => {
  const before = await listDecoders();
  const shrinker = open(t);
  await shrinker.shrink(await aPicture(1));
  const [decoder] = (await listDecoders()).filter(({ pid }) => before.every((b) => b.pid !== pid));
  assert.ok(decoder !== undefined);
  const large = await aPicture(1, { width: 5_000, height: 4_000 });

  const shrinking = shrinker.shrink(large);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.kill(decoder.pid, signal);

  assert.ok((await shrinking) !== undefined);
  assert.equal(decoder.group, decoder.pid, "the terminal's Ctrl-C does not reach it");
});

/** The processes of this one that decode pictures. */
async function listDecoders() {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,pgid=,args="]);
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, group, ...words] = line.trim().split(/\s+/);
    const isDecoder = Number(parent) === process.pid && words.join(" ").includes("shrink-child");
    return isDecoder ? [{ pid: Number(pid), group: Number(group) }] : [];
  });
}

test("a process that does not even start is an error, and says nothing about the picture", async (t) => {
  const shrinker = open(t, { program: await aProgram(t, "", false) });

  await assert.rejects(shrinker.shrink(await aPicture(1)), /did not start/);
});

test("the process has an empty environment, and one that keeps much memory is replaced", async (t) => {
  const answer = `say({ kind: "done", width: Object.keys(process.env).length, height: process.pid, look: "", lengths: [0, 0] });`;
  const program = await aProgram(t, answer);
  const greedy = open(t, { program, memoryKeptBytes: 1 });
  const modest = open(t, { program });
  const file = Buffer.from("x");

  const [one, two] = [await greedy.shrink(file), await greedy.shrink(file)];
  const [three, four] = [await modest.shrink(file), await modest.shrink(file)];

  assert.equal(one?.width, 0);
  assert.notEqual(one?.height, two?.height);
  assert.equal(three?.height, four?.height);
});

test("a picture that takes too long or too much memory ends the process, and the next one starts another", async (t) => {
  const slow = open(t, { timeMaxMs: 1 });
  const greedy = open(t, { memoryMaxBytes: 1 });
  const large = await aPicture(1, { width: 5_000, height: 4_000 });

  assert.equal(await slow.shrink(large), undefined);
  assert.equal(await slow.shrink(large), undefined);
  assert.equal(await greedy.shrink(large), undefined);
});

test("many pictures at once are made small one after the other", async (t) => {
  const shrinker = open(t);
  const files = await Promise.all([1, 2, 3, 4, 5].map((seed) => aPicture(seed)));

  const looks = await Promise.all(files.map(async (file) => (await shrinker.shrink(file))?.look));

  assert.equal(new Set(looks).size, 5);
});
