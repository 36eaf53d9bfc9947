/**
 * Places that are held for long, such as open streams and exports, shared by the tokens of one process.
 *
 * Invariant: a token takes a place only while more places are free than it holds itself. So one token can have half of them, a
 * second one half of the rest, and so on: a token that opens many leaves room for others, without a fixed share that would stay empty.
 * All console sessions of a token count as that token.
 *
 * Example: there are 16 places. Token A takes 8, and its ninth request is refused with 429. Token B takes 4, and C takes 2. Only when
 * all 16 are taken does the first request of another token get 503.
 */
import { AppError } from "../../base/errors.ts";

export interface Places {
  /** Takes a place for the token, and returns the function that gives it back. Throws if there is none for it. */
  take(tokenId: string): () => void;
}

interface PlacesOptions {
  readonly countMax: number;
  /** What takes the places, as in "too many streams are open". */
  readonly things: string;
}

export function createPlaces({ countMax, things }: PlacesOptions): Places {
  const counts = new Map<string, number>();
  let takenCount = 0;
  const add = (tokenId: string, change: number): void => {
    takenCount += change;
    const count = (counts.get(tokenId) ?? 0) + change;
    if (count === 0) counts.delete(tokenId);
    else counts.set(tokenId, count);
  };
  return {
    take: (tokenId) => {
      const freeCount = countMax - takenCount;
      const ownCount = counts.get(tokenId) ?? 0;
      if (freeCount <= 0)
        throw new AppError("overloaded", `too many ${things} are open; try again`);
      if (ownCount >= freeCount) {
        throw new AppError(
          "rate_limited",
          `this token has ${ownCount} ${things} open here, and the other places are kept for other tokens; close one of them, ` +
            "or use another token",
        );
      }
      add(tokenId, 1);
      let isTaken = true;
      return () => {
        if (isTaken) add(tokenId, -1);
        isTaken = false;
      };
    },
  };
}
