import type { Config } from "../base/config.ts";
import { DAY_MS } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import { findRateFetch } from "../rates/rate-fetch-store.ts";
import type { Finding } from "./finding.ts";

/** Rates are fetched daily. A failure of some hours is not worth a look. */
const AGE_MAX_MS = 2 * DAY_MS;

/** Reports how old the fetched rates are, if a worker is to fetch them. */
export async function examineRateFetch(
  db: Database,
  { ratesSource }: Pick<Config, "ratesSource">,
  nowMs: number,
): Promise<readonly Finding[]> {
  if (ratesSource === "none") return [];
  const { fetched_at_ms, latest_day, failing_since_ms, failed_count, last_error } =
    await findRateFetch(db);
  const age =
    fetched_at_ms === null || latest_day === null
      ? "not fetched yet"
      : `those of ${latest_day}, fetched at ${new Date(fetched_at_ms).toISOString()}`;
  if (failing_since_ms === null) {
    const isFine = fetched_at_ms === null || nowMs - fetched_at_ms < AGE_MAX_MS;
    const help = isFine ? "" : "; start `assay serve` with a worker, or check its log";
    return [{ isFine, text: `rates of the ECB: ${age}${help}` }];
  }
  return [
    {
      isFine: nowMs - (fetched_at_ms ?? failing_since_ms) < AGE_MAX_MS,
      text:
        `rates of the ECB: ${age}; ${failed_count} attempts failed since ` +
        `${new Date(failing_since_ms).toISOString()} (${last_error}); check ASSAY_RATES_URL and the network. ` +
        "A worker tries again by itself",
    },
  ];
}
