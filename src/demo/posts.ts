import { createHash } from "node:crypto";
import { type DemoAsk, type DemoMarket, drawAsk, dropPrice } from "./asks.ts";
import { type DemoDealer, type DemoGroup, listDealers, listGroups } from "./dealers.ts";
import { createRandom, type Random } from "./random.ts";
import { writeChatter, writeText, writeWanted } from "./texts.ts";
import { type DemoWatch, WATCHES } from "./watches.ts";

/** How large the market is. */
export interface MarketSize {
  /** Messages in groups within `days`, roughly. */
  readonly messages: number;
  readonly days: number;
  readonly groups: number;
  readonly dealers: number;
  readonly watches: number;
}

const FULL_SIZE: MarketSize = {
  messages: 30_000,
  days: 90,
  groups: 60,
  dealers: 400,
  watches: WATCHES.length,
};
/** Below this share of the full size there are too few messages for as many days. */
const SHORT_SHARE = 0.2;

/** A market of about so many messages. A smaller one has fewer of everything, so that its cells still fill. */
export function sizeOf(messages: number): MarketSize {
  const share = messages / FULL_SIZE.messages;
  const scaled = (full: number, least: number): number =>
    Math.min(full, Math.max(least, Math.round(full * Math.sqrt(share))));
  return {
    messages,
    days: share < SHORT_SHARE ? 30 : FULL_SIZE.days,
    groups: scaled(FULL_SIZE.groups, 10),
    dealers: Math.max(60, Math.round(FULL_SIZE.dealers * Math.min(1, share))),
    watches: Math.min(FULL_SIZE.watches, Math.max(10, Math.round(FULL_SIZE.watches * share))),
  };
}

export interface Market {
  readonly size: MarketSize;
  readonly groups: readonly DemoGroup[];
  readonly dealers: readonly DemoDealer[];
  readonly watches: readonly DemoWatch[];
}

/** One message in one group, and what became of it. */
export interface DemoMessage {
  readonly group: DemoGroup;
  readonly dealer: DemoDealer;
  readonly rawId: string;
  readonly atMs: number;
  readonly text: string;
  readonly hasMedia: boolean;
  readonly edit?: { readonly text: string; readonly atMs: number };
  readonly revokedAtMs?: number;
}

const DAY_MS = 86_400_000;
/** A post is posted again within these days, or never. */
const POST_LIFE_DAYS = 12;
/** Messages that one post becomes, counted over the generated market. */
const MESSAGES_PER_POST = 3.4;

export function createMarket(size: MarketSize): Market {
  const groups = listGroups(size.groups);
  return {
    size,
    groups,
    dealers: listDealers(size.dealers, groups),
    watches: WATCHES.slice(0, size.watches),
  };
}

/**
 * What is posted from `fromMs` up to but not including `toMs`, in the order of time. A day's posts hang on that day alone,
 * so that any two ranges agree where they overlap, whenever they are generated.
 */
export function listMessages(
  market: Market,
  range: { readonly fromMs: number; readonly toMs: number },
): readonly DemoMessage[] {
  const firstDay = Math.floor(range.fromMs / DAY_MS) - POST_LIFE_DAYS;
  const lastDay = Math.floor(range.toMs / DAY_MS);
  const perDay = Math.max(
    1,
    Math.round(market.size.messages / market.size.days / MESSAGES_PER_POST),
  );
  const messages: DemoMessage[] = [];
  for (let day = firstDay; day <= lastDay; day += 1) {
    for (let at = 0; at < perDay; at += 1) messages.push(...postOf(market, day, at));
  }
  return messages
    .filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs)
    .sort((left, right) => left.atMs - right.atMs || (left.rawId < right.rawId ? -1 : 1));
}

function postOf(market: Market, day: number, at: number): readonly DemoMessage[] {
  const random = createRandom("post", day, at);
  const dealer = random.pick(market.dealers);
  // Dealers write by day, most of them before noon.
  const atMs = day * DAY_MS + Math.floor((5 + 16 * random.next() ** 1.3) * 3_600_000);
  const kind = random.next();
  if (kind < 0.05) {
    const version = { atMs, text: writeChatter(random) };
    return postVersion(random, { dealer, version, key: `${day}/${at}`, groupsMax: 1 });
  }
  const options = { watches: market.watches, market: dealer.market, dealerBias: dealer.bias, atMs };
  if (kind < 0.14) {
    const version = { atMs, text: writeWanted(random, drawAsk(random, options)) };
    return postVersion(random, { dealer, version, key: `${day}/${at}`, groupsMax: 3 });
  }
  const asks = Array.from({ length: countOf(random, dealer.market) }, () =>
    drawAsk(random, options),
  );
  return versionsOf(random, { dealer, asks, atMs }).flatMap((version, turn) =>
    postVersion(random, { dealer, version, key: `${day}/${at}/${turn}`, groupsMax: 4 }),
  );
}

/** Europeans offer one watch a message, Hong Kong sends lists, America something between. */
function countOf(random: Random, market: DemoMarket): number {
  if (market === "EU") return random.isBelow(0.9) ? 1 : 2;
  return market === "HK" ? random.integer(1, 7) : random.integer(1, 3);
}

interface Version {
  readonly atMs: number;
  readonly text: string;
  /** The text after an edit that drops the price. */
  readonly editedText?: string;
}

/** First the offer, then for some days the same again or the same for less. */
function versionsOf(
  random: Random,
  post: { readonly dealer: DemoDealer; readonly asks: readonly DemoAsk[]; readonly atMs: number },
): readonly Version[] {
  const { dealer } = post;
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  const versions: Version[] = [];
  let asks = post.asks;
  let text = writeText(random, dealer.market, asks);
  let { atMs } = post;
  for (let turn = 0; turn < count; turn += 1) {
    if (turn > 0) {
      atMs += Math.floor((1 + random.next() * 2.8) * DAY_MS);
      if (random.isBelow(0.5)) {
        asks = asks.map((ask) => (random.isBelow(0.6) ? dropPrice(random, ask) : ask));
        text = writeText(random, dealer.market, asks);
      }
    }
    const isEdited = random.isBelow(0.04);
    const dropped = isEdited ? asks.map((ask) => dropPrice(random, ask)) : [];
    versions.push({
      atMs,
      text,
      ...(isEdited ? { editedText: writeText(random, dealer.market, dropped) } : {}),
    });
  }
  return versions;
}

/** The same text in several groups within the hour: each is a message of its own. */
function postVersion(
  random: Random,
  post: {
    readonly dealer: DemoDealer;
    readonly version: Version;
    readonly key: string;
    readonly groupsMax: number;
  },
): readonly DemoMessage[] {
  const { dealer, version } = post;
  const count = Math.min(dealer.groups.length, random.integer(1, post.groupsMax));
  const start = random.integer(0, dealer.groups.length - 1);
  const hasMedia = random.isBelow(0.3);
  return Array.from({ length: count }, (_, turn) => {
    const group = dealer.groups[(start + turn) % dealer.groups.length] as DemoGroup;
    // The gateway's times are whole seconds.
    const atMs = Math.floor(version.atMs / 1000) * 1000 + turn * random.integer(20, 700) * 1000;
    const isRevoked = random.isBelow(0.02);
    return {
      group,
      dealer,
      rawId: rawIdOf(`${post.key}/${turn}`),
      atMs,
      text: version.text,
      hasMedia,
      ...(version.editedText === undefined
        ? {}
        : { edit: { text: version.editedText, atMs: atMs + random.integer(60, 800) * 1000 } }),
      ...(isRevoked ? { revokedAtMs: atMs + random.integer(1, 300) * 60_000 } : {}),
    };
  });
}

/** As phones make them: twenty hex digits that begin with 3A. */
export function rawIdOf(key: string): string {
  return `3A${createHash("sha256").update(key).digest("hex").slice(0, 18).toUpperCase()}`;
}
