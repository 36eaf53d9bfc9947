/**
 * What the desk decides about a watch, sent at once so that two people do not write to the same dealer.
 *
 * A decision replaces the one before, so what it does not change is sent again. It is made on what the reader saw: if someone
 * else has decided since, nothing is sent and the reader is told who was first. `undo` puts back what held before.
 */
import {
  AssayError,
  type Deal,
  type DealMark,
  type DecideDealRequest,
  type Listing,
  type ListingPrice,
} from "../../../client/assay-client.ts";
import { api, readTagged } from "../../api.ts";
import { offerUndo, showToast, tellFailure } from "../../state/toasts.ts";
import { formatAgo } from "../../words/formats.ts";
import { PASS_REASON_NAMES, watchWords } from "../../words/watch.ts";
import { watchTitle } from "../watch.tsx";

export type PassReason = NonNullable<DecideDealRequest["reason"]>;

/** The watch that is decided about, with what stood beside it when the reader looked. */
export interface ActedWatch {
  readonly listing: Listing;
  readonly deal: DealMark | undefined;
  readonly price: ListingPrice | undefined;
}

/** Called with what stands then; undefined after an undo of the first decision. */
export type OnDecided = (deal: DealMark | undefined, listingId: string) => void;

interface SeenDeal {
  readonly listingId: string;
  readonly deal: DealMark | undefined;
}

type Decision =
  | {
      readonly kind: "done";
      readonly deal: DealMark;
      /** Returns what stands then. */
      readonly undo: () => Promise<DealMark | undefined>;
    }
  | Beaten;

/** Someone else was first: nothing was sent. */
interface Beaten {
  readonly kind: "beaten";
  readonly message: string;
  readonly deal: DealMark | undefined;
}

interface SentChange {
  readonly text: string;
  readonly ended: Promise<Beaten | undefined>;
}

export type DealChange = Partial<DecideDealRequest>;

interface Stored {
  readonly deal: Deal;
  readonly etag: string | undefined;
}

export const PASS_REASONS = Object.keys(PASS_REASON_NAMES) as readonly PassReason[];

/** What is on its way, by listing. The same again, as by a second press, is that decision; anything else must wait for it. */
const sentChanges = new Map<string, SentChange>();

/**
 * When this window decided last about a listing; undefined if it took the decision back. A page may show less for a second, and
 * its reader must not be told that the reader was first.
 */
const ownDecisions = new Map<string, number | undefined>();

/** Quick decisions are sent one after another, so that undo takes back the one that was made last. */
let lastSent: Promise<unknown> = Promise.resolve();

/** Decides about one watch, says what happened, and offers to undo it. */
export async function decideAndTell(
  watch: Pick<ActedWatch, "listing" | "deal">,
  change: DealChange,
  onDecided: OnDecided,
): Promise<void> {
  const beaten = await send(watch, change, onDecided);
  if (beaten !== undefined) showToast(beaten.message, { isBad: true });
}

/**
 * The same for a dialog, which stays open with what was typed: if someone else was first, it throws. `onBeaten` is called with what
 * stands then; a dialog that saves on that decides otherwise.
 */
export async function decideOrThrow(
  watch: Pick<ActedWatch, "listing" | "deal">,
  change: DealChange,
  options: {
    readonly onDecided: OnDecided;
    readonly onBeaten: (deal: DealMark | undefined) => void;
  },
): Promise<void> {
  const beaten = await send(watch, change, options.onDecided);
  if (beaten === undefined) return;
  options.onBeaten(beaten.deal);
  throw new Error(beaten.message);
}

/** Returns undefined once it is decided. */
async function send(
  watch: Pick<ActedWatch, "listing" | "deal">,
  change: DealChange,
  onDecided: OnDecided,
): Promise<Beaten | undefined> {
  const { id } = watch.listing;
  const text = JSON.stringify(change);
  const onItsWay = sentChanges.get(id);
  if (onItsWay?.text === text) return onItsWay.ended;
  if (onItsWay !== undefined) throw new Error(watchWords.isSending);
  const ended = sendNew(watch, change, onDecided);
  sentChanges.set(id, { text, ended });
  return ended;
}

async function sendNew(
  { listing, deal }: Pick<ActedWatch, "listing" | "deal">,
  change: DealChange,
  onDecided: OnDecided,
): Promise<Beaten | undefined> {
  try {
    const sent = lastSent.then(() => decide({ listingId: listing.id, deal }, change));
    lastSent = sent.catch(() => undefined);
    const decision = await sent;
    onDecided(decision.deal, listing.id);
    if (decision.kind === "beaten") return decision;
    const { state } = change;
    const title = watchTitle(listing);
    const said =
      state === undefined
        ? watchWords.noted(title)
        : watchWords.done(title, watchWords.state(state));
    offerUndo(said, () => {
      decision.undo().then((before) => onDecided(before, listing.id), tellFailure);
    });
    return undefined;
  } finally {
    sentChanges.delete(listing.id);
  }
}

/** Says nothing, for lists that decide about several rows. Without a state in `change`, the one that holds stays, and a watch without one is shortlisted. */
export async function decide(seen: SeenDeal, change: DealChange): Promise<Decision> {
  const listingId = await targetOf(seen, change.state);
  const isKnown = seen.deal?.listing_id === listingId || ownDecisions.has(listingId);
  const before = isKnown ? await findStored(listingId) : undefined;
  const storedAtMs = before?.deal.updated_at_ms;
  const isOwn = ownDecisions.has(listingId) && ownDecisions.get(listingId) === storedAtMs;
  if (isKnown && !isOwn && storedAtMs !== seen.deal?.updated_at_ms) return toBeaten(before?.deal);
  const { state, ...kept } = toBody(before?.deal ?? seen.deal);
  // A passed watch that is back is not passed again by what only adds to it.
  const held = state === undefined || seen.deal?.price_drop !== undefined ? {} : { state };
  return write(listingId, { ...kept, ...held, ...change }, before);
}

/** Puts what a person edited in the place of the deal that was seen: what `body` does not have is removed. */
export async function replaceDeal(
  /** Without a time if the deal was gone when the reader looked. */
  seen: { readonly listing_id: string; readonly updated_at_ms: number | undefined },
  body: DecideDealRequest,
): Promise<Decision> {
  const before = await findStored(seen.listing_id);
  if (before?.deal.updated_at_ms !== seen.updated_at_ms) return toBeaten(before?.deal);
  return write(seen.listing_id, body, before);
}

async function write(
  listingId: string,
  body: DealChange,
  before: Stored | undefined,
): Promise<Decision> {
  try {
    const after = await put(listingId, body, before?.etag);
    return {
      kind: "done",
      deal: toMark(after),
      undo: () => undo(after, before?.deal),
    };
  } catch (error) {
    if (!(error instanceof AssayError) || error.status !== 412) throw error;
    return toBeaten((await findStored(listingId))?.deal);
  }
}

function toMark(deal: Deal): DealMark {
  const { listing_id, state, note, offer, assignee, assignee_name, updated_by } = deal;
  return {
    listing_id,
    state,
    updated_at_ms: deal.updated_at_ms,
    ...(deal.reason === undefined ? {} : { reason: deal.reason as PassReason }),
    ...(note === undefined ? {} : { note }),
    ...(offer === undefined ? {} : { offer }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(assignee_name === undefined ? {} : { assignee_name }),
    ...(updated_by === undefined ? {} : { updated_by }),
  };
}

/**
 * A deal on an earlier post goes on there. A watch that is back after a fall is decided about anew, at its lower ask, and one that
 * is bought at another ask is bought there: a bought deal covers its own ask only.
 */
async function targetOf({ listingId, deal }: SeenDeal, state?: string): Promise<string> {
  if (deal === undefined || deal.price_drop !== undefined) return listingId;
  if (state !== "bought" || deal.listing_id === listingId) return deal.listing_id;
  const [row, held] = await Promise.all([
    api.getListing({ listing_id: listingId }),
    findStored(deal.listing_id),
  ]);
  const isSame = (["amount_minor", "currency"] as const).every(
    (member) => row.price?.[member] === held?.deal.watch.price?.[member],
  );
  return isSame ? deal.listing_id : listingId;
}

async function findStored(listing_id: string): Promise<Stored | undefined> {
  try {
    const { value: deal, etag } = await readTagged((options) =>
      api.getDeal({ listing_id }, options),
    );
    return { deal, etag };
  } catch (error) {
    if (error instanceof AssayError && error.status === 404) return undefined;
    throw error;
  }
}

async function put(
  listing_id: string,
  { state = "shortlisted", reason, paid, sold, cost_eur_minor, ...kept }: DealChange,
  ifMatch: string | undefined,
): Promise<Deal> {
  const body: DecideDealRequest = {
    ...kept,
    state,
    ...(state === "passed" && reason !== undefined ? { reason } : {}),
    ...(state === "bought" && paid !== undefined ? { paid } : {}),
    ...(state === "bought" && sold !== undefined ? { sold } : {}),
    ...(state === "bought" && cost_eur_minor !== undefined ? { cost_eur_minor } : {}),
  };
  const stored = await api.decideDeal({
    listing_id,
    ...body,
    ...(ifMatch === undefined ? {} : { if_match: ifMatch }),
  });
  ownDecisions.set(listing_id, stored.updated_at_ms);
  return stored;
}

/** Only while what was decided still stands; an undo of a later decision may have put it back. */
async function undo(decided: Deal, before: Deal | undefined): Promise<DealMark | undefined> {
  const { listing_id } = decided;
  const stored = await findStored(listing_id);
  if (JSON.stringify(toBody(stored?.deal)) !== JSON.stringify(toBody(decided))) {
    showToast(toBeaten(stored?.deal).message, { isBad: true });
    return stored === undefined ? undefined : toMark(stored.deal);
  }
  if (before !== undefined) return toMark(await put(listing_id, toBody(before), stored?.etag));
  await api.deleteDeal({
    listing_id,
    ...(stored?.etag === undefined ? {} : { if_match: stored.etag }),
  });
  ownDecisions.set(listing_id, undefined);
  return undefined;
}

/** The members that a decision sends, of what holds. A row of a list knows no payment; what is stored does. */
function toBody(held: Deal | DealMark | undefined): DealChange {
  if (held === undefined) return {};
  const { state, note, offer, assignee } = held;
  const { paid, sold, cost_eur_minor } = "watch" in held ? held : ({} as Partial<Deal>);
  return {
    state,
    ...(held.reason === undefined ? {} : { reason: held.reason as PassReason }),
    ...(note === undefined ? {} : { note }),
    ...(offer === undefined ? {} : { offer }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(paid === undefined ? {} : { paid }),
    ...(sold === undefined ? {} : { sold }),
    ...(cost_eur_minor === undefined ? {} : { cost_eur_minor }),
  };
}

function toBeaten(deal: Deal | undefined): Beaten {
  if (deal === undefined) {
    return { kind: "beaten", message: watchWords.deletedMeanwhile, deal: undefined };
  }
  const { updated_by: name = watchWords.someone, state, updated_at_ms } = deal;
  const age = formatAgo(Date.now() - updated_at_ms);
  const message = watchWords.isBeaten(name, watchWords.state(state), age);
  return { kind: "beaten", message, deal: toMark(deal) };
}
