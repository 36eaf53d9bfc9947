/** Finds the phrases of talk and of requests, by the list that they are in. */
import type { Token } from "../text/token.ts";

/** Returns true if a phrase of one of these lists starts at the token. */
export function startsListed(
  tokens: readonly Token[],
  at: number,
  lists: ReadonlySet<string>,
): boolean {
  const listed = tokens[at]?.facts?.listed ?? [];
  return listed.some(({ list, rest }) => lists.has(list) && follows(tokens, at + 1, rest));
}

/** Returns true if the words are the next ones from `at` on. Signs between them do not matter. */
export function follows(tokens: readonly Token[], at: number, words: readonly string[]): boolean {
  let next = at;
  for (const word of words) {
    while (tokens[next]?.kind === "symbol") next += 1;
    if (tokens[next]?.word !== word) return false;
    next += 1;
  }
  return true;
}
