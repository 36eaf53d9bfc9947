import type { Database, DatabasePool } from "../../db/database.ts";
import { takeLock } from "../../db/locks.ts";
import { beginStep } from "../../db/queue.ts";
import { sql } from "../../db/sql.ts";
import { isConflict } from "../../db/store-error.ts";
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import { identitySha256 } from "../../messages/message.ts";
import { NO_WINDOWS, queueMessages } from "../../messages/message-queue-store.ts";
import { findMessagesOfText } from "../../messages/message-store.ts";
import type { ActivityEntry, Author } from "../../people/activity.ts";
import { recordActivity } from "../../people/activity-store.ts";
import { findSourceMessages } from "../message-extraction-store.ts";
import { extractionOf, readMessage } from "../message-reading.ts";
import { placeKey, readPlaces } from "./correct-readings.ts";
import { type Correction, latestOfScopes, type ReadPlace, withId } from "./correction.ts";
import {
  findCorrectedListing,
  findCorrections,
  findCorrectionsById,
  type StoredPlace,
} from "./correction-store.ts";
import { insertCorrections } from "./correction-write-store.ts";
import { draftCorrections, type WantedCorrection } from "./draft-corrections.ts";

interface CorrectionContext {
  readonly catalogue: Catalogue;
  readonly author: Author;
}

type CorrectionOutcome =
  | {
      readonly kind: "saved";
      /** Empty if everything was so already. */
      readonly corrections: readonly Correction[];
      /** How many messages have the text and are read again. */
      readonly messageCount: number;
    }
  | { readonly kind: "unknown_listing" }
  /** This reader finds no listing there, or one with another reference. */
  | { readonly kind: "outdated_listing" };

/**
 * Stores what a person says about a listing, and queues every message with the same text. The steps then read these
 * messages again, as after any other change.
 */
export function correctListing(
  pool: DatabasePool,
  request: WantedCorrection & { readonly listingId: string },
  context: CorrectionContext,
): Promise<CorrectionOutcome> {
  return runCorrection(pool, async (tx): Promise<CorrectionOutcome> => {
    const listing = await findCorrectedListing(tx, request.listingId);
    const [message] =
      listing === undefined ? [] : await findSourceMessages(tx, [listing.canonical_message_id]);
    const identity = identitySha256(message?.text ?? "");
    if (listing === undefined || message === undefined || identity === undefined)
      return { kind: "unknown_listing" };
    const { line, ordinal } = listing;
    const stored = (await findCorrections(tx, [identity])).filter(
      (correction) => placeKey(correction) === placeKey(listing),
    );
    const extraction = extractionOf(readMessage(message, context.catalogue));
    const { catalogue } = context;
    const read = readPlaces({ message, extraction, catalogue }, stored).get(placeKey(listing));
    if (request.set.size > 0 && !isAsStored(listing, read)) return { kind: "outdated_listing" };
    const place = { identity_sha256: identity, line, ordinal, read, stored };
    const { author } = context;
    const corrections = draftCorrections(place, request, author.nowMs);
    const messageCount = await saveCorrections(tx, corrections);
    await recordCorrections(tx, { listing, stored, corrections }, author);
    return { kind: "saved", corrections, messageCount };
  });
}

async function recordCorrections(
  tx: Database,
  made: {
    readonly listing: StoredPlace;
    readonly stored: readonly Correction[];
    readonly corrections: readonly Correction[];
  },
  author: Author,
): Promise<void> {
  const { listing, stored, corrections } = made;
  if (corrections.length === 0) return;
  const fields = new Set(corrections.map(({ field }) => field));
  const held = latestOfScopes(stored).filter(({ field }) => fields.has(field));
  const { id, contact_id } = listing;
  await recordActivity(tx, author, [
    {
      action: corrections.every(({ is_undone }) => is_undone) ? "undone" : "corrected",
      object: { kind: "listing", id },
      before: toValues(held),
      after: toValues(corrections),
      contactId: contact_id ?? undefined,
    },
  ]);
}

/** The values that corrections say. A correction may also say that there is none. */
function toValues(corrections: readonly Correction[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    corrections
      .filter(({ is_undone }) => !is_undone)
      .map(({ field, value }) => [field, value ?? "none"]),
  );
}

/** Undoes corrections by their ids, also those whose listing is gone. Ids that are unknown or undone change nothing. */
export function undoCorrections(
  pool: DatabasePool,
  ids: readonly string[],
  author: Author,
): Promise<readonly Correction[]> {
  return runCorrection(pool, async (tx) => {
    const named = await findCorrectionsById(tx, ids);
    const identities = [...new Set(named.map(({ identity_sha256 }) => identity_sha256))];
    const present = latestOfScopes(await findCorrections(tx, identities));
    const wanted = new Set(named.map(({ id }) => id));
    const undone = present
      .filter(({ id, is_undone }) => wanted.has(id) && !is_undone)
      .map((correction) => {
        const corrected_at_ms = Math.max(author.nowMs, correction.corrected_at_ms + 1);
        const { id: _, ...rest } = correction;
        return withId({ ...rest, value: null, is_undone: true, corrected_at_ms });
      });
    await saveCorrections(tx, undone);
    await recordActivity(
      tx,
      author,
      undone.map(({ id, field }): ActivityEntry => {
        return { action: "undone", object: { kind: "correction", id }, before: { field } };
      }),
    );
    return undone;
  });
}

/** True if the person sees the listing that this reader reads. A corrected reference says nothing about that. */
function isAsStored(listing: StoredPlace, read: ReadPlace | undefined): boolean {
  if (read === undefined || !listing.is_found) return false;
  const reference = listing.reference_normalized ?? "";
  return listing.is_reference_corrected || reference === read.reference_normalized;
}

const ATTEMPTS_MAX = 5;

/**
 * Runs a transaction that saves corrections. Like a step, it may not come between the parts of a replay, and what it
 * queues goes before the backlog. Unlike a step it is not repeated after a crash, so its commit waits for the disk.
 */
export async function runCorrection<Result>(
  pool: DatabasePool,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.transaction(async (tx) => {
        await beginStep(tx, "fresh");
        await tx.execute(sql`set local synchronous_commit to on`);
        return work(tx);
      });
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/**
 * Saves corrections and queues all messages with their texts. Returns how many messages these are.
 *
 * Invariant: every message is read with the corrections, even one that arrives at this moment. The step reads corrections
 * under the listing lock. If it had the lock before this transaction, its message is stored and found here; if after, it
 * sees the corrections. The step locks its queue entries before it takes the lock, so this does the same: it queues the
 * messages first, and under the lock only those that arrived in between.
 */
export async function saveCorrections(
  tx: Database,
  corrections: readonly Correction[],
): Promise<number> {
  if (corrections.length === 0) return 0;
  const identities = [...new Set(corrections.map(({ identity_sha256 }) => identity_sha256))];
  const queued = await queueTexts(tx, identities, new Set());
  await takeLock(tx, "listings");
  await insertCorrections(tx, corrections);
  return (await queueTexts(tx, identities, queued)).size;
}

async function queueTexts(
  tx: Database,
  identities: readonly string[],
  queued: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const identity of identities)
    for (const id of await findMessagesOfText(tx, identity)) found.add(id);
  const ids = [...found].filter((id) => !queued.has(id));
  // They have no alert window of their own: a listing that is still fresh may fire as a buy.
  if (ids.length > 0) await queueMessages(tx, ids, NO_WINDOWS);
  return found;
}
