import { randomUUID } from "node:crypto";
import type { Clock } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { correctListing } from "../../src/listings/corrections/correct-listing.ts";
import type {
  CorrectionField,
  CorrectionValue,
} from "../../src/listings/corrections/correction.ts";
import { loadCatalogue } from "../../src/listings/dealer-catalogue.ts";
import { type ListingFacts, toFoldedColumns } from "../../src/listings/listing.ts";
import { toSearchTexts } from "../../src/listings/search-text.ts";
import { insertRows } from "./rows.ts";
import { createTestClock, NOW_MS } from "./test-app.ts";

type Fields = Readonly<Partial<Record<CorrectionField, CorrectionValue>>>;

/** A stored listing with its ids and names. */
export interface TestListing extends ListingFacts {
  readonly canonical_message_id: string;
  readonly contact_id: string | null;
}

interface Words {
  readonly brand?: string | null;
  readonly model?: string | null;
  readonly reference?: string | null;
  readonly dial_type?: string | null;
  readonly variant?: string | null;
  readonly message_text?: string | null;
}

/** A test names only what it is about: words as a dealer writes them, and any fact. */
export function aListingWith(given: Partial<TestListing> & Words = {}): TestListing {
  const { brand, model, reference, dial_type, variant, message_text, ...facts } = given;
  const words = {
    brand: brand === undefined ? "Rolex" : brand,
    model: model === undefined ? "Submariner Date" : model,
    reference: reference === undefined ? "126610LN" : reference,
    dial_type: dial_type ?? null,
    variant: variant ?? null,
  };
  const text = message_text ?? "";
  const lines = { sourceLines: text.split("\n").map((_, line) => line), headerLines: [] };
  const messageId = facts.canonical_message_id ?? randomUUID();
  return {
    id: randomUUID(),
    side: "for_sale",
    message_type: "selling",
    ...toFoldedColumns(words),
    search_text: toSearchTexts(text, [{ words, lines }])[0] ?? "",
    year: 2023,
    condition: "NEW",
    full_set_status: ["FULL_SET"],
    price_amount_minor: 1_250_000,
    price_currency: "EUR",
    price_eur_minor: 1_250_000,
    price_drop_bps: null,
    phone_number: "447700900123",
    group_ids: [],
    group_names_folded: [],
    contact_id: null,
    contact_ids: facts.contact_id == null ? [] : [facts.contact_id],
    canonical_message_id: messageId,
    canonical_message_ids: [messageId],
    message_timestamp_ms: NOW_MS,
    last_seen_at_ms: NOW_MS,
    has_media: false,
    is_duplicate: false,
    is_hidden: false,
    is_revoked: false,
    is_not_offered: false,
    ...facts,
  };
}

const CHUNK = 500;

/** Stores the listings and their messages. */
export async function insertListings(
  db: Database,
  listings: readonly TestListing[],
): Promise<void> {
  const columns = {
    hasLeftOut: listings.some(({ is_not_offered }) => is_not_offered),
    hasDrops: listings.some(({ price_drop_bps }) => price_drop_bps !== null),
  };
  for (let at = 0; at < listings.length; at += CHUNK) {
    const rows = listings
      .slice(at, at + CHUNK)
      .map((listing, k) => toRow(listing, at + k, columns));
    const messages = rows.map(({ canonical_message_id: id }) => ({ id, contact_id: id }));
    await db.execute(sql`${insertRows("canonical_message", messages)} on conflict do nothing`);
    await db.execute(insertRows("listing", rows));
  }
}

/**
 * Each listing has its own line, because a message may have several. Columns are left out where they are not needed: a
 * migration's test has the table of its time.
 */
function toRow(
  listing: TestListing,
  line: number,
  { hasLeftOut, hasDrops }: { readonly hasLeftOut: boolean; readonly hasDrops: boolean },
) {
  const {
    group_names_folded,
    contact_ids,
    canonical_message_ids,
    is_not_offered,
    price_drop_bps,
    ...row
  } = listing;
  const price_drop_from_minor = price_drop_bps === null ? null : 1_500_000;
  return {
    ...row,
    ...(hasLeftOut ? { left_out_reason: is_not_offered ? "not_an_offer" : null } : {}),
    ...(hasDrops ? { price_drop_bps, price_drop_from_minor } : {}),
    line,
    full_set_status: `{${row.full_set_status.join(",")}}`,
    group_ids: `{${row.group_ids.join(",")}}`,
    first_seen_at_ms: Math.min(row.message_timestamp_ms, row.last_seen_at_ms),
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  };
}

/** Corrects a listing with the built-in catalogue. Nothing is processed. */
export async function correct(
  pool: DatabasePool,
  listingId: string,
  set: Fields,
  options: { readonly undo?: readonly CorrectionField[]; readonly clock?: Clock } = {},
) {
  const wanted = {
    listingId,
    set: new Map(Object.entries(set) as [CorrectionField, CorrectionValue][]),
    undo: new Set(options.undo ?? []),
  };
  const clock = options.clock ?? createTestClock();
  const author = { name: "test", nowMs: clock.nowMs() };
  return correctListing(pool, wanted, { catalogue: await loadCatalogue(undefined), author });
}

/** The reasons why corrections are set aside, in the order of their listings. */
export async function listSetAside(db: Database): Promise<readonly string[]> {
  const rows = await db.query<{ reason: string }>(sql`
    select entry.reason
      from corrected_message, jsonb_each_text(set_aside) as entry (id, reason)
     order by canonical_message_id, entry.reason`);
  return rows.map(({ reason }) => reason);
}
