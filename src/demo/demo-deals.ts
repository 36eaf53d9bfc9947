/**
 * What the desk of the demo decided: two people, deals of 60 days in all states, some of them sold, and dealers whom it knows or
 * blocked. Made once, at the end of the first load, through the same functions as in life.
 */
import { decideWatch } from "../alerts/decide-watch.ts";
import { DAY_MS, dayStartOf, HOUR_MS } from "../base/clock.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import {
  DEAL_STATES,
  type Deal,
  type DealState,
  type Decision,
  type PassReason,
} from "../deals/deal.ts";
import { findDeal } from "../deals/deal-store.ts";
import { changeContactNote } from "../messages/contacts/contact-note-store.ts";
import type { Author } from "../people/activity.ts";
import { saveNewToken } from "../people/change-tokens.ts";
import { createTokenText } from "../people/token.ts";
import { listTokens } from "../people/token-store.ts";
import { findHeadlines } from "../pricing/headline-store.ts";
import { createRandom, type Random } from "./random.ts";

const DAYS = 60;
const DEALS_PER_DAY = 2;
const CANDIDATES_PER_DAY = 20;
const PROFIT_MIN_EUR_MINOR = 20_000;
/** Older watches are bought, sold or passed; nobody is still waiting for an answer. */
const OPEN_DAYS = 8;
const OLD_STATES: readonly DealState[] = ["bought", "passed", "bought"];
const PEOPLE = ["Anna", "Ben"];
const NOTES = [
  "asks for a deposit",
  "ships on the day",
  "photos on request",
  "best price after 6 pm",
];
const DEALER_NOTES = [
  "answers within minutes",
  "papers are always right",
  "wants cash",
  "met in Basel",
];
const REASONS: readonly PassReason[] = [
  "too_dear",
  "too_dear",
  "gone",
  "no_papers",
  "misread",
  "other",
];
const BLOCKED_COUNT = 2;

export async function makeDemoDeals(pool: DatabasePool, nowMs: number): Promise<void> {
  const people = await ensurePeople(pool, nowMs);
  const watches = await listDecided(pool, nowMs);
  // In turns, the latest watch first, so that even a small demo has every state.
  for (const [at, watch] of watches.toReversed().entries()) {
    if ((await findDeal(pool, watch.listing_id)) !== undefined) continue;
    const random = createRandom("deal", watch.listing_id);
    const person = random.pick(people);
    const atMs = Math.min(nowMs, watch.posted_at_ms + random.integer(1, 9) * HOUR_MS);
    const author = { tokenId: person.token_id, name: person.name, nowMs: atMs };
    const isOld = nowMs - atMs > OPEN_DAYS * DAY_MS;
    const turn = isOld ? OLD_STATES : DEAL_STATES;
    const state = turn[at % turn.length] ?? "passed";
    const decided = decide(random, watch, { state, atMs });
    const decision = { ...decided, assignee: random.pick(people).token_id };
    const { deal } = await decideWatch(pool, { listingId: watch.listing_id, decision, author });
    const sold = sell(random, deal, nowMs);
    if (sold === undefined) continue;
    await decideWatch(pool, {
      listingId: watch.listing_id,
      decision: { ...decision, ...sold },
      author: { ...author, nowMs: sold.sold.at_ms },
      isExpected: () => true,
    });
  }
  await knowDealers(pool, { name: PEOPLE[0] ?? "", nowMs });
}

interface Person {
  readonly token_id: string;
  readonly name: string;
}

/** Their tokens are in nobody's hands: they are there to be shown, and to assign deals to. */
async function ensurePeople(pool: DatabasePool, nowMs: number): Promise<readonly Person[]> {
  for (const name of PEOPLE) {
    const token = { text: createTokenText(), name, role: "desk" } as const;
    await pool.transaction((tx) => saveNewToken(tx, token, { name: "demo", nowMs }));
  }
  const known = (await listTokens(pool)).filter(
    ({ name, revoked_at_ms }) => PEOPLE.includes(name) && revoked_at_ms === null,
  );
  return known
    .map(({ id, name }) => ({ token_id: id, name }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

interface Candidate {
  readonly listing_id: string;
  readonly posted_at_ms: number;
  readonly price_amount_minor: number;
  readonly price_currency: string;
  readonly price_eur_minor: number;
}

interface DecidedWatch extends Candidate {
  /** What bringing the watch home costs beside its price. */
  readonly import_eur_minor: number;
}

/** Some of the watches of each day that are below their market when they are here. */
async function listDecided(db: Database, nowMs: number): Promise<readonly DecidedWatch[]> {
  const candidates = await listCandidates(db, nowMs);
  const headlines = await findHeadlines(
    db,
    candidates.map(({ listing_id }) => listing_id),
  );
  const countOf = new Map<number, number>();
  return candidates.flatMap((watch) => {
    const headline = headlines.get(watch.listing_id);
    const day = dayStartOf(watch.posted_at_ms);
    const count = countOf.get(day) ?? 0;
    if (headline === undefined || count === DEALS_PER_DAY) return [];
    if (headline.profit_opportunity_eur_minor < PROFIT_MIN_EUR_MINOR) return [];
    countOf.set(day, count + 1);
    const import_eur_minor = headline.comparable_ask_eur_minor - watch.price_eur_minor;
    return [{ ...watch, import_eur_minor }];
  });
}

/** Not only what alerts matched: most of the market is older than its alerts. */
async function listCandidates(db: Database, nowMs: number): Promise<readonly Candidate[]> {
  return db.query<Candidate>(sql`
    with buy as (
      select distinct on (listing.ask_key)
             listing.id as listing_id, listing.message_timestamp_ms as posted_at_ms, listing.price_amount_minor,
             listing.price_currency, listing.price_eur_minor
        from listing
        join listing_model as model on model.listing_id = listing.id
        join price_cell as cell
          on cell.configuration_id = model.configuration_id and cell.year = model.year
         and cell.condition_bucket = model.condition_bucket and cell.status = 'available'
       where listing.message_timestamp_ms >= ${nowMs - DAYS * DAY_MS} and listing.ask_key is not null
         and not listing.is_hidden and not listing.is_revoked
         and model.price_eur_minor between cell.market_average_eur_minor * 0.8 and cell.market_average_eur_minor * 0.98
       order by listing.ask_key, listing.message_timestamp_ms, listing.id
    )
    select listing_id, posted_at_ms, price_amount_minor, price_currency, price_eur_minor
      from (select buy.*, row_number() over (partition by posted_at_ms / ${DAY_MS} order by listing_id) as place
              from buy) as numbered
     where place <= ${CANDIDATES_PER_DAY}
     order by posted_at_ms, listing_id
     limit ${(DAYS + 1) * CANDIDATES_PER_DAY}`);
}

function decide(
  random: Random,
  watch: DecidedWatch,
  { state, atMs }: { readonly state: DealState; readonly atMs: number },
): Decision {
  const note = random.isBelow(0.3) ? { note: random.pick(NOTES) } : {};
  const share = random.integer(94, 100) / 100;
  const offer = {
    amount_minor: Math.round((watch.price_amount_minor * share) / 10_000) * 10_000,
    currency: watch.price_currency,
  };
  if (state === "passed") return { state, reason: random.pick(REASONS), ...note };
  if (state === "bought") {
    const paid = { ...offer, at_ms: atMs };
    const cost_eur_minor = watch.import_eur_minor + random.integer(30, 220) * 100;
    return { state, offer, paid, cost_eur_minor, ...note };
  }
  return state === "offered" ? { state, offer, ...note } : { state, ...note };
}

/** Most of what was bought is sold some days later, near the market. Undefined if it is still in the safe. */
function sell(random: Random, { state, price, paid }: Deal, nowMs: number) {
  if (state !== "bought" || price === undefined || paid === undefined) return undefined;
  const at_ms = paid.at_ms + random.integer(3, 21) * DAY_MS;
  if (at_ms > nowMs || random.isBelow(0.15)) return undefined;
  const euros = price.average_eur_minor * (1 + 0.03 * random.normal());
  return {
    sold: { amount_minor: Math.round(euros / 5_000) * 5_000, currency: "EUR", at_ms },
  } satisfies Partial<Decision>;
}

/** The first of the dealers with few watches are blocked, so that most buys stay. */
async function knowDealers(pool: DatabasePool, author: Author): Promise<void> {
  const dealers = await pool.query<{ id: string }>(sql`
    select contact_id as id
      from listing
     where contact_id is not null
     group by contact_id
     order by count(*), contact_id
     limit ${BLOCKED_COUNT + DEALER_NOTES.length}`);
  for (const [at, { id }] of dealers.entries()) {
    const note =
      at < BLOCKED_COUNT ? "sent a photo of another watch" : DEALER_NOTES[at - BLOCKED_COUNT];
    const isBlocked = at < BLOCKED_COUNT;
    await pool.transaction((tx) => changeContactNote(tx, id, { note, isBlocked, author }));
  }
}
