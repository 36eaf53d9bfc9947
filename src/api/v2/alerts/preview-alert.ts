import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { type PreviewRequest, previewAlert } from "../../../alerts/preview-alert.ts";
import { DAY_MS, HOUR_MS } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { isUuid } from "../../../base/ids.ts";
import type { Database } from "../../../db/database.ts";
import { joinFilters, parseFilter } from "../../../filters/language/filter.ts";
import { findView } from "../../../filters/view-store.ts";
import { findListings } from "../../../listings/listing-store.ts";
import { findUnknownConfigurations } from "../../../pricing/past-buy-store.ts";
import { checkMembers, StrictQuery, Warnings } from "../filter-body.ts";
import { Listing, toListingBody } from "../market/listing-body.ts";
import {
  Count,
  Filters,
  failures,
  Id,
  Ms,
  named,
  notFound,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

const PERIOD_DEFAULT_DAYS = 30;
const PERIOD_MAX_DAYS = 92;
const CONFIGURATIONS_MAX = 500;

function time(description: string) {
  return optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));
}

const Body = Type.Object(
  {
    strategy: optional(Type.Enum(["market_filter", "price_engine"], { default: "market_filter" })),
    filters: Filters,
    view_id: optional(Id),
    from_ms: time(
      `Default: ${PERIOD_DEFAULT_DAYS} days before \`to_ms\`. At most ${PERIOD_MAX_DAYS} days before it.`,
    ),
    to_ms: time("Default, and at most: now."),
  },
  {
    additionalProperties: false,
    examples: [{ filters: { brand: ["Rolex"], condition: ["NEW"], price: { lte: 1_500_000 } } }],
  },
);

const PreviewDay = Type.Object(
  {
    day_start_ms: Ms,
    match_count: Count,
    price_basis: optional(
      Type.String({
        enum: ["recorded", "current"],
        description:
          "Only for `price_engine`: the prices of that day (`recorded`), or those of now (`current`), because the history of " +
          "a cell does not go back so far.",
      }),
    ),
  },
  { $id: "PreviewDay", description: "A UTC day." },
);

const AlertOverlap = Type.Object(
  { alert_id: Id, name: Type.String(), shared_count: Count },
  { $id: "AlertOverlap", description: "An alert that matched some of the same listings." },
);

const AlertPreview = Type.Object(
  {
    total: Count,
    is_exact: Type.Boolean({
      description:
        "False if the counts come from a sample, because the filter selects more than 10,000 listings, or 3,000 asks.",
    }),
    profit_median_eur_minor: optional(
      Type.Integer({
        description:
          "Only for `price_engine`, if there is a match. The profit by the price at the moment of the match where it is " +
          "recorded, else by the price of now.",
      }),
    ),
    profit_sum_eur_minor: optional(
      Type.Integer({ description: "Likewise, of all matches together. Only for `price_engine`." }),
    ),
    still_on_offer_count: optional(
      Type.Integer({
        minimum: 0,
        description: "Matches that are neither replaced nor gone now. Only for `price_engine`.",
      }),
    ),
    days: Type.Array(named(PreviewDay)),
    items: Type.Array(named(Listing)),
    overlaps: Type.Array(named(AlertOverlap)),
    warnings: Warnings,
  },
  { $id: "AlertPreview" },
);

/** An extension of the contract: what an alert would have matched. The search route adds `Listing`. */
export function addPreviewAlert(app: FastifyInstance, context: RouteContext): void {
  app.addSchema(PreviewDay);
  app.addSchema(AlertOverlap);
  app.addSchema(AlertPreview);
  const schema = {
    operationId: "previewAlert",
    tags: ["Alerts"],
    summary: "Show what an alert would have matched",
    description:
      "The listings that an alert would have matched from `from_ms` to `to_ms`: how many on each UTC day, the latest 20, and " +
      "which alerts matched some of them too. Messages count as if they had arrived when they were sent, imported ones " +
      "included. Nothing is stored. A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: { 200: named(AlertPreview), ...failures(400, 401, 404) },
  };
  const route = { schema, config: { isRead: true } };
  typed(app).post("/v2/alerts/preview", route, async (request) => {
    const { body, query } = request;
    const checked = checkMembers(body.filters, {
      ...query,
      extraMembers: ["resource", "configuration_ids"],
    });
    const found = await context.heavy.read(
      request,
      `preview ${JSON.stringify(body)}`,
      async (db, isCrowded) => {
        const request = { ...(await toRequest(db, body, context)), isCrowded };
        const { latestIds, ...preview } = await previewAlert(db, request);
        return { preview, latestIds, rows: await findListings(db, latestIds) };
      },
    );
    const rows = new Map(found.rows.map((row) => [row.id, row]));
    const items = found.latestIds.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [toListingBody(row)];
    });
    const { days, overlaps, ...preview } = found.preview;
    return { ...preview, days: [...days], items, overlaps: [...overlaps], ...checked };
  });
}

async function toRequest(
  db: Database,
  body: Static<typeof Body>,
  { clock, config }: RouteContext,
): Promise<PreviewRequest> {
  const filters = [parseFilter(body.filters)];
  throwIfMessages(body.filters["resource"]);
  if (body.view_id !== undefined) {
    const found = await findView(db, body.view_id);
    if (found === undefined) throw notFound("view");
    filters.push(parseFilter(found.view.filters));
  }
  const configurationIds = parseConfigurationIds(body);
  const [unknownId] = await findUnknownConfigurations(db, configurationIds);
  if (unknownId !== undefined) {
    throw invalid("configuration_ids", `there is no configuration with the id ${unknownId}`);
  }
  const alertWindowMs = config.alertWindowHours * HOUR_MS;
  return {
    filter: joinFilters(filters),
    period: toPeriod(body, clock.nowMs()),
    ...(body.strategy === "price_engine" ? { buys: { configurationIds, alertWindowMs } } : {}),
  };
}

function throwIfMessages(resource: unknown): void {
  if (resource === undefined || resource === null || resource === "watch_listings") return;
  if (resource === "messages") {
    throw invalid("resource", "an alert on messages has no preview");
  }
  throw invalid("resource", "must be one of watch_listings, messages");
}

function parseConfigurationIds({ filters, strategy }: Static<typeof Body>): readonly string[] {
  const ids = filters["configuration_ids"] ?? [];
  if (strategy !== "price_engine" && Object.hasOwn(filters, "configuration_ids")) {
    throw invalid("configuration_ids", 'works only with the strategy "price_engine"');
  }
  if (!Array.isArray(ids) || ids.length > CONFIGURATIONS_MAX) {
    throw invalid("configuration_ids", `must be a list of at most ${CONFIGURATIONS_MAX} ids`);
  }
  return ids.map((id: unknown, at) => {
    if (typeof id !== "string" || !isUuid(id)) {
      throw invalid(`configuration_ids.${at}`, "must be a UUID");
    }
    return id.toLowerCase();
  });
}

function toPeriod(body: Static<typeof Body>, nowMs: number) {
  const toMs = Math.min(body.to_ms ?? nowMs, nowMs);
  const fromMs = body.from_ms ?? Math.max(0, toMs - PERIOD_DEFAULT_DAYS * DAY_MS);
  if (toMs - fromMs > PERIOD_MAX_DAYS * DAY_MS) {
    throw new AppError(
      "invalid_payload",
      `from_ms: is more than ${PERIOD_MAX_DAYS} days before to_ms`,
    );
  }
  return { fromMs, toMs };
}

function invalid(member: string, text: string): AppError {
  return new AppError("invalid_payload", `filters.${member}: ${text}`);
}
