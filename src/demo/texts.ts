import type { DemoAsk, DemoMarket } from "./asks.ts";
import type { Random } from "./random.ts";

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
