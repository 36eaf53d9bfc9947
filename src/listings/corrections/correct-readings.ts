import { groupBy } from "../../base/group-by.ts";
import { normalizeReference } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import type { ExtractedListing, Extraction } from "../../extraction/extraction.ts";
import { identitySha256 } from "../../messages/message.ts";
import { type CorrectedExtraction, type Place, toPlaces } from "../listing-rows.ts";
import { type ReadBatch, type SourceMessage, senderCountryOf } from "../message-reading.ts";
import {
  applyCorrections,
  type Correction,
  chooseCorrections,
  type ReadPlace,
} from "./correction.ts";
import { findCorrections, hasCorrections } from "./correction-store.ts";
import { type CorrectedMessage, saveCorrectedMessages } from "./correction-write-store.ts";

/** By message id. */
type CorrectedReadings = ReadonlyMap<string, CorrectedExtraction>;

/**
 * Applies the corrections to what was just read, and stores which of them are set aside. Returns the messages that have
 * listings. The caller holds the listing lock, under which corrections are written too: so either this sees a correction,
 * or the transaction that writes it sees the message and queues it again.
 */
export async function correctReadings(tx: Database, batch: ReadBatch): Promise<CorrectedReadings> {
  const read = new Map<string, CorrectedExtraction>();
  for (const [id, reading] of batch.readings)
    if (reading.kind === "listings") read.set(id, reading.extraction);
  if (!(await hasCorrections(tx))) return read;

  const identities = identitiesOf(batch);
  const corrections = groupBy(
    await findCorrections(tx, [...new Set(identities.values())]),
    (correction) => correction.identity_sha256,
  );
  const corrected: CorrectedMessage[] = [];
  for (const message of batch.messages) {
    const ofText = corrections.get(identities.get(message.id) ?? "");
    if (ofText === undefined) continue;
    const reading = batch.readings.get(message.id);
    const extraction = reading?.kind === "listings" ? reading.extraction : undefined;
    const result = correctMessage(message, extraction, ofText);
    if (result.extraction !== undefined) read.set(message.id, result.extraction);
    corrected.push(result.message);
  }
  const ids = batch.queued
    .map((row) => row.canonical_message_id)
    .filter((id) => batch.readings.get(id)?.kind !== "failed");
  await saveCorrectedMessages(tx, ids, corrected);
  return read;
}

/** The place of each listing in a message as extraction reads it, by `line ordinal`. */
export function readPlaces(
  message: SourceMessage,
  extraction: Extraction | undefined,
): ReadonlyMap<string, ReadPlace> {
  if (extraction === undefined) return new Map();
  const places = toPlaces(message, extraction);
  const inputs = {
    default_currency: message.default_currency,
    sender_country: senderCountryOf(message) ?? null,
  };
  return new Map(
    extraction.listings.map((listing, at) => [
      placeKey(places[at]),
      { reference_normalized: referenceOf(listing), ...inputs },
    ]),
  );
}

export function placeKey(place: Place | undefined): string {
  return `${place?.line} ${place?.ordinal}`;
}

/** The identity of each text that is read as a dealer's. We do not correct our own messages, which have no listings. */
function identitiesOf({ messages, readings }: ReadBatch): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap((message) => {
      if (message.is_own || readings.get(message.id)?.kind === "failed") return [];
      const identity = identitySha256(message.text ?? "");
      return identity === undefined ? [] : [[message.id, identity] as const];
    }),
  );
}

function correctMessage(
  message: SourceMessage,
  extraction: Extraction | undefined,
  corrections: readonly Correction[],
): { readonly extraction?: CorrectedExtraction; readonly message: CorrectedMessage } {
  const reads = readPlaces(message, extraction);
  const chosen = new Map(
    [...groupBy(corrections, placeKey)].map(([key, ofPlace]) => [
      key,
      chooseCorrections(ofPlace, reads.get(key)),
    ]),
  );
  const setAside = [...chosen.values()].flatMap((choice) => [...choice.setAside]);
  const corrected = {
    canonical_message_id: message.id,
    identity_sha256: corrections[0]?.identity_sha256 ?? "",
    set_aside: Object.fromEntries(setAside),
  };
  if (extraction === undefined) return { message: corrected };
  const places = toPlaces(message, extraction);
  const listings = extraction.listings.map((listing, at) => {
    const values = chosen.get(placeKey(places[at]))?.values;
    return values === undefined ? listing : applyCorrections(listing, values);
  });
  return { message: corrected, extraction: { ...extraction, listings } };
}

function referenceOf({ reference, referenceNormalized }: ExtractedListing): string {
  return referenceNormalized ?? normalizeReference(reference ?? "");
}
