import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { findExistingAlertIds } from "../../../alerts/alert-store.ts";
import { channelOptionsOf } from "../../../alerts/deliveries/channels/channel.ts";
import { sendTest } from "../../../alerts/deliveries/send-bundle.ts";
import {
  completeAddress,
  cutAddress,
  findMovedSecret,
  listMembers,
  TARGET_KINDS,
  TARGET_MEMBERS,
  type TargetKind,
  toDeclaredAddress,
  toTargetAddress,
} from "../../../alerts/deliveries/target.ts";
import {
  findWebhookTarget,
  listTargetObjects,
  listWebhookTargets,
  reviveTarget,
  type WebhookTarget,
  type WebhookTargetRow,
} from "../../../alerts/deliveries/target-store.ts";
import { AppError } from "../../../base/errors.ts";
import { createMinuteBuckets } from "../../../base/shares/bucket.ts";
import type { Database } from "../../../db/database.ts";
import { deleteDeclaration, withoutRow } from "../../../manifest/apply-declarations.ts";
import { KINDS } from "../../../manifest/schema.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import { recordActivity } from "../../../people/activity-store.ts";
import type { Role } from "../../../people/role.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
  addListObjects,
} from "../object-routes.ts";
import {
  failures,
  Id,
  IdParam,
  Ms,
  named,
  notFound,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { authorOf, patchOf } from "../writes.ts";

/** A test makes a request to another host, so it is limited for each target and in all, in one process. */
const PER_TARGET_PER_MINUTE = 6;
const PER_MINUTE = 30;
/** Longer than other requests, because a mail server may be slow to greet. */
const ATTEMPT_TIMEOUT_MS = 10_000;
const HANDLER_TIMEOUT_MS = 12_000;

const CUT_RULE =
  " Only owners see all of it, others its server, as in `https://ntfy.sh/…`. A write that sends that back keeps what is stored.";

/** What the channels declare and show. */
const AddressMembers = Object.fromEntries(
  Object.entries(TARGET_MEMBERS)
    .filter(([, { column }]) => column !== "secret")
    .map(([name, { cut }]) => {
      const kinds = TARGET_KINDS.filter((kind) => listMembers(kind).some(([own]) => own === name));
      const description = `Of ${joinNames(kinds, "and")}.${cut === undefined ? "" : CUT_RULE}`;
      return [name, optional(Type.String({ description }))];
    }),
);

const WebhookTargetBody = Type.Object(
  {
    id: Id,
    name: Type.String(),
    kind: Type.String({ description: `One of ${TARGET_KINDS.join(", ")}.` }),
    ...AddressMembers,
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

const NewTarget = Type.Object(KINDS.webhooks.properties, {
  additionalProperties: false,
  examples: [
    {
      name: "my phone",
      kind: "ntfy",
      url: "https://ntfy.sh/a-topic-that-is-hard-to-guess",
      quiet_hours: { from: "22:00", to: "07:00", time_zone: "Europe/Berlin" },
    },
  ],
});

const TargetChanges = patchOf(KINDS.webhooks, {
  examples: [{ quiet_hours: { from: "23:00", to: "06:30", time_zone: "Europe/Berlin" } }],
});

export const TargetParams = Type.Object({ target_id: IdParam("The target's id.") });

const TestResultBody = Type.Object(
  {
    is_delivered: Type.Boolean(),
    result: Type.String({ description: "The status of the response, or why there was none." }),
    help: optional(Type.String({ description: "What to do about it, if that is known." })),
  },
  { $id: "TestResult" },
);

const TARGETS = {
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
  readPatch: (before, given) => {
    const patch = completeAddress(given, before);
    const member = findMovedSecret({ ...before, ...patch }, toTargetAddress(before));
    if (member === undefined || patch[member] !== undefined) return patch;
    throw new AppError(
      "invalid_payload",
      `${member}: must be sent again, because url names another server; null removes it`,
    );
  },
  remove: async (tx, id, stamp) => {
    const [row] = await listWebhookTargets(tx, { ids: [id] });
    if (row !== undefined) await deleteDeclaration(tx, { webhooks: withoutRow(row) }, stamp);
  },
} as const satisfies ObjectKind<WebhookTarget>;

const ROUTES = {
  kind: TARGETS,
  path: "/v2/webhook-targets",
  idName: "target_id",
  tags: ["Notifications"],
  operationNoun: "WebhookTarget",
  body: WebhookTargetBody,
  show: (target: WebhookTarget, role: Role) => (role === "owner" ? target : cutAddress(target)),
};

export function addWriteTargets(app: FastifyInstance, context: RouteContext): void {
  addListObjects(app, context, ROUTES, listTargetObjects);
  addGetObject(app, context, ROUTES);
  addCreateObject(app, context, ROUTES, {
    given: NewTarget,
    description: `Which members a target has depends on its \`kind\`: ${TARGET_KINDS.map(describeKind).join(", ")}.`,
  });
  addChangeObject(app, context, ROUTES, {
    given: TargetChanges,
    description:
      `A new ${joinNames(listSecrets(), "or")} replaces the stored one. One that is sent to the server of \`url\` is kept for this server only: with ` +
      "a `url` on another one, send it again, or null.",
  });
  addDeleteObject(app, context, ROUTES, {
    description: "Also deletes its deliveries. Pending ones are not sent.",
  });
}

/** Such as "`ntfy` has `url` and perhaps `token`". */
function describeKind(kind: TargetKind): string {
  const members = listMembers(kind).map(([name, { isOptional }]) =>
    isOptional === true ? `perhaps \`${name}\`` : `\`${name}\``,
  );
  return `\`${kind}\` has ${members.join(" and ")}`;
}

function listSecrets(): readonly string[] {
  const all = Object.entries(TARGET_MEMBERS);
  return all.flatMap(([name, { column }]) => (column === "secret" ? [name] : []));
}

/** Such as "`url`, `token` or `to`". */
function joinNames(names: readonly string[], word: "and" | "or"): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} ${word} ${last}`;
}

export function addTestWebhookTarget(
  app: FastifyInstance,
  { db, clock, config }: RouteContext,
): void {
  app.addSchema(TestResultBody);
  const perTarget = createMinuteBuckets({ perMinute: PER_TARGET_PER_MINUTE, clock });
  const inAll = createMinuteBuckets({ perMinute: PER_MINUTE, clock });
  const schema = {
    operationId: "testWebhookTarget",
    tags: ["Notifications"],
    summary: "Send a test message",
    description:
      "Sends a test message now, also in quiet hours, and returns what happened. A test that arrives also ends `gone_at_ms`. " +
      `At most ${PER_TARGET_PER_MINUTE} tests of a target and ${PER_MINUTE} in all per minute; then 429.`,
    params: TargetParams,
    response: { 200: named(TestResultBody), ...failures(400, 401, 403, 404) },
  };
  const route = { schema, handlerTimeout: HANDLER_TIMEOUT_MS };
  typed(app).post("/v2/webhook-targets/:target_id/test", route, async (request) => {
    const found = await findWebhookTarget(db(request), request.params.target_id);
    if (found === undefined) throw notFound("webhook_target");
    const waitSeconds = perTarget.take(found.row.id) ?? inAll.take("all");
    if (waitSeconds !== undefined) {
      const message = `too many tests; try again in ${waitSeconds} s`;
      throw new AppError("rate_limited", message, undefined, waitSeconds);
    }
    const result = await sendTest(found.row, {
      ...channelOptionsOf(config),
      nowMs: clock.nowMs(),
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      signal: new AbortController().signal,
    });
    const { id, name } = found.row;
    const { is_delivered } = result;
    await db(request).transaction(async (tx) => {
      if (is_delivered) await reviveTarget(tx, id);
      const object = { kind: "webhook_target", id, name } as const;
      await recordActivity(tx, authorOf(request, { clock }), [
        { action: "tested", object, after: { is_delivered } },
      ]);
    });
    return result;
  });
}

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
