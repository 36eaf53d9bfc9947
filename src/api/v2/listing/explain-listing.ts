import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { findNearAlerts } from "../../../alerts/near-alerts.ts";
import type { Database } from "../../../db/database.ts";
import {
  createFilterMemo,
  explainViews,
  type FilterMemo,
} from "../../../filters/explain-filters.ts";
import { findListingFacts } from "../../../listings/listing-store.ts";
import {
  findCurrentListingId,
  findNearConfigurations,
} from "../../../pricing/near-configurations.ts";
import { findRatesAt } from "../../../rates/fx-store.ts";
import { ListingParams } from "../market/listing-body.ts";
import {
  failures,
  Id,
  Ms,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

const FailedClause = Type.Object(
  {
    member: Type.String({ description: "The member of the filter, such as `year`." }),
    expected: Type.String({ description: "In words, such as `at least 2024`." }),
    actual: optional(
      Type.String({ description: "What the listing has instead. Absent if it has none." }),
    ),
  },
  { $id: "FailedClause", description: "A condition that does not hold for the listing." },
);

const item = {
  id: Id,
  name: Type.String(),
  is_match: Type.Boolean(),
  failures: Type.Array(named(FailedClause)),
};

const ExplainedItem = Type.Object(item, {
  $id: "ExplainedItem",
  description: "Whether the listing belongs to this view or configuration, and why not.",
});

const ExplainedAlert = Type.Object(
  { ...item, matched_at_ms: optional(Ms) },
  {
    $id: "ExplainedAlert",
    description:
      "Whether all conditions of the alert hold for the listing now. `matched_at_ms` is there if the alert matched it.",
  },
);

const ListingExplanation = Type.Object(
  {
    views: Type.Array(named(ExplainedItem)),
    configurations: Type.Array(named(ExplainedItem)),
    alerts: Type.Array(named(ExplainedAlert)),
    is_exact: Type.Boolean({
      description: "False if not all alerts were looked at; ask again for more.",
    }),
  },
  { $id: "ListingExplanation", description: "What a listing belongs to, and what it just misses." },
);

/** An extension of the contract: why a listing is, or is not, where one expects it. */
export function addExplainListing(app: FastifyInstance, { read }: RouteContext): void {
  for (const schema of [FailedClause, ExplainedItem, ExplainedAlert, ListingExplanation])
    app.addSchema(schema);
  const memo = createFilterMemo();
  const schema = {
    operationId: "explainListing",
    tags: ["Market"],
    summary: "Explain why a listing is or is not in a view, configuration or alert",
    description:
      "The views, the configurations of its brand or reference, and the alerts: first those that it belongs to, then those " +
      "that it misses by the fewest conditions; at most 20 each. Alerts that it misses by more than two conditions are left out.",
    params: ListingParams,
    response: { 200: named(ListingExplanation), ...failures(400, 401, 404) },
  };
  const url = "/v2/market/listings/:listing_id/explain";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, async ({ params }) => {
    const explanation = await read((db) => explain(db, params.listing_id, memo));
    if (explanation === undefined) throw notFound("listing");
    return explanation;
  });
}

async function explain(db: Database, id: string, memo: FilterMemo) {
  const [listing] = await findListingFacts(db, [await findCurrentListingId(db, id)]);
  if (listing === undefined) return undefined;
  const context = { rateOf: await findRatesAt(db, listing.message_timestamp_ms), memo };
  const views = await explainViews(db, listing, context);
  const near = await findNearConfigurations(db, listing, context);
  const alerts = await findNearAlerts(db, listing, { ...context, near });
  return {
    views,
    configurations: near.explained,
    alerts: alerts.explained,
    is_exact: alerts.isExact,
  };
}
