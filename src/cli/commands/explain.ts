import { parseArgs } from "node:util";
import { explainListing } from "../../alerts/explain-listing.ts";
import { findListingPrices } from "../../alerts/listing-prices.ts";
import { systemClock } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import type { Database } from "../../db/database.ts";
import { createFilterMemo } from "../../filters/explain-filters.ts";
import { findListing } from "../../listings/listing-store.ts";
import { findAskCalculations } from "../../pricing/ask-calculation.ts";
import { type Command, UsageError } from "../command.ts";
import { printExplanation } from "../print-explanation.ts";
import { demoHint, withStore } from "../with-store.ts";

const HELP = `Explains why a listing is or is not part of a configuration, with every number and its formula, and why alerts do or do
not fire for it. It shows views, configurations of the same brand or reference, and alerts that match or miss by at most two
conditions: the nearest twenty of each.

Usage: assay explain LISTING_ID [--all] [--demo]

  --all    shows all of them
  --demo   uses the demo database

Example:
  assay explain 5f0c1d3e-9a57-5d07-8f3a-0c9f2b7f6a11
`;

const SHOWN_MAX = 20;
/** A person waits for one answer, so nothing is left out: the printer says how much more there is. */
const BOUNDS = {
  shownMax: Number.POSITIVE_INFINITY,
  candidatesMax: 10_000,
  parsedMax: Number.POSITIVE_INFINITY,
} as const;

export const explainCommand: Command = {
  summary: "explains why a listing is or is not in a configuration or an alert",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        all: { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
      allowPositionals: true,
    });
    const [id] = positionals;
    if (id === undefined || positionals.length > 1 || !isUuid(id)) {
      throw new UsageError("expected the id of one listing");
    }
    const lines = await withStore(terminal, { isDemo: values.demo }, async (call) => {
      const shownMax = values.all ? Number.POSITIVE_INFINITY : SHOWN_MAX;
      const lines = await explain(call.store.pool, id.toLowerCase(), shownMax);
      if (lines !== undefined) return lines;
      throw new OperatorError(`there is no listing with the id ${id}${demoHint(call)}`);
    });
    terminal.out.write(`${lines.join("\n")}\n`);
    return 0;
  },
};

/** Returns undefined if there is no such listing. */
async function explain(
  db: Database,
  id: string,
  shownMax: number,
): Promise<readonly string[] | undefined> {
  const listing = await findListing(db, id);
  if (listing === undefined) return undefined;
  const nowMs = systemClock.nowMs();
  const explanation = await explainListing(db, listing.id, {
    memo: createFilterMemo(),
    bounds: BOUNDS,
    nowMs,
  });
  if (explanation === undefined) return undefined;
  const shown = explanation.configurations.slice(0, shownMax);
  const calculations = await findAskCalculations(db, listing, shown, nowMs);
  const prices = (await findListingPrices(db, [listing.id], { nowMs })).get(listing.id);
  return printExplanation(explanation, { listing, calculations, prices, shownMax });
}
