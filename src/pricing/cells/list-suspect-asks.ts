import type { Database } from "../../db/database.ts";
import { createCellCalculator, type SuspectAsk } from "./calculate-cells.ts";
import { readMembers } from "./refresh-store.ts";
import { listSuspectConfigurations } from "./suspect-ask-store.ts";

export interface ListedSuspect extends SuspectAsk {
  readonly configuration_key: string;
}

/**
 * The first suspect asks, each listing once, by the key of its configuration. Calculates the cells again, so it shows the
 * asks as they are now, and reads the members of at most `limit` configurations. Needs a transaction.
 */
export async function listSuspectAsks(
  tx: Database,
  { limit, nowMs }: { readonly limit: number; readonly nowMs: number },
): Promise<readonly ListedSuspect[]> {
  const configurations = await listSuspectConfigurations(tx, limit);
  const calculations = new Map(
    configurations.map((configuration) => [
      configuration.id,
      {
        configuration_key: configuration.configuration_key,
        calculator: createCellCalculator(configuration, nowMs),
      },
    ]),
  );
  await readMembers(tx, configurations, {
    nowMs,
    onMember: (member) => calculations.get(member.configuration_id)?.calculator.add(member),
  });
  const found = new Map<string, ListedSuspect>();
  for (const { configuration_key, calculator } of calculations.values()) {
    for (const ask of calculator.listSuspects()) {
      if (!found.has(ask.listing_id)) found.set(ask.listing_id, { ...ask, configuration_key });
    }
  }
  return [...found.values()].slice(0, limit);
}
