import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addCreateToken } from "./create-token.ts";
import { addListTokens } from "./list-tokens.ts";
import { addRevokeToken } from "./revoke-token.ts";

export function addTokenRoutes(app: FastifyInstance, context: RouteContext): void {
  addListTokens(app, context);
  addCreateToken(app, context);
  addRevokeToken(app, context);
}
