import { Type } from "typebox";
import { TARGET_KINDS, toDeclaredAddress } from "../../../alerts/deliveries/target.ts";
import {
  findExistingAlertIds,
  findWebhookTarget,
  listWebhookTargets,
  type WebhookTarget,
  type WebhookTargetRow,
} from "../../../alerts/deliveries/target-store.ts";
import type { Database } from "../../../db/database.ts";
import { deleteDeclaration, withoutRow } from "../../../manifest/apply-declarations.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import { Id, IdParam, Ms, optional } from "../schemas.ts";

export const WebhookTargetBody = Type.Object(
  {
    id: Id,
    name: Type.String(),
    kind: Type.String({ description: `One of ${TARGET_KINDS.join(", ")}.` }),
    url: optional(Type.String({ description: "Of `standard` and `ntfy`." })),
    chat_id: optional(Type.String({ description: "Of `telegram`." })),
    to: optional(Type.String({ description: "Of `email`." })),
    has_secret: Type.Boolean({
      description: "Whether a secret or token is stored. It is never shown.",
    }),
    alerts: optional(
      Type.Array(Id, { description: "The alerts whose matches are sent. Absent: all alerts." }),
    ),
    quiet_hours: optional(
      Type.Object({
        from: Type.String({ description: "A time of day such as `22:00`." }),
        to: Type.String(),
        time_zone: Type.String({ description: "An IANA name such as `Europe/Berlin`." }),
      }),
    ),
    gone_at_ms: optional(
      Type.Integer({
        description:
          "Since when the target says that it is gone. Nothing is sent until it is changed, a test succeeds or a delivery is retried.",
      }),
    ),
    managed_by: Type.String({ description: "`manifest` or `api`." }),
    created_by: optional(Type.String()),
    updated_by: optional(Type.String()),
    created_at_ms: Ms,
    updated_at_ms: Ms,
  },
  { $id: "WebhookTarget", description: "Where matches are sent." },
);

export const TargetParams = Type.Object({ target_id: IdParam("The target's id.") });

export const TARGETS = {
  kind: "webhooks",
  noun: "webhook target",
  notFound: "webhook_target_not_found",
  find: async (db, id) => {
    const found = await findWebhookTarget(db, id);
    if (found === undefined) return undefined;
    const { target, row, createdHash } = found;
    const given = await toGiven(db, row);
    return { body: target, given, managedBy: target.managed_by, createdHash };
  },
  remove: async (tx, id, stamp) => {
    const [row] = await listWebhookTargets(tx, { ids: [id] });
    if (row !== undefined) await deleteDeclaration(tx, { webhooks: withoutRow(row) }, stamp);
  },
} as const satisfies ObjectKind<WebhookTarget>;

/**
 * Alerts that were deleted meanwhile are left out, so that the target can still be changed. If none is left, they stay: a
 * target without alerts would get all matches, so the caller must choose other alerts.
 */
async function toGiven(db: Database, row: WebhookTargetRow) {
  const { name, quiet_hours, alert_ids } = row;
  const existing = alert_ids === null ? [] : await findExistingAlertIds(db, alert_ids);
  return {
    name,
    ...toDeclaredAddress(row),
    ...(quiet_hours === null ? {} : { quiet_hours }),
    ...(alert_ids === null ? {} : { alerts: existing.length === 0 ? alert_ids : existing }),
  };
}
