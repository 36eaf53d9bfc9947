import type { TokenCheck } from "../../auth/token-check.ts";
import type { RouteContext } from "../schemas.ts";

/** What the routes for tokens get. */
export interface TokenContext extends RouteContext {
  readonly tokens: TokenCheck;
}
