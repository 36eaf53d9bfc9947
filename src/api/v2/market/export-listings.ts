import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { selectForExport } from "../../../filters/sql/search-listings.ts";
import { SORTS } from "../../../listings/listing-store.ts";
import { createSharedReads } from "../../cache/shared-reads.ts";
import { sendWarnings } from "../../http/warnings.ts";
import { endWithSocket } from "../end-with-socket.ts";
import { FilterBody } from "../filter-body.ts";
import { checkMembers, StrictQuery } from "../filter-warnings.ts";
import { failures, named, OWN_DEADLINE, optional, type RouteContext, typed } from "../schemas.ts";
import { createExports, writeListings } from "./export-stream.ts";
import { DEFAULT_COLUMNS, LISTING_COLUMNS } from "./listing-columns.ts";

const Body = Type.Object(
  {
    filters: optional(named(FilterBody)),
    sort: optional(Type.Enum([...SORTS], { default: "newest" })),
    columns: optional(
      Type.Array(Type.Enum([...LISTING_COLUMNS]), {
        maxItems: LISTING_COLUMNS.length,
        description:
          "Members of a listing; `id` is always the first. The default is all but `extraction` and the message text.",
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      { filters: { brand: ["Rolex"] }, columns: ["reference", "year", "price_eur_minor"] },
    ],
  },
);

/** An extension of the contract: listings as a table. The search route adds the schema `Filters`. */
export function addExportListings(app: FastifyInstance, { read, clock }: RouteContext): void {
  const exports = createExports(read);
  const shared = createSharedReads();
  const schema = {
    operationId: "exportListings",
    tags: ["Market"],
    summary: "Export listings as CSV",
    description:
      "All listings that a filter selects, at most 100,000, with a header line. Cells that begin with `=`, `+`, `-`, `@`, tab " +
      "or carriage return get a leading `'`. If the export fails, the connection breaks. A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: {
      200: {
        description: "The table, by RFC 4180.",
        content: { "text/csv": { schema: { type: "string" } } },
      },
      ...failures(400, 401),
    },
  };
  const config = { ...OWN_DEADLINE, isRead: true, isStream: true };
  typed(app).post("/v2/market/listings/export", { schema, config }, async (request, reply) => {
    const { filters = {}, sort = "newest", columns = DEFAULT_COLUMNS } = request.body;
    const { warnings = [] } = checkMembers(filters, request.query);
    const body = await exports.open(async () => {
      const selection = { filters, sort };
      const ids = await shared.read(JSON.stringify(selection), () =>
        exports.select((db) => selectForExport(db, selection)),
      );
      return writeListings(exports.read, ids, [...new Set(["id", ...columns])]);
    });
    endWithSocket(body, request.raw.socket);
    const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
    sendWarnings(reply, warnings);
    return reply
      .header("content-disposition", `attachment; filename="listings-${day}.csv"`)
      .type("text/csv; charset=utf-8")
      .send(body as never);
  });
}
