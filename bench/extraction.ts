// How many messages one core extracts per second, from a generated mix of the styles of the three markets.
//   node --import tsx bench/extraction.ts
import { buildCatalogue } from "../src/extraction/catalogue/catalogue.ts";
import { extract } from "../src/extraction/extract.ts";
import { nextMessage } from "./dealer-messages.ts";

const MESSAGES = 20_000;
const ROUNDS = 5;

const messages = Array.from({ length: MESSAGES }, nextMessage);
const catalogue = buildCatalogue();

/** CPU time of one core, which other programs on the machine affect little. */
function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

let listingCount = 0;
function readAll(): void {
  listingCount = 0;
  for (const text of messages) {
    const input = { text, messageDate: { year: 2026, month: 4 }, defaultCurrency: "HKD" };
    listingCount += extract(input, catalogue).listings.length;
  }
}

/** The peer: what a single regular expression finds, without any decision about what it means. */
function findNaively(): void {
  for (const text of messages)
    text.match(/\b\d{4,6}[A-Z]{0,4}\b|\b\d{1,3}(?:[.,]\d{3})+\b|\b(?:19|20)\d\d\b/gi);
}

const best = (work: () => void): number =>
  Math.min(...Array.from({ length: ROUNDS }, () => cpuSeconds(work)));
const seconds = best(readAll);
const naive = best(findNaively);
process.stdout.write(
  `${JSON.stringify({
    benchmark: "extraction",
    messages: MESSAGES,
    listings: listingCount,
    messages_per_second: Math.round(MESSAGES / seconds),
    listings_per_second: Math.round(listingCount / seconds),
    naive_expression_messages_per_second: Math.round(MESSAGES / naive),
  })}\n`,
);
