import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { isStorableText } from "../../../base/text.ts";
import type { Database } from "../../../db/database.ts";
import { dropNulls } from "../../../db/row.ts";
import { effectiveSets } from "../../../filters/language/sets.ts";
import { populationFilters } from "../../../manifest/declared-filters.ts";
import { KINDS } from "../../../manifest/schema.ts";
import type { CalculatedCell, PriceRules } from "../../../pricing/cells/cell.ts";
import { previewCells } from "../../../pricing/cells/would-be-cells.ts";
import { listProfiles, type ProfileRow } from "../../../pricing/configurations/profile-store.ts";
import { checkMembers, StrictQuery, Warnings } from "../filter-body.ts";
import { failures, Ms, named, type RouteContext, typed } from "../schemas.ts";
import { Cell } from "./get-configuration-cells.ts";

const MEMBERS = [
  "profile",
  "brand",
  "reference",
  "market_reference",
  "filters",
  "sets",
  "minimum_profit_overrides",
  "exclude_outliers",
] as const;

const Body = Type.Pick(KINDS.configurations, [...MEMBERS], {
  additionalProperties: false,
  examples: [{ profile: "Core", brand: "Rolex", reference: "126610LN", exclude_outliers: true }],
});

/** An extension of the contract: look before you declare. The route of the cells adds the schema `Cell`. */
export function addPreviewConfiguration(
  app: FastifyInstance,
  { heavy, clock }: RouteContext,
): void {
  const schema = {
    operationId: "previewConfiguration",
    tags: ["Market"],
    summary: "Show the cells that a configuration would have",
    description:
      "The members are those of a new configuration that decide its cells. The cells are what its first calculation would " +
      "store now: newest year first, then new, like_new, used. Nothing is stored. A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: {
      200: Type.Object({
        items: Type.Array(named(Cell)),
        is_exact: Type.Boolean({
          description: "False if there are more than 50,000 asks, so that some are left out.",
        }),
        as_of_ms: Ms,
        warnings: Warnings,
      }),
      ...failures(400, 401),
    },
  };
  const url = "/v2/market/price-engine/configurations/preview";
  const route = { schema, config: { isRead: true } };
  typed(app).post(url, route, async (request) => {
    const { body, query } = request;
    const checked = checkMembers(body.filters ?? {}, query);
    const nowMs = clock.nowMs();
    const { cells, isExact } = await heavy.read(
      request,
      `cells ${JSON.stringify(body)}`,
      async (db) => {
        const rules = await findRules(db, body);
        const { market_reference = null, filters = {}, ...given } = body;
        const wanted = {
          filters: populationFilters({ ...given, market_reference, filters }),
          sets: effectiveSets({ filters, sets: body.sets ?? null, profileSets: rules.sets }),
        };
        return previewCells(db, wanted, { rules, nowMs });
      },
    );
    return { items: cells.map(toBody), is_exact: isExact, as_of_ms: nowMs, ...checked };
  });
}

async function findRules(
  db: Database,
  body: Static<typeof Body>,
): Promise<PriceRules & Pick<ProfileRow, "sets">> {
  const keys = isStorableText(body.profile) ? [body.profile] : [];
  const [profile] = await listProfiles(db, { keys });
  if (profile === undefined) {
    throw new AppError("invalid_payload", "profile: there is no profile with this name");
  }
  return {
    ...profile,
    excludes_outliers:
      body.exclude_outliers === true || body.filters?.["exclude_outliers"] === true,
    minimum_profit_overrides: body.minimum_profit_overrides ?? [],
  };
}

function toBody(cell: CalculatedCell) {
  return dropNulls({
    year: cell.year,
    condition_bucket: cell.condition_bucket,
    lookback_days: cell.lookback_days,
    listing_count: cell.listing_count,
    status: cell.status,
    market_average_eur_minor: cell.market_average_eur_minor,
    consumer_min_eur_minor: cell.consumer_min_eur_minor,
    consumer_max_eur_minor: cell.consumer_max_eur_minor,
    minimum_profit_eur_minor: cell.minimum_profit_eur_minor,
    maximum_buy_eur_minor: cell.maximum_buy_eur_minor,
  });
}
