import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { revokeToken } from "../../auth/token-store.ts";
import { failures, IdParam, type RouteContext, typed } from "../schemas.ts";

/** An extension of the contract. */
export function addRevokeToken(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "revokeToken",
    tags: ["Tokens"],
    summary: "Revoke a token",
    description:
      "The token stops working within a second in every process, also if it is the token of this request. The last token that " +
      "can write is not revoked: create another one first.",
    params: Type.Object({ token_id: IdParam("The token's id.") }),
    response: {
      204: Type.Null({ description: "The token is revoked." }),
      ...failures(400, 401, 403, 404, 409),
    },
  };
  typed(app).delete("/v2/tokens/:token_id", { schema }, async (request, reply) => {
    const outcome = await revokeToken(db, { id: request.params.token_id, nowMs: clock.nowMs() });
    if (outcome === "not_found") {
      throw new AppError("token_not_found", "there is no active token with this id");
    }
    if (outcome === "last_to_write") {
      throw new AppError(
        "in_use",
        "this is the last token that can write; create another one first, or use `assay token revoke`",
      );
    }
    return reply.code(204).send(null);
  });
}
