import { DAY_MS, MINUTE_MS } from "../base/clock.ts";
import { drawAsk } from "./asks.ts";
import { EU_SESSION, sessionsOf } from "./dealers.ts";
import { type DemoMessage, type Market, rawIdOf } from "./posts.ts";
import { createRandom, type Random } from "./random.ts";
import { writeText } from "./texts.ts";

/** A dealer looks at the buys of the last day, so that day has more of them: about one in an hour. */
const SLOT_MS = 30 * MINUTE_MS;
const SHARE = 0.7;

/** Returns bargains of the last day of the range. Each half hour has at most one, which depends on that half hour only. */
export function listBargains(
  market: Market,
  range: { readonly fromMs: number; readonly toMs: number },
): readonly DemoMessage[] {
  const fromMs = Math.max(range.fromMs, range.toMs - DAY_MS);
  const post = createPoster(market);
  const messages: DemoMessage[] = [];
  for (let slot = Math.ceil(fromMs / SLOT_MS); slot * SLOT_MS < range.toMs; slot += 1) {
    const random = createRandom("bargain", slot);
    const atMs = slot * SLOT_MS + random.integer(0, SLOT_MS / 1000 - 1) * 1000;
    if (random.isBelow(SHARE) && atMs < range.toMs)
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
    };
  };
}
