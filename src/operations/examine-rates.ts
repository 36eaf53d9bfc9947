import { DAY_MS } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import { listPricedDays, type PricedDay } from "../listings/rate-dependents-store.ts";
import { ageInDays, type DatedRate, RATE_AGE_MAX_DAYS } from "../rates/fx.ts";
import { findRates } from "../rates/fx-store.ts";
import type { Finding } from "./finding.ts";

/** Built-in rates are a month apart. */
const BUILT_IN_AGE_MAX_DAYS = 40;
const REMEDY =
  "set ASSAY_RATES=ecb and restart, or download https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip, unpack it and run: assay fx import eurofxref-hist.csv";

/** Reports currencies of stored listings that have no rate, an old rate or an approximate rate. */
export async function examineRates(db: Database): Promise<readonly Finding[]> {
  const days = await listPricedDays(db);
  if (days.length === 0) return [{ isFine: true, text: "rates: no listing needs one yet" }];
  const asks = days.map(({ currency, day_number }) => ({ currency, atMs: day_number * DAY_MS }));
  const rateOf = await findRates(db, asks);
  const priced = days.map((day) => {
    const rate = rateOf(day.currency, day.day_number * DAY_MS);
    return { ...day, rate, ageDays: rate ? ageInDays(rate, day.day_number * DAY_MS) : 0 };
  });
  const missing = priced.filter(({ rate }) => rate === undefined);
  const old = priced.filter(({ rate, ageDays }) => rate !== undefined && ageDays > ageMaxOf(rate));
  const approximate = priced.filter(({ rate }) => rate?.isApproximate === true);
  const findings = [
    ...describe(
      missing,
      false,
      `have no rate and therefore no price in EUR; declare one under \`fx_rates\` with \`assay apply\`, or ${REMEDY}`,
    ),
    ...describe(old, false, `are converted with a rate that is too old; ${REMEDY}`),
    ...describe(
      approximate,
      true,
      `are converted with an approximate rate (built in, or a stablecoin counted as a dollar); for exact rates, ${REMEDY}`,
    ),
  ];
  return findings.length > 0
    ? findings
    : [{ isFine: true, text: "rates: every priced listing has one" }];
}

function ageMaxOf(rate: DatedRate): number {
  return rate.kind === "built_in" ? BUILT_IN_AGE_MAX_DAYS : RATE_AGE_MAX_DAYS;
}

/** Returns for example "rates: listings (12 in AED, 3 in TWD) have no rate …". */
function describe(
  days: readonly (PricedDay & { readonly ageDays: number })[],
  isFine: boolean,
  what: string,
): readonly Finding[] {
  if (days.length === 0) return [];
  const counts = new Map<string, { count: number; ageDays: number }>();
  for (const { currency, count, ageDays } of days) {
    const sum = counts.get(currency) ?? { count: 0, ageDays: 0 };
    counts.set(currency, { count: sum.count + count, ageDays: Math.max(sum.ageDays, ageDays) });
  }
  const words = [...counts].map(
    ([currency, { count, ageDays }]) =>
      `${count} in ${currency}${ageDays > 0 ? ` (up to ${ageDays} days old)` : ""}`,
  );
  const text = `rates: listings (${words.join(", ")}) ${what}`;
  return [{ isFine, text, command: "assay fx import eurofxref-hist.csv" }];
}
