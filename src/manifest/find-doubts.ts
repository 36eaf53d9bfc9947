/**
 * What is allowed and probably not meant, such as a brand that neither the catalogue nor a listing has. The words of declared
 * items are compared with a `World`, for which only the words that they name are looked up.
 */
import type { ChannelOptions } from "../alerts/deliveries/channels/channel.ts";
import { findTargetRefusal } from "../alerts/deliveries/target.ts";
import { foldWord, normalizeReference } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import { type Catalogue, findKnownReference } from "../extraction/catalogue/catalogue.ts";
import { findKnownWords } from "../listings/figures/named-watch-store.ts";
import { findRatedCurrencies } from "../rates/fx-store.ts";
import type { Row, Rows } from "./parse-manifest.ts";
import { type Path, type Problem, suggest } from "./problem.ts";
import type { KindName } from "./schema.ts";

/** What the words of declared items are compared with. */
interface World {
  /** Those of the declared currencies that have a rate, or are declared with one. */
  readonly currencies: ReadonlySet<string>;
  /** Of the market, folded and normalized. */
  readonly brands: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
  /** Without it, brands and references are not checked. */
  readonly catalogue?: Catalogue;
  /** How notifications are sent. Without it, targets are not checked. */
  readonly channels?: ChannelOptions;
}

export type Judges = Pick<World, "catalogue" | "channels">;

/** Looks up only the words that the rows name. */
export async function loadWorld(tx: Database, rows: Rows, judges: Judges): Promise<World> {
  const words = collectWords(rows);
  const currencies = await loadCurrencies(tx, rows, words);
  if (judges.catalogue === undefined) {
    return { ...judges, currencies, brands: new Set(), references: new Set() };
  }
  const known = await findKnownWords(tx, words);
  return {
    ...judges,
    currencies,
    brands: new Set(known.brands),
    references: new Set(known.references),
  };
}

interface Words {
  readonly currencies: readonly string[];
  /** Folded. */
  readonly brands: readonly string[];
  /** Normalized. */
  readonly references: readonly string[];
}

function collectWords(rows: Rows): Words {
  const unique = (placed: readonly PlacedWord[], fold: (word: string) => string) => [
    ...new Set(placed.map(({ word }) => fold(word))),
  ];
  return {
    currencies: unique(placedCurrencies(rows), (word) => word),
    brands: unique(placedBrands(rows), foldWord),
    references: unique(placedReferences(rows), normalizeReference),
  };
}

async function loadCurrencies(
  tx: Database,
  rows: Rows,
  { currencies }: Words,
): Promise<ReadonlySet<string>> {
  const declared = rows.fx_rates.map(({ given }) => given.currency);
  if (currencies.length === 0) return new Set(declared);
  return new Set([...declared, ...(await findRatedCurrencies(tx, currencies))]);
}

/** Finds what is allowed and probably not meant. The caller shows it as notes. */
export function findDoubts(rows: Rows, world: World): readonly Problem[] {
  return [
    ...doubtCurrencies(rows, world),
    ...doubtBounds(rows),
    ...doubtPrices(rows),
    ...doubtGroupIds(rows),
    ...doubtBrands(rows, world),
    ...doubtReferences(rows, world),
    ...doubtTargets(rows, world),
  ];
}

/** What a strict caller is refused. Other notes are about ids of deleted things, which an export may name. */
export function toRefused(
  notes: readonly Problem[],
  doubts: readonly Problem[],
): readonly Problem[] {
  return [...notes.filter(({ reason }) => reason === "unknown_member"), ...doubts];
}

function doubtCurrencies(rows: Rows, { currencies }: World): readonly Problem[] {
  return placedCurrencies(rows)
    .filter(({ word }) => word !== "EUR" && !currencies.has(word))
    .map((placed) => noteAt(placed, `no exchange rate of ${placed.word} is known; see fx_rates`));
}

interface Bounds {
  readonly gte?: unknown;
  readonly lte?: unknown;
}

function doubtBounds(rows: Rows): readonly Problem[] {
  return filteredRows(rows).flatMap(({ row, filters }) =>
    Object.entries(filters).flatMap(([member, value]) => {
      const { gte, lte } = (value ?? {}) as Bounds;
      if (typeof gte !== "number" || typeof lte !== "number" || gte <= lte) return [];
      return [row.problemAt(["filters", member], "gte is above lte, so nothing matches")];
    }),
  );
}

/** No watch of a dealer costs less. An amount in whole euros is below it for watches up to 10,000 euros. */
const PRICE_MIN_MINOR = 10_000;

function doubtPrices(rows: Rows): readonly Problem[] {
  return filteredRows(rows).flatMap(({ row, filters }) => {
    const price = (filters["price"] ?? {}) as Bounds;
    return (["gte", "lte"] as const).flatMap((bound) => {
      const amount = price[bound];
      if (typeof amount !== "number" || amount <= 0 || amount >= PRICE_MIN_MINOR) return [];
      const text = `is ${(amount / 100).toFixed(2)} only: amounts are in minor units, such as cents`;
      return [row.problemAt(["filters", "price", bound], text)];
    });
  });
}

const GATEWAY_GROUP_ID = /^[0-9]+(-[0-9]+)?@g\.us$/;

function doubtGroupIds(rows: Rows): readonly Problem[] {
  const ofGroups = rows.groups.map((row) => ({
    row,
    path: ["gateway_group_id"],
    word: row.given.gateway_group_id,
  }));
  const ofPresets = rows.group_presets.flatMap((row) =>
    (row.given.group_ids ?? [])
      .map((word, at) => ({ row, path: ["group_ids", at], word }))
      .filter(({ word }) => word.includes("@")),
  );
  const text = "is not an id of the gateway, such as 120363000000000101@g.us";
  return [...ofGroups, ...ofPresets]
    .filter(({ word }) => !GATEWAY_GROUP_ID.test(word))
    .map((placed) => noteAt(placed, text));
}

function doubtBrands(rows: Rows, { brands, catalogue }: World): readonly Problem[] {
  if (catalogue === undefined) return [];
  const names = new Map(catalogue.brands.map(({ name }) => [foldWord(name), name]));
  return placedBrands(rows)
    .filter(({ word }) => !names.has(foldWord(word)) && !brands.has(foldWord(word)))
    .map((placed) => {
      const note = noteAt(placed, `neither the catalogue nor a listing has "${placed.word}"`);
      return { ...note, hint: () => suggest(placed.word, [...names.values()]) };
    });
}

/** The catalogue has no longer one, and each part of a word is looked up. */
const REFERENCE_LENGTH_MAX = 60;

function doubtReferences(rows: Rows, { references, catalogue }: World): readonly Problem[] {
  if (catalogue === undefined) return [];
  const isKnown = (word: string) =>
    references.has(normalizeReference(word)) ||
    (word.length <= REFERENCE_LENGTH_MAX && findKnownReference(catalogue, word) !== undefined);
  return placedReferences(rows)
    .filter(({ word }) => !isKnown(word))
    .map((placed) => noteAt(placed, `neither the catalogue nor a listing has "${placed.word}"`));
}

function doubtTargets(rows: Rows, { channels }: World): readonly Problem[] {
  if (channels === undefined) return [];
  return rows.webhooks.flatMap((row) => {
    const refusal = findTargetRefusal(row.given, channels);
    if (refusal === undefined) return [];
    const { member, reason, setting } = refusal;
    return [row.problemAt([member], `nothing will be sent there: ${reason}; see ${setting}`)];
  });
}

function noteAt({ row, path }: PlacedWord, text: string): Problem {
  return row.problemAt(path, text);
}

type Filters = Readonly<Record<string, unknown>>;

/** The rows with filters, and their filters. */
function filteredRows(rows: Rows): readonly { row: Row<KindName>; filters: Filters }[] {
  return [...rows.views, ...rows.configurations, ...rows.alerts].map((row) => ({
    row,
    filters: row.given.filters ?? {},
  }));
}

/** A word of a declared item, and its place. */
interface PlacedWord {
  readonly row: Row<KindName>;
  readonly path: Path;
  readonly word: string;
}

/** In capital letters. */
function placedCurrencies(rows: Rows): readonly PlacedWord[] {
  const ofFilters = filteredRows(rows).flatMap(({ row, filters }) => {
    const currency = (filters["price"] as { currency?: unknown } | null | undefined)?.currency;
    if (typeof currency !== "string") return [];
    return [{ row, path: ["filters", "price", "currency"], word: currency.toUpperCase() }];
  });
  const ofGroups = rows.groups.flatMap((row) => {
    const { default_currency: word } = row.given;
    return word === undefined ? [] : [{ row, path: ["default_currency"], word }];
  });
  return [...ofFilters, ...ofGroups];
}

function placedBrands(rows: Rows): readonly PlacedWord[] {
  const own = rows.configurations.map((row) => ({ row, path: ["brand"], word: row.given.brand }));
  return [...own, ...placedIn(rows, "brand")];
}

function placedReferences(rows: Rows): readonly PlacedWord[] {
  const own = rows.configurations.map((row) => {
    const { reference, market_reference } = row.given;
    return market_reference === undefined
      ? { row, path: ["reference"], word: reference }
      : { row, path: ["market_reference"], word: market_reference };
  });
  return [...own, ...placedIn(rows, "reference")];
}

/** A filter may name thousands of words; a typing error is found among the first ones too. */
const WORDS_OF_FILTER_MAX = 200;

function placedIn(rows: Rows, member: "brand" | "reference"): readonly PlacedWord[] {
  return filteredRows(rows).flatMap(({ row, filters }) => {
    const words = filters[member];
    if (!Array.isArray(words)) return [];
    return words
      .slice(0, WORDS_OF_FILTER_MAX)
      .flatMap((word: unknown, at) =>
        typeof word === "string" ? [{ row, path: ["filters", member, at], word }] : [],
      );
  });
}
