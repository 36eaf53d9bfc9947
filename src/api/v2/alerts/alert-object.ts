import { Type } from "typebox";
import { type Alert, findAlert } from "../../../alerts/alert-store.ts";
import { listDeclaredAlerts, saveSystemAlertState } from "../../../alerts/alert-write-store.ts";
import { findTargetOf } from "../../../alerts/deliveries/target-store.ts";
import { AppError } from "../../../base/errors.ts";
import { deleteDeclaration, withoutRow } from "../../../manifest/apply-declarations.ts";
import { KINDS } from "../../../manifest/schema.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import { Filters, Id, Ms, optional } from "../schemas.ts";

/** Seed 2.1. */
export const AlertBody = Type.Object(
  {
    id: Id,
    name: Type.String(),
    enabled: Type.Boolean(),
    filters: Filters,
    strategy: Type.String({ description: "`market_filter` or `price_engine`." }),
    is_system: Type.Boolean(),
    created_at_ms: Ms,
    updated_at_ms: Ms,
    view_id: optional(Id),
    managed_by: optional(Type.String()),
    created_by: optional(Type.String()),
    updated_by: optional(Type.String()),
  },
  { $id: "Alert" },
);

const { id, name, enabled, strategy, filters, view_id } = KINDS.alerts.properties;

/** What a caller may write. */
export const NewAlert = Type.Object(
  {
    id,
    name,
    enabled,
    strategy,
    filters: Type.Required(Type.Object({ filters })).properties.filters,
    view_id,
  },
  { additionalProperties: false },
);

export const ALERTS = {
  kind: "alerts",
  noun: "alert",
  notFound: "alert_not_found",
  find: async (db, alertId) => {
    const found = await findAlert(db, alertId);
    if (found === undefined) return undefined;
    const { alert, createdHash } = found;
    const given = {
      name: alert.name,
      enabled: alert.enabled,
      strategy: alert.strategy,
      filters: alert.filters,
      ...(alert.view_id === undefined ? {} : { view_id: alert.view_id }),
      ...(alert.created_by === undefined ? {} : { created_by: alert.created_by }),
    };
    // An alert that nothing manages is not one that the API created.
    return { body: alert, given, managedBy: alert.managed_by ?? "manifest", createdHash };
  },
  complete: (given, { by }) => ({ created_by: by, ...given, updated_by: by }),
  changeAny: async (tx, { id: alertId, managedBy, patch, stamp }) => {
    const { enabled: isEnabled, ...others } = patch;
    const isState = typeof isEnabled === "boolean" && Object.keys(others).length === 0;
    if (managedBy !== "price_engine" || !isState) return false;
    await saveSystemAlertState(tx, { id: alertId, isEnabled }, stamp);
    return true;
  },
  remove: async (tx, alertId, stamp) => {
    const target = await findTargetOf(tx, alertId);
    if (target !== undefined) {
      throw new AppError("in_use", `the webhook target "${target}" names this alert`);
    }
    const [row] = await listDeclaredAlerts(tx, { ids: [alertId] });
    if (row !== undefined) await deleteDeclaration(tx, { alerts: withoutRow(row) }, stamp);
  },
} as const satisfies ObjectKind<Alert>;
