// A generated market for the benchmarks, skewed like a real one. Every run generates the same market.

import { DAY_MS } from "../../src/base/clock.ts";
import { type ListingFacts, toFoldedColumns } from "../../src/listings/listing.ts";
import { toSearchTexts } from "../../src/listings/search-text.ts";

export const NOW_MS = Date.UTC(2026, 10, 15, 12);
const BRANDS = 200;
const MODELS = 4_000;
const REFERENCES = 20_000;
const PHONES = 20_000;
const GROUPS = 2_000;
const WORDS = 5_000;
const DIALS =
  "black, white, blue, green, silver, grey, brown, red, salmon, ice blue, meteorite, champagne".split(
    ", ",
  );
const CONDITIONS = ["NEW", "LIKE_NEW", "USED"] as const;
const COUNTRY_CODES =
  "852 44 1 49 33 39 971 65 81 86 41 31 32 34 90 7 66 60 62 82 886 61 48 43 45 46 47 351 30 36".split(
    " ",
  );

export type Random = () => number;
export type FilterObject = Readonly<Record<string, unknown>>;

export type MarketListing = ListingFacts & {
  readonly brand: string;
  readonly model: string;
  readonly reference: string;
};

export interface Market {
  filter(): FilterObject;
  listing(): MarketListing;
}

/** Mulberry32: small, fast and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function createMarket(seed: number): Market {
  const random = createRandom(seed);
  const world = createWorld();
  return { filter: () => aFilter(random, world), listing: () => aListing(random, world) };
}

function createWorld() {
  const fixed = createRandom(1);
  const models = Array.from({ length: MODELS }, (_, at) => ({
    name: `model ${at.toString(36)}`,
    brand: `Brand ${Math.floor(fixed() ** 3 * BRANDS).toString(36)}`,
  }));
  const references = Array.from({ length: REFERENCES }, (_, at) => {
    const model = models[Math.floor(fixed() * MODELS)] ?? { name: "", brand: "" };
    return {
      ...model,
      reference: `${100_000 + at}/${at % 7}A`,
      eurMinor: 100_000 + Math.floor(fixed() ** 4 * 20_000_000),
    };
  });
  return {
    references,
    phones: Array.from(
      { length: PHONES },
      (_, at) => `${COUNTRY_CODES[pickCountry(fixed)]}${70_000_000 + at}`,
    ),
    pickReference: zipfTable(REFERENCES, 0.8),
    pickPhone: zipfTable(PHONES, 0.7),
    pickWord: zipfTable(WORDS, 0.9),
    pickGroup: zipfTable(GROUPS, 0.7),
  };
}

type World = ReturnType<typeof createWorld>;

function zipfTable(size: number, exponent: number) {
  const ends = new Float64Array(size);
  let sum = 0;
  for (let at = 0; at < size; at += 1) ends[at] = sum += 1 / (at + 1) ** exponent;
  return (random: Random): number => {
    const wanted = random() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const pickCountry = zipfTable(COUNTRY_CODES.length, 0.8);
const pickDial = zipfTable(DIALS.length, 0.8);
const word = (at: number) => `w${at.toString(36)}`;
const groupId = (at: number) => `10000000-0000-5000-8000-${at.toString(16).padStart(12, "0")}`;
/** All words are equally likely: a filter for a word that every message contains would be useless. */
const askedWord = (random: Random) => Math.floor(random() * WORDS);
const yearOf = (random: Random) => 2026 - Math.floor(random() ** 2 * 40);
const conditionsOf = (random: Random) =>
  CONDITIONS.filter(() => random() < 0.5)
    .concat("NEW")
    .slice(0, 2);

/** 90 % have a brand with references or a model, a year and a condition. 10 % are broad. */
function aFilter(random: Random, world: World): FilterObject {
  return random() < 0.9 ? aNarrowFilter(random, world) : aBroadFilter(random, world);
}

function aNarrowFilter(random: Random, world: World): FilterObject {
  const main = world.references[world.pickReference(random)] ?? world.references[0];
  const near = Array.from(
    { length: Math.floor(random() * 3) },
    () => world.references[world.pickReference(random)]?.reference ?? "",
  );
  const maybe = (share: number, members: () => FilterObject) => (random() < share ? members() : {});
  const from = yearOf(random);
  const ask = main?.eurMinor ?? 0;
  return {
    brand: [main?.brand],
    ...(random() < 0.85 ? { reference: [main?.reference, ...near] } : { model: [main?.name] }),
    ...maybe(0.6, () => ({ year: random() < 0.5 ? { gte: from } : { gte: from - 5, lte: from } })),
    ...maybe(0.7, () => ({ condition: conditionsOf(random) })),
    ...maybe(0.3, () => ({
      price: { gte: Math.floor(ask * 0.7), lte: Math.floor(ask * (0.9 + random() * 0.3)) },
    })),
    ...maybe(0.2, () => ({
      country_codes:
        random() < 0.75 ? { include: someCountries(random) } : { exclude: someCountries(random) },
    })),
    ...maybe(0.05, () => ({ phone_numbers_exclude: somePhones(random, world) })),
    ...maybe(0.05, () => ({ group_ids: someGroups(random, world) })),
    ...maybe(0.03, () => ({ q: word(askedWord(random)) })),
    ...maybe(0.1, () => ({ has_media: random() < 0.8 })),
    ...maybe(0.1, () => ({ from_ms: NOW_MS - Math.floor(random() * 60 * DAY_MS) })),
  };
}

function aBroadFilter(random: Random, world: World): FilterObject {
  const price = () => {
    const gte = Math.floor(random() ** 2 * 5_000_000);
    return { gte, lte: gte + 200_000 };
  };
  const reference = world.references[world.pickReference(random)];
  const shapes: readonly (() => FilterObject)[] = [
    () => ({ country_codes: { include: someCountries(random) }, price: price() }),
    () => ({
      text_search: {
        query: `${word(askedWord(random))} ${word(askedWord(random))}`,
        mode: "exact",
      },
    }),
    () => ({ brand: [reference?.brand], price: price(), condition: ["NEW"] }),
    () => ({
      country_codes: { include: someCountries(random) },
      condition: ["USED"],
      year: { values: [yearOf(random)] },
    }),
    () => ({ phone_numbers_include: somePhones(random, world) }),
    () => ({ group_ids: someGroups(random, world), has_media: true }),
    () => ({
      country_codes: { include: someCountries(random) },
      dial_type: [DIALS[pickDial(random)]],
    }),
    () => ({ price: price(), has_media: true, dial_types: [DIALS[pickDial(random)]] }),
  ];
  return shapes[Math.floor(random() * shapes.length)]?.() ?? {};
}

function someCountries(random: Random): readonly string[] {
  return some(random, 2, () => COUNTRY_CODES[pickCountry(random)] ?? "");
}

function somePhones(random: Random, world: World): readonly string[] {
  return some(random, 3, () => world.phones[world.pickPhone(random)] ?? "");
}

function someGroups(random: Random, world: World): readonly string[] {
  return [...new Set(some(random, 3, () => groupId(world.pickGroup(random))))];
}

/** One to `countMax` items. */
function some<Item>(random: Random, countMax: number, create: () => Item): readonly Item[] {
  return Array.from({ length: 1 + Math.floor(random() * countMax) }, create);
}

let lastId = 0;

function aListing(random: Random, world: World) {
  const watch = world.references[world.pickReference(random)] ?? {
    brand: "",
    name: "",
    reference: "",
    eurMinor: 0,
  };
  const ask = Math.floor(watch.eurMinor * (0.7 + random() * 0.6));
  const dial = random() < 0.7 ? (DIALS[pickDial(random)] ?? null) : null;
  const text = Array.from({ length: 8 + Math.floor(random() * 12) }, () =>
    word(world.pickWord(random)),
  ).join(" ");
  const sentAtMs = NOW_MS - Math.floor(random() ** 2 * 365 * DAY_MS);
  const messageId = uuidOf(2, lastId);
  lastId += 1;
  const hasPrice = random() < 0.9;
  const { brand, name: model, reference } = watch;
  const words = { brand, model, reference, dial_type: dial, variant: null };
  return {
    id: uuidOf(1, lastId),
    brand,
    model,
    reference,
    dial_type: dial,
    side: random() < 0.8 ? ("for_sale" as const) : ("want_to_buy" as const),
    message_type: "selling" as const,
    ...toFoldedColumns(words),
    search_text:
      toSearchTexts(text, [{ words, lines: { sourceLines: [0], headerLines: [] } }])[0] ?? "",
    year: random() < 0.85 ? yearOf(random) : null,
    condition: random() < 0.9 ? (CONDITIONS[Math.floor(random() * 3)] ?? null) : null,
    full_set_status: random() < 0.6 ? ["FULL_SET"] : [],
    price_amount_minor: hasPrice ? ask : null,
    price_currency: hasPrice ? "EUR" : null,
    price_eur_minor: hasPrice ? ask : null,
    // One in twenty.
    price_drop_bps: hasPrice && lastId % 20 === 0 ? 1 + (lastId % 4_999) : null,
    phone_number: random() < 0.95 ? (world.phones[world.pickPhone(random)] ?? null) : null,
    group_ids: someGroups(random, world),
    group_names_folded: [],
    contact_ids: [],
    canonical_message_ids: [messageId],
    message_timestamp_ms: sentAtMs,
    last_seen_at_ms: sentAtMs + Math.floor(random() * DAY_MS),
    has_media: random() < 0.6,
    is_duplicate: random() < 0.1,
    is_hidden: random() < 0.05,
    is_not_offered: false,
    is_revoked: random() < 0.02,
  };
}

/** Spread over all ids, as hashes are: figures sample listings by their ids. */
function uuidOf(kind: number, at: number): string {
  const spread = (Math.imul(at, 0x9e37_79b1) >>> 0).toString(16).padStart(8, "0");
  return `${spread}-000${kind}-5000-8000-${at.toString(16).padStart(12, "0")}`;
}
