import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { sleep } from "../base/sleep.ts";
import type { Intake } from "../intake/receive-event.ts";
import { drawAsk } from "./asks.ts";
import { EU_SESSION, sessionsOf } from "./dealers.ts";
import { reporterOf } from "./market-events.ts";
import { createMarket, type DemoMessage, type MarketSize, rawIdOf } from "./posts.ts";
import { createRandom } from "./random.ts";
import { writeText } from "./texts.ts";
import { toMessageBody } from "./waha-bodies.ts";

export interface Trickle {
  stop(): Promise<void>;
}

export interface TrickleOptions {
  readonly intake: Intake;
  readonly clock: Clock;
  readonly log: Logger;
  readonly size: MarketSize;
}

/** Fast at first, while a user is likely to watch. Then slow, so that a demo left running does not fill the disk. */
const QUICK_DELAY_MS = 3_000;
const SLOW_DELAY_MS = 30_000;
const QUICK_COUNT = 300;
/** One message in this many is a bargain, so that a buy appears about twice a minute at first. */
const BARGAIN_EVERY = 6;

/** Stores new messages while the demo runs, as if the gateway had just posted them. */
export function startTrickle(options: TrickleOptions): Trickle {
  const { intake, clock, log } = options;
  const stop = new AbortController();
  const messages = trickleOf(options.size, clock);
  const post = async (): Promise<void> => {
    for (let count = 0; !stop.signal.aborted; count += 1) {
      await sleep(count < QUICK_COUNT ? QUICK_DELAY_MS : SLOW_DELAY_MS, stop.signal);
      if (stop.signal.aborted) return;
      const message = messages(count);
      const { body } = toMessageBody(reporterOf(EU_SESSION, message.atMs), message);
      try {
        await intake.receive({
          gateway: "waha",
          origin: "webhook",
          body: Buffer.from(JSON.stringify(body)),
          receivedAtMs: clock.nowMs(),
        });
      } catch (error) {
        log.warn({ err: error }, "could not store a demo message");
      }
    }
  };
  const posting = post();
  return {
    stop: async () => {
      stop.abort();
      await posting;
    },
  };
}

/** Uses only dealers in groups of the European session, because the Hong Kong session is silent. */
function trickleOf(size: MarketSize, clock: Clock): (count: number) => DemoMessage {
  const market = createMarket(size);
  const isSeen = (group: DemoMessage["group"]): boolean =>
    sessionsOf(group, market.groups).includes(EU_SESSION);
  const dealers = market.dealers.filter(
    (dealer) => dealer.market !== "US" && !dealer.isHidden && dealer.groups.some(isSeen),
  );
  const startedAtMs = clock.nowMs();
  // The most traded watches. Their prices are known, so a bargain is recognised as a buy.
  const mostTraded = market.watches.slice(0, Math.ceil(market.watches.length / 5));
  return (count) => {
    const random = createRandom("trickle", startedAtMs, count);
    const dealer = random.pick(dealers);
    const isBargain = count % BARGAIN_EVERY === BARGAIN_EVERY - 1;
    // The gateway reports times in whole seconds.
    const atMs = Math.floor(clock.nowMs() / 1000) * 1000;
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
      rawId: rawIdOf(`trickle/${startedAtMs}/${count}`),
      atMs,
      text: writeText(random, dealer.market, [ask]),
      hasMedia: random.isBelow(0.3),
    };
  };
}
