import type { Database } from "../../db/database.ts";
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import { EXTRACTION_VERSION } from "../../extraction/extract.ts";
import { identitySha256 } from "../../messages/message.ts";
import { placeKey, readPlaces } from "../corrections/correct-readings.ts";
import { chooseCorrections } from "../corrections/correction.ts";
import { findCorrectedListing, findCorrections } from "../corrections/correction-store.ts";
import { readMessage, toPlaces } from "../listing-rows.ts";
import { findSourceMessages } from "../message-extraction-store.ts";
import { type ListingReading, toListingReading } from "./listing-reading.ts";

interface FoundReading extends ListingReading {
  readonly text: string;
  /** The version of the reader that gave this reading. The stored listing may be of an earlier one. */
  readonly version: number;
}

/**
 * Reads the message of a listing again, with all that the step knows of it. Returns undefined if there is no such listing.
 * A reading without fields means that this reader finds no listing there any more. Accepts ids from before contacts merged.
 */
export async function findListingReading(
  db: Database,
  id: string,
  catalogue: Catalogue,
): Promise<FoundReading | undefined> {
  const stored = await findCorrectedListing(db, id);
  const [message] =
    stored === undefined ? [] : await findSourceMessages(db, [stored.canonical_message_id]);
  if (stored === undefined || message === undefined) return undefined;
  const text = message.text ?? "";
  const none = { text, version: EXTRACTION_VERSION, fields: [], left_out: [] };
  const reading = readMessage(message, catalogue);
  if (reading.kind === "none") return none;
  const { extraction } = reading;
  const at = toPlaces(message, extraction).findIndex(
    (place) => placeKey(place) === placeKey(stored),
  );
  const listing = extraction.listings[at];
  if (listing === undefined) return none;
  const identity = identitySha256(text);
  const corrections = identity === undefined ? [] : await findCorrections(db, [identity]);
  const ofPlace = corrections.filter((correction) => placeKey(correction) === placeKey(stored));
  const read = readPlaces(message, extraction).get(placeKey(stored));
  const { values } = chooseCorrections(ofPlace, read);
  return { text, version: EXTRACTION_VERSION, ...toListingReading(text, listing, values) };
}
