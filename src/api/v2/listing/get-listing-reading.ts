import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { LEFT_OUT_REASONS } from "../../../listings/listing.ts";
import {
  findListingReading,
  LINE_ROLES,
  REPLY_REASONS,
} from "../../../listings/listing-reading.ts";
import { ListingParams, Price } from "../market/listing-body.ts";
import {
  failures,
  Id,
  Ms,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

const Offset = Type.Integer({ minimum: 0 });

const TextSpan = Type.Object(
  { start: Offset, end: Offset },
  {
    $id: "TextSpan",
    description: "UTF-16 units `start` up to but not including `end` of the text.",
  },
);

const Value = Type.Union([
  Type.String(),
  Type.Integer(),
  Type.Boolean(),
  Type.Array(Type.String()),
  Price,
]);

const ReadField = Type.Object(
  {
    field: Type.String({ description: "The listing's member, such as `year`." }),
    value: optional(Value),
    source: Type.Enum(["explicit", "section", "default", "reply", "corrected"], {
      description:
        "`explicit` (the watch's own text), `section` (text for several watches), `default` (a setting), `reply` (the " +
        "dealer's reply to the message) or `corrected` (a person).",
    }),
    spans: Type.Array(named(TextSpan), {
      description:
        "The words that the value came from. Empty for a default, a reply and a correction.",
    }),
  },
  {
    $id: "ReadField",
    description:
      "A value that was read. Without `value`, a person said that the listing has no such value.",
  },
);

const LeftOutField = Type.Object(
  {
    field: Type.String(),
    reason: Type.String({
      description:
        "Why it was not used, such as `several_prices` or `currency_unknown`; `reply` if a reply says something else; " +
        "`corrected` if a person corrected it.",
    }),
    spans: Type.Array(named(TextSpan)),
  },
  { $id: "LeftOutField", description: "A value that was found but not used." },
);

const HeldCorrection = Type.Object(
  {
    values: Type.Unsafe<Readonly<Record<string, unknown>>>(
      Type.Object(
        {},
        { additionalProperties: true, description: "The corrected values, by member." },
      ),
    ),
    cleared: Type.Array(Type.String(), {
      description: "The members of which a person said that the listing has none.",
    }),
  },
  { $id: "HeldCorrection", description: "What a person corrected, as far as it holds." },
);

const REPLY_MEANINGS: Readonly<Record<(typeof REPLY_REASONS)[number], string>> = {
  other_sender: "someone else wrote it",
  revoked: "it was deleted",
  later_post: "the text was posted again after it",
  several_listings:
    "the message has several listings, and it names none of them, or the reply that it answers names several",
  several_references: "it names several listings of the message",
  other_reference: "it, or the reply that it answers, names other watches only",
  other_listing: "it is about another listing of the message",
  nothing_said: "no price, and neither sold nor on hold",
  left_out: "the message was read as talk",
  newer_reply: "a newer reply says it anew",
  corrected: "a person corrected what it says",
};

const ListedReply = Type.Object(
  {
    canonical_message_id: Id,
    text: Type.String({ description: "At most 4,097 characters of it." }),
    replied_at_ms: Ms,
    fields: Type.Array(Type.String(), {
      description: "The members of the listing that it gave: `price`, `status`.",
    }),
    reason: optional(
      Type.Enum([...REPLY_REASONS], {
        description: `Why it gave none. ${REPLY_REASONS.map((reason) => `\`${reason}\`: ${REPLY_MEANINGS[reason]}`).join("; ")}.`,
      }),
    ),
  },
  { $id: "ListedReply", description: "A reply below a post of the message." },
);

const ReadLine = Type.Object(
  {
    start: Offset,
    end: Offset,
    role: Type.Enum([...LINE_ROLES], {
      description:
        "`own`: it describes this watch. `header`: it applies to this watch and to others. `shared`: it belongs to no watch, " +
        "such as a greeting or terms. `other`: it is about other watches.",
    }),
    listing_id: optional(Id),
  },
  {
    $id: "ReadLine",
    description:
      "A line of the text: UTF-16 units `start` up to but not including `end`, without the line break. `listing_id` is the " +
      "other watch that the line describes, if that is a listing.",
  },
);

const ListingReading = Type.Object(
  {
    text: Type.String({ description: "The whole text of the message." }),
    version: Type.Integer({ description: "The version of the reader that read it just now." }),
    fields: Type.Array(named(ReadField)),
    left_out: Type.Array(named(LeftOutField)),
    confidence: optional(
      Type.Number({ description: "0 to 1. Absent if the present reader finds no listing there." }),
    ),
    left_out_reason: optional(
      Type.Enum([...LEFT_OUT_REASONS], {
        description:
          "Why the listing is hidden: `not_an_offer` if its text was read as talk, `corrected` if a person said that it is none.",
      }),
    ),
    lines: Type.Array(named(ReadLine), {
      description:
        "Whose each line is, in the order of the text. Lines without words are left out, and so is what is behind the 4,000 " +
        "lines that are read.",
    }),
    correction: optional(named(HeldCorrection)),
    replies: Type.Array(named(ListedReply), {
      description:
        "The replies to the posts of the message and to the dealer's replies below them, the newest first, at most 50.",
    }),
  },
  { $id: "ListingReading", description: "How a listing was read in the text of its message." },
);

/** An extension of the contract: which words gave which value. */
export function addGetListingReading(
  app: FastifyInstance,
  { read, catalogue }: RouteContext,
): void {
  const parts = [TextSpan, ReadField, LeftOutField, ReadLine, HeldCorrection, ListedReply];
  for (const schema of [...parts, ListingReading]) app.addSchema(schema);
  const schema = {
    operationId: "getListingReading",
    tags: ["Market"],
    summary: "Get how a listing was read",
    description:
      "Every value of the listing with the place of its words in the message, what was found but not used, what " +
      "replies say, and what a person corrected. The message is read again for each request. `fields` is empty if the present reader finds no " +
      "listing there.",
    params: ListingParams,
    response: { 200: named(ListingReading), ...failures(400, 401, 404) },
  };
  const url = "/v2/market/listings/:listing_id/reading";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, async (request) => {
    const { params } = request;
    const known = await catalogue();
    const reading = await read(request, (db) => findListingReading(db, params.listing_id, known));
    if (reading === undefined) throw notFound("listing");
    return reading;
  });
}
