import type { Database } from "../db/database.ts";
import { dropQuarantined } from "../intake/quarantine-store.ts";
import { listBodies, replaceBodies } from "../intake/raw-event-store.ts";
import { saveErasedTexts } from "../listings/corrections/correction-write-store.ts";
import { identitySha256 } from "../messages/message.ts";
import { findErasureKey, findScan, moveScan } from "../messages/privacy/erased-store.ts";
import { noteDropped, type SiftedEvent, siftEvents } from "../messages/privacy/sift-events.ts";
import { readRawEvent } from "../messages/read-raw-event.ts";

/** How many events a page has, unless their bodies are large. */
const PAGE_MAX = 500;

interface ScanReport {
  readonly searchedCount: number;
  readonly rewrittenCount: number;
}

/** Takes erased persons out of the next page of raw events. It finds none if all searches are complete. */
export async function scanBodies(tx: Database): Promise<ScanReport> {
  const scan = await findScan(tx);
  const key = await findErasureKey(tx);
  if (scan === undefined || key === undefined) return { searchedCount: 0, rewrittenCount: 0 };
  const gateway = scan.scope === "chat" ? scan.scope : undefined;
  const page = await siftPage(tx, { ...scan, gateway }, { key });
  if (page.sifted.length > 0) {
    await replaceBodies(tx, page.sifted);
    await dropQuarantined(
      tx,
      page.sifted.filter((event) => event.isReadable).map(({ id }) => id),
    );
    await noteDropped(tx, key, page.sifted);
    await saveErasedTexts(tx, listTexts(page.sifted), scan.lastId);
  }
  await moveScan(tx, scan.scope, page.lastId);
  if (page.count === 0) return scanBodies(tx);
  return { searchedCount: page.count, rewrittenCount: page.sifted.length };
}

/** The SHA-256 that identify the texts of what was dropped. */
function listTexts(sifted: readonly SiftedEvent[]): readonly string[] {
  const identities = sifted.flatMap(({ dropped }) =>
    dropped.flatMap((fact) =>
      fact.kind === "message" || fact.kind === "edit" ? (identitySha256(fact.text) ?? []) : [],
    ),
  );
  return [...new Set(identities)];
}

interface SiftedPage {
  readonly sifted: readonly SiftedEvent[];
  readonly count: number;
  /** Undefined if there are no more events. */
  readonly lastId: number | undefined;
}

/** Reads a page of raw events, and returns those with something of erased persons. */
export async function siftPage(
  db: Database,
  range: Omit<Parameters<typeof listBodies>[1], "limit">,
  known: Parameters<typeof siftEvents>[2],
): Promise<SiftedPage> {
  const events = await listBodies(db, { ...range, limit: PAGE_MAX });
  const read = events.map((event) => ({ event, reading: readRawEvent(event) }));
  const sifted = await siftEvents(db, read, known);
  return { sifted, count: events.length, lastId: events.at(-1)?.id };
}
