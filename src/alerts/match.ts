import { dropNulls, type Present } from "../db/row.ts";
import type { ListingFacts } from "../listings/listing.ts";
import type { Resource } from "../listings/match-queue-store.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import type { Move, ShownListing } from "../matching/resource-store.ts";
import type { BuySignal } from "../pricing/buy-signal.ts";

export interface MatchKey {
  readonly alert_id: string;
  readonly resource: Resource;
  readonly resource_id: string;
}

/** The key alone, of something that has more. */
export function toMatchKey({ alert_id, resource, resource_id }: MatchKey): MatchKey {
  return { alert_id, resource, resource_id };
}

/** The key as one text, for maps and sets. */
export function matchKeyOf({ alert_id, resource, resource_id }: MatchKey): string {
  return `${alert_id} ${resource} ${resource_id}`;
}

export interface MatchRow extends MatchKey {
  readonly listing_id: string | null;
  readonly canonical_message_id: string;
  readonly matched_at_ms: number;
  readonly seen_at_ms: number | null;
  readonly match_context: Readonly<Record<string, unknown>>;
}

/** Seed 2.2. */
export type Match = Present<MatchRow>;

export interface NewMatch extends MatchKey {
  readonly canonical_message_id: string;
  readonly match_context: Readonly<Record<string, unknown>>;
  /** The calculation of the listing's headline; absent if it is `match_context`. */
  readonly headline?: Readonly<Record<string, unknown>>;
  /** False if the match is only shown, and neither webhooks nor the stream send it. */
  readonly is_outward: boolean;
  /** Of asks that are repeated one is told, see `quietRepeats`. */
  readonly is_told_once?: boolean;
  /** It repeats an ask that was told, so no one is told of it. */
  readonly is_quiet?: boolean;
  /** When the ask that it repeats was seen. */
  readonly seen_at_ms?: number | null;
}

const BUCKETS = { NEW: "new", LIKE_NEW: "like_new", USED: "used" } as const;

/** The context of a market_filter match. Values that the listing does not have are left out. */
export function toMarketContext(
  listing: ShownListing,
  facts: ListingFacts,
  sourceMarket: SourceMarket | undefined,
): NewMatch["match_context"] {
  return dropNulls({
    strategy: "market_filter",
    original_ask_eur_minor: facts.price_eur_minor,
    year: facts.year,
    condition_bucket: facts.condition === null ? null : BUCKETS[facts.condition],
    brand: listing.brand?.toLowerCase() ?? null,
    reference: listing.reference,
    source_market: sourceMarket ?? null,
  });
}

/** A message has no watch, so no other members. */
export const MESSAGE_CONTEXT: NewMatch["match_context"] = { strategy: "market_filter" };

/** The context of a price_engine match: the calculation at that time. Also of a headline. */
export function toPriceContext(
  signal: Omit<BuySignal, "came_sequence"> & Partial<Pick<BuySignal, "came_sequence">>,
): NewMatch["match_context"] {
  const {
    listing_id: _listing,
    canonical_message_id: _message,
    came_sequence: _came,
    ...calculation
  } = signal;
  return dropNulls({ strategy: "price_engine", ...calculation });
}

export interface MovingMatch extends MatchKey {
  readonly seen_at_ms: number | null;
  readonly matched_at_ms: number;
  readonly sequence: number;
  /** When it was told again, because its watch was passed and came back. */
  readonly returned_at_ms: number | null;
}

interface MovePlan {
  readonly kept: readonly (MovingMatch & { readonly move: Move })[];
  readonly dropped: readonly MovingMatch[];
}

/**
 * Of several matches of one alert for what is one resource now, the earliest is kept, and it is seen if any of them was. If one
 * was told again, that one is kept as it is: otherwise it would be told once more. `matches` are those of the old and of the new
 * ids.
 */
export function planMoves(matches: readonly MovingMatch[], moves: readonly Move[]): MovePlan {
  const moveOf = new Map(moves.map((move) => [`${move.resource} ${move.from}`, move]));
  const stayOf = new Map(moves.map((move) => [`${move.resource} ${move.to}`, move]));
  const groups = new Map<string, { readonly move: Move; readonly matches: MovingMatch[] }>();
  for (const match of matches) {
    const own = `${match.resource} ${match.resource_id}`;
    const move = moveOf.get(own) ?? stayOf.get(own);
    if (move === undefined) continue;
    const key = `${match.alert_id} ${move.resource} ${move.to}`;
    const group = groups.get(key) ?? { move, matches: [] };
    group.matches.push(match);
    groups.set(key, group);
  }
  const kept: MovePlan["kept"][number][] = [];
  const dropped: MovingMatch[] = [];
  for (const { move, matches: rivals } of groups.values()) {
    const [first, ...others] = rivals.toSorted(
      (left, right) =>
        (right.returned_at_ms ?? 0) - (left.returned_at_ms ?? 0) ||
        left.matched_at_ms - right.matched_at_ms ||
        left.sequence - right.sequence,
    );
    if (first === undefined) continue;
    const alike = first.returned_at_ms === null ? rivals : [first];
    const seen = alike.flatMap(({ seen_at_ms }) => seen_at_ms ?? []);
    kept.push({ ...first, seen_at_ms: seen.length === 0 ? null : Math.min(...seen), move });
    dropped.push(...others);
  }
  return { kept, dropped };
}
