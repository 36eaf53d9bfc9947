import { AppError } from "../base/errors.ts";
import type { Database } from "../db/database.ts";
import { limitLockWait } from "../db/locks.ts";
import type { ActivityEntry, Author } from "../people/activity.ts";
import { recordActivity } from "../people/activity-store.ts";
import { findTokenName } from "../people/token-store.ts";
import { findHeadlines, type Headline } from "../pricing/headline-store.ts";
import { findRates } from "../rates/fx-store.ts";
import { checkDecision, type Deal, type DealtPrice, type Decision, planDealMoves } from "./deal.ts";
import { findDeal, findDealsAt } from "./deal-store.ts";
import {
  beginDeals,
  copyListings,
  type DecidedOn,
  findFormerDeals,
  findRivals,
  lockListing,
  removeDeals,
  renameDeals,
  saveDeal,
} from "./deal-write-store.ts";
import { listFarAmounts } from "./far-amounts.ts";

export interface NewDecision {
  readonly listingId: string;
  readonly decision: Decision;
  readonly author: Author;
  /** The condition of the caller on the deal that it has read. Without one there must be no deal. */
  readonly isExpected?: (version: number) => boolean;
}

export interface Decided {
  readonly deal: Deal;
  /** The deal before; undefined if it is new. */
  readonly before?: Deal;
  /** Amounts that are most likely mistyped, in words. */
  readonly warnings: readonly string[];
}

/**
 * Saves what a person decided about a watch. Of two people who decide at once, the second is told who was first. A decision
 * that is sent again by the same person changes nothing.
 */
export async function decideDeal(tx: Database, wanted: NewDecision): Promise<Decided> {
  const { decision, author } = wanted;
  checkDecision(decision, author.nowMs);
  const on = await lockDeal(tx, wanted);
  const listingId = on?.listing_id ?? wanted.listingId;
  const before = await findDeal(tx, listingId);
  if (on === undefined && before === undefined) {
    throw new AppError("listing_not_found", "there is no listing with this id");
  }
  if (before?.detached_reason === "erased") {
    throw new AppError("listing_not_found", "the dealer of this watch was erased");
  }
  if (before !== undefined && isRepeated(before, wanted, on)) {
    return { deal: before, before, warnings: await findFarAmounts(tx, before, author.nowMs) };
  }
  checkExpectation(before, wanted);
  const assigneeName = await findAssigneeName(tx, wanted, before);
  const headline =
    on === undefined ? undefined : (await findHeadlines(tx, [listingId])).get(listingId);
  const price = headline === undefined ? undefined : toDealtPrice(headline);
  const isBoughtNow = decision.state === "bought" && before?.state !== "bought";
  await saveDeal(tx, listingId, { decision, assigneeName, author, on, price, isBoughtNow });
  await copyListings(tx, [listingId]);
  const deal = await getDeal(tx, listingId);
  const action = before === undefined ? "created" : "changed";
  await recordActivity(tx, author, [
    { ...toEntry(deal, action), before: { ...before }, after: { ...deal } },
  ]);
  const warnings = await findFarAmounts(tx, deal, author.nowMs);
  return before === undefined ? { deal, warnings } : { deal, before, warnings };
}

async function findFarAmounts(tx: Database, deal: Deal, nowMs: number): Promise<readonly string[]> {
  const { offer, paid, sold } = deal;
  const needed = [offer, paid, sold].flatMap((amount) =>
    amount === undefined ? [] : [{ currency: amount.currency, atMs: nowMs }],
  );
  const rateOf = needed.length === 0 ? () => undefined : await findRates(tx, needed);
  return listFarAmounts(deal, { rateOf, nowMs });
}

/** Deletes a deal. Returns it as it was. */
export async function deleteDeal(
  tx: Database,
  wanted: Pick<NewDecision, "listingId" | "author" | "isExpected">,
): Promise<Deal> {
  const on = await lockDeal(tx, wanted);
  const before = await getDeal(tx, on?.listing_id ?? wanted.listingId);
  if (wanted.isExpected !== undefined) checkExpectation(before, wanted);
  await removeDeals(tx, [before.listing_id]);
  await recordActivity(tx, wanted.author, [
    { ...toEntry(before, "deleted"), before: { ...before } },
  ]);
  return before;
}

/** Nothing else changes deals or the listing until the transaction ends. A deal that did not follow its watch yet does so here. */
async function lockDeal(
  tx: Database,
  { listingId, author }: Pick<NewDecision, "listingId" | "author">,
): Promise<DecidedOn | undefined> {
  await limitLockWait(tx);
  await beginDeals(tx);
  const on = await lockListing(tx, listingId);
  if (on !== undefined) await moveDeals(tx, await findFormerDeals(tx, on.listing_id), author.nowMs);
  return on;
}

function toEntry(
  { listing_id, watch }: Deal,
  action: ActivityEntry["action"],
): Pick<ActivityEntry, "action" | "object" | "contactId"> {
  const object = { kind: "deal", id: listing_id, name: watch.reference } as const;
  return { action, object, contactId: watch.contact_id };
}

async function getDeal(tx: Database, listingId: string): Promise<Deal> {
  const deal = await findDeal(tx, listingId);
  if (deal === undefined) {
    throw new AppError("deal_not_found", "nothing was decided about this listing");
  }
  return deal;
}

function checkExpectation(
  before: Deal | undefined,
  { isExpected }: Pick<NewDecision, "isExpected">,
): void {
  if (before === undefined) {
    if (isExpected === undefined) return;
    throw new AppError("precondition_failed", "If-Match: nothing was decided about this listing");
  }
  if (isExpected?.(before.version) === true) return;
  const at = new Date(before.updated_at_ms).toISOString();
  throw new AppError(
    "precondition_failed",
    `${before.updated_by ?? "someone"} was first: ${before.state} at ${at}; read the deal, then send its ETag as If-Match`,
  );
}

/** Only a valid token can be chosen. Who works on the deal already stays when the token is revoked: other members must be able to change. */
async function findAssigneeName(
  tx: Database,
  { decision: { assignee }, author }: NewDecision,
  before: Deal | undefined,
): Promise<string | undefined> {
  if (assignee === undefined) return undefined;
  const name = await findTokenName(tx, assignee, author.nowMs);
  if (name !== undefined) return name;
  if (before?.assignee === assignee) return before.assignee_name;
  throw new AppError("invalid_payload", "assignee: there is no valid token with this id");
}

/**
 * The same person sends the same again, because the answer was lost. Who has read the deal as it is, and decides the same about
 * another ask or reference, decides anew: a watch that came back is passed again.
 */
function isRepeated(
  before: Deal,
  { decision, author, isExpected }: NewDecision,
  on: DecidedOn | undefined,
): boolean {
  if (author.tokenId === undefined || before.updated_by_token_id !== author.tokenId) return false;
  if (DECIDED.some((name) => toText(before[name]) !== toText(decision[name]))) return false;
  return isExpected?.(before.version) !== true || on === undefined || isDecidedOn(before, on);
}

/** True if the deal was decided on this ask and this reference. */
function isDecidedOn({ asked, watch, detached_reason }: Deal, on: DecidedOn): boolean {
  return (
    detached_reason === undefined &&
    (asked?.amount_minor ?? null) === on.asked_amount_minor &&
    (asked?.currency ?? null) === on.asked_currency &&
    (watch.reference_normalized ?? null) === on.decided_reference
  );
}

const DECIDED = [
  "state",
  "reason",
  "note",
  "offer",
  "assignee",
  "paid",
  "sold",
  "cost_eur_minor",
] as const satisfies readonly (keyof Decision)[];

function toText(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "";
  return JSON.stringify(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function toDealtPrice(headline: Headline): DealtPrice {
  return {
    configuration_id: headline.configuration_id,
    average_eur_minor: headline.baseline_average_eur_minor,
    landed_eur_minor: headline.comparable_ask_eur_minor,
    profit_eur_minor: headline.profit_opportunity_eur_minor,
  };
}

/**
 * Moves deals to the listings that took the place of theirs. Of several at one listing the newest stays, and the others are in
 * the activity.
 */
export async function moveDeals(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
  nowMs: number,
): Promise<void> {
  if (moves.length === 0) return;
  const ids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const { moved, replacedIds } = planDealMoves(await findRivals(tx, ids), moves);
  const replaced = await findDealsAt(tx, replacedIds);
  await recordActivity(
    tx,
    { name: "assay", nowMs },
    replaced.map((deal) => ({ ...toEntry(deal, "replaced"), before: { ...deal } })),
  );
  await removeDeals(tx, replacedIds);
  await renameDeals(tx, moved);
}
