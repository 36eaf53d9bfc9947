import {
  compareListingMatches,
  type ListingMatch,
  type ListingModels,
  toListingMatch,
} from "../../../alerts/listing-matches.ts";
import type { ConditionBucket } from "../../../pricing/cells/cell.ts";
import {
  findModelCells,
  type ModelCellKey,
  type ModelCellRow,
} from "../../../pricing/configurations/model-cell-store.ts";
import { createKeptRows } from "../../cache/kept-rows.ts";
import type { RouteContext } from "../schemas.ts";

/** By listing: how each of its configurations prices it, the highest profit first. At most one query. */
export type PriceListings = (
  models: ListingModels,
) => Promise<ReadonlyMap<string, readonly ListingMatch[]>>;

/** Call it once for all routes, because it keeps cells. */
export function createPriceListings({ db, feed, clock }: RouteContext): PriceListings {
  const cells = createKeptRows<ModelCellRow>({
    feed,
    topic: "price_cells",
    load: async (keys) => {
      const rows = await findModelCells(db, keys.map(parseCellKey));
      return new Map(rows.map((row) => [toCellKey(row), row]));
    },
  });
  return async (models) => {
    const keys = new Set([...models.values()].flatMap((rows) => rows.map(toCellKey)));
    const rowByKey = await cells.find([...keys]);
    const nowMs = clock.nowMs();
    return new Map(
      Array.from(models, ([id, rows]) => [
        id,
        rows
          .flatMap((model) => {
            const row = rowByKey.get(toCellKey(model));
            return row === undefined ? [] : [toListingMatch(model, row, nowMs)];
          })
          .sort(compareListingMatches),
      ]),
    );
  };
}

function toCellKey({ configuration_id, year, condition_bucket }: ModelCellKey): string {
  return `${configuration_id} ${year} ${condition_bucket}`;
}

function parseCellKey(key: string): ModelCellKey {
  const [configuration_id = "", year, bucket] = key.split(" ");
  return { configuration_id, year: Number(year), condition_bucket: bucket as ConditionBucket };
}
