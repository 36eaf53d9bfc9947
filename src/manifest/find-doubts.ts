import { findTargetRefusal } from "../alerts/deliveries/target-refusal.ts";
import { foldWord, normalizeReference } from "../base/text.ts";
import { findKnownReference } from "../extraction/catalogue/catalogue.ts";
import {
  filteredRows,
  type PlacedWord,
  placedBrands,
  placedCurrencies,
  placedReferences,
} from "./collect-words.ts";
import type { Rows } from "./parse-manifest.ts";
import { type Problem, suggest } from "./problem.ts";
import type { World } from "./world.ts";

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
