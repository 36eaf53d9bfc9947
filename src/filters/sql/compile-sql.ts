import { assertNever } from "../../base/errors.ts";
import { foldWord } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import { joinSql, type Sql, sql } from "../../db/sql.ts";
import { findListingsWithWords, IS_OFFERED } from "../../listings/listing-store.ts";
import { findMessageAliases } from "../../listings/message-extraction-store.ts";
import { FIELD_BREAK, WORD_BREAK } from "../../listings/search-text.ts";
import { listGroupNames } from "../../messages/group-store.ts";
import { ATTRIBUTES, type AttributeName, type Directory, NUMBERS } from "../language/attributes.ts";
import { type Bounds, type Clause, LIGHT_GAP_MAX, type TextMode } from "../language/clause.ts";
import type { Filter } from "../language/filter.ts";

/**
 * The filter as an SQL condition on the table `listing`. It selects the same listings as the predicate in memory; null
 * counts as false.
 *
 * Example: `{brand: ["Rolex"], year: {gte: 2020}}` becomes `true and (brand_folded = …) and (true and year >= 2020)`, with
 * the values bound as parameters.
 */
export function compileSql(filter: Filter, directory: Directory): Sql {
  const conditions = filter.clauses.map((clause) => compileClause(clause, directory));
  if (!filter.clauses.some(leavesOutHidden)) conditions.push(IS_OFFERED);
  return joinSql([sql`true`, ...conditions], " and ");
}

/** More listings with the words of a filter than this are found by walking the newest. */
const FEW_MAX = 1_000;

/**
 * The filter as a condition for a search. If few listings have its words, these are named, because the planner does not know that
 * there are few.
 *
 * Example: there are many listings with "5711" and many with "submariner", and none with both. Without the names the search would
 * walk all listings from the newest on.
 */
export async function compileSearch(db: Database, filter: Filter, fewMax = FEW_MAX): Promise<Sql> {
  const directory = await loadDirectory(db, filter);
  const text = filter.clauses.find(({ kind }) => kind === "text");
  if (text?.kind !== "text") return compileSql(filter, directory);
  const { count, ids } = await findListingsWithWords(db, WORDS[text.mode](text.words), fewMax + 1);
  if (count > fewMax) return compileSql(filter, directory);
  const others = filter.clauses.filter((clause) => clause !== text || text.mode in PATTERNS);
  return sql`id = any(${ids}::uuid[]) and ${compileSql({ ...filter, clauses: others }, directory)}`;
}

/** What was read as talk is hidden, so most filters leave it out anyway. */
function leavesOutHidden(clause: Clause): boolean {
  return (
    clause.kind === "none_of" && clause.attribute === "mark" && clause.values.includes("is_hidden")
  );
}

function compileClause(clause: Clause, directory: Directory): Sql {
  switch (clause.kind) {
    case "any_of":
      return ATTRIBUTES[clause.attribute].sql(clause.values, directory);
    case "none_of":
      // A missing value makes the condition null. `is not true` turns that into true, as in memory.
      return sql`(${ATTRIBUTES[clause.attribute].sql(clause.values, directory)} is not true)`;
    case "absent_or_any_of":
      return sql`(full_set_status = '{}' or ${ATTRIBUTES[clause.attribute].sql(clause.values, directory)})`;
    case "between":
      return compileBounds(NUMBERS[clause.attribute].sql(), clause);
    case "price":
      return compileBounds(priceIn(clause.currency), clause);
    case "text":
      return compileText(clause.mode, clause.words);
    default:
      return assertNever(clause);
  }
}

function compileBounds(value: Sql, { gte, lte }: Bounds): Sql {
  const lower = gte === undefined ? sql`` : sql`and ${value} >= ${gte}::bigint`;
  const upper = lte === undefined ? sql`` : sql`and ${value} <= ${lte}::bigint`;
  return sql`(true ${lower} ${upper})`;
}

function priceIn(currency: string): Sql {
  // Euros have a column of their own, so an index can be used.
  if (currency === "EUR") return sql`price_eur_minor`;
  return sql`
    (case when price_currency = ${currency} then price_amount_minor::numeric
          else round(price_eur_minor * (
            select per_eur
              from fx_rate
             where currency = ${currency}
               and day <= date '1970-01-01' + (message_timestamp_ms / 86400000)::integer
             order by day desc, kind desc
             limit 1)) end)`;
}

/**
 * The index knows which words a text has and how they start, but not their order: a pattern decides on phrases. `case` keeps the
 * planner from multiplying the share of both, as if they had nothing to do with each other.
 */
function compileText(mode: TextMode, words: readonly string[]): Sql {
  const hasWords = sql`search_text::tsvector @@ ${WORDS[mode](words)}::tsquery`;
  const pattern = PATTERNS[mode]?.(words);
  if (pattern === undefined) return sql`(${hasWords})`;
  return sql`
    (${hasWords}
     and case when search_text ~ ${pattern} then true else false end)`;
}

type ToPattern = (words: readonly string[]) => string;

const START = `(^|[${WORD_BREAK}${FIELD_BREAK}])`;
const END = `($|[${WORD_BREAK}${FIELD_BREAK}])`;
const GAP = `(${WORD_BREAK}[^${WORD_BREAK}${FIELD_BREAK}]+){0,${LIGHT_GAP_MAX}}${WORD_BREAK}`;

/** Words have only letters and digits, so they contain no special character of a pattern. */
const PATTERNS: Readonly<Partial<Record<TextMode, ToPattern>>> = {
  exact: (words) => `${START}${words.join(WORD_BREAK)}${END}`,
  exact_light: (words) => `${START}${words.join(GAP)}${END}`,
};

/** The words that a text must have, as a query of the index. In quotes, because a word can be one of its operators. */
const WORDS: Readonly<Record<TextMode, ToPattern>> = {
  broad: (words) => words.map((word) => `'${word}':*`).join(" | "),
  all: (words) => words.map((word) => `'${word}':*`).join(" & "),
  exact: (words) => words.map((word) => `'${word}'`).join(" & "),
  exact_light: (words) => words.map((word) => `'${word}'`).join(" & "),
};

/** The ids that SQL needs for this filter. */
export async function loadDirectory(db: Database, filter: Filter): Promise<Directory> {
  const groups = valuesOf(filter, "group_name").length > 0 ? await listGroupNames(db) : [];
  const contacts = await findContactAliases(db, valuesOf(filter, "contact_id"));
  const messages = await findMessageAliases(db, valuesOf(filter, "canonical_message_id"));
  return {
    groupIdsNamed: (names) =>
      groups.filter(({ name }) => names.includes(foldWord(name))).map(({ id }) => id),
    // Both ids, because an alias can be in use again during a replay.
    currentContactIds: (ids) => [...ids, ...ids.flatMap((id) => contacts.get(id) ?? [])],
    currentMessageIds: (ids) => [...ids, ...ids.flatMap((id) => messages.get(id) ?? [])],
  };
}

function valuesOf(filter: Filter, attribute: AttributeName): readonly string[] {
  return filter.clauses.flatMap((clause) =>
    "values" in clause && clause.attribute === attribute ? clause.values : [],
  );
}

async function findContactAliases(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ old_id: string; id: string }>(sql`
    select old_id, contact_id as id from contact_alias where old_id = any(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.old_id, row.id]));
}
