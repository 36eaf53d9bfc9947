/**
 * A deal is what a person decided about a watch. It stands on the listing that the person saw and covers later posts of the
 * same watch, so nobody decides twice. Coverage is read, never stored: a deal knows nothing of the posts that follow.
 *
 * Example: a desk passes on an ask of 10,000 because it is too dear. The dealer posts the watch again in other words: passed
 * too. A week later he asks 9,700, three per cent less: the watch is back, marked as a price drop.
 */
import { AppError } from "../base/errors.ts";
import type { Move } from "../matching/resource-store.ts";
import { type DatedRateOf, toEurPrice } from "../rates/fx.ts";

export const DEAL_STATES = ["shortlisted", "contacted", "offered", "bought", "passed"] as const;
export type DealState = (typeof DEAL_STATES)[number];

/** Why a watch was passed. */
export const PASS_REASONS = [
  "too_dear",
  "gone",
  "misread",
  "no_papers",
  "not_trusted",
  "other",
] as const;
export type PassReason = (typeof PASS_REASONS)[number];

/** Reasons that a lower ask removes. */
export const RETURNING_REASONS = ["too_dear", "other"] as const satisfies readonly PassReason[];
/** By how much of itself an ask must fall until a passed watch is back. */
export const RETURN_BPS = 300;

/** Why a deal stands on no listing: another reference is read at its place, the listing was removed, or its dealer erased. */
export const DETACHED_REASONS = ["other_reference", "removed", "erased"] as const;
export type DetachedReason = (typeof DETACHED_REASONS)[number];

/** Characters of a note, of a deal or about a dealer. */
export const NOTE_MAX = 2_000;

export interface Amount {
  readonly amount_minor: number;
  readonly currency: string;
}

export interface DatedAmount extends Amount {
  readonly at_ms: number;
}

/** What a person says about a watch. */
export interface Decision {
  readonly state: DealState;
  readonly reason?: PassReason;
  readonly note?: string;
  readonly offer?: Amount;
  /** Who works on it: the id of a token. */
  readonly assignee?: string;
  readonly paid?: DatedAmount;
  readonly sold?: DatedAmount;
  readonly cost_eur_minor?: number;
}

/** The watch of a deal, as its listing is or last was. */
interface DealtWatch {
  readonly side?: string;
  readonly brand?: string;
  readonly model?: string;
  readonly reference?: string;
  readonly reference_normalized?: string;
  readonly year?: number;
  readonly card_month?: number;
  readonly condition?: string;
  readonly full_set_status?: readonly string[];
  readonly dial_type?: string;
  readonly variant?: string;
  readonly price?: Amount;
  readonly price_eur_minor?: number;
  readonly contact_id?: string;
  readonly phone_number?: string;
  readonly display_name?: string;
  readonly group_names?: readonly string[];
}

export interface Deal extends Decision {
  readonly listing_id: string;
  readonly version: number;
  /** As it was when the assignee was chosen: it stays when the token is revoked. */
  readonly assignee_name?: string;
  readonly detached_reason?: DetachedReason;
  /** The headline at the decision. */
  readonly price?: DealtPrice;
  /** The profit of the headline when the watch was bought. */
  readonly predicted_profit_eur_minor?: number;
  readonly asked?: Amount;
  readonly posted_at_ms: number;
  readonly watch: DealtWatch;
  readonly created_by?: string;
  readonly created_at_ms: number;
  readonly updated_by?: string;
  readonly updated_by_token_id?: string;
  readonly updated_at_ms: number;
}

/** The members of the headline that a decision keeps. */
export interface DealtPrice {
  readonly configuration_id: string;
  readonly average_eur_minor: number;
  readonly landed_eur_minor: number;
  readonly profit_eur_minor: number;
}

/** A person may date a payment a day ahead, as time zones do. */
const AHEAD_MAX_MS = 24 * 3_600_000;

/** Throws `invalid_payload` if the members of a decision do not go together. */
export function checkDecision(decision: Decision, nowMs: number): void {
  const { state, reason, paid, sold, cost_eur_minor } = decision;
  const refuse = (message: string): never => {
    throw new AppError("invalid_payload", message);
  };
  if (reason !== undefined && state !== "passed") {
    refuse("reason: only a watch in the state passed has one");
  }
  for (const [name, value] of Object.entries({ paid, sold, cost_eur_minor })) {
    if (value !== undefined && state !== "bought") {
      refuse(`${name}: only a watch in the state bought has it`);
    }
  }
  if (sold !== undefined && paid === undefined) {
    refuse("sold: say first what was paid (member paid)");
  }
  for (const [name, amount] of Object.entries({ paid, sold })) {
    if (amount !== undefined && amount.at_ms > nowMs + AHEAD_MAX_MS) {
      refuse(`${name}.at_ms: is in the future`);
    }
  }
}

/**
 * What a bought watch made: sold - paid - cost, each at the rate of its day. `without_rate` if an amount has none; undefined as
 * long as it is not sold.
 */
export function realisedProfitOf(
  { paid, sold, cost_eur_minor }: Pick<Decision, "paid" | "sold" | "cost_eur_minor">,
  rateOf: DatedRateOf,
): number | "without_rate" | undefined {
  if (paid === undefined || sold === undefined) return undefined;
  const [spent, earned] = [toEur(paid, rateOf), toEur(sold, rateOf)];
  if (spent === undefined || earned === undefined) return "without_rate";
  return earned - spent - (cost_eur_minor ?? 0);
}

function toEur({ amount_minor, currency, at_ms }: DatedAmount, rateOf: DatedRateOf) {
  return toEurPrice({ amountMinor: amount_minor, currency }, at_ms, rateOf)?.eurMinor;
}

/** The part of a deal that decides which of two stays. */
export interface RivalDeal {
  readonly listing_id: string;
  readonly updated_at_ms: number;
}

interface DealMoves {
  /** Under their old ids, with the new ones. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Older deals of what is one listing now. */
  readonly replacedIds: readonly string[];
}

/** Of several deals of what is one listing now, the newest stays, then the one with the lower id. */
export function planDealMoves(
  deals: readonly RivalDeal[],
  moves: readonly Pick<Move, "from" | "to">[],
): DealMoves {
  const targetOf = new Map(moves.map(({ from, to }) => [from, to]));
  const rivals = new Map<string, RivalDeal[]>();
  for (const deal of deals) {
    const target = targetOf.get(deal.listing_id) ?? deal.listing_id;
    rivals.set(target, [...(rivals.get(target) ?? []), deal]);
  }
  const moved: DealMoves["moved"][number][] = [];
  const replacedIds: string[] = [];
  for (const [target, found] of rivals) {
    const [first, ...others] = found.toSorted(
      (left, right) =>
        right.updated_at_ms - left.updated_at_ms || (left.listing_id < right.listing_id ? -1 : 1),
    );
    if (first === undefined) continue;
    if (first.listing_id !== target) moved.push({ from: first.listing_id, to: target });
    replacedIds.push(...others.map(({ listing_id }) => listing_id));
  }
  return { moved, replacedIds };
}
