import { type Static, Type } from "typebox";
import type { Database } from "../../../db/database.ts";
import { dropNulls } from "../../../db/row.ts";
import type { FoundListings } from "../../../filters/sql/search-listings.ts";
import { countryPrefixOf } from "../../../listings/listing.ts";
import { findListingsInText, type ListingRow } from "../../../listings/listing-store.ts";
import { Warnings } from "../filter-body.ts";
import { Count, EurMinor, Id, IdParam, Ms, NextCursor, named, optional } from "../schemas.ts";

const CURSOR_LENGTH_MAX = 500;

export const ListingParams = Type.Object({ listing_id: IdParam("The listing's id.") });

export const Price = Type.Object({
  amount_minor: Type.Integer({ description: "Hundredths of the currency." }),
  currency: Type.String(),
});

const PriceDrop = Type.Object(
  {
    from: Price,
    since_ms: Type.Integer({ description: "When the lower ask was said first." }),
    bps: Type.Integer({ description: "The fall in hundredths of a per cent, rounded down." }),
  },
  { description: "The dealer's last ask for the watch, if it was higher." },
);

/** Also of a message. */
export const Sender = Type.Object({
  contact_id: optional(Id),
  phone_number: optional(Type.String({ description: "Digits without `+`." })),
  country_prefix: optional(Type.String()),
  display_name: optional(Type.String()),
});

export const Listing = Type.Object(
  {
    id: Id,
    side: Type.String({ description: "`for_sale` or `want_to_buy`." }),
    message_type: Type.String({ description: "`selling`, `buying`, `personal` or `unknown`." }),
    brand: optional(Type.String()),
    model: optional(Type.String()),
    reference: optional(Type.String({ description: "As the dealer wrote it." })),
    reference_normalized: optional(Type.String()),
    year: optional(Type.Integer()),
    card_month: optional(Type.Integer()),
    condition: optional(Type.String({ description: "`NEW`, `LIKE_NEW` or `USED`." })),
    full_set_status: Type.Array(Type.String()),
    dial_type: optional(Type.String()),
    variant: optional(Type.String()),
    price: optional(Price),
    alternative_price: optional(Price),
    price_eur_minor: optional(EurMinor),
    price_drop: optional(PriceDrop),
    sender: Sender,
    source: Type.Object({
      canonical_message_id: Id,
      group_ids: Type.Array(Id),
      group_names: Type.Array(Type.String()),
      message_timestamp_ms: Ms,
      first_seen_at_ms: Ms,
      last_seen_at_ms: Ms,
      occurrence_count: Count,
      has_media: Type.Boolean(),
      is_duplicate: Type.Boolean(),
      is_hidden: Type.Boolean(),
      is_revoked: Type.Boolean(),
      message_text: optional(
        Type.String({
          description: "Only in the response for a single listing and in events, not in lists.",
        }),
      ),
    }),
    extraction: Type.Object({
      version: Type.Integer(),
      confidence: Type.Number({ minimum: 0, maximum: 1 }),
      sources: Type.Unsafe<Readonly<Record<string, unknown>>>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              "Where each value came from: `explicit` (the watch's own text), `section` (text for several watches), `default` (a setting) or `corrected` (a person). `is_listing` is there if a person said that this is a listing, or that it is none.",
          },
        ),
      ),
    }),
    created_at_ms: Ms,
    updated_at_ms: Ms,
  },
  { $id: "Listing", description: "One watch in one canonical message." },
);

export const CursorText = Type.String({
  maxLength: CURSOR_LENGTH_MAX,
  description: "`next_cursor` of the previous page.",
});

/** One page of a search. The search route adds this schema. */
export const ListingPage = Type.Object(
  {
    items: Type.Array(named(Listing)),
    next_cursor: NextCursor,
    total: optional(Count),
    warnings: Warnings,
  },
  { $id: "ListingPage" },
);

export function toListingBody(
  row: ListingRow & { readonly message_text?: string | null },
): Static<typeof Listing> {
  return dropNulls({
    id: row.id,
    side: row.side,
    message_type: row.message_type,
    brand: row.brand,
    model: row.model,
    reference: row.reference,
    reference_normalized: row.reference_normalized,
    year: row.year,
    card_month: row.card_month,
    condition: row.condition,
    full_set_status: [...row.full_set_status],
    dial_type: row.dial_type,
    variant: row.variant,
    price: toPrice(row.price_amount_minor, row.price_currency),
    alternative_price: toPrice(row.alternative_price_amount_minor, row.alternative_price_currency),
    price_eur_minor: row.price_eur_minor,
    price_drop: toPriceDrop(row),
    sender: toSender(row),
    source: dropNulls({
      canonical_message_id: row.canonical_message_id,
      group_ids: [...row.group_ids],
      group_names: [...row.group_names],
      message_timestamp_ms: row.message_timestamp_ms,
      first_seen_at_ms: row.first_seen_at_ms,
      last_seen_at_ms: row.last_seen_at_ms,
      occurrence_count: row.occurrence_count,
      has_media: row.has_media,
      is_duplicate: row.is_duplicate,
      is_hidden: row.is_hidden,
      is_revoked: row.is_revoked,
      message_text: row.message_text ?? null,
    }),
    extraction: {
      version: row.extraction_version,
      confidence: row.confidence,
      sources: row.sources,
    },
    created_at_ms: row.created_at_ms,
    updated_at_ms: row.updated_at_ms,
  });
}

/** Of a listing or a message. */
export function toSender(
  row: Pick<ListingRow, "contact_id" | "phone_number" | "display_name">,
): Static<typeof Sender> {
  return dropNulls({
    contact_id: row.contact_id,
    phone_number: row.phone_number,
    country_prefix: row.phone_number === null ? null : countryPrefixOf(row.phone_number),
    display_name: row.display_name,
  });
}

/** Returns the bodies by id; an id without a listing is left out. */
export async function describeListings(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, object>> {
  if (ids.length === 0) return new Map();
  const rows = await findListingsInText(db, ids);
  return new Map(rows.map((row) => [row.id, toListingBody(row)]));
}

export function toListingPage(found: FoundListings): Static<typeof ListingPage> {
  return {
    items: found.rows.map(toListingBody),
    ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
    ...(found.total === undefined ? {} : { total: found.total }),
  };
}

function toPriceDrop(row: ListingRow): Static<typeof PriceDrop> | null {
  const from = toPrice(row.price_drop_from_minor, row.price_currency);
  const { price_drop_since_ms: since_ms, price_drop_bps: bps } = row;
  return from === null || since_ms === null || bps === null ? null : { from, since_ms, bps };
}

function toPrice(amountMinor: number | null, currency: string | null) {
  return amountMinor === null || currency === null ? null : { amount_minor: amountMinor, currency };
}
