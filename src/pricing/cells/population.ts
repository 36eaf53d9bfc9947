import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { isReplaced, type OfferState, offerStateOf } from "../../listings/offers.ts";
import type { SourceMarket } from "../../matching/membership-store.ts";
import { findNoBuyReason } from "../listing-price.ts";
import { toComparableAsk } from "../thresholds.ts";
import {
  createCellCalculator,
  type DescribedCell,
  lookbackStartMs,
  type Member,
} from "./calculate-cells.ts";
import {
  type CellKey,
  hkMarkupOf,
  isStale,
  judgeAsk,
  type PriceRules,
  type RefreshState,
} from "./cell.ts";
import { findCell } from "./cell-store.ts";
import {
  ASK_COLUMNS,
  IS_COUNTABLE,
  type RefreshedConfiguration,
  SELECT_CONFIGURATIONS,
} from "./refresh-store.ts";

/**
 * Says of each ask of a cell whether it counts, and if not, why. The calculator of the cells chooses the population and its
 * bounds, so the asks that are called `counted` here are those that a calculation at the same time counts.
 *
 * Example (look-back 30 days): contact A asked 9,800 yesterday and 10,000 a week ago, B asks 10,200, C asks 202, and D asked
 * 9,900 forty days ago. 9,800 and 10,200 are counted, 10,000 is superseded, 202 is suspect, and 9,900 is aged out.
 */

export const ROLES = ["counted", "outlier", "suspect", "superseded", "aged_out"] as const;

export type Role = (typeof ROLES)[number];

interface PopulationAsk {
  readonly listing_id: string;
  readonly contact_id: string;
  readonly source_market: SourceMarket;
  readonly original_ask_eur_minor: number;
  readonly comparable_ask_eur_minor: number;
  readonly last_seen_at_ms: number;
  readonly role: Role;
}

/** An ask with what a dealer asks next: is it a buy by this price, what comes with it, and is it still there. */
interface ShownAsk extends PopulationAsk {
  readonly is_buy: boolean;
  readonly full_set_status: readonly string[];
  readonly offer_state: OfferState;
}

interface Population {
  /** In the order of the members. */
  readonly items: readonly PopulationAsk[];
  /** Absent unless outliers are excluded and there are enough asks. */
  readonly lower_fence_eur_minor?: number;
  readonly upper_fence_eur_minor?: number;
}

/** All members are in the cell `key`, within any time. */
export function describePopulation(
  members: readonly Member[],
  key: CellKey,
  { rules, nowMs }: { readonly rules: PriceRules; readonly nowMs: number },
): Population {
  const calculator = createCellCalculator(rules, nowMs);
  for (const member of members) calculator.add(member);
  const cell = calculator.describeCell(key);
  const sinceMs = lookbackStartMs(rules.lookback_days, nowMs);
  const items = members.map((member) => {
    const ask = toComparableAsk(member.price_eur_minor, member.source_market, hkMarkupOf(rules));
    return {
      listing_id: member.listing_id,
      contact_id: member.contact_id,
      source_market: member.source_market,
      original_ask_eur_minor: ask.originalAskEurMinor,
      comparable_ask_eur_minor: ask.comparableAskEurMinor,
      last_seen_at_ms: member.last_seen_at_ms,
      role: roleOf(member, ask.comparableAskEurMinor, { cell, sinceMs }),
    };
  });
  return {
    items,
    ...(cell.fences === undefined
      ? {}
      : { lower_fence_eur_minor: cell.fences.low, upper_fence_eur_minor: cell.fences.high }),
  };
}

function roleOf(
  member: Member,
  comparableAsk: number,
  { cell, sinceMs }: { readonly cell: DescribedCell; readonly sinceMs: number },
): Role {
  if (member.last_seen_at_ms < sinceMs) return "aged_out";
  if (!cell.listingIds.has(member.listing_id)) return "superseded";
  return judgeAsk(comparableAsk, cell);
}

/** More asks in one cell within two look-backs are not a market any more; the newest are read. */
const ASKS_MAX = 5_000;

interface CellQuery {
  readonly configurationId: string;
  readonly key: CellKey;
  readonly nowMs: number;
}

interface ReadPopulation extends Omit<Population, "items"> {
  readonly items: readonly ShownAsk[];
  /** False if the cell has more asks than are read. */
  readonly is_exact: boolean;
  readonly as_of_ms: number;
}

interface MemberRow extends Member {
  readonly full_set_status: readonly string[];
  readonly is_replaced: boolean;
}

export interface RulesRow extends RefreshedConfiguration, RefreshState {
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
  const cell = await findCell(db, rules.id, key);
  const members = await db.query<MemberRow>(sql`
    select ${ASK_COLUMNS}, model.source_market, listing.last_seen_at_ms, listing.full_set_status,
           ${isReplaced("listing")} as is_replaced
      from listing
      join listing_model as model
        on model.listing_id = listing.id and model.configuration_id = ${rules.id}
     where listing.reference_normalized = ${rules.market_reference_normalized}
       and listing.last_seen_at_ms >= ${lookbackStartMs(2 * rules.lookback_days, asOfMs)}
       and listing.year = ${key.year} and listing.condition = ${key.condition_bucket.toUpperCase()}
       and ${IS_COUNTABLE}
     order by listing.last_seen_at_ms desc, listing.id
     limit ${ASKS_MAX + 1}`);
  const population = describePopulation(members.slice(0, ASKS_MAX), key, { rules, nowMs: asOfMs });
  const rule = { sendsBuys: rules.buy_signals_enabled, isStale: isStale(rules, nowMs) };
  return {
    ...population,
    items: population.items.map((item, at) => {
      const { full_set_status = [], is_replaced = false } = members[at] ?? {};
      const { last_seen_at_ms, source_market: market } = item;
      const state = offerStateOf({ last_seen_at_ms, is_replaced, is_gone: false }, nowMs);
      const terms = cell === undefined ? undefined : { ...rules, ...cell };
      const isBuy =
        terms?.status === "available" &&
        findNoBuyReason(item.original_ask_eur_minor, { ...rule, market, cell: terms }, state) ===
          undefined;
      return { ...item, is_buy: isBuy, full_set_status: [...full_set_status], offer_state: state };
    }),
    is_exact: members.length <= ASKS_MAX,
    as_of_ms: asOfMs,
  };
}

/** The rules of a configuration as they are now. */
export async function findRules(db: Database, id: string): Promise<RulesRow | undefined> {
  const [row] = await db.query<RulesRow>(sql`
    select rules.*, snapshot.calculated_at_ms, configuration.last_success_at_ms, profile.stale_after_ms,
           snapshot.revision is distinct from configuration.revision as is_changed
      from (${SELECT_CONFIGURATIONS} where configuration.id = ${id}) as rules
      join price_configuration as configuration on configuration.id = rules.id
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_snapshot as snapshot on snapshot.configuration_id = rules.id`);
  return row;
}
