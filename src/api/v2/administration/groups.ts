import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { DAY_MS, SECOND_MS } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { isUuid } from "../../../base/ids.ts";
import { isStorableText } from "../../../base/text.ts";
import type { Database } from "../../../db/database.ts";
import { createKeptRead } from "../../../db/kept.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../../db/page.ts";
import { dropNulls } from "../../../db/row.ts";
import { countListingsByGroup, findListingHorizon } from "../../../listings/figures/count-store.ts";
import { KINDS } from "../../../manifest/schema.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import {
  countMessagesByGroup,
  findGroupSettings,
  findMessageHorizon,
  type GroupSettings,
  listGroups,
} from "../../../messages/group-store.ts";
import { addChangeObject } from "../object-routes.ts";
import {
  Count,
  cutPage,
  failures,
  Id,
  LIMIT_DEFAULT,
  NextCursor,
  named,
  OWN_DEADLINE,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { patchOf } from "../writes.ts";

const PERIOD_MS = 30 * DAY_MS;
/** Messages, and listings, that are counted at most. 200,000 of each take about half a second. */
const COUNTED_MAX = 200_000;
const GROUPS_MAX = 100_000;
const Q_LENGTH_MAX = 200;
const COUNTS_KEPT_MS = 30 * SECOND_MS;

const MEMBERS = {
  id: Id,
  gateway_group_id: Type.String({ description: "The group's id at the gateway." }),
  name: optional(Type.String()),
  default_currency: optional(
    Type.String({ description: "The currency of amounts without one in this group." }),
  ),
  is_ignored: Type.Boolean({ description: "Its messages are not read." }),
  managed_by: optional(
    Type.String({ description: "`manifest` or `api`; absent if nothing is declared." }),
  ),
};

const GroupSummary = Type.Object(
  {
    ...MEMBERS,
    message_count: Count,
    listing_count: Count,
  },
  { $id: "GroupSummary", description: "A group of the gateway and what was posted there." },
);

const GroupBody = Type.Object(
  {
    ...MEMBERS,
    updated_by: optional(Type.String()),
  },
  { $id: "Group" },
);

const { is_ignored, default_currency } = KINDS.groups.properties;

const Changes = Type.Object({ is_ignored, default_currency });

const GROUPS = {
  kind: "groups",
  noun: "group",
  notFound: "group_not_found",
  isOnlyOne: true,
  find: async (db, id) => {
    const found = await findGroupSettings(db, id);
    if (found === undefined) return undefined;
    const { group, declaredName } = found;
    const given = {
      gateway_group_id: group.gateway_group_id,
      ...(declaredName === null ? {} : { name: declaredName }),
      ...(group.default_currency === undefined ? {} : { default_currency: group.default_currency }),
      is_ignored: group.is_ignored,
    };
    return { body: group, given, managedBy: group.managed_by ?? null, createdHash: null };
  },
} as const satisfies ObjectKind<GroupSettings>;

const ROUTES = {
  kind: GROUPS,
  path: "/v2/groups",
  idName: "group_id",
  tags: ["Groups"],
  operationNoun: "Group",
  body: GroupBody,
};

/** An extension of the contract. */
export function addListGroups(app: FastifyInstance, { read, forAll, clock }: RouteContext): void {
  app.addSchema(GroupSummary);
  const findCounts = createKeptRead({ clock, maxMs: COUNTS_KEPT_MS }, () =>
    forAll.read((db) => countByGroup(db, clock.nowMs())),
  );
  const schema = {
    operationId: "listGroups",
    tags: ["Groups"],
    summary: "List groups",
    description:
      "By name; groups without a name come last. The counts are of messages and visible listings that were last seen since " +
      "`counted_from_ms`, and up to 30 seconds old.",
    querystring: Type.Object({
      q: optional(
        Type.String({
          minLength: 1,
          maxLength: Q_LENGTH_MAX,
          description: "A part of the name, in any case.",
        }),
      ),
      is_ignored: optional(Type.Boolean({ description: "Only groups that are, or are not." })),
      ...PAGE_QUERY,
    }),
    response: {
      200: Type.Object({
        items: Type.Array(named(GroupSummary)),
        next_cursor: NextCursor,
        counted_from_ms: Type.Integer({
          description: `30 days ago, or later if more than ${COUNTED_MAX} messages or listings are newer.`,
        }),
        is_exact: Type.Boolean({ description: "False if the counts do not cover 30 days." }),
      }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/groups", { schema, config: OWN_DEADLINE }, async (request) => {
    const { query } = request;
    const { limit = LIMIT_DEFAULT, cursor, q, is_ignored: isIgnored } = query;
    if (q !== undefined && !isStorableText(q)) {
      throw new AppError("invalid_payload", "q: has a character that no name can have");
    }
    const digest = toQueryDigest(["groups", q, isIgnored]);
    const after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
    const rows = await read(request, (db) =>
      listGroups(db, {
        limit: limit + 1,
        ...(after === undefined ? {} : { after }),
        ...(q === undefined ? {} : { q }),
        ...(isIgnored === undefined ? {} : { isIgnored }),
      }),
    );
    const { messages, listings, fromMs, isExact } = await findCounts();
    const { shown, last } = cutPage(rows, limit);
    return {
      items: shown.map((row) => ({
        ...dropNulls(row),
        message_count: messages.get(row.id) ?? 0,
        listing_count: listings.get(row.id) ?? 0,
      })),
      ...(last === undefined ? {} : { next_cursor: toCursor(digest, [last.id]) }),
      counted_from_ms: fromMs,
      is_exact: isExact,
    };
  });
}

/** An extension of the contract. Groups come from the gateway, so they are changed and never created here. */
export function addChangeGroup(app: FastifyInstance, context: RouteContext): void {
  app.addSchema(GroupBody);
  addChangeObject(app, context, ROUTES, {
    given: patchOf(Changes),
    description:
      "Messages of an ignored group are stored as they came and not read. With another `default_currency`, the group's " +
      "messages are read again.",
  });
}

async function countByGroup(db: Database, nowMs: number) {
  const bound = { rowsMax: COUNTED_MAX };
  const startMs = nowMs - PERIOD_MS;
  const horizons = [await findMessageHorizon(db, bound), await findListingHorizon(db, bound)];
  const fromMs = Math.max(startMs, ...horizons.map((atMs) => (atMs ?? 0) + 1));
  const period = { afterMs: fromMs - 1, groupsMax: GROUPS_MAX };
  return {
    messages: await countMessagesByGroup(db, period),
    listings: await countListingsByGroup(db, period),
    fromMs,
    isExact: fromMs === startMs,
  };
}

function toPosition([id]: readonly unknown[]): string | undefined {
  return typeof id === "string" && isUuid(id) ? id : undefined;
}
