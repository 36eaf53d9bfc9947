/**
 * One box that finds everything: references, dealers, groups, alerts and listings.
 *
 * Each kind has a question of its own with an index behind it, and each reads a bounded number of rows, so the cost grows with
 * what is returned. Every hit exists: a reference has listings, a dealer or a group has messages.
 */
import { foldWords, normalizeReference, toDigits } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { findWatchNames, type WatchName } from "../extraction/catalogue/watch-names.ts";
import { toReferenceKey } from "../extraction/listing/identity.ts";
import { parseFilter } from "../filters/language/filter.ts";
import { LIMITS } from "../filters/language/shapes.ts";
import { compileSql, loadDirectory } from "../filters/sql/compile-sql.ts";
import { searchListings } from "../filters/sql/search-listings.ts";
import { listReferencesFrom } from "../listings/figures/named-watch-store.ts";
import {
  describeReferences,
  type FoundReference,
  listNewestReferences,
} from "../listings/figures/reference-store.ts";
import type { ListingRow } from "../listings/listing-store.ts";
import {
  type FoundContact,
  searchContactsByDigits,
  searchContactsByName,
} from "../messages/contacts/contact-store.ts";
import { findPostedGroups, listGroupNames } from "../messages/group-store.ts";
import { listAlertNames, type NamedAlert } from "./alert-store.ts";

export interface FoundThings {
  readonly references: readonly (FoundReference & { readonly isExact: boolean })[];
  readonly contacts: readonly FoundContact[];
  readonly groups: readonly NamedGroup[];
  readonly alerts: readonly NamedAlert[];
  readonly listings: readonly ListingRow[];
}

interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

interface Question {
  readonly text: string;
  /** Folded. */
  readonly words: readonly string[];
  /** Of each kind. */
  readonly limit: number;
}

export async function findAnything(
  db: Database,
  text: string,
  { limit, catalogue }: { readonly limit: number; readonly catalogue: Catalogue },
): Promise<FoundThings> {
  const words = takeWords(foldWords(text));
  const question = { text, words, limit };
  if (words.length === 0)
    return { references: [], contacts: [], groups: [], alerts: [], listings: [] };
  return {
    references: await findReferences(db, question, catalogue),
    contacts: await findContacts(db, question),
    groups: await findGroups(db, question),
    alerts: await findAlerts(db, question),
    listings: await findListings(db, question),
  };
}

/** As many words as a text search takes. */
function takeWords(words: readonly string[]): readonly string[] {
  let length = 0;
  return words.slice(0, LIMITS.words).filter((word) => {
    length += word.length + 1;
    return length <= LIMITS.textLength;
  });
}

/** References to choose from, and the listings of each that are counted. */
const CANDIDATES_MAX = 24;
const COUNTED_MAX = 1_000;
/** Of a brand or a model, the newest listings show which references are traded. */
const NEWEST_MAX = 500;
const NAMES_MAX = 6;

/** By the start of the reference, by nickname, and by the words of brand and model; the reference itself first. */
async function findReferences(
  db: Database,
  { text, words, limit }: Question,
  catalogue: Catalogue,
): Promise<FoundThings["references"]> {
  const key = normalizeReference(text);
  const names = findWatchNames(catalogue, words).slice(0, NAMES_MAX);
  const called = names.flatMap(({ brand, references }) =>
    references.map((reference) => toReferenceKey(reference, brand)),
  );
  const starts = [...(/\d/.test(key) && key.length > 1 ? [key] : []), ...called];
  const started = await listReferencesFrom(db, starts.slice(0, CANDIDATES_MAX), CANDIDATES_MAX);
  const candidates = started.map(({ reference_normalized }) => reference_normalized);
  for (const name of names) {
    if (candidates.length >= CANDIDATES_MAX) break;
    if (name.kind !== "nickname") candidates.push(...(await listTraded(db, name)));
  }
  const references = [...new Set(candidates)].slice(0, CANDIDATES_MAX);
  if (references.length === 0) return [];
  const where = await compileVisible(db, {});
  const own = references.filter((reference) => reference === key);
  const others = references.filter((reference) => reference !== key);
  const found: FoundReference[] = [];
  for (const some of [own, others]) {
    const open = limit - found.length;
    if (some.length === 0 || open === 0) continue;
    const asked = { references: some, listingsMax: COUNTED_MAX, limit: open };
    found.push(...(await describeReferences(db, where, asked)));
  }
  return found.map((row) => ({ ...row, isExact: row.listing_count < COUNTED_MAX }));
}

async function listTraded(
  db: Database,
  { kind, brand, name }: WatchName,
): Promise<readonly string[]> {
  const where = await compileVisible(db, {
    brand: [brand],
    ...(kind === "model" ? { model: [name] } : {}),
  });
  return listNewestReferences(db, where, { listingsMax: NEWEST_MAX, limit: CANDIDATES_MAX });
}

async function compileVisible(db: Database, filters: Readonly<Record<string, unknown>>) {
  const filter = parseFilter(filters);
  return compileSql(filter, await loadDirectory(db, filter));
}

/** Fewer digits are in nearly every number. */
const DIGITS_MIN = 3;

/** By digits of a number if nothing but a number is typed, else by the words of a name. */
async function findContacts(
  db: Database,
  { text, words, limit }: Question,
): Promise<readonly FoundContact[]> {
  const digits = toDigits(text);
  if (!/^[+\d\s().\-/]+$/.test(text.normalize("NFKC")))
    return searchContactsByName(db, words, limit);
  return digits.length < DIGITS_MIN ? [] : searchContactsByDigits(db, digits, limit);
}

/** Groups with such a name, of which those that somebody posted in are shown. */
async function findGroups(
  db: Database,
  { words, limit }: Question,
): Promise<readonly NamedGroup[]> {
  const found = (await listGroupNames(db))
    .filter(({ name }) => hasWords(name, words))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, CANDIDATES_MAX);
  const posted = await findPostedGroups(
    db,
    found.map(({ id }) => id),
  );
  return found.filter(({ id }) => posted.has(id)).slice(0, limit);
}

async function findAlerts(
  db: Database,
  { words, limit }: Question,
): Promise<readonly NamedAlert[]> {
  return (await listAlertNames(db)).filter(({ name }) => hasWords(name, words)).slice(0, limit);
}

/** Every word that is asked for is the start of a word of the name. */
function hasWords(name: string, words: readonly string[]): boolean {
  const own = foldWords(name);
  return words.every((word) => own.some((other) => other.startsWith(word)));
}

async function findListings(
  db: Database,
  { words, limit }: Question,
): Promise<readonly ListingRow[]> {
  const filters = { text_search: { query: words.join(" "), mode: "all" } };
  const found = await searchListings(db, { filters, sort: "newest", limit, isTotalAsked: false });
  return found.rows;
}
