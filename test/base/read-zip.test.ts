import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openZip } from "../../src/base/read-zip.ts";
import { aFolder } from "../support/run-assay.ts";
import { buildZip, type ZipFile } from "../support/zip.ts";

const CHAT: ZipFile = { name: "_chat.txt", content: Buffer.from("Grüße ".repeat(1_000)) };
const PHOTO: ZipFile = { name: "photo.jpg", content: Buffer.from([1, 2, 3]), isStored: true };

test("packed and stored files are read from an archive, also behind a comment", (t) => {
  const zip = openZip(save(t, buildZip([PHOTO, CHAT], "made by a phone")));
  t.after(() => zip.close());

  assert.deepEqual(
    zip.entries.map((entry) => [entry.name, zip.read(entry)]),
    [
      ["photo.jpg", PHOTO.content],
      ["_chat.txt", CHAT.content],
    ],
  );
});

test("a file that unpacks to more than the archive says is refused before it fills the memory", (t) => {
  const bomb = { ...CHAT, content: Buffer.alloc(64 * 1024 * 1024), claimedBytes: 100 };

  assert.throws(
    () => readFirst(save(t, buildZip([bomb]))),
    /not a zip archive that Assay can read/,
  );
});

test("encrypted and too large files are refused with what to do", (t) => {
  for (const claims of [{ isEncrypted: true }, { claimedBytes: 2 ** 31 }]) {
    assert.throws(() => readFirst(save(t, buildZip([{ ...CHAT, ...claims }]))), /unpack it first/);
  }
});

test("a broken archive is an error that names the file, wherever it is cut or changed", (t) => {
  const whole = buildZip([CHAT, PHOTO]);

  for (let at = 0; at < whole.length; at += 7) {
    const cut = save(t, whole.subarray(0, at));
    assert.throws(() => readFirst(cut), { name: "OperatorError" }, `cut at ${at}`);
    const changed = Buffer.from(whole);
    changed.fill(0xff, at, Math.min(at + 4, changed.length));
    try {
      readFirst(save(t, changed));
    } catch (error) {
      assert.equal((error as Error).name, "OperatorError", `changed at ${at}: ${String(error)}`);
    }
  }
});

function save(t: TestContext, bytes: Buffer): string {
  const file = join(aFolder(t), "export.zip");
  writeFileSync(file, bytes);
  return file;
}

function readFirst(file: string): Buffer {
  const zip = openZip(file);
  try {
    const [first] = zip.entries;
    if (first === undefined) throw Object.assign(new Error("no entry"), { name: "OperatorError" });
    return zip.read(first);
  } finally {
    zip.close();
  }
}
