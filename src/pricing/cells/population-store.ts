import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { CellKey } from "../configurations/configuration.ts";
import { lookbackStartMs, type Member } from "./calculate-cells.ts";
import { describePopulation, type Population } from "./population.ts";
import {
  IS_PRICEABLE,
  type RefreshedConfiguration,
  SELECT_CONFIGURATIONS,
} from "./refresh-store.ts";

/** More asks in one cell within two look-backs are not a market any more; the newest are read. */
const ASKS_MAX = 5_000;

export interface CellQuery {
  readonly configurationId: string;
  readonly key: CellKey;
  readonly nowMs: number;
}

export interface ReadPopulation extends Population {
  /** False if the cell has more asks than are read. */
  readonly is_exact: boolean;
  readonly as_of_ms: number;
}

export interface RulesRow extends RefreshedConfiguration {
  /** When its cells were calculated; null before the first calculation. */
  readonly calculated_at_ms: number | null;
}

/**
 * The asks of one cell, seen within two look-backs, latest first. They are judged at the time of the latest calculation, so
 * that the counted ones are those of the stored cell. Returns undefined if there is no such configuration.
 */
export async function findPopulation(
  db: Database,
  { configurationId, key, nowMs }: CellQuery,
): Promise<ReadPopulation | undefined> {
  const rules = await findRules(db, configurationId);
  if (rules === undefined) return undefined;
  const asOfMs = rules.calculated_at_ms ?? nowMs;
  const members = await db.query<Member>(sql`
    select listing.id as listing_id, listing.contact_id, listing.year,
           lower(listing.condition) as condition_bucket, model.source_market, listing.price_eur_minor,
           listing.last_seen_at_ms
      from listing
      join listing_model as model
        on model.listing_id = listing.id and model.configuration_id = ${rules.id}
     where listing.reference_normalized = ${rules.market_reference_normalized}
       and listing.last_seen_at_ms >= ${lookbackStartMs(2 * rules.lookback_days, asOfMs)}
       and listing.year = ${key.year} and listing.condition = ${key.condition_bucket.toUpperCase()}
       and ${IS_PRICEABLE} and listing.contact_id is not null
     order by listing.last_seen_at_ms desc, listing.id
     limit ${ASKS_MAX + 1}`);
  return {
    ...describePopulation(members.slice(0, ASKS_MAX), key, { rules, nowMs: asOfMs }),
    is_exact: members.length <= ASKS_MAX,
    as_of_ms: asOfMs,
  };
}

/** The rules of a configuration as they are now. */
export async function findRules(db: Database, id: string): Promise<RulesRow | undefined> {
  const [row] = await db.query<RulesRow>(sql`
    select rules.*, snapshot.calculated_at_ms
      from (${SELECT_CONFIGURATIONS} where configuration.id = ${id}) as rules
      left join price_snapshot as snapshot on snapshot.configuration_id = rules.id`);
  return row;
}
