import { type Static, Type } from "typebox";
import { assert } from "../../base/errors.ts";
import type { ApiToken } from "../auth/token.ts";
import { Ms } from "../v2/schemas.ts";

/** The session of this browser. */
export const SessionBody = Type.Object({
  token_name: Type.String(),
  is_read_only: Type.Boolean(),
  expires_at_ms: Ms,
});

export function toSessionBody(token: ApiToken): Static<typeof SessionBody> {
  assert(token.session !== undefined, "the token was found by a session");
  return {
    token_name: token.name,
    is_read_only: token.isReadOnly,
    expires_at_ms: token.session.expiresAtMs,
  };
}
