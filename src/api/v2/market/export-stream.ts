/**
 * The body of an export. Listings are read in small chunks while the client takes them, and no connection of the store is
 * held between two chunks, so memory and connections do not depend on the number of rows or on the client's speed.
 *
 * Invariant: the file has every listing that was selected at the start once, in that order, as it is when it is written;
 * without those deleted meanwhile. If a read fails, the body fails, which breaks the connection: a cut file never looks
 * whole.
 */
import { Readable } from "node:stream";
import { AppError } from "../../../base/errors.ts";
import type { Read } from "../../../db/reads.ts";
import { findListingsInOrder, type PackedIds } from "../../../listings/export-store.ts";
import { createWaitingLine } from "../../http/waiting-line.ts";
import { toCsvLine } from "./csv.ts";
import { toListingBody } from "./listing-body.ts";
import { cellReader, TEXT_COLUMN } from "./listing-columns.ts";

/** About 60 kB of text, and a few milliseconds of work between which other requests have their turn. */
const CHUNK_ROWS = 200;
/** A message may have 64 kB. */
const CHUNK_ROWS_WITH_TEXT = 50;
/** A client that reads too slowly to finish in this time loses its connection. */
const DURATION_MAX_MS = 10 * 60 * 1_000;
/** Exports of one process at a time. Few of them read from the store at once, so that other reads go on. */
const OPEN_MAX = 16;
const READING_MAX = 2;
const WAIT_MAX_MS = 10_000;
const TOO_MANY = "too many exports are in progress; try again";

export interface Exports {
  /** Takes one of the places until `close` of the returned body. Throws `overloaded` if there is none. */
  open(toBody: () => Promise<AsyncIterable<string>>): Promise<Readable>;
  /** Selects what to export. It goes first, so that the first byte of an export does not wait for the others' rows. */
  readonly select: Read;
  /** Reads a part of an export. */
  readonly read: Read;
}

export function createExports(read: Read): Exports {
  const line = createWaitingLine({
    runningMax: READING_MAX,
    waitMaxMs: WAIT_MAX_MS,
    refusal: TOO_MANY,
  });
  const inLine = (isUrgent: boolean): Read => {
    return async (ask) => {
      const leaveLine = await line.enter({ isUrgent });
      return read(ask).finally(leaveLine);
    };
  };
  let openCount = 0;
  const leave = (): void => {
    openCount -= 1;
  };
  return {
    select: inLine(true),
    read: inLine(false),
    open: async (toBody) => {
      if (openCount >= OPEN_MAX) throw new AppError("overloaded", TOO_MANY);
      openCount += 1;
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

/** The header line and one line for each listing, some lines at a time. */
export async function* writeListings(
  read: Read,
  ids: PackedIds,
  columns: readonly string[],
): AsyncGenerator<string, void, void> {
  const hasText = columns.includes(TEXT_COLUMN);
  const readers = columns.map(cellReader);
  const chunkRows = hasText ? CHUNK_ROWS_WITH_TEXT : CHUNK_ROWS;
  yield toCsvLine(columns);
  for (let at = 0; at < ids.count; at += chunkRows) {
    const chunk = ids.slice(at, at + chunkRows);
    const rows = await read((db) => findListingsInOrder(db, chunk, { hasText }));
    const lines = rows.map((row) => {
      const listing = toListingBody(row);
      return toCsvLine(readers.map((readCell) => readCell(listing)));
    });
    if (lines.length > 0) yield lines.join("");
  }
}
