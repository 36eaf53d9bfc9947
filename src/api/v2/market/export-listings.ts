/**
 * An export of listings as CSV. They are read in small chunks while the client takes them, and no connection of the store is
 * held between two chunks, so memory and connections do not depend on the number of rows or on the client's speed.
 *
 * Invariant: the file has every listing that was selected at the start once, in that order, as it is when it is written;
 * without those deleted meanwhile. If a read fails, the body fails, which breaks the connection: a cut file never looks
 * whole. The same happens before the next chunk when the token was revoked or has a lower role.
 */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { toCsvLine } from "../../../../client/csv.ts";
import { SECOND_MS, sleep } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import type { Caller } from "../../../base/shares/caller.ts";
import { createSlots } from "../../../base/shares/slots.ts";
import { inTurn } from "../../../base/shares/turns.ts";
import { createSingleFlight } from "../../../base/single-flight.ts";
import type { Read } from "../../../db/reads.ts";
import { selectForExport } from "../../../filters/sql/search-listings.ts";
import { findListingsInOrder, type PackedIds } from "../../../listings/export-store.ts";
import { type ListingRow, SORTS } from "../../../listings/listing-store.ts";
import { hasRole } from "../../../people/role.ts";
import { endWithSocket } from "../../http/request-frame.ts";
import { checkMembers, StrictQuery } from "../filter-body.ts";
import { Filters, failures, OWN_DEADLINE, optional, type RouteContext, typed } from "../schemas.ts";
import { sendWarnings } from "../writes.ts";
import { Listing, toListingBody } from "./listing-body.ts";

type ReadCell = (listing: Static<typeof Listing>) => string;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

interface Exports {
  /** Takes one of the places until `close` of the returned body. Throws if there is none for this token. */
  open(tokenId: string, toBody: () => Promise<AsyncIterable<string>>): Promise<Readable>;
  /** Selects what to export. It goes first, so that the first byte of an export does not wait for the others' rows. */
  readonly select: Read;
  /** Reads a part of an export. */
  readonly read: Read;
}

/** About 60 kB of text, and a few milliseconds of work between which other requests have their turn. */
const CHUNK_ROWS = 200;
/** A message may have 64 kB. */
const CHUNK_ROWS_WITH_TEXT = 50;
/** A client that reads too slowly to finish in this time loses its connection. */
const DURATION_MAX_MS = 10 * 60 * 1_000;
/** Exports of one process at a time. Few of them read from the store at once, so that other reads go on. */
const OPEN_MAX = 16;
const READING_MAX = 3;
const WAIT_MAX_MS = 10_000;
/**
 * How much of the time after which a connection without a byte is closed an export may wait to begin: 4 s. The selection
 * then takes up to 5 s.
 */
const BEGIN_WAIT_SHARE = 0.4;
/** Of one read. */
const READ_MAX_MS = 5_000;

const LIST_SEPARATOR = "; ";

/** The columns of an export: the members of a listing, those of inner objects with a dot, as `price.amount_minor`. */
export const LISTING_COLUMNS: readonly string[] = listLeaves(Listing as Schema, "");

/** Loaded only if asked for, because it is longer than all the others together. */
const TEXT_COLUMN = "source.message_text";

/** Without the columns that are about the reading and not about the watch. */
const DEFAULT_COLUMNS: readonly string[] = LISTING_COLUMNS.filter(
  (column) => column !== TEXT_COLUMN && !column.startsWith("extraction."),
);

const Body = Type.Object(
  {
    filters: optional(Filters),
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

/** An extension of the contract: listings as a table. */
export function addExportListings(app: FastifyInstance, context: RouteContext): void {
  const { forAll, clock } = context;
  const exports = createExports(forAll.read, app.server.timeout * BEGIN_WAIT_SHARE);
  const shared = createSingleFlight();
  const schema = {
    operationId: "exportListings",
    tags: ["Market"],
    summary: "Export listings as CSV",
    description:
      "All listings that a filter selects, at most 100,000, with a header line. `=`, `+`, `-` and `@` at the start of a " +
      "cell, or after a semicolon, tab or line break in it, get a leading `'`. If the export fails, or its token is revoked or gets " +
      "a lower role, the connection breaks. A read-only token may call this.",
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
    const body = await exports.open(request.apiToken?.id ?? "", async () => {
      const selection = { filters, sort };
      const { caller } = request;
      const select = () => exports.select((db) => selectForExport(db, selection), caller);
      const ids = await shared.share(JSON.stringify(selection), select, caller);
      const readAllowed = readWhileAllowed(exports.read, request, context);
      const all = [...new Set(["id", ...columns])];
      return writeListings(readAllowed, ids, all, caller);
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

function createExports(read: Read, beginWaitMaxMs: number): Exports {
  const line = createSlots({ countMax: READING_MAX, things: "exports", isFair: true });
  const inLine = (isUrgent: boolean): Read => {
    return async (ask, caller) => {
      const untilMs = performance.now() + (isUrgent ? beginWaitMaxMs : WAIT_MAX_MS);
      const slot = await line.enter({ key: caller?.key ?? "", isUrgent, untilMs });
      return read(ask, caller).finally(() => line.leave(slot));
    };
  };
  const places = createSlots({ countMax: OPEN_MAX, things: "exports", isFair: true });
  return {
    select: inLine(true),
    read: inLine(false),
    open: async (tokenId, toBody) => {
      const place = places.enterNow({ key: tokenId });
      const leave = () => places.leave(place);
      try {
        const body = Readable.from(await toBody(), { objectMode: false });
        const timer = setTimeout(
          () => body.destroy(new Error("the client read the export too slowly")),
          DURATION_MAX_MS,
        );
        body.once("close", () => {
          clearTimeout(timer);
          leave();
        });
        return body;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** Asks for the token again before each read, as streams do: mostly from memory. */
function readWhileAllowed(
  read: Read,
  { credential, apiToken }: FastifyRequest,
  { tokens }: Pick<RouteContext, "tokens">,
): Read {
  return async (ask, caller) => {
    const kept = tokens.findKept(credential ?? "");
    const token = kept ?? (await tokens.find(credential ?? ""));
    if (token === undefined || apiToken === null || !hasRole(token.role, apiToken.role)) {
      throw new AppError("unauthorized", "the token of the export was revoked or lowered");
    }
    return read(ask, caller);
  };
}

/** The header line and one line for each listing, some lines at a time. */
async function* writeListings(
  read: Read,
  ids: PackedIds,
  columns: readonly string[],
  caller: Caller | undefined,
): AsyncGenerator<string, void, void> {
  const hasText = columns.includes(TEXT_COLUMN);
  const readers = columns.map(cellReader);
  const chunkRows = hasText ? CHUNK_ROWS_WITH_TEXT : CHUNK_ROWS;
  yield toCsvLine(columns);
  for (let at = 0; at < ids.count; at += chunkRows) {
    const chunk = ids.slice(at, at + chunkRows);
    const toLine = (row: ListingRow): string => {
      const listing = toListingBody(row);
      return toCsvLine(readers.map((readCell) => readCell(listing)));
    };
    const asker = await renewCaller(caller);
    const rows = await read((db) => findListingsInOrder(db, chunk, { hasText }), asker);
    const text = await inTurn(asker, () => rows.map(toLine).join(""));
    if (text !== "") yield text;
  }
}

/** Returns the caller of the next part of an export. A token that has used up its budget of work waits for more. */
async function renewCaller(caller: Caller | undefined): Promise<Caller | undefined> {
  if (caller === undefined) return undefined;
  const waitSeconds = caller.findWait();
  if (waitSeconds !== undefined) await sleep(waitSeconds * SECOND_MS);
  return { ...caller, untilMs: performance.now() + READ_MAX_MS };
}

/** Returns the function that reads a column: lists are joined, objects are JSON, and a missing value is empty. */
function cellReader(column: string): ReadCell {
  const path = column.split(".");
  return (listing) => {
    let value: unknown = listing;
    for (const name of path) {
      value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
    }
    if (value === undefined) return "";
    if (Array.isArray(value)) return value.join(LIST_SEPARATOR);
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  };
}

function listLeaves({ properties = {} }: Schema, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const isObject = schema.properties !== undefined && schema.additionalProperties !== true;
    return isObject ? listLeaves(schema, `${path}.`) : [path];
  });
}
