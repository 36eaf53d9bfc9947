// What bench/matching.ts compares the index with. The filters are translated from their normal form into the language
// of each peer. All peers must find the same matches.

import { Query } from "mingo";
import { assertNever } from "../../src/base/errors.ts";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { NO_PRICE, PRICE_MAX, toPriceBracket } from "../../src/filters/index/packed-values.ts";
import { ATTRIBUTES, type AttributeName } from "../../src/filters/language/attributes.ts";
import type { Clause } from "../../src/filters/language/clause.ts";
import type { Filter } from "../../src/filters/language/filter.ts";
import { matches } from "../../src/filters/language/predicate.ts";
import type { ListingFacts } from "../../src/listings/listing.ts";
import { insertRows } from "../../test/support/rows.ts";
import { measure, type Store } from "./runner.ts";

interface PeerRun {
  readonly us: number;
  readonly found: number;
}

export interface Peer {
  readonly name: string;
  readonly listingCount: number;
  /** Microseconds of processor time per listing, and the total number of matches. */
  run(listings: readonly ListingFacts[]): Promise<PeerRun>;
}

export const CONTEXT = { rateOf: () => undefined };

export function loopPeer(filters: readonly Filter[], listingCount: number): Peer {
  return toPeer("predicate_loop", listingCount, async (listing) => {
    let found = 0;
    for (const filter of filters) if (matches(filter, listing, CONTEXT)) found += 1;
    return found;
  });
}

export function mingoPeer(filters: readonly Filter[], listingCount: number): Peer {
  const queries = filters.map((filter) => new Query(toMongo(filter) as never));
  return toPeer("mingo", listingCount, async (listing) => {
    const facts = toPlainFacts(listing);
    let found = 0;
    for (const query of queries) if (query.test(facts as never)) found += 1;
    return found;
  });
}

/** The anchors are those that the index chose. The residual checks are written out as columns. */
export async function postgresPeer(
  store: Store,
  filters: readonly { readonly filter: Filter; readonly anchors: readonly string[] }[],
  listingCount: number,
): Promise<Peer> {
  const { db } = store;
  await db.script("drop table if exists bench_filter");
  await db.script(`create table bench_filter (id integer primary key, anchors text[] not null, residual jsonb,
    brands text[], models text[], dials text[], refs text[], conditions text[], year_low integer, year_high integer,
    price_low bigint, price_high bigint, media boolean, since bigint, countries_in text[], countries_out text[],
    phones_in text[], phones_out text[], groups text[], starts text[], pattern text)`);
  for (let from = 0; from < filters.length; from += 1_000) {
    const rows = filters
      .slice(from, from + 1_000)
      .map(({ filter, anchors }, at) => ({ id: from + at, anchors, ...toFilterColumns(filter) }));
    await db.execute(insertRows("bench_filter", rows));
  }
  await db.script("create index on bench_filter using gin (anchors) with (fastupdate = off)");
  await db.script("vacuum analyze bench_filter");
  return toPeer("postgres_gin", listingCount, (listing) => askPostgres(db, listing), store);
}

function toPeer(
  name: string,
  listingCount: number,
  count: (listing: ListingFacts) => Promise<number>,
  store?: Store,
): Peer {
  return {
    name,
    listingCount,
    run: async (listings) => {
      const { result, ownUs, serverUs } = await measure(async () => {
        let found = 0;
        for (const listing of listings) found += await count(listing);
        return found;
      }, store);
      return { us: (ownUs + serverUs) / listings.length, found: result };
    },
  };
}

const NAMES = Object.keys(ATTRIBUTES) as readonly AttributeName[];

/** The attributes under names of their own, because mingo can read values only. */
function toPlainFacts(listing: ListingFacts): Record<string, unknown> {
  const values = NAMES.map((name) => [
    fieldOf(name),
    name === "country_code"
      ? prefixesOf(listing.phone_number ?? "")
      : ATTRIBUTES[name].read(listing),
  ]);
  return { ...listing, ...Object.fromEntries(values) };
}

function fieldOf(attribute: AttributeName): string {
  return `of_${attribute}`;
}

function prefixesOf(text: string): string[] {
  return Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1));
}

function patternOf(clause: Extract<Clause, { kind: "text" }>): string {
  if (clause.mode === "broad") return `(^|[ \n])(${clause.words.join("|")})`;
  if (clause.mode === "all")
    return clause.words.map((word) => `(?=(.|\n)*(^|[ \n])${word})`).join("");
  const gap = clause.mode === "exact" ? " " : "( [^ \n]+){0,3} ";
  return `(^|[ \n])${clause.words.join(gap)}($|[ \n])`;
}

function toMongo(filter: Filter): object {
  return { $and: filter.clauses.map(toMongoClause) };
}

function toMongoClause(clause: Clause): object {
  switch (clause.kind) {
    case "any_of":
      return { [fieldOf(clause.attribute)]: { $in: clause.values } };
    case "none_of":
      return { [fieldOf(clause.attribute)]: { $nin: clause.values } };
    case "absent_or_any_of":
      return { [fieldOf(clause.attribute)]: { $in: [...clause.values, []] } };
    case "between":
    case "price":
      return {
        [clause.kind === "price" ? "price_eur_minor" : clause.attribute]: {
          ...(clause.gte === undefined ? {} : { $gte: clause.gte }),
          ...(clause.lte === undefined ? {} : { $lte: clause.lte }),
        },
      };
    case "text":
      return { search_text: { $regex: new RegExp(patternOf(clause), "u") } };
    default:
      return assertNever(clause);
  }
}

const COLUMNS: Readonly<Partial<Record<AttributeName, string>>> = {
  brand: "brands",
  model: "models",
  dial_type: "dials",
  reference: "refs",
  condition: "conditions",
  phone_number: "phones",
  country_code: "countries",
  group_id: "groups",
};

/** The columns of the filter's clauses. All others are null. */
function toFilterColumns(filter: Filter): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const clause of filter.clauses) {
    if (clause.kind === "text") {
      row["pattern"] = patternOf(clause);
    } else if (clause.kind === "price") {
      row["price_low"] = clause.gte ?? 0;
      row["price_high"] = clause.lte ?? Number.MAX_SAFE_INTEGER;
    } else if (clause.kind === "between" && clause.attribute === "year") {
      row["year_low"] = clause.gte ?? 0;
      row["year_high"] = clause.lte ?? 9999;
    } else if (clause.kind === "between") {
      row["since"] = clause.gte;
    } else if (clause.attribute === "year") {
      row["year_low"] = row["year_high"] = Number(clause.values[0]);
    } else if (clause.attribute === "has_media") {
      row["media"] = clause.values[0] === "true";
    } else if (clause.attribute !== "mark") {
      const column = COLUMNS[clause.attribute] ?? "";
      const suffix = ["phones", "countries"].includes(column)
        ? clause.kind === "any_of"
          ? "_in"
          : "_out"
        : "";
      row[column + suffix] = clause.values;
    }
  }
  return row;
}

async function askPostgres(db: Database, listing: ListingFacts): Promise<number> {
  if (listing.is_duplicate || listing.is_hidden || listing.is_revoked) return 0;
  const prefixes = prefixesOf(listing.phone_number ?? "");
  const rows = await db.query(sql`
    select id from bench_filter
     where anchors && ${keysOf(listing, prefixes)}::text[]
       and (brands is null or ${listing.brand_folded}::text = any (brands))
       and (models is null or ${listing.model_folded}::text = any (models))
       and (refs is null or ${listing.reference_normalized}::text = any (refs))
       and (dials is null or ${listing.dial_type_folded}::text = any (dials))
       and (conditions is null or ${listing.condition}::text = any (conditions))
       and (year_low is null or ${listing.year}::integer between year_low and year_high)
       and (price_low is null or ${listing.price_eur_minor}::bigint between price_low and price_high)
       and (media is null or media = ${listing.has_media})
       and (since is null or since <= ${listing.message_timestamp_ms}::bigint)
       and (countries_in is null or countries_in && ${prefixes}::text[])
       and (countries_out is null or not countries_out && ${prefixes}::text[])
       and (phones_in is null or ${listing.phone_number}::text = any (phones_in))
       and (phones_out is null or (${listing.phone_number}::text = any (phones_out)) is not true)
       and (groups is null or groups && ${[...listing.group_ids]}::text[])
       and (pattern is null or ${listing.search_text}::text ~ pattern)`);
  return rows.length;
}

/** Returns `space:value`, as the index names its keys. */
function keysOf(listing: ListingFacts, prefixes: readonly string[]): string[] {
  const words = [...new Set(listing.search_text.split(/[ \n]/))];
  return [
    `brand:${listing.brand_folded}`,
    `model:${listing.model_folded}`,
    `reference:${listing.reference_normalized}`,
    `dial_type:${listing.dial_type_folded}`,
    `year:${listing.year}`,
    `phone_number:${listing.phone_number}`,
    `price_bracket:${priceBracketOf(listing)}`,
    ...prefixes.slice(0, 4).map((prefix) => `country_code:${prefix}`),
    ...listing.group_ids.map((id) => `group_id:${id}`),
    ...words.map((word) => `word:${word}`),
    ...new Set(words.flatMap(prefixesOf).map((start) => `word_start:${start}`)),
    "every listing",
  ];
}

function priceBracketOf(listing: ListingFacts): number {
  return toPriceBracket(Math.min(listing.price_eur_minor ?? NO_PRICE, PRICE_MAX));
}
