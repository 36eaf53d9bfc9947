// Translates the filters from their normal form into the languages of the peers. All peers must find the same matches.

import { readFileSync } from "node:fs";
import { Engine, type RuleProperties } from "json-rules-engine";
import { Query } from "mingo";
import sift from "sift";
import { assertNever } from "../src/base/errors.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";
import { NO_PRICE, PRICE_MAX, toPriceBracket } from "../src/filters/index/packed-values.ts";
import type { AttributeName, Clause } from "../src/filters/language/clause.ts";
import type { Filter } from "../src/filters/language/filter.ts";
import { matches } from "../src/filters/language/predicate.ts";
import type { ListingFacts } from "../src/listings/listing.ts";
import { insertRows } from "../test/support/insert.ts";

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

/** Returns the microseconds of processor time per piece of work. */
export function cpuUs(count: number, work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

export function loopPeer(filters: readonly Filter[], listingCount: number): Peer {
  return simplePeer("predicate_loop", listingCount, (listings) => {
    let found = 0;
    for (const listing of listings) {
      for (const filter of filters) if (matches(filter, listing, CONTEXT)) found += 1;
    }
    return found;
  });
}

export function mingoPeer(filters: readonly Filter[], listingCount: number): Peer {
  const queries = filters.map((filter) => new Query(toMongo(filter) as never));
  return simplePeer("mingo", listingCount, (listings) => {
    let found = 0;
    for (const facts of listings.map(toPlainFacts)) {
      for (const query of queries) if (query.test(facts as never)) found += 1;
    }
    return found;
  });
}

export function siftPeer(filters: readonly Filter[], listingCount: number): Peer {
  const create = sift as unknown as (query: object) => (facts: object) => boolean;
  const tests = filters.map((filter) => create(toMongo(filter)));
  return simplePeer("sift", listingCount, (listings) => {
    let found = 0;
    for (const facts of listings.map(toPlainFacts))
      for (const test of tests) if (test(facts)) found += 1;
    return found;
  });
}

export function rulesPeer(filters: readonly Filter[], listingCount: number): Peer {
  const engine = new Engine([], { allowUndefinedFacts: true });
  engine.addOperator("meets", (own: string[], asked: string[]) =>
    own.some((value) => asked.includes(value)),
  );
  engine.addOperator(
    "avoids",
    (own: string[], asked: string[]) => !own.some((value) => asked.includes(value)),
  );
  engine.addOperator("matchesText", (own: string, pattern: string) =>
    new RegExp(pattern, "u").test(own),
  );
  for (const [at, filter] of filters.entries()) engine.addRule(toRule(filter, at));
  return {
    name: "json_rules_engine",
    listingCount,
    run: async (listings) => {
      let found = 0;
      const before = process.cpuUsage();
      for (const listing of listings) {
        const { events } = await engine.run(toPlainFacts(listing));
        found += events.length;
      }
      const { user, system } = process.cpuUsage(before);
      return { us: (user + system) / listings.length, found };
    },
  };
}

/** The anchors are those that the index chose. The residual checks are written out as columns. */
export async function postgresPeer(
  pool: DatabasePool,
  filters: readonly { readonly filter: Filter; readonly anchors: readonly string[] }[],
  listingCount: number,
): Promise<Peer> {
  await pool.script("drop table if exists bench_filter");
  await pool.script(`create table bench_filter (id integer primary key, anchors text[] not null, residual jsonb,
    brands text[], models text[], dials text[], refs text[], conditions text[], year_low integer, year_high integer,
    price_low bigint, price_high bigint, media boolean, since bigint, countries_in text[], countries_out text[],
    phones_in text[], phones_out text[], groups text[], starts text[], pattern text)`);
  for (let from = 0; from < filters.length; from += 1_000) {
    const rows = filters
      .slice(from, from + 1_000)
      .map(({ filter, anchors }, at) => toFilterRow(filter, anchors, from + at));
    await pool.execute(insertRows("bench_filter", rows));
  }
  await pool.script("create index on bench_filter using gin (anchors) with (fastupdate = off)");
  await pool.script("vacuum analyze bench_filter");
  const [backend] = await pool.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const backendUs = () => {
    const fields =
      readFileSync(`/proc/${backend?.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  };
  return {
    name: "postgres_gin",
    listingCount,
    run: async (listings) => {
      let found = 0;
      const before = process.cpuUsage();
      const backendBefore = backendUs();
      for (const listing of listings) found += await askPostgres(pool, listing);
      const { user, system } = process.cpuUsage(before);
      return { us: (user + system + backendUs() - backendBefore) / listings.length, found };
    },
  };
}

function simplePeer(
  name: string,
  listingCount: number,
  count: (listings: readonly ListingFacts[]) => number,
): Peer {
  return {
    name,
    listingCount,
    run: async (listings) => {
      let found = 0;
      const us = cpuUs(listings.length, () => {
        found = count(listings);
      });
      return { us, found };
    },
  };
}

const FIELDS: Readonly<Record<AttributeName, string>> = {
  side: "side",
  message_type: "message_type",
  brand: "brand_folded",
  model: "model_folded",
  reference: "reference_normalized",
  year: "year_text",
  condition: "condition",
  full_set_status: "full_set_status",
  dial_type: "dial_type_folded",
  variant: "variant_folded",
  country_code: "phone_prefixes",
  phone_number: "phone_number",
  group_id: "group_ids",
  group_name: "group_names_folded",
  contact_id: "contact_ids",
  canonical_message_id: "canonical_message_ids",
  has_media: "media_text",
  mark: "marks",
};
const LISTS = new Set([
  "full_set_status",
  "phone_prefixes",
  "group_ids",
  "group_names_folded",
  "contact_ids",
  "canonical_message_ids",
  "marks",
]);

/** Adds the values that the peers cannot compute. */
function toPlainFacts(listing: ListingFacts): Record<string, unknown> {
  return {
    ...listing,
    year_text: listing.year === null ? null : String(listing.year),
    media_text: String(listing.has_media),
    phone_prefixes: prefixesOf(listing.phone_number ?? ""),
    marks: (["is_duplicate", "is_hidden", "is_revoked"] as const).filter((mark) => listing[mark]),
  };
}

function prefixesOf(text: string): string[] {
  return Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1));
}

function patternOf(clause: Extract<Clause, { kind: "text" }>): string {
  if (clause.mode === "broad") return `(^|[ \n])(${clause.words.join("|")})`;
  const gap = clause.mode === "exact" ? " " : "( [^ \n]+){0,3} ";
  return `(^|[ \n])${clause.words.join(gap)}($|[ \n])`;
}

function toMongo(filter: Filter): object {
  return { $and: filter.clauses.map(toMongoClause) };
}

function toMongoClause(clause: Clause): object {
  switch (clause.kind) {
    case "any_of":
      return { [FIELDS[clause.attribute]]: { $in: clause.values } };
    case "none_of":
      return { [FIELDS[clause.attribute]]: { $nin: clause.values } };
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

function toRule(filter: Filter, at: number): RuleProperties {
  return {
    conditions: { all: filter.clauses.flatMap(toRuleConditions) },
    event: { type: `f${at}` },
  };
}

function toRuleConditions(clause: Clause): { fact: string; operator: string; value: unknown }[] {
  switch (clause.kind) {
    case "any_of":
    case "none_of": {
      const fact = FIELDS[clause.attribute];
      const isAny = clause.kind === "any_of";
      const operator = LISTS.has(fact) ? (isAny ? "meets" : "avoids") : isAny ? "in" : "notIn";
      return [{ fact, operator, value: clause.values }];
    }
    case "between":
    case "price": {
      const fact = clause.kind === "price" ? "price_eur_minor" : clause.attribute;
      return [
        ...(clause.gte === undefined
          ? []
          : [{ fact, operator: "greaterThanInclusive", value: clause.gte }]),
        ...(clause.lte === undefined
          ? []
          : [{ fact, operator: "lessThanInclusive", value: clause.lte }]),
      ];
    }
    case "text":
      return [{ fact: "search_text", operator: "matchesText", value: patternOf(clause) }];
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

function toFilterRow(
  filter: Filter,
  anchors: readonly string[],
  id: number,
): Record<string, unknown> {
  const row: Record<string, unknown> = {
    id,
    anchors,
    brands: null,
    models: null,
    dials: null,
    refs: null,
    conditions: null,
    year_low: null,
    year_high: null,
    price_low: null,
    price_high: null,
    media: null,
    since: null,
    countries_in: null,
    countries_out: null,
    phones_in: null,
    phones_out: null,
    groups: null,
    starts: null,
    pattern: null,
  };
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

async function askPostgres(pool: DatabasePool, listing: ListingFacts): Promise<number> {
  if (listing.is_duplicate || listing.is_hidden || listing.is_revoked) return 0;
  const prefixes = prefixesOf(listing.phone_number ?? "");
  const rows = await pool.query(sql`
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
