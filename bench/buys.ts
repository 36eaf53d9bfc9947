// How well the buys of the demo agree with what its generator knows. Each ask is judged four times: by the rule before
// (any rule that sends buys and whose cell the ask meets) and by `is_buy` (the headline, still on offer), each with all sets
// compared and with papers only. A buy that is none by the value of exactly that watch is false, one that is missed is lost.
//   node --import tsx bench/buys.ts [MESSAGES] [list]      default 6000; `list` writes each false and lost buy to stderr

import { findListingModels, type PricedModel } from "../src/alerts/listing-matches.ts";
import {
  findListingPrices,
  type ListingPrices,
  priceModels,
} from "../src/alerts/listing-prices.ts";
import { DAY_MS } from "../src/base/clock.ts";
import { groupBy } from "../src/base/group-by.ts";
import { normalizeReference } from "../src/base/text.ts";
import type { Database } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";
import { toDemoManifest } from "../src/demo/demo-manifest.ts";
import { loadDemo } from "../src/demo/load-demo.ts";
import { createMarket, listBargains, listMessages, sizeOf } from "../src/demo/posts.ts";
import { applyManifest } from "../src/manifest/apply-declarations.ts";
import { parseManifest } from "../src/manifest/parse-manifest.ts";
import { runPass } from "../src/pipeline/finish-queued.ts";
import { openStepContext } from "../src/pipeline/step-context.ts";
import { STEPS } from "../src/pipeline/steps.ts";
import {
  type RefreshedConfiguration,
  SELECT_CONFIGURATIONS,
} from "../src/pricing/cells/refresh-store.ts";
import { findModelCells } from "../src/pricing/configurations/model-cell-store.ts";
import { judgeBuy } from "../src/pricing/thresholds.ts";
import {
  createJudge,
  isPriced,
  listTrueAsks,
  TOLERANCE,
  type TrueAsk,
  type Verdict,
} from "./support/demo-truth.ts";
import { NOW_MS } from "./support/market.ts";
import { log, openStore, readNumbers, readWords, runBenchmark } from "./support/runner.ts";

const [MESSAGES] = readNumbers(6_000);
const IS_LISTED = readWords().includes("list");
const PAGE = 500;
const size = sizeOf(MESSAGES);
const market = createMarket(size);
const range = { fromMs: NOW_MS - size.days * DAY_MS, toMs: NOW_MS };
const clock = { nowMs: () => NOW_MS, elapsedMs: () => performance.now() };

await runBenchmark("buys", async (t) => {
  const { db } = await openStore(t);
  const context = await openStepContext({
    pool: db,
    clock,
    feed: { isLive: () => true, subscribe: () => undefined, close: async () => undefined },
    log,
    config: { alertWindowHours: 24 },
  });
  t.after(() => context.close());
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  await loadDemo(context, { size, say, strands: 1 });
  const papers = await judgeAll(db, "papers");
  const manifest = toDemoManifest(market, range);
  const profiles = manifest.profiles.map((profile) => ({ ...profile, sets: "any" }));
  const text = JSON.stringify({ ...manifest, profiles });
  await applyManifest(db, parseManifest([{ name: "any", text }]), { clock });
  while ((await runPass(context, { steps: STEPS })) > 0);
  const any = await judgeAll(db, "any");
  const { asks, unclear, true_buys } = papers.counts;
  return {
    messages: MESSAGES,
    asks,
    unclear,
    true_buys,
    before_any: any.before,
    before_papers: papers.before,
    after_any: any.after,
    after_papers: papers.after,
  };
});

/** A listing as it was read. */
interface ReadRow {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly reference_normalized: string | null;
  readonly dial_type: string | null;
  readonly year: number | null;
  readonly condition: string | null;
  readonly full_set_status: readonly string[];
  readonly price_amount_minor: number | null;
  readonly price_currency: string | null;
}

/** An ask with its listing, and what the service says about it. */
interface Judged {
  readonly truth: TrueAsk;
  readonly verdict: Verdict;
  /** A full set at that ask would be no clear mistake. */
  readonly isCheapForFullSet: boolean;
  readonly listing?: ReadRow | undefined;
  readonly prices?: ListingPrices | undefined;
  readonly models: readonly PricedModel[];
}

type Sets = "any" | "papers";

async function judgeAll(db: Database, sets: Sets) {
  const truths = await listTruths(db);
  const rules = await db.query<RefreshedConfiguration>(SELECT_CONFIGURATIONS);
  const judge = createJudge({ market, rules, nowMs: NOW_MS });
  const rows = await db.query<ReadRow>(sql`
    select id, canonical_message_id, reference_normalized, dial_type, year, condition, full_set_status, price_amount_minor,
           price_currency
      from listing
     where side = 'for_sale'
     order by canonical_message_id, line, ordinal`);
  const byMessage = groupBy(rows, (row) => row.canonical_message_id);
  const judged: Judged[] = [];
  for (let at = 0; at < truths.length; at += PAGE) {
    const page = truths.slice(at, at + PAGE).map((truth) => ({
      truth,
      listing: findListing(byMessage.get(truth.messageId) ?? [], truth),
    }));
    const ids = page.flatMap(({ listing }) => listing?.id ?? []);
    const prices = await findListingPrices(db, ids, { nowMs: NOW_MS });
    const models = await findListingModels(db, ids);
    const priced = await priceModels(models, (keys) => findModelCells(db, keys), NOW_MS);
    for (const { truth, listing } of page)
      judged.push({
        truth,
        verdict: judge(truth),
        isCheapForFullSet: judge(truth, "FULL_SET").kind !== "none",
        listing,
        prices: prices.get(listing?.id ?? ""),
        models: priced.get(listing?.id ?? "") ?? [],
      });
  }
  const counted = judged.filter(
    ({ truth, verdict }) => truth.fate !== "offered" || verdict.kind !== "unclear",
  );
  return {
    counts: {
      asks: judged.length,
      unclear: judged.length - counted.length,
      true_buys: counted.filter(isTrueBuy).length,
    },
    before: compare(counted, { name: "before", sets, test: wasBuy }),
    after: compare(counted, { name: "after", sets, test: isBuy }),
  };
}

/** The asks of dealers in the source markets. */
async function listTruths(db: Database): Promise<readonly TrueAsk[]> {
  const posts = await db.query<{ raw_id: string; canonical_message_id: string }>(sql`
    select raw_id, canonical_message_id from occurrence where not is_own`);
  const messageIdOf = new Map(posts.map((post) => [post.raw_id, post.canonical_message_id]));
  const messages = [...listMessages(market, range), ...listBargains(market, range)];
  return listTrueAsks(messages, messageIdOf, NOW_MS).filter(({ dealer }) => isPriced(dealer));
}

/** The listing at the place of the ask, or else the one with its reference and amount. */
function findListing(rows: readonly ReadRow[], { at, count, ask }: TrueAsk): ReadRow | undefined {
  if (rows.length === count) return rows[at];
  const reference = normalizeReference(ask.watch.reference);
  return rows.find(
    (row) => row.reference_normalized === reference && row.price_amount_minor === ask.amount * 100,
  );
}

function isBuy({ prices }: Judged): boolean {
  return prices?.price?.is_buy === true;
}

function wasBuy({ models }: Judged): boolean {
  return models.some(
    ({ cell, item }) =>
      cell.cell_status === "available" &&
      cell.buy_signals_enabled &&
      judgeBuy(item.comparable_ask_eur_minor, cell) === "buy",
  );
}

function isTrueBuy({ truth, verdict }: Judged): boolean {
  return truth.fate === "offered" && verdict.kind === "buy";
}

interface Contender {
  readonly name: string;
  readonly sets: Sets;
  readonly test: (ask: Judged) => boolean;
}

function compare(judged: readonly Judged[], { name, sets, test }: Contender) {
  const buys = judged.filter(test);
  const falseBuys = buys.filter((ask) => !isTrueBuy(ask));
  const lost = judged.filter((ask) => isTrueBuy(ask) && !test(ask));
  return {
    buys: buys.length,
    false_buys: falseBuys.length,
    false_by_cause: countBy(falseBuys, whyFalse, `${name} ${sets}, false`),
    lost_buys: lost.length,
    lost_by_cause: countBy(lost, (ask) => whyLost(ask, sets), `${name} ${sets}, lost`),
  };
}

function countBy(
  asks: readonly Judged[],
  causeOf: (ask: Judged) => string,
  name: string,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const ask of asks) {
    const cause = causeOf(ask);
    counts[cause] = (counts[cause] ?? 0) + 1;
    if (IS_LISTED) process.stderr.write(`${name}, ${cause}: ${describe(ask)}\n`);
  }
  return counts;
}

function whyFalse(judged: Judged): string {
  const { truth, isCheapForFullSet } = judged;
  if (truth.fate !== "offered") return truth.fate;
  const misread = findMisread(judged);
  if (misread !== undefined) return misread;
  if (truth.ask.set !== "FULL_SET" && isCheapForFullSet) return "set";
  return isAverageOff(judged) ? "average" : "other";
}

function whyLost(judged: Judged, sets: Sets): string {
  const misread = findMisread(judged);
  if (misread !== undefined) return misread;
  if (sets === "papers" && judged.truth.ask.set === "WATCH") return "set";
  const { prices } = judged;
  // A rule makes it a buy, but not the headline, or the ask is taken for one that is not on offer.
  if (wasBuy(judged)) return prices?.no_buy_reason ?? "other";
  if (prices?.headline === undefined) return prices?.reason ?? "other";
  return isAverageOff(judged) ? "average" : "other";
}

/** The average of the cell is further from the value than what is left uncounted: few asks, or bargains among them. */
function isAverageOff({ verdict: { valueEurMinor }, prices }: Judged): boolean {
  const average = prices?.headline?.market_average_eur_minor;
  return average !== undefined && Math.abs(average / valueEurMinor - 1) > TOLERANCE;
}

/** What the service read otherwise than it was meant. A set that the text leaves out is no mistake. */
function findMisread({ truth: { ask }, listing }: Judged): string | undefined {
  if (listing === undefined) return "unread";
  if (listing.year === null) return "no_year";
  if (listing.condition === null) return "no_condition";
  if ((listing.dial_type ?? "") !== (ask.dial ?? "") && ask.dial !== undefined) return "dial";
  const isRead =
    listing.reference_normalized === normalizeReference(ask.watch.reference) &&
    listing.year === ask.year &&
    listing.condition === ask.condition &&
    listing.price_amount_minor === ask.amount * 100 &&
    listing.price_currency === ask.currency &&
    listing.full_set_status.every((set) => set === ask.set);
  return isRead ? undefined : "misread";
}

function describe({ truth: { ask, dealer, fate }, verdict, listing, prices }: Judged): string {
  const { watch, dial = "", year, condition, set, amount, currency } = ask;
  const price = prices?.headline;
  return [
    listing?.id ?? "no listing",
    `${watch.reference} ${dial} ${year} ${condition} ${set} ${currency} ${amount}`,
    `${dealer.market} ${dealer.name}, ${ask.isBargain ? "bargain, " : ""}${fate}`,
    `read ${listing?.dial_type} ${listing?.year} ${listing?.condition} ${listing?.full_set_status} ${listing?.price_amount_minor}`,
    `worth ${Math.round(verdict.valueEurMinor)}, landed ${price?.comparable_ask_eur_minor}, average ${price?.market_average_eur_minor} of ${price?.listing_count}`,
    `${prices?.offer_state}, ${prices?.no_buy_reason}`,
  ].join("; ");
}
