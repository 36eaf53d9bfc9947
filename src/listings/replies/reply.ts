/**
 * What a dealer's reply to his own post says about a watch of the post: that it is sold or on hold, or another ask.
 *
 * A reply is read as lines below the name of the watch, so its words and amounts mean what they mean in any other message.
 * It is about the only watch of the post, or about the one whose reference it names. A reply to such a reply counts for the
 * post too; if it names no watch, it is about the one that the reply before it names. It holds until the text is posted
 * again: that is a new offer. Of several replies the newest one that says something about a field wins.
 *
 * Invariant: a pure function of the message, its replies and the catalogue. So it does not matter which came first.
 *
 * Example: "126610LN 2024 €12,500", then the replies "now 12,100" and "SOLD". The listing is sold, at an ask of 12,100 EUR.
 */
import { normalizeReference } from "../../base/text.ts";
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import { extract } from "../../extraction/extract.ts";
import type {
  ExtractedListing,
  ExtractionInput,
  FieldSource,
  ListingField,
  Price,
} from "../../extraction/extraction.ts";
import { isLongerForm } from "../../extraction/segments/differences.ts";
import {
  inputOf,
  isOffered,
  type ReadExtraction,
  type ReadListing,
  type SourceMessage,
} from "../message-reading.ts";

/** A reply to a post of a message, or to such a reply. */
export interface Reply {
  readonly occurrence_id: string;
  /** The message of the post. */
  readonly canonical_message_id: string;
  /** The message of the reply itself. */
  readonly reply_message_id: string;
  readonly replied_at_ms: number;
  /** Cut behind `REPLY_LENGTH_MAX`. */
  readonly text: string;
  /** Texts of the replies between it and the post, the nearest to it first. Cut likewise. */
  readonly links: readonly string[];
  /** Of the group in which both are. */
  readonly default_currency: string | null;
  readonly is_revoked: boolean;
  /** False if someone else wrote it. */
  readonly is_by_sender: boolean;
}

/** The longest update of a post. A longer text is a post of its own. */
export const REPLY_LENGTH_MAX = 4_096;

/** Why a reply changes nothing. */
export const NO_EFFECTS = [
  "other_sender",
  "revoked",
  "later_post",
  "several_listings",
  "several_references",
  "other_reference",
  "nothing_said",
  "left_out",
] as const;

type NoEffect = (typeof NO_EFFECTS)[number];

/** What a reply says about one listing of the message that it quotes. */
interface Update {
  /** The number of the listing in the extraction. */
  readonly at: number;
  readonly price?: Price;
  readonly alternativePrice?: Price;
  readonly status?: ExtractedListing["status"];
}

export type ReadReply =
  | { readonly reply: Reply; readonly kind: "update"; readonly update: Update }
  | { readonly reply: Reply; readonly kind: "none"; readonly reason: NoEffect };

/** An ask, and since when. */
export interface Ask {
  readonly price: Price;
  readonly askedAtMs: number;
  /** False for the ask of the text. */
  readonly isReply: boolean;
}

/** A listing as its text and the replies to it say. */
export interface RepliedListing extends ReadListing {
  /** If replies gave the ask: the ask of the text, if there is one, and those of the replies, the oldest first. */
  readonly asks?: readonly Ask[];
}

export interface RepliedExtraction extends Omit<ReadExtraction, "listings"> {
  readonly listings: readonly RepliedListing[];
}

/** A message with what was read in it. */
export interface QuotedMessage {
  readonly message: SourceMessage;
  readonly extraction: ReadExtraction;
}

/** Applies what `readReplies` read, the newest first, to what was read in the text of a message. */
export function applyReplies(
  quoted: QuotedMessage,
  replies: readonly ReadReply[],
): RepliedExtraction {
  const updates = replies.flatMap((read) =>
    read.kind === "update" ? [{ ...read.update, atMs: read.reply.replied_at_ms }] : [],
  );
  if (updates.length === 0) return quoted.extraction;
  const postedAtMs = quoted.message.first_seen_at_ms ?? 0;
  const listings = quoted.extraction.listings.map((listing, at) =>
    updateListing(
      listing,
      updates.filter((update) => update.at === at),
      postedAtMs,
    ),
  );
  return { ...quoted.extraction, listings };
}

export function readReplies(
  quoted: QuotedMessage,
  replies: readonly Reply[],
  catalogue: Catalogue,
): readonly ReadReply[] {
  return replies.map((reply) => {
    const read = readReply(quoted, reply, catalogue);
    return typeof read === "string"
      ? { reply, kind: "none", reason: read }
      : { reply, kind: "update", update: read };
  });
}

function readReply(quoted: QuotedMessage, reply: Reply, catalogue: Catalogue): Update | NoEffect {
  const { message, extraction } = quoted;
  if (!reply.is_by_sender) return "other_sender";
  if (reply.is_revoked) return "revoked";
  const texts = [reply.text, ...reply.links];
  if (texts.some(({ length }) => length > REPLY_LENGTH_MAX)) return "nothing_said";
  if (reply.replied_at_ms < (message.last_seen_at_ms ?? 0)) return "later_post";
  const input = inputOf(message, reply.text, reply.replied_at_ms);
  const at = findTarget(extraction.listings, findNamed(texts, input, catalogue));
  if (typeof at === "string") return at;
  const listing = extraction.listings[at];
  const said = listing === undefined ? undefined : readBelow(listing, { input, reply }, catalogue);
  const { price, alternativePrice, status } = said ?? {};
  if (price === undefined && status === undefined) return "nothing_said";
  return {
    at,
    ...(price === undefined ? {} : { price }),
    ...(alternativePrice === undefined ? {} : { alternativePrice }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The watches that a reply names, or else the nearest of the replies that it answers. Undefined if that one names several. */
function findNamed(
  texts: readonly string[],
  input: ExtractionInput,
  catalogue: Catalogue,
): readonly ExtractedListing[] | undefined {
  for (const [at, text] of texts.entries()) {
    const { listings } = extract({ ...input, text }, catalogue);
    if (listings.length > 0) return at > 0 && listings.length > 1 ? undefined : listings;
  }
  return [];
}

/** Which listing of the quoted message a reply is about, by the watches that it names. It is about none that is left out. */
function findTarget(
  listings: readonly ReadListing[],
  named: readonly ExtractedListing[] | undefined,
): number | NoEffect {
  const only = listings.findIndex(isOffered);
  if (only < 0) return "left_out";
  if (named === undefined) return "several_listings";
  if (named.length === 0)
    return listings.findLastIndex(isOffered) === only ? only : "several_listings";
  const found = new Set(named.flatMap((watch) => findSame(listings, watch)));
  const [at, other] = found;
  if (at === undefined) return "other_reference";
  return other === undefined ? at : "several_references";
}

/**
 * The listings that have the reference, or else those of which one is the base number of the other, as 126610 is of 126610LN.
 * A watch without a reference is known by its brand and model.
 */
function findSame(listings: readonly ReadListing[], watch: ExtractedListing): readonly number[] {
  const reference = referenceOf(watch);
  const where = (test: (listing: ExtractedListing) => boolean) =>
    listings.flatMap((listing, at) => (isOffered(listing) && test(listing) ? [at] : []));
  if (reference === "") {
    return where(({ brand, model }) => brand === watch.brand && model === watch.model);
  }
  const same = where((listing) => referenceOf(listing) === reference);
  if (same.length > 0) return same;
  return where((listing) => {
    const other = referenceOf(listing);
    return other !== "" && isLongerForm(other, reference);
  });
}

function referenceOf({ reference, referenceNormalized }: ExtractedListing): string {
  return referenceNormalized ?? normalizeReference(reference ?? "");
}

/** Reads the reply as lines below the name of the watch. Amounts without a currency are in that of the ask. */
function readBelow(
  listing: ExtractedListing,
  { input, reply }: { readonly input: ExtractionInput; readonly reply: Reply },
  catalogue: Catalogue,
): ExtractedListing | undefined {
  const name = [listing.brand, listing.reference ?? listing.model].filter(Boolean).join(" ");
  const currency = listing.price?.currency ?? reply.default_currency ?? undefined;
  const { defaultCurrency: _, ...rest } = input;
  const below = {
    ...rest,
    text: `${name}\n${reply.text}`,
    ...(currency === undefined ? {} : { defaultCurrency: currency }),
  };
  return extract(below, catalogue).listings.find(({ position }) => position.firstLine === 0);
}

type TimedUpdate = Update & { readonly atMs: number };

/** `updates` are those of this listing, the newest first. */
function updateListing(
  listing: ReadListing,
  updates: readonly TimedUpdate[],
  postedAtMs: number,
): RepliedListing {
  const priced = updates.find(({ price }) => price !== undefined);
  const status = updates.find((update) => update.status !== undefined)?.status;
  const sources: Partial<Record<ListingField, FieldSource>> = { ...listing.sources };
  const updated: RepliedListing =
    status === undefined
      ? listing
      : { ...listing, status, sources: { ...sources, status: "reply" } };
  if (priced?.price === undefined) return updated;
  const { alternativePrice: _, ...kept } = updated;
  const { alternativePrice, price } = priced;
  const { alternativePrice: _source, ...keptSources } = updated.sources;
  const first =
    listing.price === undefined
      ? []
      : [{ price: listing.price, askedAtMs: postedAtMs, isReply: false }];
  return {
    ...kept,
    price,
    ...(alternativePrice === undefined ? {} : { alternativePrice }),
    sources: {
      ...keptSources,
      price: "reply",
      currency: "reply",
      ...(alternativePrice === undefined ? {} : { alternativePrice: "reply" as const }),
    },
    asks: [...first, ...updates.toReversed().flatMap(toAsk)],
  };
}

function toAsk({ price, atMs }: TimedUpdate): readonly Ask[] {
  return price === undefined ? [] : [{ price, askedAtMs: atMs, isReply: true }];
}

/**
 * Leaves out the watches of a message that only replies: a reply that names a watch of the post is an update of it, and no
 * second offer. `quoted` has what was read in the messages above it, by post of the reply.
 */
export function dropUpdates(
  { message, extraction }: QuotedMessage,
  quoted: readonly (readonly ReadExtraction[])[],
): ReadExtraction {
  if ((message.text ?? "").length > REPLY_LENGTH_MAX) return extraction;
  const named = extraction.listings.filter(isOffered);
  const isUpdate = (listing: ReadListing, of: ReadExtraction): boolean => {
    if (!isOffered(listing)) return false;
    const at = findTarget(of.listings, named);
    return typeof at === "number" && findSame(of.listings, listing).includes(at);
  };
  const listings = extraction.listings.filter(
    (listing) => !quoted.every((ofPost) => ofPost.some((of) => isUpdate(listing, of))),
  );
  return listings.length === extraction.listings.length ? extraction : { ...extraction, listings };
}
