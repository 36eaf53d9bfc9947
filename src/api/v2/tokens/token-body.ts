import { type Static, Type } from "typebox";
import { dropNulls } from "../../../db/row.ts";
import type { ApiToken } from "../../auth/token.ts";
import type { ApiTokenRow } from "../../auth/token-store.ts";
import { Id, Ms, optional } from "../schemas.ts";

const MEMBERS = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: "The beginning of the token's text." }),
  is_read_only: Type.Boolean(),
  is_current: Type.Boolean({ description: "The token of this request." }),
  created_at_ms: Ms,
  expires_at_ms: optional(Ms),
  revoked_at_ms: optional(Ms),
  last_used_at_ms: optional(Ms),
};

export const Token = Type.Object(MEMBERS, {
  $id: "Token",
  description: "An API token, without its text.",
});

export const NewToken = Type.Object(
  {
    ...MEMBERS,
    token: Type.String({ description: "The text to send as bearer token. It is shown only here." }),
  },
  { $id: "NewToken" },
);

export function toTokenBody(row: ApiTokenRow, current: ApiToken | null): Static<typeof Token> {
  return { ...dropNulls(row), is_current: row.id === current?.id };
}
