/**
 * Stored messages are read again only if the extraction version or the hash of the data (brands, words, weights) differs. So
 * a change of what is read must change one of them. `readings.txt` keeps, for the version and the data of the last commit,
 * a hash of what is read in each message of the corpus.
 *
 * Example: a rule now finds the year of three messages. The test names them and fails until EXTRACTION_VERSION is raised and
 * `npm run generate` has written the file anew. A new message of the corpus only needs the latter.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { toExtractionBody } from "../../src/cli/extract-message.ts";
import { buildCatalogue } from "../../src/extraction/catalogue/catalogue.ts";
import { EXTRACTION_VERSION, extract } from "../../src/extraction/extract.ts";
import { catalogueSha256, readingDataOf } from "../../src/listings/dealer-catalogue.ts";
import { builtInCatalogue } from "../support/extraction.ts";
import { type CorpusMessage, listCorpusFiles, readCorpus } from "./corpus.ts";

const FILE = "test/corpus/readings.txt";
/** `npm run generate` writes the file; a run of the tests compares it. */
const IS_WRITING = process.env["ASSAY_TEST_WRITE"] === "1";
const SHOWN_MAX = 20;

interface Readings {
  readonly version: number;
  readonly data: string;
  /** From the hash of a message with its context to the hash of what is read in it. */
  readonly messages: ReadonlyMap<string, string>;
}

describe("a changed reading", () => {
  test("has another extraction version or other data, and the file of readings is up to date", () => {
    const corpus = listCorpusFiles().flatMap(readCorpus);
    const now: Readings = {
      version: EXTRACTION_VERSION,
      data: catalogueSha256(builtInCatalogue),
      messages: new Map(corpus.map((message) => [inputHash(message), readingHash(message)])),
    };
    const text = existsSync(FILE) ? readFileSync(FILE, "utf8") : "";

    const changed = findUndeclared(parseReadings(text), now);

    const names = corpus
      .filter((message) => changed.includes(inputHash(message)))
      .map(({ file, line, input }) => `  ${file}:${line} ${input.text.slice(0, 80)}`);
    assert.deepEqual(
      changed.length,
      0,
      `${changed.length} messages are read differently, but stored messages would not be read again. Raise
EXTRACTION_VERSION in src/extraction/extract.ts (or change the data that the rule reads), then run \`npm run generate\`.
If that version is not committed yet, run \`git checkout ${FILE}\` first.
${names.slice(0, SHOWN_MAX).join("\n")}`,
    );
    const isSame = text === formatReadings(now);
    if (IS_WRITING && !isSame) writeFileSync(FILE, formatReadings(now));
    assert.ok(isSame || IS_WRITING, `${FILE} is not up to date: run \`npm run generate\``);
  });

  test("is found in messages that were there before, unless the version or the data differ", () => {
    const old = { version: 5, data: "d1", messages: new Map([["a", "1"]]) };
    const messages = new Map([
      ["a", "2"],
      ["b", "3"],
    ]);

    assert.deepEqual(findUndeclared(old, { ...old, messages }), ["a"]);
    assert.deepEqual(findUndeclared(old, { ...old, messages, version: 6 }), []);
    assert.deepEqual(findUndeclared(old, { ...old, messages, data: "d2" }), []);
    assert.deepEqual(findUndeclared(old, { ...old, messages: new Map([["b", "3"]]) }), []);
    assert.deepEqual(parseReadings(formatReadings(old)), old);
  });
});

describe("the hash of the data", () => {
  test("differs if a brand or a word differs", () => {
    const { brands, words } = builtInCatalogue;
    const other = { ...words, set: { ...words.set, full_set: { en: ["everything with it"] } } };
    const catalogues = [
      builtInCatalogue,
      buildCatalogue(brands.slice(1)),
      buildCatalogue(brands, other),
    ];

    assert.equal(new Set(catalogues.map(catalogueSha256)).size, catalogues.length);
    assert.equal(catalogueSha256(builtInCatalogue), catalogueSha256(buildCatalogue()));
  });

  test("covers every file with words or weights", () => {
    const hashed = JSON.stringify(readingDataOf(builtInCatalogue));
    const files = ["words", "weights"]
      .map((name) => join("src/extraction", name))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
      .filter((file) => file.endsWith(".json"));

    const missing = files.filter(
      (file) => !hashed.includes(JSON.stringify(JSON.parse(readFileSync(file, "utf8")))),
    );

    assert.ok(files.length > 10, `${files.length} files`);
    assert.deepEqual(missing, [], "add them to readingDataOf in src/listings/dealer-catalogue.ts");
  });
});

/** The messages of both that are read differently, if neither the version nor the data say so. */
function findUndeclared(old: Readings, now: Readings): readonly string[] {
  if (old.version !== now.version || old.data !== now.data) return [];
  return [...now.messages]
    .filter(([input, reading]) => (old.messages.get(input) ?? reading) !== reading)
    .map(([input]) => input);
}

function inputHash({ input }: CorpusMessage): string {
  return shortHash(JSON.stringify(input));
}

/** Of what the API shows, but for the version. A confidence is rounded: its last digits are no reading. */
function readingHash({ message }: CorpusMessage): string {
  const body = toExtractionBody(extract(message, builtInCatalogue));
  const text = JSON.stringify(body, (name, value) => {
    if (name === "version") return undefined;
    return name === "confidence" ? Number(value).toFixed(3) : value;
  });
  return shortHash(text);
}

/** 32 bits: among some thousand messages, two with the same hash are unlikely. */
function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function formatReadings({ version, data, messages }: Readings): string {
  const lines = [...messages].map(([input, reading]) => `${input} ${reading}\n`).sort();
  return `version ${version}\ndata ${data}\n${lines.join("")}`;
}

/** Lines of another form, such as the marks of a merge, are skipped. */
function parseReadings(text: string): Readings {
  const pairs = text
    .split("\n")
    .map((line) => line.split(" "))
    .filter((words) => words.length === 2);
  const { version = "0", data = "", ...messages } = Object.fromEntries(pairs);
  return { version: Number(version), data, messages: new Map(Object.entries(messages)) };
}
