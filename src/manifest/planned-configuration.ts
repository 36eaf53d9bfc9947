import { listDisabledConfigurationIds } from "../alerts/system-alert-store.ts";
import type { Database } from "../db/database.ts";
import type { Naming } from "../db/row.ts";
import {
  type DeclaredConfiguration,
  listDeclaredConfigurations,
} from "../pricing/configurations/configuration-write-store.ts";

/** A declared configuration with the state of its system alert, which is a row of its own. */
export interface PlannedConfiguration extends DeclaredConfiguration {
  readonly alert_enabled: boolean;
}

export async function listPlannedConfigurations(
  db: Database,
  naming?: Naming,
): Promise<readonly PlannedConfiguration[]> {
  const configurations = await listDeclaredConfigurations(db, naming);
  const ids = naming === undefined ? "all" : configurations.map(({ id }) => id);
  const disabledIds = await listDisabledConfigurationIds(db, ids);
  return configurations.map((one) => ({ ...one, alert_enabled: !disabledIds.has(one.id) }));
}
