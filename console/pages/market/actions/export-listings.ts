import { api, toFailure } from "../../../api.ts";
import { saveFile } from "../../../parts/save-file.ts";
import { showToast } from "../../../state/toasts.ts";
import { marketWords } from "../../../words/market.ts";
import type { Search } from "../table/market-rows.ts";

const FILE_NAME = "listings.csv";

/** Saves all rows of the search as a file. A file that breaks off is not saved: reading its stream then throws. */
export async function exportListings({ filter, sort }: Search): Promise<void> {
  showToast(marketWords.exporting);
  try {
    const csv = await api.exportListings({ filters: filter, sort });
    const blob = await new Response(csv, { headers: { "content-type": "text/csv" } }).blob();
    saveFile(blob, FILE_NAME);
    showToast(marketWords.exported);
  } catch (error) {
    showToast(toFailure(error).message, { isBad: true });
  }
}
