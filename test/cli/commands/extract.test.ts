import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { describe, test } from "node:test";
import { OperatorError } from "../../../src/base/errors.ts";
import { extractCommand } from "../../../src/cli/commands/extract.ts";
import { EXTRACTION_VERSION } from "../../../src/extraction/extract.ts";

async function run(input: string | readonly Buffer[], args: readonly string[] = []) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([readAll(out), readAll(err)]);
  const stdin = Readable.from(typeof input === "string" ? [Buffer.from(input)] : input);
  const terminal = { in: stdin, out, err, environment: {}, isInteractive: false };
  const exitCode = await extractCommand.run(args, terminal);
  out.end();
  err.end();
  const [stdout, stderr] = await output;
  return { exitCode, stdout, stderr, lines: stdout.trim().split("\n") };
}

const message = (text: string, more: object = {}): string =>
  `${JSON.stringify({ text, ...more })}\n`;

describe("assay extract", () => {
  test("each line is answered with one line that has the members of the API", async () => {
    const { exitCode, lines } = await run(
      message("WTS 124060 N3/26, complete, HKD 93k", { message_date: "2026-04-02" }) +
        message("We have"),
    );

    assert.equal(exitCode, 0);
    assert.equal(lines.length, 2);
    const { listings, ...body } = JSON.parse(lines[0] ?? "");
    assert.deepEqual(body, { side: "for_sale", message_type: "selling", rejections: [] });
    const { extraction, ...listing } = listings[0];
    assert.deepEqual(listing, {
      side: "for_sale",
      brand: "Rolex",
      model: "Submariner",
      reference: "124060",
      reference_normalized: "124060",
      year: 2026,
      card_month: 3,
      condition: "NEW",
      full_set_status: ["FULL_SET"],
      price: { amount_minor: 9_300_000, currency: "HKD" },
      source_lines: [0],
      header_lines: [],
    });
    assert.equal(extraction.version, EXTRACTION_VERSION);
    assert.equal(extraction.sources.price, "explicit");
    assert.deepEqual(JSON.parse(lines[1] ?? ""), {
      message_type: "unknown",
      listings: [],
      rejections: [{ reason: "no_watch" }],
    });
  });

  test("a bad line gets an error in its place, with its line number, and the exit code is 1", async () => {
    const { exitCode, lines, stderr } = await run(
      `${message("126334")}{"text":7}\nnot json\n${message("x", { message_date: "soon" })}${message("126333")}`,
    );

    assert.equal(exitCode, 1);
    assert.equal(lines.length, 5);
    assert.match(lines[1] ?? "", /^\{"error":"line 2: /);
    assert.match(stderr, /line 3: not valid JSON/);
    assert.match(stderr, /line 4: "message_date"/);
    assert.equal(JSON.parse(lines[4] ?? "").listings.length, 1);
  });

  test("a line that is too long is rejected without being held in memory", async () => {
    const piece = Buffer.alloc(65_536, "a");
    const { exitCode, lines } = await run([
      ...Array.from({ length: 40 }, () => piece),
      Buffer.from(`\n${message("126334")}`),
    ]);

    assert.equal(exitCode, 1);
    assert.match(lines[0] ?? "", /longer than/);
    assert.equal(JSON.parse(lines[1] ?? "").listings.length, 1);
  });

  test("characters that are split across chunks are read correctly", async () => {
    const bytes = Buffer.from(message("126334 全新 €11.000"));
    const { lines } = await run([...bytes].map((byte) => Buffer.from([byte])));

    assert.equal(JSON.parse(lines[0] ?? "").listings[0].condition, "NEW");
  });

  test("--explain shows which words gave which field, and where they are in the text", async () => {
    const { stdout } = await run(message("126334 blue 2022 €11.400 HKD1,045,00"), ["--explain"]);

    assert.match(stdout, /year +2022 +from "2022" at 12-16\n/);
    assert.match(stdout, /price +11,400 EUR +from "€11\.400" at 17-24\n/);
  });

  test("--catalogue adds the dealer's own file, and names the file that cannot be read", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "assay-catalogue-"));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, "own.json");
    await writeFile(
      file,
      JSON.stringify({
        brands: [{ name: "Ming", shapes: [{ pattern: "M##.##", trust: "shape" }] }],
        words: { condition: { used: { fi: ["käytetty"] } } },
      }),
    );

    const { lines } = await run(message("M37.05 käytetty 2023 €4.200"), ["--catalogue", file]);

    const [listing] = JSON.parse(lines[0] ?? "").listings;
    assert.deepEqual([listing.brand, listing.condition], ["Ming", "USED"]);
    await assert.rejects(run("", ["--catalogue", join(folder, "none.json")]), OperatorError);
  });
});

describe("assay extract --score", () => {
  const label = (text: string, expected: object): string =>
    `${JSON.stringify({ input: { text, message_date: "2026-04-02" }, expected })}\n`;

  test("labelled messages from standard input give a table and one line of JSON", async () => {
    const { exitCode, stdout, lines } = await run(
      label("126610LN 2024 €12,500", { side: "for_sale", listings: [{ year: 2024 }] }) +
        `\n${label("126710BLRO 2023 €17,500", { listings: [{ year: 2022 }] })}`,
      ["--score", "-"],
    );

    assert.equal(exitCode, 0);
    assert.match(stdout, /^FIELD +RIGHT +ALL +SHARE\n/);
    assert.match(stdout, /\nyear +1 +2 +50\.0 %\n/);
    assert.deepEqual(JSON.parse(lines.at(-1) ?? ""), {
      messages: 2,
      fields: {
        side: { right: 1, all: 1, share: 1 },
        "number of listings": { right: 2, all: 2, share: 1 },
        year: { right: 1, all: 2, share: 0.5 },
      },
    });
  });

  test("messages in a text file are scored like labels in JSON", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "assay-labels-"));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, "labels.txt");
    await writeFile(
      file,
      "[EUR]\n126610LN 2024 12,500\n=> sell 2023 12500 EUR\nHello => nothing\n",
    );

    const { lines } = await run("", ["--score", file, "--json", "--misses"]);

    assert.equal(JSON.parse(lines[0] ?? "").line, 2);
    assert.deepEqual(JSON.parse(lines[1] ?? ""), {
      messages: 2,
      fields: {
        side: { right: 1, all: 1, share: 1 },
        "number of listings": { right: 1, all: 1, share: 1 },
        price: { right: 1, all: 1, share: 1 },
        year: { right: 0, all: 1, share: 0 },
        "no listing where none is": { right: 1, all: 1, share: 1 },
      },
    });
    await assert.rejects(run("", ["--score", "/nowhere/labels.txt"]), (error) =>
      isProblem(error, /cannot read \/nowhere\/labels.txt \(ENOENT\)/),
    );
  });

  test("--json prints no table, and --misses prints each wrong value", async () => {
    const { lines } = await run(label("126610LN 2024 €12,500", { listings: [{ year: 2023 }] }), [
      "--score",
      "-",
      "--json",
      "--misses",
    ]);

    assert.equal(lines.length, 2);
    assert.deepEqual(JSON.parse(lines[0] ?? ""), {
      line: 1,
      field: "year",
      expected: 2023,
      read: 2024,
      text: "126610LN 2024 €12,500",
    });
  });

  test("a line that cannot be read ends the command with its number, and so does a missing file", async () => {
    const good = label("126610LN", { side: "for_sale" });

    for (const [input, message] of [
      [`${good}nothing\n`, /line 2: not valid JSON/],
      [`${good}{"expected": {}}\n`, /line 2: "input" must be an object/],
      [label("126610LN", { side: "sale" }), /line 1: "side" must be one of/],
    ] as const)
      await assert.rejects(run(input, ["--score", "-"]), (error) => isProblem(error, message));
    await assert.rejects(run("", ["--score", "/nowhere/labels.jsonl"]), (error) =>
      isProblem(error, /cannot read \/nowhere\/labels.jsonl \(ENOENT\)/),
    );
  });

  test("--misses and --json need --score, which goes without --explain", async () => {
    for (const args of [["--json"], ["--misses"], ["--score", "-", "--explain"]])
      await assert.rejects(run("", args), { name: "UsageError" });
  });
});

function isProblem(error: unknown, message: RegExp): boolean {
  return error instanceof OperatorError && message.test(error.message);
}
