import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { findCurrentMessageId } from "../../../messages/message-store.ts";
import { failures, IdParam, named, OWN_DEADLINE, type RouteContext, typed } from "../schemas.ts";
import { describeMessages, Message } from "./message-body.ts";

/** More than any stored text has. */
const TEXT_LENGTH_MAX = 100_000_000;

/** An extension of the contract. */
export function addGetMessage(app: FastifyInstance, { read }: RouteContext): void {
  const schema = {
    operationId: "getMessage",
    tags: ["Messages"],
    summary: "Get one message",
    description: "One canonical message with its whole text. An id from before a merge works too.",
    params: Type.Object({ canonical_message_id: IdParam("The canonical message's id.") }),
    response: { 200: named(Message), ...failures(400, 401, 404) },
  };
  const url = "/v2/messages/:canonical_message_id";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, async ({ params }) => {
    const [message] = await read(async (db) => {
      const id = await findCurrentMessageId(db, params.canonical_message_id);
      if (id === undefined) return [];
      return describeMessages(db, [id], { textLengthMax: TEXT_LENGTH_MAX });
    });
    if (message === undefined) {
      throw new AppError("message_not_found", "there is no message with this id");
    }
    return message;
  });
}
