import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { DAY_MS } from "../../../base/clock.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../../db/page.ts";
import { isApproximateRate, RATE_KINDS } from "../../../rates/fx.ts";
import { type FxRatePageRow, listRatePage, type RatePosition } from "../../../rates/fx-store.ts";
import {
  cutPage,
  failures,
  LIMIT_DEFAULT,
  Ms,
  NextCursor,
  named,
  OWN_DEADLINE,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";

/** Times outside of these years select the same rates, and both PostgreSQL and ISO dates know these years. */
const TIME_MIN_MS = Date.UTC(1900, 0, 1);
const TIME_MAX_MS = Date.UTC(9999, 11, 31);

const FxRate = Type.Object(
  {
    currency: Type.String(),
    day_start_ms: Ms,
    kind: Type.String({
      description: `\`${RATE_KINDS.join("`, `")}\`; of one day, the last wins.`,
    }),
    per_eur: Type.String({ description: "What one euro buys, as a decimal number." }),
    age_days: Type.Integer({ description: "Days since then." }),
    is_used: Type.Boolean({ description: "It is the rate of its day." }),
    is_approximate: Type.Boolean({
      description: "Built in, or a stablecoin counted as a dollar.",
    }),
  },
  { $id: "FxRate", description: "The rate of a currency from this day on, until the next one." },
);

/** An extension of the contract. */
export function addListFxRates(app: FastifyInstance, { read, clock }: RouteContext): void {
  app.addSchema(FxRate);
  const schema = {
    operationId: "listFxRates",
    tags: ["Rates"],
    summary: "List exchange rates",
    description: "The latest day first, then by currency.",
    querystring: Type.Object({
      currency: optional(
        Type.String({ pattern: "^[A-Za-z]{3,5}$", description: "Such as `USD`." }),
      ),
      from_ms: optional(Type.Integer({ description: "From the UTC day of this time on." })),
      to_ms: optional(Type.Integer({ description: "Up to the UTC day of this time." })),
      is_latest: optional(
        Type.Boolean({ description: "True: only the newest rate of each currency." }),
      ),
      ...PAGE_QUERY,
    }),
    response: {
      200: Type.Object({ items: Type.Array(named(FxRate)), next_cursor: NextCursor }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/fx-rates", { schema, config: OWN_DEADLINE }, async (request) => {
    const { query } = request;
    const { limit = LIMIT_DEFAULT, cursor } = query;
    const asked = {
      ...(query.currency === undefined ? {} : { currency: query.currency.toUpperCase() }),
      ...(query.from_ms === undefined ? {} : { fromDay: toDay(query.from_ms) }),
      ...(query.to_ms === undefined ? {} : { toDay: toDay(query.to_ms) }),
      isLatest: query.is_latest === true,
    };
    const digest = toQueryDigest(["fx-rates", asked]);
    const after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
    const rows = await read(request, (db) =>
      listRatePage(db, {
        ...asked,
        limit: limit + 1,
        ...(after === undefined ? {} : { after }),
      }),
    );
    const { shown, last } = cutPage(rows, limit);
    const nowMs = clock.nowMs();
    return {
      items: shown.map((row) => toBody(row, nowMs)),
      ...(last === undefined
        ? {}
        : { next_cursor: toCursor(digest, [last.day, last.currency, last.kind]) }),
    };
  });
}

function toBody({ day, ...row }: FxRatePageRow, nowMs: number) {
  const dayStartMs = Date.parse(`${day}T00:00:00Z`);
  return {
    ...row,
    day_start_ms: dayStartMs,
    age_days: Math.floor((nowMs - dayStartMs) / DAY_MS),
    is_approximate: isApproximateRate(row.kind, row.currency),
  };
}

function toDay(atMs: number): string {
  const bounded = Math.min(Math.max(atMs, TIME_MIN_MS), TIME_MAX_MS);
  return new Date(bounded).toISOString().slice(0, 10);
}

function toPosition([day, currency, kind]: readonly unknown[]): RatePosition | undefined {
  const knownKind = RATE_KINDS.find((one) => one === kind);
  if (knownKind === undefined || typeof currency !== "string" || typeof day !== "string")
    return undefined;
  if (!/^[A-Z]{3,5}$/.test(currency) || !isDay(day)) return undefined;
  return { day, currency, kind: knownKind };
}

/** For a day that does not exist, such as 30 February, the date is invalid or another day. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
}
