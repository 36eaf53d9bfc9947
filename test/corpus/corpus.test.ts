import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { extract } from "../../src/extraction/extract.ts";
import { type Finding, scoreMessage, tallyFindings } from "../../src/listings/label-score.ts";
import { parseLabelText } from "../../src/listings/label-text.ts";
import { builtInCatalogue } from "../support/extraction.ts";
import {
  type CorpusMessage,
  listCorpusFiles,
  parseCorpus,
  readCorpus,
  showReading,
  showWatch,
} from "./corpus.ts";

const MISSES_SHOWN_MAX = 60;
const corpus = listCorpusFiles().flatMap(readCorpus);

for (const [file, messages] of groupBy(corpus, ({ file }) => file)) {
  describe(file, () => {
    for (const [mode, section] of groupBy(messages, (message) => message.mode)) {
      if (mode.startsWith("scored")) test(mode, () => assertScore(mode, section));
      else for (const message of section) test(nameOf(message), () => assertHolds(message));
    }
  });
}

/** Offers that must give a listing for sale, in per cent. A rule or a fit that is better at silence must not take them back. */
const OFFERS_LISTED: Readonly<Record<string, number>> = {
  "condition-set.txt": 97,
  "elsewhere.txt": 97,
  "english.txt": 97,
  "languages-more.txt": 98,
  "languages.txt": 99,
  "styles.txt": 99,
  "talk-languages.txt": 96,
  "unseen/english.txt": 74,
  "unseen/languages.txt": 99,
  "unseen/talk-languages.txt": 88,
};
/** In a section about one kind of source, such as titles of shops. */
const OFFERS_LISTED_OF_KIND = 85;

describe("offers are not lost", () => {
  const offers = corpus.filter(({ kind }) => kind === "offer");
  for (const [name, floor] of Object.entries(OFFERS_LISTED))
    test(name, () => {
      const own = offers.filter(({ file }) => file.endsWith(`/${name}`) && isOf(name, file));
      assertListed(own, floor);
    });
  const elsewhere = offers.filter(({ file }) => file.endsWith("/elsewhere.txt"));
  for (const [title, section] of groupBy(elsewhere, (message) => message.title))
    test(title, () => assertListed(section, OFFERS_LISTED_OF_KIND));
});

/** The folders `learn` and `unseen` have files of one name. */
function isOf(name: string, file: string): boolean {
  return name.startsWith("unseen/") === file.includes("/unseen/");
}

function assertListed(offers: readonly CorpusMessage[], floor: number): void {
  const lost = offers.filter(
    ({ message }) =>
      !extract(message, builtInCatalogue).listings.some(({ side }) => side === "for_sale"),
  );
  const share = (100 * (offers.length - lost.length)) / offers.length;
  assert.ok(
    share >= floor,
    `${share.toFixed(1)} % of ${offers.length} offers are listed, floor ${floor}\n${lost.map(nameOf).slice(0, MISSES_SHOWN_MAX).join("\n")}`,
  );
}

test("every message of the corpus must hold or is scored", () => {
  assert.ok(corpus.length > 800, `${corpus.length} messages`);
  assert.deepEqual(corpus.filter(({ mode }) => mode === "").map(nameOf), []);
});

test("a watch is shown as it is written", () => {
  for (const { expected } of corpus) {
    for (const watch of expected.listings) {
      const [read] = parseLabelText(`x\n=> ${showWatch(watch)}`);
      assert.deepEqual(read?.expected.listings, [watch]);
    }
  }
});

test("the example in the documentation is read as it says", () => {
  const page = readFileSync("docs/extraction.md", "utf8");
  const [, example = ""] = /### Messages in plain text.*?```\n(.*?)```/s.exec(page) ?? [];

  const messages = parseCorpus("docs/extraction.md", example);

  assert.equal(messages.length, 3);
  for (const message of messages) assertHolds(message);
});

test("a scored section fails below a floor, and shows what was missed", () => {
  const messages = parseCorpus(
    "a.txt",
    "[EUR 2026-04]\n126610LN 2024 €12.500 => 2024\n126610LN 2023 €12.500 => 2022",
  );

  assertScore("scored number of listings 100, year 50", messages);
  assert.throws(
    () => assertScore("scored number of listings 100, year 51", messages),
    /year: 50\.00 % \(1 of 2\), floor 51\n {2}year 2022, read 2023 {2}a\.txt:3 /,
  );
  assert.throws(() => assertScore("scored year 50", messages), /number of listings.*floor missing/);
  assert.throws(() => assertScore("scored number of listings 100, year 50, dial 9", messages));
});

test("a message that must hold fails with what was read", () => {
  const [message] = parseCorpus("a.txt", "[EUR]\n126610LN 2023 €12.500 => sell 126610LN 2022");
  const [nothing] = parseCorpus("a.txt", "[EUR]\nGood morning => nothing part_or_accessory");

  assert.ok(message !== undefined && nothing !== undefined);
  assert.throws(() => assertHolds(message), { actual: ["sell 126610LN 2023"] });
  assert.throws(() => assertHolds(nothing), /rejected as no_watch, not part_or_accessory/);
});

function nameOf({ file, line, title, input }: CorpusMessage): string {
  return `${file}:${line} ${title}: ${input.text.replaceAll("\n", " ⏎ ").slice(0, 80)}`;
}

/** Every watch is read as it is written, in its order, and no other. */
function assertHolds({ message, expected, rejections }: CorpusMessage): void {
  const { listings, ...extraction } = extract(message, builtInCatalogue);
  const wanted = expected.listings.map(showWatch);
  const read = listings.map((listing, at) => {
    const asserted = expected.listings[at] ?? expected.listings[0];
    return showReading(listing, asserted ?? { side: "", reference: "", price: null });
  });

  assert.deepEqual(read, wanted, message.text);
  const reasons = extraction.rejections.map(({ reason }) => reason);
  if (rejections.length > 0)
    assert.ok(
      reasons.some((reason) => rejections.includes(reason)),
      `rejected as ${reasons.join()}, not ${rejections.join(" or ")}`,
    );
}

/** Each field is right in at least as many per cent as its floor: "scored side 99, number of listings 98.5". */
function assertScore(mode: string, messages: readonly CorpusMessage[]): void {
  const floors = parseFloors(mode);
  const scored = messages.map((message) => ({
    message,
    findings: scoreMessage(message.expected, extract(message.message, builtInCatalogue)),
  }));
  const tallies = tallyFindings(scored.flatMap(({ findings }) => findings));
  const low = [...tallies].flatMap(([field, { right, all }]) => {
    const share = (100 * right) / all;
    const floor = floors.get(field);
    if (floor !== undefined && share >= floor) return [];
    return [`${field}: ${share.toFixed(2)} % (${right} of ${all}), floor ${floor ?? "missing"}`];
  });
  const unused = [...floors.keys()].filter((field) => !tallies.has(field));

  assert.deepEqual(unused, [], "floors of fields that no message has");
  assert.ok(low.length === 0, [...low, ...describeMisses(scored, low)].join("\n"));
}

function parseFloors(mode: string): ReadonlyMap<string, number> {
  const floors = mode.slice("scored".length).split(",");
  return new Map(
    floors.map((part) => {
      const [, field = "", floor = ""] = /^ (.+) (\d+(?:\.\d+)?)$/.exec(part) ?? [];
      assert.notEqual(floor, "", `"${part}" must be a field and its floor in per cent`);
      return [field, Number(floor)];
    }),
  );
}

function describeMisses(
  scored: readonly { readonly message: CorpusMessage; readonly findings: readonly Finding[] }[],
  low: readonly string[],
): readonly string[] {
  return scored
    .flatMap(({ message, findings }) =>
      findings
        .filter(
          ({ field, isRight }) => !isRight && low.some((line) => line.startsWith(`${field}:`)),
        )
        .map(({ field, expected, read }) => {
          const values = `${JSON.stringify(expected)}, read ${JSON.stringify(read ?? null)}`;
          return `  ${field} ${values}  ${nameOf(message)}`;
        }),
    )
    .slice(0, MISSES_SHOWN_MAX);
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    groups.set(keyOf(item), group);
    group.push(item);
  }
  return groups;
}
