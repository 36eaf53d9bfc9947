// Dealers' messages for the benchmarks: a generated mix of the styles of the three markets, the same in every run.

import { systemClock } from "../../src/base/clock.ts";
import { aMessageEvent } from "../../test/support/waha.ts";

export const DEALERS = 400;
const GROUPS = 60;

/** The gateway's event of post number `at`. Dealers and groups take turns. */
export function aPost(post: {
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly atMs?: number;
}) {
  const { id, at, text, atMs = systemClock.nowMs() } = post;
  const dealer = at % DEALERS;
  return aMessageEvent({
    rawId: id,
    group: `1203630000000${100 + (at % GROUPS)}@g.us`,
    sender: { phone: `4477009${1000 + dealer}`, lid: `1999${dealer}`, name: `Dealer ${dealer}` },
    text,
    atS: Math.floor(atMs / 1000),
  });
}

/** The next message of the mix. */
export function nextMessage(): string {
  return pick(WRITERS)();
}

/** A seeded random generator, so that every run reads the same messages. */
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

const REFERENCES = (
  "126334, 126610LN, 126710BLRO, 116500LN, 228238, 5711/1A, 5167A-001, 7118/1200R, 5980/1AR, 15510ST, 26240OR, RM 67-02, " +
  "WSSA0062, 310.30.42.50.01.001, 4500V/110A-B128, IW371605, PAM01312, 79360N"
).split(", ");
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
