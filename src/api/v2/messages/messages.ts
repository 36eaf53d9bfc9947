import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import type { Database } from "../../../db/database.ts";
import { dropNulls } from "../../../db/row.ts";
import { TEXT_MODES } from "../../../filters/language/clause.ts";
import { searchMessages } from "../../../filters/search-messages.ts";
import { findListingIdsOf, type MessageListings } from "../../../listings/listing-store.ts";
import { findMessageMedia } from "../../../media/media-store.ts";
import {
  findCurrentMessageId,
  findMessageOverviews,
  type MessageOverview,
} from "../../../messages/message-store.ts";
import { withParameterNames } from "../filter-body.ts";
import { Sender, toSender } from "../market/listing-body.ts";
import { MEDIA_MEMBER, toMedia } from "../media/media-body.ts";
import {
  Count,
  failures,
  Id,
  IdParam,
  LIMIT_DEFAULT,
  Ms,
  NextCursor,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";

/** A page of 200 longest texts would have 13 MB. */
const TEXT_LENGTH_MAX = 4_000;
/** More than any stored text has. */
const WHOLE_TEXT_LENGTH_MAX = 100_000_000;
const QUERY_LENGTH_MAX = 500;

export const MessageParams = Type.Object({
  canonical_message_id: IdParam("The canonical message's id."),
});

const Message = Type.Object(
  {
    id: Id,
    text: optional(Type.String()),
    is_text_cut: optional(
      Type.Boolean({
        description: "`true` if a list shows only the beginning of a long text; else absent.",
      }),
    ),
    sender: Sender,
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
    media: MEDIA_MEMBER,
    left_out_listing_ids: optional(
      Type.Array(Id, {
        description:
          "What was read as talk: watches of the catalogue with a price that the text does not seem to offer. They are " +
          "hidden; `is_listing: true` as a correction shows one. Absent if there are none.",
      }),
    ),
  },
  { $id: "Message", description: "One text by one contact, in all groups and on all days." },
);

type MessageBody = Static<typeof Message>;

/** An extension of the contract. */
export function addListMessages(app: FastifyInstance, { read }: RouteContext): void {
  app.addSchema(Message);
  const schema = {
    operationId: "listMessages",
    tags: ["Messages"],
    summary: "List messages",
    description:
      "Canonical messages, also those without a listing, the last seen first. With `q` or `group_id`, one request examines a " +
      "limited number of messages: a page may then have fewer items than `limit`, even none, and still have a `next_cursor`. " +
      `A text longer than ${TEXT_LENGTH_MAX} characters is cut.`,
    querystring: Type.Object({
      q: optional(
        Type.String({
          maxLength: QUERY_LENGTH_MAX,
          pattern: "^[^\\u0000]*$",
          description: "Words of the message's text. Without any letter or digit, it selects all.",
        }),
      ),
      search_mode: optional(
        Type.Enum([...TEXT_MODES], {
          default: "broad",
          description:
            "`broad`: one of the words, also as the beginning of a longer one. `all`: each of the words, likewise, in any order. " +
            "`exact`: the phrase. `exact_light`: the words in this order, with at most three others in between.",
        }),
      ),
      group_id: optional(Type.String({ format: "uuid" })),
      contact_id: optional(Type.String({ format: "uuid" })),
      left_out: optional(
        Type.Boolean({
          description:
            "`true`: only messages with `left_out_listing_ids`, among the latest 20,000 such listings.",
        }),
      ),
      from_ms: optional(Type.Integer({ description: "Last seen at this time or later." })),
      to_ms: optional(Type.Integer({ description: "Last seen at this time or earlier." })),
      ...PAGE_QUERY,
    }),
    response: {
      200: Type.Object({ items: Type.Array(named(Message)), next_cursor: NextCursor }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/messages", { schema, config: OWN_DEADLINE }, (request) =>
    read(request, async (db) => {
      const { query } = request;
      const search = {
        query: query.q ?? "",
        mode: query.search_mode ?? "broad",
        limit: query.limit ?? LIMIT_DEFAULT,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        ...(query.contact_id === undefined ? {} : { contactId: query.contact_id.toLowerCase() }),
        ...(query.group_id === undefined ? {} : { groupId: query.group_id.toLowerCase() }),
        isLeftOut: query.left_out ?? false,
        ...(query.from_ms === undefined ? {} : { fromMs: query.from_ms }),
        ...(query.to_ms === undefined ? {} : { toMs: query.to_ms }),
      };
      const found = await withParameterNames(() => searchMessages(db, search));
      const items = await describeMessages(db, found.ids, { textLengthMax: TEXT_LENGTH_MAX });
      return {
        items: [...items],
        ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
      };
    }),
  );
}

/** An extension of the contract. */
export function addGetMessage(app: FastifyInstance, { read }: RouteContext): void {
  const schema = {
    operationId: "getMessage",
    tags: ["Messages"],
    summary: "Get one message",
    description: "One canonical message with its whole text. An id from before a merge works too.",
    params: MessageParams,
    response: { 200: named(Message), ...failures(400, 401, 404) },
  };
  const url = "/v2/messages/:canonical_message_id";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, async (request) => {
    const [message] = await read(request, async (db) => {
      const id = await findCurrentMessageId(db, request.params.canonical_message_id);
      if (id === undefined) return [];
      return describeMessages(db, [id], { textLengthMax: WHOLE_TEXT_LENGTH_MAX });
    });
    if (message === undefined) throw notFound("message");
    return message;
  });
}

/** The messages in the order of the ids; an id without a message is left out. */
async function describeMessages(
  db: Database,
  ids: readonly string[],
  options: { readonly textLengthMax: number },
): Promise<readonly MessageBody[]> {
  if (ids.length === 0) return [];
  const overviews = await findMessageOverviews(db, ids, options);
  const listingIds = await findListingIdsOf(db, ids);
  const media = await findMessageMedia(db, ids);
  return ids.flatMap((id) => {
    const overview = overviews.get(id);
    if (overview === undefined) return [];
    const shown = toMedia(media.get(id));
    const body = toMessageBody(overview, listingIds.get(id));
    return [shown === undefined ? body : { ...body, media: shown }];
  });
}

function toMessageBody(row: MessageOverview, listings: MessageListings | undefined): MessageBody {
  const notOfferedIds = listings?.notOfferedIds ?? [];
  return dropNulls({
    id: row.id,
    text: row.text,
    is_text_cut: row.is_text_cut ? true : null,
    sender: toSender(row),
    groups: row.groups.map((group) => dropNulls(group)),
    first_seen_at_ms: row.first_seen_at_ms,
    last_seen_at_ms: row.last_seen_at_ms,
    occurrence_count: row.occurrence_count,
    has_media: row.has_media,
    is_own: row.is_own,
    is_revoked: row.is_revoked,
    listing_ids: [...(listings?.ids ?? [])],
    left_out_listing_ids: notOfferedIds.length === 0 ? null : [...notOfferedIds],
  });
}
