/** What the landed reading does with a file of real texts, by kind of source: the table that must not get worse. */
import { readFileSync } from "node:fs";
import { buildCatalogue } from "../../../src/extraction/catalogue/catalogue.ts";
import { extract } from "../../../src/extraction/extract.ts";
import type { ExtractedListing } from "../../../src/extraction/extraction.ts";
import { fromReal, type LabelledText, type RealRow } from "./cases.ts";

/** A listing from here on counts where prices are made. */
const SURE_MIN = 0.7;

interface Counts {
  texts: number;
  listed: number;
  sure: number;
  wishes: number;
}

const catalogue = buildCatalogue();

export function checkTexts(path: string): object {
  const rows = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as RealRow);
  const table = new Map<string, Counts>();
  for (const text of rows.flatMap(fromReal)) {
    const read = extract(text.input, catalogue).listings;
    for (const kind of kindsOf(text)) add(table, kind, read);
  }
  return Object.fromEntries(
    [...table]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, counts]) => [kind, toShares(counts)]),
  );
}

/** The lines of the table that the text counts in. */
function kindsOf({ source, real }: LabelledText): readonly string[] {
  if (real === undefined) return [];
  const { label, kind = "general", tagged = false } = real;
  if (label === "talk") return ["talk", `talk: ${kind}`];
  if (label !== "offer") return source.endsWith(" without its tag") ? [] : [label];
  if (source.endsWith(" without its tag")) return ["offers: tag cut off"];
  const isGroup = /^(wf2|mesa)-/.test(source);
  return [
    "offers",
    `offers: ${source}`,
    ...(tagged ? ["offers: tagged"] : []),
    ...(isGroup ? [] : ["offers: elsewhere"]),
  ];
}

function add(table: Map<string, Counts>, kind: string, read: readonly ExtractedListing[]): void {
  const counts = table.get(kind) ?? { texts: 0, listed: 0, sure: 0, wishes: 0 };
  const wanted = kind === "request" ? "want_to_buy" : "for_sale";
  const own =
    kind.startsWith("talk") || kind === "part" ? read : read.filter(({ side }) => side === wanted);
  counts.texts += 1;
  if (own.length > 0) counts.listed += 1;
  else if (read.length > 0) counts.wishes += 1;
  if (own.some(({ confidence }) => confidence >= SURE_MIN)) counts.sure += 1;
  table.set(kind, counts);
}

function toShares({ texts, listed, sure, wishes }: Counts): object {
  const share = (count: number): number => Math.round((1_000 * count) / texts) / 10;
  return { texts, listed: share(listed), at_confidence: share(sure), other_side: share(wishes) };
}
