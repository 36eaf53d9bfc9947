import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { scanBudget } from "../../../filters/sql/figure-scan.ts";
import { summarizeMarket } from "../../../filters/sql/market-figures.ts";
import { checkMembers, StrictQuery, Warnings } from "../filter-body.ts";
import {
  Count,
  Filters,
  failures,
  IsExact,
  Ms,
  named,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

const MarketSummary = Type.Object(
  {
    listing_count: Count,
    for_sale_count: Count,
    want_to_buy_count: Count,
    contact_count: Count,
    group_count: Count,
    message_count: Count,
    days: Type.Array(Type.Object({ day_start_ms: Ms, listing_count: Count }), {
      description:
        "By the UTC day on which the listings were last seen, oldest first, at most the latest 400; days without a listing are left out.",
    }),
    is_exact: IsExact,
    warnings: Warnings,
  },
  { $id: "MarketSummary", description: "How many listings a filter selects, and of how many." },
);

const Time = (description: string) =>
  optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

const Body = Type.Object(
  {
    filters: optional(Filters),
    from_ms: Time("Only listings last seen at or after this time."),
    to_ms: Time("Only listings last seen at or before this time."),
  },
  {
    additionalProperties: false,
    examples: [{ filters: { brand: ["Rolex"] } }],
  },
);

/** An extension of the contract: how large the market is. */
export function addSummarizeMarket(app: FastifyInstance, { heavy, clock }: RouteContext): void {
  app.addSchema(MarketSummary);
  const schema = {
    operationId: "summarizeMarket",
    tags: ["Market"],
    summary: "Summarize the market",
    description:
      "Counts of the listings that a filter selects, last seen within 30 days unless `filters` or `from_ms` bounds a time. " +
      "A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: { 200: named(MarketSummary), ...failures(400, 401) },
  };
  const config = { isRead: true };
  typed(app).post("/v2/market/summary", { schema, config }, async (request) => {
    const { body, query } = request;
    const { filters = {}, from_ms: fromMs, to_ms: toMs } = body;
    const checked = checkMembers(filters, query);
    const key = `summary ${JSON.stringify([filters, fromMs, toMs])}`;
    const { isExact, ...counts } = await heavy.read(request, key, (db, isCrowded) =>
      summarizeMarket(db, {
        filters,
        nowMs: clock.nowMs(),
        budget: scanBudget(isCrowded),
        ...(fromMs === undefined ? {} : { fromMs }),
        ...(toMs === undefined ? {} : { toMs }),
      }),
    );
    return { ...counts, days: [...counts.days], is_exact: isExact, ...checked };
  });
}
