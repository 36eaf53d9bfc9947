import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { isUuid } from "../../../base/ids.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../../db/page.ts";
import { listTokenPage, type TokenPosition } from "../../auth/token-store.ts";
import { cutPage, LIMIT_DEFAULT, NextCursor, PAGE_QUERY } from "../page-query.ts";
import { failures, named, type RouteContext, typed } from "../schemas.ts";
import { Token, toTokenBody } from "./token-body.ts";

/** An extension of the contract. Reads the primary, so that a token that was just created or revoked is shown so. */
export function addListTokens(app: FastifyInstance, { db }: RouteContext): void {
  app.addSchema(Token);
  const digest = toQueryDigest(["tokens"]);
  const schema = {
    operationId: "listTokens",
    tags: ["Tokens"],
    summary: "List tokens",
    description: "All tokens, newest first, also expired and revoked ones. Never their texts.",
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({ items: Type.Array(named(Token)), next_cursor: NextCursor }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/tokens", { schema }, async (request) => {
    const { limit = LIMIT_DEFAULT, cursor } = request.query;
    const after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
    const rows = await listTokenPage(db, {
      limit: limit + 1,
      ...(after === undefined ? {} : { after }),
    });
    const { shown, last } = cutPage(rows, limit);
    return {
      items: shown.map((row) => toTokenBody(row, request.apiToken)),
      ...(last === undefined
        ? {}
        : { next_cursor: toCursor(digest, [last.created_at_ms, last.id]) }),
    };
  });
}

function toPosition([createdAtMs, id]: readonly unknown[]): TokenPosition | undefined {
  if (!Number.isSafeInteger(createdAtMs) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { createdAtMs: createdAtMs as number, id };
}
