import { isDeepStrictEqual } from "node:util";
import { groupBy } from "../../base/group-by.ts";
import { normalizeReference } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import type { ExtractedListing } from "../../extraction/extraction.ts";
import { identitySha256 } from "../../messages/message.ts";
import { type CorrectedExtraction, type Place, toPlaces } from "../listing-rows.ts";
import {
  extractionOf,
  isOffered,
  type ReadBatch,
  type ReadExtraction,
  type Reading,
  type Readings,
  type ReadListing,
  readMessage,
  type SourceMessage,
  senderCountryOf,
  toReading,
} from "../message-reading.ts";
import {
  applyCorrections,
  type Correction,
  chooseCorrections,
  isPriceField,
  type ReadPlace,
} from "./correction.ts";
import { findCorrections, hasCorrections } from "./correction-store.ts";
import { type CorrectedMessage, saveCorrectedMessages } from "./correction-write-store.ts";

/** By message id. */
type CorrectedReadings = ReadonlyMap<string, CorrectedExtraction>;

/**
 * Makes listings of what was read as talk where a person said that it is an offer. This comes before all else that depends on
 * the listings of a message, such as the replies to it. The caller holds the listing lock, as for `correctReadings`.
 */
export async function admitOffers(
  tx: Database,
  messages: readonly SourceMessage[],
  readings: Readings,
): Promise<Readings> {
  const isAll = (reading: Reading | undefined) =>
    extractionOf(reading)?.listings.every(isOffered) ?? true;
  const leftOut = messages.filter(({ id }) => !isAll(readings.get(id)));
  if (leftOut.length === 0 || !(await hasCorrections(tx))) return readings;
  const identities = new Map(
    leftOut.map((message) => [message.id, identitySha256(message.text ?? "") ?? ""]),
  );
  const corrections = groupBy(
    await findCorrections(tx, [...new Set(identities.values())]),
    (correction) => correction.identity_sha256,
  );
  const admitted = new Map(readings);
  for (const message of leftOut) {
    const reading = readings.get(message.id);
    const ofText = corrections.get(identities.get(message.id) ?? "");
    if (reading !== undefined && ofText !== undefined)
      admitted.set(message.id, admitOffersOf(message, reading, ofText));
  }
  return admitted;
}

/** `corrections` are those of the text of the message. */
export function admitOffersOf(
  message: SourceMessage,
  reading: Reading,
  corrections: readonly Correction[],
): Reading {
  const extraction = extractionOf(reading);
  const ofPlace = groupBy(
    corrections.filter(({ field }) => field === "is_listing"),
    placeKey,
  );
  if (extraction === undefined || ofPlace.size === 0) return reading;
  let messageType = extraction.messageType;
  const listings = listingsByPlace(message, extraction).map(([key, listing]): ReadListing => {
    const { leftOutReason, ...offer } = listing;
    const said = ofPlace.get(key);
    if (leftOutReason === undefined || said === undefined) return listing;
    // The currency and the country count only for prices.
    const inputs = { default_currency: null, sender_country: null, equal_currencies: [] };
    const read = { reference_normalized: referenceOf(listing), ...inputs };
    if (chooseCorrections(said, read).values.get("is_listing") !== true) return listing;
    if (reading.kind === "none") messageType = offer.side === "for_sale" ? "selling" : "buying";
    return offer;
  });
  return toReading(
    { ...extraction, messageType, listings },
    "reason" in reading ? reading.reason : "",
  );
}

/**
 * Applies the corrections to what was just read, and stores which of them are set aside. Returns the messages that have
 * listings, also if all of these are left out. The caller holds the listing lock, under which corrections are written too: so either this sees a correction,
 * or the transaction that writes it sees the message and queues it again.
 */
export async function correctReadings(
  tx: Database,
  batch: ReadBatch,
  catalogue: Catalogue,
): Promise<CorrectedReadings> {
  const read = new Map<string, CorrectedExtraction>();
  for (const [id, reading] of batch.readings) {
    const extraction = extractionOf(reading);
    if (extraction !== undefined) read.set(id, extraction);
  }
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
    const extraction = extractionOf(batch.readings.get(message.id));
    const result = correctMessage({ message, extraction, catalogue }, ofText);
    if (result.extraction !== undefined) read.set(message.id, result.extraction);
    corrected.push(result.message);
  }
  const ids = batch.queued
    .map((row) => row.canonical_message_id)
    .filter((id) => batch.readings.get(id)?.kind !== "failed");
  await saveCorrectedMessages(tx, ids, corrected);
  return read;
}

interface Read {
  readonly message: SourceMessage;
  /** Undefined if there is no listing in it. */
  readonly extraction: ReadExtraction | undefined;
  readonly catalogue: Catalogue;
}

/**
 * The place of each listing in a message as extraction reads it, by `line ordinal`. If a price was corrected under another
 * default currency, the message is read under that one too, to see whether it makes a difference.
 */
export function readPlaces(
  { message, extraction, catalogue }: Read,
  corrections: readonly Correction[],
): ReadonlyMap<string, ReadPlace> {
  if (extraction === undefined) return new Map();
  const { default_currency } = message;
  const prices = corrections.filter(({ field }) => isPriceField(field));
  const currencies = new Set(prices.map((correction) => correction.default_currency));
  currencies.delete(default_currency);
  const others = [...currencies].map((currency) => {
    const other = extractionOf(readMessage({ ...message, default_currency: currency }, catalogue));
    const found = other === undefined ? [] : listingsByPlace(message, other);
    return { currency, found: new Map(found) };
  });
  const sender_country = senderCountryOf(message) ?? null;
  return new Map(
    listingsByPlace(message, extraction).map(([key, listing]) => [
      key,
      {
        reference_normalized: referenceOf(listing),
        default_currency,
        sender_country,
        equal_currencies: others
          .filter(({ found }) => isSamePrice(found.get(key), listing))
          .map(({ currency }) => currency),
      },
    ]),
  );
}

function listingsByPlace(message: SourceMessage, extraction: ReadExtraction) {
  const places = toPlaces(message, extraction);
  return extraction.listings.map((listing, at) => [placeKey(places[at]), listing] as const);
}

function isSamePrice(left: ExtractedListing | undefined, right: ExtractedListing): boolean {
  if (left === undefined || referenceOf(left) !== referenceOf(right)) return false;
  return (
    isDeepStrictEqual(left.price, right.price) &&
    isDeepStrictEqual(left.alternativePrice, right.alternativePrice)
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
  read: Read,
  corrections: readonly Correction[],
): { readonly extraction?: CorrectedExtraction; readonly message: CorrectedMessage } {
  const { message, extraction } = read;
  const reads = readPlaces(read, corrections);
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
  const listings = listingsByPlace(message, extraction).map(([key, listing]) => {
    const values = chosen.get(key)?.values;
    return values === undefined ? listing : applyCorrections(listing, values);
  });
  return { message: corrected, extraction: { ...extraction, listings } };
}

function referenceOf({ reference, referenceNormalized }: ExtractedListing): string {
  return referenceNormalized ?? normalizeReference(reference ?? "");
}
