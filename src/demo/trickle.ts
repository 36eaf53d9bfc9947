import { type Clock, sleep } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Intake } from "../intake/receive-event.ts";
import { EU_SESSION } from "./dealers.ts";
import { reporterOf } from "./market-events.ts";
import { createMarket, createPoster, type DemoMessage, type MarketSize } from "./posts.ts";
import { createRandom } from "./random.ts";
import { toMessageBody } from "./waha-bodies.ts";

interface Trickle {
  stop(): Promise<void>;
}

interface TrickleOptions {
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

function trickleOf(size: MarketSize, clock: Clock): (count: number) => DemoMessage {
  const post = createPoster(createMarket(size));
  const startedAtMs = clock.nowMs();
  return (count) =>
    post(createRandom("trickle", startedAtMs, count), {
      // The gateway reports times in whole seconds.
      atMs: Math.floor(clock.nowMs() / 1000) * 1000,
      key: `trickle/${startedAtMs}/${count}`,
      isBargain: count % BARGAIN_EVERY === BARGAIN_EVERY - 1,
    });
}
