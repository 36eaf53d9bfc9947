import { type Static, Type } from "typebox";
import type { Database } from "../../../db/database.ts";
import { dropNulls } from "../../../db/row.ts";
import { countryPrefixOf } from "../../../listings/listing.ts";
import { findListingIdsOf } from "../../../listings/listing-store.ts";
import { findMessageOverviews, type MessageOverview } from "../../../messages/message-store.ts";
import { Count, Id, Ms, optional } from "../schemas.ts";

export const Message = Type.Object(
  {
    id: Id,
    text: optional(Type.String()),
    is_text_cut: optional(
      Type.Boolean({
        description: "`true` if a list shows only the beginning of a long text; else absent.",
      }),
    ),
    sender: Type.Object({
      contact_id: optional(Id),
      phone_number: optional(Type.String({ description: "Digits without `+`." })),
      country_prefix: optional(Type.String()),
      display_name: optional(Type.String()),
    }),
    groups: Type.Array(Type.Object({ id: Id, name: optional(Type.String()) }), {
      description: "Where it was posted and not revoked; if all posts are revoked, where it was.",
    }),
    first_seen_at_ms: optional(Ms),
    last_seen_at_ms: optional(Ms),
    occurrence_count: Count,
    has_media: Type.Boolean(),
    is_own: Type.Boolean({ description: "Sent by one of your own sessions." }),
    is_revoked: Type.Boolean({ description: "All posts are revoked." }),
    listing_ids: Type.Array(Id, { description: "What the text is read as, in its order." }),
  },
  { $id: "Message", description: "One text by one contact, in all groups and on all days." },
);

type MessageBody = Static<typeof Message>;

/** The messages in the order of the ids; an id without a message is left out. */
export async function describeMessages(
  db: Database,
  ids: readonly string[],
  options: { readonly textLengthMax: number },
): Promise<readonly MessageBody[]> {
  if (ids.length === 0) return [];
  const overviews = await findMessageOverviews(db, ids, options);
  const listingIds = await findListingIdsOf(db, ids);
  return ids.flatMap((id) => {
    const overview = overviews.get(id);
    return overview === undefined ? [] : [toMessageBody(overview, listingIds.get(id) ?? [])];
  });
}

function toMessageBody(row: MessageOverview, listingIds: readonly string[]): MessageBody {
  return dropNulls({
    id: row.id,
    text: row.text,
    is_text_cut: row.is_text_cut ? true : null,
    sender: dropNulls({
      contact_id: row.contact_id,
      phone_number: row.phone_number,
      country_prefix: row.phone_number === null ? null : countryPrefixOf(row.phone_number),
      display_name: row.display_name,
    }),
    groups: row.groups.map((group) => dropNulls(group)),
    first_seen_at_ms: row.first_seen_at_ms,
    last_seen_at_ms: row.last_seen_at_ms,
    occurrence_count: row.occurrence_count,
    has_media: row.has_media,
    is_own: row.is_own,
    is_revoked: row.is_revoked,
    listing_ids: [...listingIds],
  });
}
