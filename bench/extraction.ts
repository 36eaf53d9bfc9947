// How many messages one core reads in a second, over a generated mix of the ways in which the three markets write.
//   node --import tsx bench/extraction.ts
import { buildCatalogue } from "../src/listings/extraction/catalogue/catalogue.ts";
import { extract } from "../src/listings/extraction/extract.ts";

const MESSAGES = 20_000;
const ROUNDS = 5;

/** A small generator of our own, so that every run reads the same messages. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const random = makeRandom(20_260_401);
const pick = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;
const number = (min: number, max: number): number => min + Math.floor(random() * (max - min));

const REFERENCES = [
  "126334",
  "126610LN",
  "126710BLRO",
  "116500LN",
  "228238",
  "5711/1A",
  "5167A-001",
  "7118/1200R",
  "5980/1AR",
  "15510ST",
  "26240OR",
  "RM 67-02",
  "WSSA0062",
  "310.30.42.50.01.001",
  "4500V/110A-B128",
  "IW371605",
  "PAM01312",
  "79360N",
];
const DIALS = ["blue", "blk", "white roman", "champ", "green", "wim jub", "MOP", ""];
const STATES = ["new", "unworn", "like new", "used", "good condition", "mint", ""];
const SETS = ["full set", "w/c", "watch only", "complete", "box and papers", ""];

const euro = (): string => `€${number(4, 90)}.${number(100, 999)}`;
const hongKong = (): string =>
  pick([
    `HKD${number(60, 990)}k`,
    `${number(60, 990)}000 hkd`,
    `HKD ${(1 + random() * 4).toFixed(2)}m`,
  ]);
const line = (): string =>
  `${pick(REFERENCES)} ${pick(DIALS)} N${number(1, 13)}/${number(24, 27)} ${hongKong()}`;

const WRITERS: readonly (() => string)[] = [
  () =>
    `${pick(REFERENCES)} ${pick(DIALS)} ${pick(STATES)} ${number(2015, 2026)} ${pick(SETS)} ${euro()} + label`,
  () =>
    `WTS\n\nRolex ${pick(REFERENCES)}\n\n${pick(DIALS)} dial\n\n${number(2015, 2026)} ${pick(STATES)}, ${pick(SETS)}\n\n${euro()},-`,
  () => `🔥${line()}`,
  () => Array.from({ length: 6 }, () => `💎 ${line()}`).join("\n"),
  () =>
    `${pick(["WTB", "NTQ", "Looking for", "Sold order"])} ${pick(REFERENCES)} ${pick(DIALS)} ${pick(STATES)}`,
  () =>
    `${pick(REFERENCES)} ${number(2015, 2026)} ${pick(SETS)} $${number(8, 90)},${number(100, 999)} + label`,
  () => pick(["We have", "Thanks", "PM me please", "Incoming"]),
];

const messages = Array.from({ length: MESSAGES }, () => pick(WRITERS)());
const catalogue = buildCatalogue();

/** CPU time of one core, so that a busy machine changes the figure little. */
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

/** The peer: what one expression can find, with nothing decided about it. */
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
