import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readZipFile } from "../../src/base/read-zip.ts";
import { buildZip, type ZipFile } from "../support/files.ts";
import { aFolder } from "../support/run-assay.ts";

const CHAT: ZipFile = { name: "_chat.txt", content: Buffer.from("Grüße ".repeat(1_000)) };
const PHOTO: ZipFile = { name: "photo.jpg", content: Buffer.from([1, 2, 3]), isStored: true };
const BYTES_MAX = 1024 * 1024;

test("packed and stored files are read from an archive, also behind a comment", async (t) => {
  const file = save(t, buildZip([PHOTO, CHAT], "made by a phone"));

  for (const { name, content } of [PHOTO, CHAT]) {
    const names: string[] = [];
    const choose = (all: readonly string[]) => {
      names.push(...all);
      return name;
    };
    assert.deepEqual(await readZipFile(file, { choose, bytesMax: BYTES_MAX }), content);
    assert.deepEqual(names, [PHOTO.name, CHAT.name]);
  }
  const none = await readZipFile(file, { choose: () => undefined, bytesMax: BYTES_MAX });
  assert.equal(none, undefined);
});

test("a file that unpacks to more than the archive says is refused before it fills the memory", async (t) => {
  const bomb = { ...CHAT, content: Buffer.alloc(64 * 1024 * 1024), claimedBytes: 100 };

  await assert.rejects(
    readFirst(save(t, buildZip([bomb]))),
    /not a zip archive that Assay can read/,
  );
});

test("encrypted and too large files are refused with what to do", async (t) => {
  for (const claims of [{ isEncrypted: true }, { claimedBytes: 2 ** 31 }]) {
    const file = save(t, buildZip([{ ...CHAT, ...claims }]));

    await assert.rejects(readFirst(file), /unpack it first/);
  }
});

test("a broken archive is an error that names the file, wherever it is cut or changed", async (t) => {
  const whole = buildZip([CHAT, PHOTO]);

  for (let at = 0; at < whole.length; at += 7) {
    const cut = whole.subarray(0, at);
    await assert.rejects(readFirst(save(t, cut)), { name: "OperatorError" }, `cut at ${at}`);
    const changed = Buffer.from(whole);
    changed.fill(0xff, at, Math.min(at + 4, changed.length));
    await readFirst(save(t, changed)).catch((error: Error) => {
      assert.equal(error.name, "OperatorError", `changed at ${at}: ${String(error)}`);
    });
  }
});

test("a missing file keeps the error of the system, and an archive in memory is named by its name", async (t) => {
  const missing = join(aFolder(t), "none.zip");
  const inMemory = { name: "rates.zip", content: Buffer.from("PK nothing") };

  await assert.rejects(readFirst(missing), { code: "ENOENT" });
  await assert.rejects(readFirst(inMemory), /^OperatorError: rates\.zip is not a zip archive/);
});

function save(t: TestContext, bytes: Buffer): string {
  const file = join(aFolder(t), "export.zip");
  writeFileSync(file, bytes);
  return file;
}

async function readFirst(archive: Parameters<typeof readZipFile>[0]): Promise<Buffer | undefined> {
  return readZipFile(archive, { choose: ([first]) => first, bytesMax: BYTES_MAX });
}
