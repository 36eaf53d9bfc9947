import type { FastifyInstance } from "fastify";
import { addCreateToken } from "./create-token.ts";
import { addListTokens } from "./list-tokens.ts";
import { addRevokeToken } from "./revoke-token.ts";
import type { TokenContext } from "./token-context.ts";

export function addTokenRoutes(app: FastifyInstance, context: TokenContext): void {
  addListTokens(app, context);
  addCreateToken(app, context);
  addRevokeToken(app, context);
}
