import { api, toFailure } from "../../../api.ts";
import { showToast } from "../../../state/toasts.ts";
import { marketWords } from "../../../words/market.ts";
import type { Search } from "../table/market-rows.ts";

const FILE_NAME = "listings.csv";
/** The browser reads the file after the click, at its own time. */
const READ_MS = 60_000;

/** Saves all rows of the search as a file. A file that breaks off is not saved: reading its stream then throws. */
export async function exportListings({ filter, sort }: Search): Promise<void> {
  showToast(marketWords.exporting);
  try {
    const csv = await api.exportListings({ filters: filter, sort });
    const blob = await new Response(csv, { headers: { "content-type": "text/csv" } }).blob();
    save(blob);
    showToast(marketWords.exported);
  } catch (error) {
    showToast(toFailure(error).message, { isBad: true });
  }
}

function save(blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = FILE_NAME;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}
