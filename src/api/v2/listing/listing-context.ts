import type { Catalogue } from "../../../listings/extraction/catalogue/catalogue.ts";
import type { RouteContext } from "../schemas.ts";

export interface ListingContext extends RouteContext {
  /** The reader's catalogue. It takes a quarter of a second to build, so the first request that needs it does. */
  readonly catalogue: () => Promise<Catalogue>;
}
