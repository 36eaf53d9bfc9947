import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { OFFER_STATES } from "../../../listings/offers.ts";
import { findPopulation, ROLES } from "../../../pricing/cells/population.ts";
import {
  EurMinor,
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
import { CELL_KEY, ConfigurationParams } from "./get-configuration-cells.ts";

const PopulationAsk = Type.Object(
  {
    listing_id: Id,
    contact_id: optional(Id),
    source_market: Type.String({ description: "`EU` or `HK`." }),
    original_ask_eur_minor: EurMinor,
    comparable_ask_eur_minor: EurMinor,
    last_seen_at_ms: Ms,
    role: Type.String({
      enum: [...ROLES],
      description:
        "`counted`; or why it does not count in the average: `outlier` (too far from the others; it may still be a buy), " +
        "`suspect` (most likely misread), `superseded` (the same contact asked again later), `aged_out` (seen before the look-back).",
    }),
    is_buy: Type.Boolean({ description: "By the price of this cell." }),
    full_set_status: Type.Array(Type.String()),
    offer_state: Type.Enum([...OFFER_STATES]),
  },
  { $id: "PopulationAsk", description: "One ask of a cell." },
);

const CellPopulation = Type.Object(
  {
    items: Type.Array(named(PopulationAsk)),
    lower_fence_eur_minor: optional(EurMinor),
    upper_fence_eur_minor: optional(EurMinor),
    is_exact: Type.Boolean({ description: "False if the cell has more asks than are read." }),
    as_of_ms: Ms,
  },
  { $id: "CellPopulation" },
);

/** An extension of the contract: the asks that a price is made of, and those that it leaves out. */
export function addGetPopulation(app: FastifyInstance, { read, clock }: RouteContext): void {
  app.addSchema(PopulationAsk);
  app.addSchema(CellPopulation);
  const schema = {
    operationId: "getPopulation",
    tags: ["Market"],
    summary: "List the asks of one cell, and why each of them counts or does not",
    description:
      "The asks that were seen within two look-backs before the latest calculation, latest first, at most 5,000. An ask " +
      "without a known sender counts in no cell and is left out. An ask outside the fences is an outlier; the fences are " +
      "absent unless the configuration excludes outliers and the cell has at least 5 plausible asks.",
    params: ConfigurationParams,
    querystring: Type.Object({
      ...CELL_KEY,
    }),
    response: { 200: named(CellPopulation), ...failures(400, 401, 404) },
  };
  const url = "/v2/market/price-engine/configurations/:id/population";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, async (request) => {
    const { params, query } = request;
    const population = await read(request, (db) =>
      findPopulation(db, { configurationId: params.id, key: query, nowMs: clock.nowMs() }),
    );
    if (population === undefined) throw notFound("configuration");
    const items = population.items.map((item) => ({
      ...item,
      full_set_status: [...item.full_set_status],
    }));
    return { ...population, items };
  });
}
