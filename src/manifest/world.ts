import type { ChannelOptions } from "../alerts/deliveries/channels/channel.ts";
import type { Database } from "../db/database.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { findKnownWords } from "../listings/figures/named-watch-store.ts";
import { findRatedCurrencies } from "../rates/fx-store.ts";
import { collectWords, type Words } from "./collect-words.ts";
import type { Rows } from "./parse-manifest.ts";

/** What the words of declared items are compared with. */
export interface World {
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

async function loadCurrencies(
  tx: Database,
  rows: Rows,
  { currencies }: Words,
): Promise<ReadonlySet<string>> {
  const declared = rows.fx_rates.map(({ given }) => given.currency);
  if (currencies.length === 0) return new Set(declared);
  return new Set([...declared, ...(await findRatedCurrencies(tx, currencies))]);
}
