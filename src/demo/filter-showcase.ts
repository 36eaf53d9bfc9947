import { toStableId } from "../base/ids.ts";
import { groupIdOf } from "../messages/message.ts";
import type { Market } from "./posts.ts";
import type { DemoWatch } from "./watches.ts";

export interface Showcase {
  readonly key: string;
  readonly label: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Two filters that together use every member. The first selects many listings, the second almost none. */
export function showcaseFilters(market: Market, watch: DemoWatch): readonly Showcase[] {
  const years = Array.from({ length: 10 }, (_, at) => watch.firstYear + at);
  const conditions = ["NEW", "LIKE_NEW", "USED"];
  const sets = ["FULL_SET", "WATCH_AND_CARD", "WATCH"];
  const dayAfterAll = Date.UTC(2100, 0, 1);
  const broad = {
    q: watch.reference,
    text_search: { query: watch.reference, mode: "broad" },
    side: ["for_sale"],
    message_type: ["selling"],
    brand: [watch.brand],
    model: [watch.model],
    reference: [watch.reference],
    year: { values: years, gte: watch.firstYear, lte: watch.firstYear + 9 },
    years,
    price: { gte: 100_000, lte: 100_000_000, currency: "EUR" },
    condition: conditions,
    conditions,
    full_set_status: sets,
    full_set_options: sets,
    country_codes: { include: ["44", "33", "49", "353", "852"], exclude: ["1"] },
    phone_numbers_exclude: ["447700900998"],
    phone_numbers: { exclude: ["447700900999"] },
    group_ids: market.groups.map(({ gatewayGroupId }) => groupIdOf(gatewayGroupId)),
    group_names: market.groups.map(({ name }) => name),
    message_timestamp_ms: { gte: 0, lte: dayAfterAll },
    last_seen_at_ms: { gte: 0, lte: dayAfterAll },
    from_ms: 0,
    to_ms: dayAfterAll,
    include_duplicates: true,
    include_hidden: false,
    include_revoked: false,
    exclude_outliers: true,
  };
  const messageId = toStableId("demo", "a message to watch");
  const contactId = toStableId("demo", "a contact to watch");
  const narrow = {
    dial_type: ["black"],
    dial_types: ["black"],
    variant: ["jubilee"],
    variants: ["jubilee"],
    phone_numbers_include: ["447700900123"],
    phone_numbers: { include: ["447700900123"], exclude: [] },
    phone_number: "447700900123",
    contact_ids: [contactId],
    contact_id: contactId,
    canonical_message_ids: [messageId],
    canonical_message_id: messageId,
    has_media: true,
  };
  return [
    { key: "desk", label: `${watch.model} ${watch.reference}, our desk's filter`, filters: broad },
    { key: "one-offer", label: `${watch.model} ${watch.reference}, one offer`, filters: narrow },
  ];
}
