import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { explainListing } from "../../../alerts/explain-listing.ts";
import { createFilterMemo } from "../../../filters/explain-filters.ts";
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

/** So that no request takes long, however many configurations and alerts there are. */
const BOUNDS = { shownMax: 20, candidatesMax: 100, parsedMax: 2_000 } as const;

/** An extension of the contract: why a listing is, or is not, where one expects it. */
export function addExplainListing(app: FastifyInstance, { read, clock }: RouteContext): void {
  for (const schema of [FailedClause, ExplainedItem, ExplainedAlert, ListingExplanation])
    app.addSchema(schema);
  const options = { memo: createFilterMemo(), bounds: BOUNDS };
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
  typed(app).get(url, { schema, config: OWN_DEADLINE }, async (request) => {
    const { params } = request;
    const nowMs = clock.nowMs();
    const explanation = await read(request, (db) =>
      explainListing(db, params.listing_id, { ...options, nowMs }),
    );
    if (explanation === undefined) throw notFound("listing");
    return explanation;
  });
}
