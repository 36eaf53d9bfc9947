// How many messages one core extracts per second, from a generated mix of the styles of the three markets. Beside it, in
// the same run: what a single regular expression finds, without any decision about what it means.
//   node --import tsx bench/extraction.ts

import { buildCatalogue } from "../src/extraction/catalogue/catalogue.ts";
import { extract } from "../src/extraction/extract.ts";
import { nextMessage } from "./support/messages.ts";
import { cpuUs, inTurns, runBenchmark } from "./support/runner.ts";

const MESSAGES = 20_000;
const ROUNDS = 5;
const NAIVE = /\b\d{4,6}[A-Z]{0,4}\b|\b\d{1,3}(?:[.,]\d{3})+\b|\b(?:19|20)\d\d\b/gi;

await runBenchmark("extraction", async () => {
  const messages = Array.from({ length: MESSAGES }, nextMessage);
  const catalogue = buildCatalogue();
  let listingCount = 0;
  const extractAll = (): void => {
    listingCount = 0;
    for (const text of messages) {
      const input = { text, messageDate: { year: 2026, month: 4 }, defaultCurrency: "HKD" };
      listingCount += extract(input, catalogue).listings.length;
    }
  };
  const findNaively = (): void => {
    for (const text of messages) text.match(NAIVE);
  };

  const times = await inTurns(ROUNDS, {
    extract: async () => cpuUs(extractAll),
    naive: async () => cpuUs(findNaively),
  });
  const perSecond = (count: number, runsUs: readonly number[]) =>
    Math.round((count * 1e6) / Math.min(...runsUs));
  return {
    benchmark: "extraction",
    messages: MESSAGES,
    listings: listingCount,
    messages_per_second: perSecond(MESSAGES, times.extract),
    listings_per_second: perSecond(listingCount, times.extract),
    naive_expression_messages_per_second: perSecond(MESSAGES, times.naive),
  };
});
