import { cutText } from "../base/text.ts";
import { DAY_MS } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { type CatalogueGap, findCatalogueGaps } from "../listings/gaps/catalogue-gaps.ts";
import { listNamedWatches } from "../listings/gaps/named-watch-store.ts";
import type { Finding } from "./finding.ts";

const WINDOW_DAYS = 30;
/** Twice as many took 4 s on a table in random order, and a statement has 15 s. */
const LISTINGS_MAX = 100_000;
/** Gaps of each kind that are listed. */
const GAPS_MAX = 10;
const NAME_LENGTH_MAX = 60;
const REMEDY =
  "add them to a file of your own and set ASSAY_CATALOGUE (docs/extraction.md, The catalogue), then run `assay reextract`";

/**
 * Lists what recent listings name and the catalogue lacks. No catalogue is complete, so the check is fine with gaps: such
 * listings are read, but with a lower confidence.
 */
export async function examineCatalogue(
  db: Database,
  catalogue: Catalogue,
  nowMs: number,
): Promise<readonly Finding[]> {
  const sinceMs = nowMs - WINDOW_DAYS * DAY_MS;
  const watches = await listNamedWatches(db, { sinceMs, listingsMax: LISTINGS_MAX });
  const { references, models, brands } = findCatalogueGaps(catalogue, watches);
  if (references.length + models.length + brands.length === 0) {
    const text = `catalogue: it has all references and models of the last ${WINDOW_DAYS} days`;
    return [{ isFine: true, text }];
  }
  return [
    {
      isFine: true,
      text:
        `catalogue: it lacks ${references.length} references and ${models.length} models of the last ${WINDOW_DAYS} days, ` +
        `and has no model of ${brands.length} brands; ${REMEDY}`,
      command: "assay reextract",
    },
    ...describe("references that it lacks", references),
    ...describe("models that it lacks", models),
    ...describe("brands without a model", brands),
  ];
}

/** Returns for example "catalogue: models that it lacks, by messages: Czapek Quai des Bergues (12), … and 3 more". */
function describe(what: string, gaps: readonly CatalogueGap[]): readonly Finding[] {
  if (gaps.length === 0) return [];
  const words = gaps
    .slice(0, GAPS_MAX)
    .map(({ name, messageCount }) => `${cutText(name, NAME_LENGTH_MAX)} (${messageCount})`);
  const rest = gaps.length > GAPS_MAX ? ` and ${gaps.length - GAPS_MAX} more` : "";
  return [{ isFine: true, text: `catalogue: ${what}, by messages: ${words.join(", ")}${rest}` }];
}
