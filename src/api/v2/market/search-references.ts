import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { dropNulls } from "../../../db/row.ts";
import { scanBudget } from "../../../filters/sql/figure-scan.ts";
import { searchReferences } from "../../../filters/sql/search-references.ts";
import { REFERENCE_SORTS } from "../../../listings/figures/reference-store.ts";
import { findConfigurationsOf } from "../../../pricing/configurations/configuration-store.ts";
import { checkMembers, StrictQuery, Warnings } from "../filter-body.ts";
import {
  Count,
  EurMinor,
  Filters,
  failures,
  Id,
  IsExact,
  Ms,
  NextCursor,
  named,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";

const MarketReference = Type.Object(
  {
    brand: Type.String({ description: "As it is mostly written." }),
    reference: Type.String({ description: "As it is mostly written." }),
    reference_normalized: Type.String(),
    model: optional(Type.String()),
    listing_count: Count,
    for_sale_count: Count,
    want_to_buy_count: Count,
    contact_count: Type.Integer({
      minimum: 0,
      description: "Contacts with such a listing; of a sample, only those in the sample.",
    }),
    min_price_eur_minor: optional(EurMinor),
    median_price_eur_minor: optional(EurMinor),
    max_price_eur_minor: optional(EurMinor),
    first_seen_at_ms: Ms,
    last_seen_at_ms: Ms,
    configuration_ids: Type.Array(Id, {
      description: "Price-engine configurations of this reference.",
    }),
  },
  {
    $id: "MarketReference",
    description:
      "One reference of one brand, with figures of its listings. Prices are those of asks.",
  },
);

const MarketReferencePage = Type.Object(
  {
    items: Type.Array(named(MarketReference)),
    next_cursor: NextCursor,
    is_exact: IsExact,
    warnings: Warnings,
  },
  { $id: "MarketReferencePage" },
);

const Body = Type.Object(
  {
    filters: optional(Filters),
    sort: optional(
      Type.Enum([...REFERENCE_SORTS], {
        default: "listing_count",
        description: "The highest first; references without a price come last.",
      }),
    ),
    limit: optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    cursor: PAGE_QUERY.cursor,
  },
  {
    additionalProperties: false,
    examples: [{ filters: { brand: ["Rolex"] }, sort: "listing_count", limit: 10 }],
  },
);

/** An extension of the contract: which references the market trades. */
export function addSearchReferences(app: FastifyInstance, { heavy, clock }: RouteContext): void {
  app.addSchema(MarketReference);
  app.addSchema(MarketReferencePage);
  const schema = {
    operationId: "searchReferences",
    tags: ["Market"],
    summary: "Search references",
    description:
      "The references of the listings that a filter selects, last seen within 30 days unless the filter bounds a time. " +
      "Listings without a brand or reference are left out. A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: { 200: named(MarketReferencePage), ...failures(400, 401) },
  };
  const config = { isRead: true };
  typed(app).post("/v2/market/references/search", { schema, config }, async (request) => {
    const { body, query } = request;
    const { filters = {}, sort = "listing_count", limit = 50, cursor } = body;
    const checked = checkMembers(filters, query);
    const key = `references ${JSON.stringify([filters, sort, limit, cursor])}`;
    const { found, configurationsOf } = await heavy.read(request, key, async (db, isCrowded) => {
      const page = await searchReferences(db, {
        filters,
        sort,
        limit,
        nowMs: clock.nowMs(),
        budget: scanBudget(isCrowded),
        ...(cursor === undefined ? {} : { cursor }),
      });
      return { found: page, configurationsOf: await findConfigurationsOf(db, page.rows) };
    });
    return {
      items: found.rows.map(({ brand_folded, value, ...row }) => ({
        ...dropNulls(row),
        configuration_ids: [
          ...configurationsOf({ brand_folded, reference_normalized: row.reference_normalized }),
        ],
      })),
      ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
      is_exact: found.isExact,
      ...checked,
    };
  });
}
