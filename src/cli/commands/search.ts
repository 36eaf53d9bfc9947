import { parseArgs } from "node:util";
import { findAnything } from "../../alerts/find-anything.ts";
import { systemClock } from "../../base/clock.ts";
import { showAmount } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import { searchListings } from "../../filters/sql/search-listings.ts";
import { type ParsedQuery, parseQuery } from "../../filters/typed/parse-query.ts";
import { QUERY_LENGTH_MAX } from "../../filters/typed/typed-line.ts";
import { loadCatalogue } from "../../listings/dealer-catalogue.ts";
import type { ListingRow } from "../../listings/listing-store.ts";
import { type Command, formatTable, parseLimit, toMinute, UsageError } from "../command.ts";
import { demoHint, withStore } from "../with-store.ts";

const HELP = `Searches the market with words as you would type them: references, nicknames, brands, models, dials, years, conditions, sets,
prices, countries, dealers and groups. It shows how the words were read, then the listings, newest first, and the references
and dealers that the words name.

Usage: assay search WORDS… [--limit N] [--json] [--demo]

  --limit N    how many listings to show, 1 to 10000; the default is 20
  --json       prints one JSON object: filters, rest, chips, listings, references, contacts
  --demo       uses the demo database

Examples:
  assay search "pepsi under 18k full set 2023+ hk"
  assay search 126500ln weiss neu bis 30k
`;

export const searchCommand: Command = {
  summary: "searches the market with words as you would type them",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        limit: { type: "string", default: "20" },
        json: { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
      allowPositionals: true,
    });
    const text = positionals.join(" ").trim();
    if (text === "") throw new UsageError("expected the words to search for");
    if (text.length > QUERY_LENGTH_MAX)
      throw new UsageError(`expected at most ${QUERY_LENGTH_MAX} characters`);
    const limit = parseLimit(values.limit);
    return withStore(terminal, { isDemo: values.demo }, async (call) => {
      const catalogue = await loadCatalogue(call.config.catalogueFile);
      const found = await search(call.store.pool, { text, limit, catalogue });
      terminal.out.write(values.json ? `${JSON.stringify(found)}\n` : toTables(found));
      if (found.listings.length === 0)
        terminal.err.write(`no listing is like that${demoHint(call)}\n`);
      return 0;
    });
  },
};

/** Of references and dealers. */
const NAMED_MAX = 5;

async function search(
  db: Database,
  asked: { readonly text: string; readonly limit: number; readonly catalogue: Catalogue },
) {
  const { text, limit, catalogue } = asked;
  const parsed = await parseQuery(db, text, { catalogue, nowMs: systemClock.nowMs() });
  const { rows } = await searchListings(db, {
    filters: parsed.filters,
    sort: "newest",
    limit,
    isTotalAsked: false,
  });
  const options = { limit: NAMED_MAX, catalogue };
  const watches = await findAnything(db, wordsOf(text, parsed, WATCH_MEMBERS), options);
  const people = await findAnything(db, wordsOf(text, parsed, ["contact_ids"]), options);
  return {
    ...parsed,
    listings: rows,
    references: watches.references.map(({ isExact, ...row }) => row),
    contacts: people.contacts,
  };
}

const WATCH_MEMBERS = ["reference", "brand", "model"];

/** The words of the chips that name something of a kind, or else the words that no chip took. */
function wordsOf(text: string, { chips, rest }: ParsedQuery, members: readonly string[]): string {
  const own = chips.filter(({ member }) => members.includes(member));
  return own.length === 0 ? rest : own.map(({ start, end }) => text.slice(start, end)).join(" ");
}

type Found = Awaited<ReturnType<typeof search>>;

function toTables({ chips, rest, listings, references, contacts }: Found): string {
  const read = [...chips.map(({ label }) => label), ...(rest === "" ? [] : [`text "${rest}"`])];
  return [
    `${read.join(" · ")}\n`,
    toTable(listings.map(toListingCells)),
    toTable(
      references.map((row) => [
        `${row.brand} ${row.reference}`,
        row.model ?? "",
        `${row.listing_count} listings`,
        row.median_price_eur_minor === null ? "" : `${showAmount(row.median_price_eur_minor)} EUR`,
      ]),
    ),
    toTable(
      contacts.map((contact) => [
        contact.display_name ?? "",
        contact.phone_number === null ? "" : `+${contact.phone_number}`,
        `seen ${toMinute(contact.last_seen_at_ms)}`,
        contact.id,
      ]),
    ),
  ].join("");
}

/** With an empty line above it; nothing without rows. */
function toTable(rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? "" : `\n${formatTable(rows)}`;
}

function toListingCells(row: ListingRow): readonly string[] {
  const { price_amount_minor: minor, price_currency: currency } = row;
  return [
    minor === null ? "" : `${showAmount(minor)} ${currency}`,
    [row.side === "want_to_buy" ? "wanted:" : "", row.brand, row.reference ?? row.model]
      .filter(Boolean)
      .join(" "),
    row.year === null ? "" : String(row.year),
    toWords(row.condition ?? ""),
    row.full_set_status.map(toWords).join(", "),
    [row.dial_type, row.variant].filter(Boolean).join(", "),
    row.display_name ?? (row.phone_number === null ? "" : `+${row.phone_number}`),
    toMinute(row.last_seen_at_ms),
    row.id,
  ];
}

function toWords(value: string): string {
  return value.toLowerCase().replaceAll("_", " ");
}
