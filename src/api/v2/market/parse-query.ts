import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { createSingleFlight } from "../../../base/single-flight.ts";
import { parseQuery } from "../../../filters/typed/parse-query.ts";
import { QUERY_LENGTH_MAX } from "../../../filters/typed/typed-line.ts";
import { Filters, failures, named, OWN_DEADLINE, type RouteContext, typed } from "../schemas.ts";

const QueryChip = Type.Object(
  {
    start: Type.Integer({ minimum: 0, description: "First UTF-16 unit of its words in `text`." }),
    end: Type.Integer({ minimum: 0, description: "The unit behind the last one." }),
    member: Type.String({ description: "The member of `filters` that the words became." }),
    value: Type.Unsafe<unknown>({
      description: "What the chip adds to the member, in the shape of the member.",
    }),
    label: Type.String({ description: "Short, in the words of the trade: `up to €18,000`." }),
  },
  { $id: "QueryChip", description: "Words of a query that became a member of its filter." },
);

const ParsedQuery = Type.Object(
  {
    filters: Filters,
    rest: Type.String({
      description: "The words that no chip took; `filters.text_search` has them in mode `all`.",
    }),
    chips: Type.Array(named(QueryChip), {
      description: "In the order of the text, without overlaps.",
    }),
  },
  { $id: "ParsedQuery" },
);

const Body = Type.Object(
  { text: Type.String({ maxLength: QUERY_LENGTH_MAX, description: "As a person types it." }) },
  { additionalProperties: false, examples: [{ text: "pepsi under 18k full set 2023+ hk" }] },
);

/** An extension of the contract: typed words as a filter. */
export function addParseQuery(
  app: FastifyInstance,
  { read, catalogue, clock }: RouteContext,
): void {
  app.addSchema(QueryChip);
  app.addSchema(ParsedQuery);
  const schema = {
    operationId: "parseQuery",
    tags: ["Market"],
    summary: "Read typed words as a filter",
    description:
      "Words become references, brand, model, dial, years, condition, set, price, country, side, and a dealer or group if " +
      "exactly one has that name. Every search takes the filter as it is. A read-only token may call this.",
    body: Body,
    response: { 200: named(ParsedQuery), ...failures(400, 401) },
  };
  const config = { isRead: true, ...OWN_DEADLINE };
  const shared = createSingleFlight();
  typed(app).post("/v2/market/parse-query", { schema, config }, async (request) => {
    const { text } = request.body;
    const reader = { catalogue: await catalogue(), nowMs: clock.nowMs() };
    const parse = () => read(request, (db) => parseQuery(db, text, reader));
    const parsed = await shared.share(text, parse, request.caller);
    return { ...parsed, chips: [...parsed.chips] };
  });
}
