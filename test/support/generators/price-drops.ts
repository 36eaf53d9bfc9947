/** Histories in which dealers change their asks, and what the price drops of a store must be, computed without SQL. */
import fc from "fast-check";
import { DAY_MS } from "../../../src/base/clock.ts";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { type Addressing, aMessageEvent, anEditEvent, aRevokeEvent } from "../waha.ts";
import { aLidList, START_S } from "./histories.ts";

const WATCH = "126610LN 2024 full set";
/** Raised, lowered, more than halved, in another currency, of another variant, and two watches in one message. */
const ASKS = [
  ...[12_500, 12_499, 12_100, 11_000, 11_000, 13_000, 6_000].map((euros) => `€${euros}`),
  "HKD 98,000",
  "HKD 90,000",
  "jubilee €12,000",
  "€12,300 SOLD",
  `€12,200\n${WATCH} €11,900`,
].map((ask) => `${WATCH} ${ask}`);
const REPLIES = ["now €11,500", "now €10,000", "SOLD", "126610LN now HKD 80,000", "thanks"];

/** Days on which asks are just near enough to each other, and just too far. */
const DAYS = [0, 1, 2, 3, 30, 59, 60, 61, 62, 120];
const dealer = fc.constantFrom(
  { phone: "447700900131", lid: "199900000000231", name: "Dealer 1" },
  { phone: "447700900132", lid: "199900000000232", name: "Dealer 2" },
);
const addressing = fc.constantFrom<Addressing>("phone", "lid", "both", "both", "both");
const sent = {
  // Most posts are of few raw ids, so that edits, revocations and replies find them.
  rawId: fc.nat({ max: 30 }).map((n) => `P${n}`),
  sender: dealer,
  addressing,
  text: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ASKS) },
    { weight: 1, arbitrary: fc.constantFrom(...ASKS).map((ask) => `Available ${ask}`) },
  ),
  atS: fc
    .tuple(fc.constantFrom(...DAYS), fc.nat({ max: 3 }))
    .map(([day, n]) => START_S + day * 86_400 + n * 3_600),
};

export const anyPriceHistory = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record(sent).map(aMessageEvent) },
    {
      weight: 4,
      arbitrary: fc
        .record({
          ...sent,
          text: fc.constantFrom(...REPLIES),
          replyTo: sent.rawId,
          rawId: fc.nat({ max: 9 }).map((n) => `R${n}`),
        })
        .map(aMessageEvent),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({ ...sent, rawId: fc.oneof(sent.rawId, fc.constant("R1")), author: dealer })
        .map(anEditEvent),
    },
    { weight: 2, arbitrary: fc.record({ ...sent, author: dealer }).map(aRevokeEvent) },
    {
      weight: 1,
      arbitrary: fc
        .record({ sender: dealer, other: dealer, atS: sent.atS })
        .map(({ sender: { lid }, other: { phone }, atS }) =>
          aLidList({ lid, phone, atMs: atS * 1_000 }),
        ),
    },
  ),
  { minLength: 30, maxLength: 60 },
);

interface StoredAsk {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly ask_key: string | null;
  readonly side: string;
  readonly variant_folded: string | null;
  readonly price_amount_minor: number | null;
  readonly price_currency: string | null;
  readonly asks:
    | readonly {
        readonly asked_at_ms: number;
        readonly amount_minor: number;
        readonly currency: string;
      }[]
    | null;
  readonly message_timestamp_ms: number;
  readonly is_hidden: boolean;
  readonly is_revoked: boolean;
  readonly is_found: boolean;
  readonly left_out_reason: string | null;
  readonly price_drop_from_minor: number | null;
  readonly price_drop_bps: number | null;
}

/** By listing, in words: those that are stored, and those that must be. */
export interface PriceDrops {
  readonly stored: readonly string[];
  readonly expected: readonly string[];
}

export async function readPriceDrops(db: Database): Promise<PriceDrops> {
  const rows = await db.query<StoredAsk>(sql`
    select id, canonical_message_id, ask_key, side, variant_folded, price_amount_minor, price_currency, asks,
           message_timestamp_ms, is_hidden, is_revoked, is_found, left_out_reason, price_drop_from_minor, price_drop_bps
      from listing
     order by id`);
  return {
    stored: rows.flatMap(({ id, price_drop_from_minor: from, price_drop_bps: bps }) =>
      from === null && bps === null ? [] : [`${id}: ${bps} from ${from}`],
    ),
    expected: rows.flatMap((row) => {
      const drop = dropOf(row, rows);
      return drop === undefined ? [] : [`${row.id}: ${drop.bps} from ${drop.from}`];
    }),
  };
}

interface SaidAsk {
  readonly of: StoredAsk;
  readonly atMs: number;
  readonly minor: number;
  readonly currency: string;
}

function dropOf(row: StoredAsk, rows: readonly StoredAsk[]) {
  const present = asksOf(row).at(-1);
  if (present === undefined || row.ask_key === null || row.is_hidden || row.is_revoked) return;
  const earlier = rows
    .filter((other) => other === row || isSameWatch(row, other))
    .flatMap(asksOf)
    .filter(({ currency, atMs }) => {
      const ageMs = present.atMs - atMs;
      return currency === present.currency && ageMs > 0 && ageMs <= 60 * DAY_MS;
    });
  const latestMs = Math.max(...earlier.map(({ atMs }) => atMs));
  const latest = earlier
    .filter(({ atMs }) => atMs === latestMs)
    .toSorted((left, right) => left.minor - right.minor || (left.of.id < right.of.id ? -1 : 1))[0];
  if (latest === undefined || [row, latest.of].some((of) => hasTwin(of, rows))) return;
  const bps = Math.floor(((latest.minor - present.minor) * 10_000) / latest.minor);
  return bps >= 1 && bps <= 5_000 ? { from: latest.minor, bps } : undefined;
}

function isSameWatch(row: StoredAsk, other: StoredAsk): boolean {
  return (
    other.ask_key === row.ask_key &&
    other.side === row.side &&
    other.variant_folded === row.variant_folded &&
    other.canonical_message_id !== row.canonical_message_id &&
    !other.is_hidden &&
    !other.is_revoked
  );
}

function hasTwin(row: StoredAsk, rows: readonly StoredAsk[]): boolean {
  const ofKey = rows.filter(
    (other) =>
      other.canonical_message_id === row.canonical_message_id &&
      other.ask_key === row.ask_key &&
      other.is_found &&
      other.left_out_reason === null,
  );
  return ofKey.length > 1;
}

/** In the order in which they were said. */
function asksOf(row: StoredAsk): readonly SaidAsk[] {
  const { asks, price_amount_minor: minor, price_currency: currency } = row;
  if (asks !== null) {
    return asks.map((ask) => ({
      of: row,
      atMs: ask.asked_at_ms,
      minor: ask.amount_minor,
      currency: ask.currency,
    }));
  }
  if (minor === null || currency === null) return [];
  return [{ of: row, atMs: row.message_timestamp_ms, minor, currency }];
}
