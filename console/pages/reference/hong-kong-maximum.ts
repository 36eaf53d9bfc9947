import type { Profile } from "../../../client/assay-client.ts";

const BPS = 10_000n;

/**
 * The highest ask in Hong Kong that is not above the maximum once its mark-up is added; 0 if there is none. The service has
 * the same rule (`maximumHkAsk`) and a test compares the two; a cell of the API has only the maximum of the EU.
 */
export function hongKongMaximum(
  maximumMinor: number,
  { rate_bps = 0, fixed_eur_minor = 0 }: NonNullable<Profile["hk_markup"]>,
): number {
  const left = BigInt(maximumMinor) - BigInt(fixed_eur_minor);
  if (left <= 0n) return 0;
  return Number((left * BPS + BPS / 2n - 1n) / (BPS + BigInt(rate_bps)));
}
