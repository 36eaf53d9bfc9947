import { parseArgs } from "node:util";
import { explainAlerts } from "../../alerts/explain-alerts.ts";
import { systemClock } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import type { Database } from "../../db/database.ts";
import { findListing, findListingFacts, type ListingRow } from "../../listings/listing-store.ts";
import { explainConfigurations, explainViews } from "../../pricing/explain-listing.ts";
import {
  findCurrentListingId,
  listNearConfigurations,
  listSourceViews,
} from "../../pricing/near-configurations.ts";
import { createRateTable } from "../../rates/fx.ts";
import { listFxRates } from "../../rates/fx-store.ts";
import { type Command, UsageError } from "../command.ts";
import { demoHint, withStore } from "../with-store.ts";

const HELP = `Explains why a listing is or is not part of a configuration, with every number and its formula, and why alerts do or do
not fire for it. It shows configurations of the same brand or reference, and alerts that match or miss by at most two
clauses: the nearest twenty of each.

Usage: assay explain LISTING_ID [--all] [--demo]

  --all    shows all of them
  --demo   uses the demo database

Example:
  assay explain 5f0c1d3e-9a57-5d07-8f3a-0c9f2b7f6a11
`;

const SHOWN_MAX = 20;

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
  const row = await findListing(db, await findCurrentListingId(db, id));
  const [listing] = row === undefined ? [] : await findListingFacts(db, [row.id]);
  if (row === undefined || listing === undefined) return undefined;
  const context = { rateOf: createRateTable(await listFxRates(db)) };
  const views = await listSourceViews(db);
  const question = { listing, views, context, nowMs: systemClock.nowMs() };
  const near = await listNearConfigurations(db, row.id);
  return [
    describeListing(row),
    ...section("Source views", explainViews(question)),
    ...section(
      "Configurations of its brand or reference",
      nearest(explainConfigurations(near, question), shownMax),
    ),
    ...section("Alerts", nearest(await explainAlerts(db, listing, context), shownMax)),
  ];
}

function describeListing(row: ListingRow): string {
  const marks = [
    row.is_hidden ? "hidden" : "",
    row.is_revoked ? "revoked" : "",
    row.is_duplicate ? "a duplicate" : "",
  ].filter(Boolean);
  const facts = [row.brand, row.model, row.reference, row.year, row.condition, row.dial_type];
  return [
    `Listing ${row.id}: ${facts.filter((fact) => fact !== null).join(" ")}, ${row.side}`,
    `last seen ${new Date(row.last_seen_at_ms).toISOString()}`,
    ...(marks.length === 0 ? [] : [`it is ${marks.join(" and ")}`]),
  ].join("; ");
}

/** The blocks are sorted, the nearest first. */
function nearest(blocks: readonly (readonly string[])[], shownMax: number): readonly string[] {
  const hiddenCount = Math.max(0, blocks.length - shownMax);
  const rest = hiddenCount === 0 ? [] : [`and ${hiddenCount} more; --all shows them`];
  return [...blocks.slice(0, shownMax).flat(), ...rest];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ["", title, ...(lines.length === 0 ? ["  none"] : lines.map((line) => `  ${line}`))];
}
