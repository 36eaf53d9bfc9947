import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { scanBudget } from "../../../filters/sql/figure-scan.ts";
import { countFacets } from "../../../filters/sql/market-figures.ts";
import { FACETS, type FacetName } from "../../../listings/figures/facet-store.ts";
import { checkMembers, StrictQuery, Warnings } from "../filter-body.ts";
import {
  Count,
  EurMinor,
  Filters,
  failures,
  Id,
  IsExact,
  named,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

const FacetValue = Type.Object(
  {
    value: Type.String({ description: "As the filter takes it; of a group, its name." }),
    count: Count,
    id: optional(Id),
  },
  {
    $id: "FacetValue",
    description: "One value and how many listings have it. A group has an `id`.",
  },
);

const values = Type.Array(named(FacetValue));

const MarketFacets = Type.Object(
  {
    facets: Type.Unsafe<Partial<Record<FacetName, readonly Static<typeof FacetValue>[]>>>(
      Type.Object(Object.fromEntries(FACETS.map((facet) => [facet, optional(values)]))),
    ),
    price_range: optional(
      Type.Object(
        { currency: Type.Literal("EUR"), min_minor: EurMinor, max_minor: EurMinor },
        { description: "Of the listings at any price; absent if none has a price." },
      ),
    ),
    total: Type.Integer({ minimum: 0, description: "Listings that the filter selects." }),
    is_exact: IsExact,
    warnings: Warnings,
  },
  { $id: "MarketFacets" },
);

const Body = Type.Object(
  {
    filters: optional(Filters),
    facets: optional(
      Type.Array(Type.Enum([...FACETS]), {
        maxItems: FACETS.length,
        description: "The facets to count. The default is all of them.",
      }),
    ),
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        default: 20,
        description: "The most frequent values of each facet to return.",
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ filters: { brand: ["Rolex"] }, facets: ["brand", "year"], limit: 5 }],
  },
);

/** An extension of the contract: what there is to filter by. */
export function addCountFacets(app: FastifyInstance, { heavy, clock }: RouteContext): void {
  app.addSchema(FacetValue);
  app.addSchema(MarketFacets);
  const schema = {
    operationId: "countFacets",
    tags: ["Market"],
    summary: "Count listings by brand, year and other values",
    description:
      "The most frequent values among the listings that a filter selects, last seen within 30 days unless the filter bounds " +
      "a time. Each facet is counted without its own members of the filter, so that a chosen value shows its alternatives. " +
      "A listing with several values counts in each. A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: { 200: named(MarketFacets), ...failures(400, 401) },
  };
  const config = { isRead: true };
  typed(app).post("/v2/market/facets", { schema, config }, async (request) => {
    const { body, query } = request;
    const { filters = {}, facets, limit = 20 } = body;
    const checked = checkMembers(filters, query);
    const counted = await heavy.read(
      request,
      `facets ${JSON.stringify([filters, facets, limit])}`,
      (db, isCrowded) =>
        countFacets(db, {
          filters,
          limit,
          nowMs: clock.nowMs(),
          budget: scanBudget(isCrowded),
          ...(facets === undefined ? {} : { facets: [...new Set(facets)] }),
        }),
    );
    const { priceMinMinor, priceMaxMinor } = counted;
    return {
      facets: Object.fromEntries(counted.facets),
      ...(priceMinMinor === null || priceMaxMinor === null
        ? {}
        : {
            price_range: {
              currency: "EUR" as const,
              min_minor: priceMinMinor,
              max_minor: priceMaxMinor,
            },
          }),
      total: counted.total,
      is_exact: counted.isExact,
      ...checked,
    };
  });
}
