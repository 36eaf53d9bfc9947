/** What dealers of the demo post: offers with their repeats, edits and sales over days, and single bargains. */
import { createHash } from "node:crypto";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import {
  type DemoAsk,
  type DemoMarket,
  drawAsk,
  dropPrice,
  raisePrice,
  writeChatter,
  writeSold,
  writeText,
  writeWanted,
} from "./asks.ts";
import {
  type DemoDealer,
  type DemoGroup,
  EU_SESSION,
  listDealers,
  listGroups,
  sessionsOf,
} from "./dealers.ts";
import { createRandom, type Random } from "./random.ts";
import { type DemoWatch, WATCHES } from "./watches.ts";

/** How large the demo market is. */
export interface MarketSize {
  /** Approximate number of group messages within `days`. */
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

/** Below this share of the full size, the market has fewer days, because the messages would be spread too thin. */
const SHORT_SHARE = 0.2;

/**
 * Returns the size of a market with about this many messages. A smaller market has fewer of everything, so that each cell
 * still gets enough listings.
 */
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

/** One message in one group, with its edit or deletion, and what it means, which no gateway sends. */
export interface DemoMessage {
  readonly group: DemoGroup;
  readonly dealer: DemoDealer;
  readonly rawId: string;
  readonly atMs: number;
  readonly text: string;
  readonly hasMedia: boolean;
  readonly edit?: {
    readonly text: string;
    readonly atMs: number;
    readonly asks: readonly DemoAsk[];
  };
  readonly revokedAtMs?: number;
  /** The own message that it replies to. */
  readonly replyTo?: { readonly rawId: string; readonly text: string };
  /** What the text offers, in its order. */
  readonly asks: readonly DemoAsk[];
  /** The piece that is sold, says the reply. */
  readonly soldPiece?: string;
}

/** A dealer repeats a post within this many days, or never. */
const POST_LIFE_DAYS = 12;
/** Average number of messages per post, counted in the generated market. */
const MESSAGES_PER_POST = 3.55;
/** Shares of the repeats. One is either raised or maybe lowered. */
const RAISED_SHARE = 0.1;
const LOWERED_SHARE = 0.5;
/** Shares of the watches of which the dealer writes that they are sold. A bargain sells quickly. */
const SOLD_SHARE = 0.06;
const SOLD_BARGAIN_SHARE = 0.3;
const SOLD_WITHIN_HOURS = 48;

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
 * Returns the messages from `fromMs` up to but not including `toMs`, in order of time. The posts of a day depend on that
 * day only, so two ranges always agree where they overlap.
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
    for (let at = 0; at < perDay; at += 1) messages.push(...listMessagesOfPost(market, day, at));
  }
  return messages
    .filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs)
    .sort((left, right) => left.atMs - right.atMs || (left.rawId < right.rawId ? -1 : 1));
}

function listMessagesOfPost(market: Market, day: number, at: number): readonly DemoMessage[] {
  const random = createRandom("post", day, at);
  const dealer = random.pick(market.dealers);
  // Dealers write during the day, most of them before noon.
  const atMs = day * DAY_MS + Math.floor((5 + 16 * random.next() ** 1.3) * HOUR_MS);
  const kind = random.next();
  const key = `${day}/${at}`;
  if (kind < 0.05) {
    const version = { atMs, text: writeChatter(random), asks: [] };
    return postVersion(random, { dealer, version, key, groupsMax: 1 });
  }
  const { watches } = market;
  const options = { watches, market: dealer.market, dealerBias: dealer.bias, atMs };
  if (kind < 0.14) {
    const text = writeWanted(random, drawAsk(random, { ...options, piece: key }));
    return postVersion(random, { dealer, version: { atMs, text, asks: [] }, key, groupsMax: 3 });
  }
  const asks = Array.from({ length: drawWatchCount(random, dealer.market) }, (_, turn) =>
    drawAsk(random, { ...options, piece: `${key}/${turn}` }),
  );
  const posted = versionsOf(random, { dealer, asks, atMs }).map((version, turn) =>
    postVersion(random, { dealer, version, key: `${key}/${turn}`, groupsMax: 4 }),
  );
  return [...posted.flat(), ...listSales(posted.at(-1) ?? [])];
}

/** The replies of a dealer to his last post that a watch is sold. Below a list it must be clear which one. */
function listSales(last: readonly DemoMessage[]): readonly DemoMessage[] {
  const standing = last.filter(({ revokedAtMs }) => revokedAtMs === undefined);
  const asks = standing[0]?.edit?.asks ?? standing[0]?.asks ?? [];
  return asks.flatMap((ask) => {
    const random = createRandom("sold", ask.piece);
    const isNamed = asks.every(({ piece, watch }) => piece === ask.piece || watch !== ask.watch);
    if (!isNamed || !random.isBelow(ask.isBargain ? SOLD_BARGAIN_SHARE : SOLD_SHARE)) return [];
    const post = random.pick(standing);
    const lastMs = Math.max(...standing.map(({ atMs, edit }) => edit?.atMs ?? atMs));
    return {
      group: post.group,
      dealer: post.dealer,
      rawId: rawIdOf(`sold/${ask.piece}`),
      atMs: lastMs + random.integer(20, SOLD_WITHIN_HOURS * 60) * MINUTE_MS,
      text: writeSold(random, ask, asks.length > 1),
      hasMedia: false,
      replyTo: { rawId: post.rawId, text: post.edit?.text ?? post.text },
      asks: [],
      soldPiece: ask.piece,
    };
  });
}

/** European dealers offer one watch per message, Hong Kong dealers send lists, American dealers send short lists. */
function drawWatchCount(random: Random, market: DemoMarket): number {
  if (market === "EU") return random.isBelow(0.9) ? 1 : 2;
  return market === "HK" ? random.integer(1, 7) : random.integer(1, 3);
}

interface Version {
  readonly atMs: number;
  readonly text: string;
  readonly asks: readonly DemoAsk[];
  /** After an edit that drops the price. */
  readonly edited?: { readonly text: string; readonly asks: readonly DemoAsk[] };
}

/** The first offer, then repeats over the next days, some at a lower or at a higher price. */
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
      if (random.isBelow(RAISED_SHARE)) {
        asks = asks.map((ask) => raisePrice(random, ask));
        text = writeText(random, dealer.market, asks);
      } else if (random.isBelow(LOWERED_SHARE)) {
        asks = asks.map((ask) => (random.isBelow(0.6) ? dropPrice(random, ask) : ask));
        text = writeText(random, dealer.market, asks);
      }
    }
    const isEdited = random.isBelow(0.04);
    const dropped = isEdited ? asks.map((ask) => dropPrice(random, ask)) : [];
    versions.push({
      atMs,
      text,
      asks,
      ...(isEdited
        ? { edited: { text: writeText(random, dealer.market, dropped), asks: dropped } }
        : {}),
    });
  }
  return versions;
}

/** Posts the same text in several groups within the hour. Each is a message of its own. */
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
    // The gateway reports times in whole seconds.
    const atMs = Math.floor(version.atMs / 1000) * 1000 + turn * random.integer(20, 700) * 1000;
    const isRevoked = random.isBelow(0.02);
    return {
      group,
      dealer,
      rawId: rawIdOf(`${post.key}/${turn}`),
      atMs,
      text: version.text,
      hasMedia,
      asks: version.asks,
      ...(version.edited === undefined
        ? {}
        : { edit: { ...version.edited, atMs: atMs + random.integer(60, 800) * 1000 } }),
      ...(isRevoked ? { revokedAtMs: atMs + random.integer(1, 300) * MINUTE_MS } : {}),
    };
  });
}

/** A dealer looks at the buys of the last day, so that day has more of them: about one in an hour. */
const BARGAIN_SLOT_MS = 30 * MINUTE_MS;
const BARGAIN_SLOT_SHARE = 0.7;

/** Returns bargains of the last day of the range. Each half hour has at most one, which depends on that half hour only. */
export function listBargains(
  market: Market,
  range: { readonly fromMs: number; readonly toMs: number },
): readonly DemoMessage[] {
  const fromMs = Math.max(range.fromMs, range.toMs - DAY_MS);
  const post = createPoster(market);
  const messages: DemoMessage[] = [];
  for (
    let slot = Math.ceil(fromMs / BARGAIN_SLOT_MS);
    slot * BARGAIN_SLOT_MS < range.toMs;
    slot += 1
  ) {
    const random = createRandom("bargain", slot);
    const atMs = slot * BARGAIN_SLOT_MS + random.integer(0, BARGAIN_SLOT_MS / 1000 - 1) * 1000;
    if (random.isBelow(BARGAIN_SLOT_SHARE) && atMs < range.toMs)
      messages.push(post(random, { atMs, key: `bargain/${slot}`, isBargain: true }));
  }
  return messages;
}

interface Single {
  readonly atMs: number;
  /** What its id is made of. */
  readonly key: string;
  readonly isBargain: boolean;
}

/**
 * Returns a function that writes an offer of one watch. Uses only dealers in groups of the European session, because the
 * Hong Kong session is silent.
 */
export function createPoster(market: Market): (random: Random, single: Single) => DemoMessage {
  const isSeen = (group: DemoMessage["group"]): boolean =>
    sessionsOf(group, market.groups).includes(EU_SESSION);
  const dealers = market.dealers.filter(
    (dealer) => dealer.market !== "US" && !dealer.isHidden && dealer.groups.some(isSeen),
  );
  // The most traded watches. Their prices are known, so a bargain is recognised as a buy.
  const mostTraded = market.watches.slice(0, Math.ceil(market.watches.length / 5));
  return (random, { atMs, key, isBargain }) => {
    const dealer = random.pick(dealers);
    const ask = drawAsk(random, {
      piece: key,
      watches: isBargain ? mostTraded : market.watches,
      market: dealer.market,
      atMs,
      dealerBias: isBargain ? 0 : dealer.bias,
      isBargain,
    });
    return {
      group: random.pick(dealer.groups.filter(isSeen)),
      dealer,
      rawId: rawIdOf(key),
      atMs,
      text: writeText(random, dealer.market, [ask]),
      hasMedia: random.isBelow(0.3),
      asks: [ask],
    };
  };
}

/** Returns a message id in the format of phones: twenty hex digits that start with 3A. */
export function rawIdOf(key: string): string {
  return `3A${createHash("sha256").update(key).digest("hex").slice(0, 18).toUpperCase()}`;
}
