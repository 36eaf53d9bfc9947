import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { TEXT_MODES } from "../../../filters/language/clause.ts";
import { searchMessages } from "../../../filters/search-messages.ts";
import { withParameterNames } from "../filter-warnings.ts";
import { LIMIT_DEFAULT, NextCursor, PAGE_QUERY } from "../page-query.ts";
import { failures, named, OWN_DEADLINE, optional, type RouteContext, typed } from "../schemas.ts";
import { describeMessages, Message } from "./message-body.ts";

/** A page of 200 longest texts would have 13 MB. */
const TEXT_LENGTH_MAX = 4_000;
const QUERY_LENGTH_MAX = 500;

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
            "`broad`: one of the words, also as the beginning of a longer one. `exact`: the phrase. `exact_light`: the words in " +
            "this order, with at most three others in between.",
        }),
      ),
      group_id: optional(Type.String({ format: "uuid" })),
      contact_id: optional(Type.String({ format: "uuid" })),
      from_ms: optional(Type.Integer({ description: "Last seen at this time or later." })),
      to_ms: optional(Type.Integer({ description: "Last seen at this time or earlier." })),
      ...PAGE_QUERY,
    }),
    response: {
      200: Type.Object({ items: Type.Array(named(Message)), next_cursor: NextCursor }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/messages", { schema, config: OWN_DEADLINE }, ({ query }) =>
    read(async (db) => {
      const search = {
        query: query.q ?? "",
        mode: query.search_mode ?? "broad",
        limit: query.limit ?? LIMIT_DEFAULT,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        ...(query.contact_id === undefined ? {} : { contactId: query.contact_id.toLowerCase() }),
        ...(query.group_id === undefined ? {} : { groupId: query.group_id.toLowerCase() }),
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
