/** What dealers of the demo ask for a watch, and the words in which they write it. */
import { DAY_MS } from "../base/clock.ts";
import { createRandom, type Random } from "./random.ts";
import type { DemoWatch } from "./watches.ts";

type DemoCondition = "NEW" | "LIKE_NEW" | "USED";
type DemoSet = "FULL_SET" | "WATCH_AND_CARD" | "WATCH";
export type DemoMarket = "EU" | "HK" | "US";

/** One watch that a dealer offers, and the price. The generator writes the text of a message from it. */
export interface DemoAsk {
  /** Which piece it is: the same in all messages that offer it. */
  readonly piece: string;
  readonly watch: DemoWatch;
  readonly dial?: string;
  readonly year: number;
  readonly month: number;
  readonly condition: DemoCondition;
  readonly set: DemoSet;
  readonly amount: number;
  readonly currency: "EUR" | "HKD" | "USD" | "USDT";
  /** It was made cheap. A later price may be another. */
  readonly isBargain: boolean;
}

/** Standard deviation of asks, as a share of what the watch is worth. */
const NOISE = 0.008;
const BARGAIN_SHARE = 0.02;
const CONDITION_WORTH = { NEW: 1, LIKE_NEW: 0.955, USED: 0.9 } as const;
const SET_WORTH = { FULL_SET: 1, WATCH_AND_CARD: 0.985, WATCH: 0.93 } as const;
const SECOND_DIAL_WORTH = 0.93;
/** A watch loses this share of its worth with each year of age. */
const YEARLY_LOSS = 0.012;

/** Units of a currency per euro, changing every week. The demo manifest declares the same rates. */
export function demoRate(currency: "HKD" | "USD" | "USDT", atMs: number): number {
  const week = Math.floor(atMs / (7 * DAY_MS));
  const usd = 1.165 + 0.012 * Math.sin(week / 3) + 0.006 * Math.sin(week * 1.7);
  const rate = currency === "HKD" ? usd * 7.793 : usd;
  return Math.round(rate * 10_000) / 10_000;
}

/** Returns what a watch is worth in Europe. The price level of each reference changes slowly over time. */
export function worthEur(
  ask: Pick<DemoAsk, "watch" | "dial" | "year" | "condition" | "set">,
  atMs: number,
): number {
  const { watch } = ask;
  const phase = createRandom("phase", watch.reference).next() * 2 * Math.PI;
  const level = 1 + 0.02 * Math.sin((atMs / DAY_MS / 330) * 2 * Math.PI + phase);
  const age = Math.max(0, new Date(atMs).getUTCFullYear() - ask.year);
  const dial = ask.dial !== undefined && ask.dial !== watch.dials[0] ? SECOND_DIAL_WORTH : 1;
  return (
    watch.worthEur *
    level *
    CONDITION_WORTH[ask.condition] *
    SET_WORTH[ask.set] *
    dial *
    (1 - YEARLY_LOSS) ** age
  );
}

interface AskOptions {
  readonly piece: string;
  readonly watches: readonly DemoWatch[];
  readonly market: DemoMarket;
  readonly atMs: number;
  /** How far this dealer's asks lie above the average, as a share. Each dealer keeps the same bias. */
  readonly dealerBias: number;
  readonly isBargain?: boolean;
}

export function drawAsk(random: Random, options: AskOptions): DemoAsk {
  const { market, atMs } = options;
  const watch = drawWatch(random, options.watches);
  const details = { watch, ...drawDetails(random, watch, { market, atMs }) };
  const isBargain = options.isBargain ?? random.isBelow(BARGAIN_SHARE);
  const bargain = isBargain ? 0.86 + random.next() * 0.06 : 1;
  const factor = bargain * (1 + options.dealerBias + NOISE * random.normal());
  return {
    piece: options.piece,
    ...details,
    ...toAmount(random, worthEur(details, atMs) * factor, { market, atMs }),
    isBargain,
  };
}

/** Prefers the head of the list: a few references make up most of the trade. */
function drawWatch(random: Random, watches: readonly DemoWatch[]): DemoWatch {
  const at = Math.floor(random.next() ** 1.6 * watches.length);
  return watches[at] ?? random.pick(watches);
}

function drawDetails(
  random: Random,
  watch: DemoWatch,
  { market, atMs }: { readonly market: DemoMarket; readonly atMs: number },
) {
  const now = new Date(atMs);
  const thisYear = now.getUTCFullYear();
  const newest = Math.min(watch.lastYear ?? thisYear, thisYear);
  const isNew = newest >= thisYear && random.isBelow(market === "HK" ? 0.7 : 0.45);
  // A new watch is at most one year old, others at most three, so that each cell gets enough listings.
  const age = isNew ? random.integer(0, 1) : Math.floor(random.next() ** 1.4 * 4);
  const year = Math.max(watch.firstYear, newest - age);
  const lastMonth = year === thisYear ? now.getUTCMonth() + 1 : 12;
  const set: DemoSet = isNew || random.isBelow(0.86) ? "FULL_SET" : drawSet(random);
  return {
    year,
    month: random.integer(1, lastMonth),
    condition: isNew ? ("NEW" as const) : random.isBelow(0.4) ? ("LIKE_NEW" as const) : "USED",
    set,
    ...(watch.dials.length > 0 ? { dial: random.pick(watch.dials) } : {}),
  } satisfies Omit<DemoAsk, "piece" | "watch" | "amount" | "currency" | "isBargain">;
}

function drawSet(random: Random): DemoSet {
  return random.isBelow(0.75) ? "WATCH_AND_CARD" : "WATCH";
}

/** What dealers of a market ask for a watch that is worth 1 in Europe. In Hong Kong it is with the mark-up. */
export const MARKET_SHARES = { EU: 1, HK: 0.99, US: 0.98 } as const;

/** Prices in Hong Kong are a little below those in Europe, even with the mark-up. American dealers quote in dollars. */
function toAmount(
  random: Random,
  worth: number,
  { market, atMs }: { readonly market: DemoMarket; readonly atMs: number },
): Pick<DemoAsk, "amount" | "currency"> {
  if (market === "EU") return { amount: roundTo(worth, worth < 8_000 ? 50 : 100), currency: "EUR" };
  if (market === "US") {
    const usd = worth * MARKET_SHARES.US * demoRate("USD", atMs);
    return { amount: roundTo(usd, usd < 8_000 ? 50 : 100), currency: "USD" };
  }
  const local = (worth * MARKET_SHARES.HK - 150) / 1.05;
  if (random.isBelow(0.06)) {
    return { amount: roundTo(local * demoRate("USDT", atMs), 100), currency: "USDT" };
  }
  const hkd = local * demoRate("HKD", atMs);
  return { amount: roundTo(hkd, hkd < 100_000 ? 500 : 1_000), currency: "HKD" };
}

/** Returns the same watch at a lower price, as dealers do when it does not sell. */
export function dropPrice(random: Random, ask: DemoAsk): DemoAsk {
  return reprice(ask, 0.965 + random.next() * 0.025);
}

/** Returns the same watch at a higher price, as dealers do when many ask for it. */
export function raisePrice(random: Random, ask: DemoAsk): DemoAsk {
  return reprice(ask, 1.03 + random.next() * 0.05);
}

function reprice(ask: DemoAsk, factor: number): DemoAsk {
  return { ...ask, amount: roundTo(ask.amount * factor, ask.currency === "HKD" ? 500 : 50) };
}

function roundTo(amount: number, step: number): number {
  return Math.max(step, Math.round(amount / step) * step);
}

/** Writes a message in the style of a market's dealers. The service sees only this text, never the asks behind it. */
export function writeText(random: Random, market: DemoMarket, asks: readonly DemoAsk[]): string {
  if (market === "EU") return writeEu(random, asks);
  return market === "HK" ? writeHk(random, asks) : writeUs(random, asks);
}

const CONDITIONS = {
  NEW: ["new", "unworn", "brand new", "new, never worn", "BNIB"],
  LIKE_NEW: ["like new", "as new", "mint condition", "LNIB"],
  USED: ["used", "pre-owned", "very good condition", "worn, good condition"],
} as const;

const SETS = {
  FULL_SET: ["full set", "box & papers", "complete set"],
  WATCH_AND_CARD: ["watch & card", "no box"],
  WATCH: ["watch only"],
} as const;

function writeEu(random: Random, asks: readonly DemoAsk[]): string {
  return asks
    .map((ask) => {
      const name = `${nameOf(random, ask)}${ask.watch.reference}${dialOf(random, ask, " dial")}`;
      const date = random.isBelow(0.5) ? `${twoDigits(ask.month)}/${ask.year}` : String(ask.year);
      const condition = random.pick(CONDITIONS[ask.condition]);
      const set = random.pick(SETS[ask.set]);
      const price = `${euros(random, ask.amount)}${random.pick(["", "", " + ship", " + label", " shipped"])}`;
      if (random.isBelow(0.55)) return `${name}\n\n${date}\n${set}\n${condition}\n\n${price}`;
      return `${random.pick(["", "", "FS: ", "WTS "])}${name} ${date} ${set} ${condition} ${price}`;
    })
    .join("\n\n");
}

function euros(random: Random, amount: number): string {
  const dotted = grouped(amount, ".");
  return random.pick([
    `€${dotted}`,
    `${dotted}€`,
    `€ ${dotted},-`,
    `EUR ${dotted}`,
    `${dotted} eur`,
  ]);
}

const HK_HEADS = [
  "🔥 Stock today, HK ready",
  "Available in HK 🇭🇰",
  "Daily list ✅ HK stock",
  "Ready stock HK",
];

const HK_TAILS = ["PM for photos", "Need HK export", "Serious buyers only", ""];

function writeHk(random: Random, asks: readonly DemoAsk[]): string {
  const bullet = random.pick(["", "▪️", "⭐ ", "• "]);
  const lines = asks.map((ask) => {
    const name = `${ask.watch.reference}${dialOf(random, ask, "")}`;
    const isCardDate = ask.condition === "NEW" && random.isBelow(0.6);
    const set = isCardDate && random.isBelow(0.7) ? "" : ` ${random.pick(SETS[ask.set])}`;
    // The set comes before the condition, because in "new box & papers" the word "new" would describe the box.
    const state = isCardDate
      ? `N${ask.month}/${String(ask.year).slice(2)}${set}`
      : `${ask.year}${set} ${random.pick(CONDITIONS[ask.condition])}`;
    return `${bullet}${name} ${state} ${hkPrice(random, ask)}`;
  });
  if (asks.length === 1) return lines.join("\n");
  return [random.pick(HK_HEADS), "", ...lines, "", random.pick(HK_TAILS)].join("\n").trim();
}

function hkPrice(random: Random, ask: DemoAsk): string {
  if (ask.currency === "USDT") return `${grouped(ask.amount, ",")} usdt`;
  const thousands = ask.amount / 1_000;
  const short = thousands >= 1_000 ? `${thousands / 1_000}m` : `${thousands}k`;
  return random.pick([
    `HKD ${grouped(ask.amount, ",")}`,
    `HKD${grouped(ask.amount, ",")}`,
    `hkd ${short}`,
    `${short} hkd`,
  ]);
}

function writeUs(random: Random, asks: readonly DemoAsk[]): string {
  const lines = asks.map((ask) => {
    const name = `${nameOf(random, ask)}${ask.watch.reference}${dialOf(random, ask, " dial")}`;
    const condition = random.pick(CONDITIONS[ask.condition]);
    const price = `$${grouped(ask.amount, ",")}`;
    return `${name} ${ask.year} ${random.pick(SETS[ask.set])} ${condition} ${price}${random.pick(["", " + label"])}`;
  });
  return asks.length === 1 ? lines.join("\n") : ["Available in the US", ...lines].join("\n");
}

const WANTED = ["WTB", "Looking for", "Need", "LF"];

/** Writes a request for a watch, sometimes with a budget. */
export function writeWanted(random: Random, ask: DemoAsk): string {
  const budget =
    ask.currency === "EUR" && random.isBelow(0.4)
      ? `\npaying up to €${grouped(ask.amount, ".")}`
      : "";
  const name = `${ask.watch.reference}${dialOf(random, ask, "")}`;
  return `${random.pick(WANTED)} ${name} ${ask.year} ${random.pick(SETS.FULL_SET)}${budget}`;
}

const SOLD = ["SOLD", "Sold", "sold ✅", "SOLD, thanks"];

/** Writes the reply to an own post when a watch is sold. Below a list it names the watch. */
export function writeSold(random: Random, ask: DemoAsk, isList: boolean): string {
  return `${isList ? `${ask.watch.reference} ` : ""}${random.pick(SOLD)}`;
}

const CHATTER = [
  "Good morning all",
  "Thanks, deal closed ✅",
  "Who is at the fair next week?",
  "Group rules: dealers only, no retail, no leads",
  "Happy weekend everyone",
  "Shipping label sent, thank you",
  "Anyone with a good polisher in town?",
];

export function writeChatter(random: Random): string {
  return random.pick(CHATTER);
}

function nameOf(random: Random, { watch }: DemoAsk): string {
  return random.pick([`${watch.brand} ${watch.model} `, `${watch.brand} `, ""]);
}

function dialOf(random: Random, ask: DemoAsk, word: string): string {
  if (ask.dial === undefined) return "";
  return ` ${ask.dial}${random.isBelow(0.5) ? word : ""}`;
}

function grouped(amount: number, separator: "." | ","): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, separator);
}

function twoDigits(month: number): string {
  return String(month).padStart(2, "0");
}
