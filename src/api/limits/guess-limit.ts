/**
 * Limits wrong credentials by the network of the client, without keeping out anyone who has a valid one. Behind a proxy or in an
 * office, many clients share an address, and a stranger there must not lock the others out. So a credential is looked up first,
 * and only a wrong one counts.
 *
 * Invariant: a network that has used up its limit still gets a valid credential checked. But only few of its look-ups are made
 * at a time, with those of other such networks, so that guessing cannot exhaust the store.
 *
 * Example: with 20 per minute, a network sends 20 wrong codes and gets 401 for each. The 21st wrong one gets 429. A right
 * one is still answered as usual.
 */
import type { FastifyRequest } from "fastify";
import { type Clock, SECOND_MS } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import { createMinuteBuckets } from "../../base/shares/bucket.ts";
import { createSlots } from "../../base/shares/slots.ts";

export interface GuessLimit {
  /** Returns what `find` returns. Throws `rate_limited` instead of returning undefined if the limit is used up. */
  check<Found>(
    request: FastifyRequest,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined>;
}

interface GuessLimitOptions {
  readonly perMinute: number;
  readonly clock: Pick<Clock, "elapsedMs">;
  /** Returns the key under which the guesses of a request are counted. */
  readonly networkOf: (request: FastifyRequest) => string;
  /** What is guessed, as the caller is told. */
  readonly what: string;
}

/** A look-up takes about a millisecond, so these are still thousands per second, and a small part of the connections. */
const SUSPECTS_AT_ONCE = 4;
const SUSPECT_WAIT_MAX_MS = 3 * SECOND_MS;

export function createGuessLimit(options: GuessLimitOptions): GuessLimit {
  const { networkOf, what } = options;
  const limit = createMinuteBuckets(options);
  const suspects = createSlots({
    countMax: SUSPECTS_AT_ONCE,
    things: what,
    waitMaxMs: SUSPECT_WAIT_MAX_MS,
  });
  const findInLine = async <Found>(network: string, find: () => Promise<Found>): Promise<Found> => {
    const slot = await suspects.enter({ key: network });
    try {
      return await find();
    } finally {
      suspects.leave(slot);
    }
  };
  return {
    check: async (request, find) => {
      const network = networkOf(request);
      // Taken before the look-up, so that guesses at the same time cannot exceed the limit together.
      const waitSeconds = limit.take(network);
      if (waitSeconds === undefined) {
        let isWrong = false;
        try {
          const found = await find();
          isWrong = found === undefined;
          return found;
        } finally {
          if (!isWrong) limit.giveBack(network);
        }
      }
      const found = await findInLine(network, find);
      if (found !== undefined) return found;
      throw new AppError(
        "rate_limited",
        `too many ${what} from this address; try again in ${waitSeconds} s`,
        undefined,
        waitSeconds,
      );
    },
  };
}
