import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { parseCursor, toCursor, toQueryDigest } from "../../../db/page.ts";
import { dropNulls } from "../../../db/row.ts";
import { listQuarantine, type QuarantinePosition } from "../../../operations/operations-store.ts";
import {
  cutPage,
  failures,
  LIMIT_DEFAULT,
  Ms,
  NextCursor,
  named,
  OWN_DEADLINE,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";

const QuarantineEntry = Type.Object(
  {
    id: Type.String({ description: "As `assay quarantine` takes it, such as `event-12`." }),
    kind: Type.String({
      description: "`event`: an event of the gateway; `item`: an item of the pipeline.",
    }),
    reason: Type.String(),
    quarantined_at_ms: Ms,
    step: optional(Type.String({ description: "Of an item: the step that failed." })),
    attempt_count: optional(Type.Integer({ description: "Of an item: how often it failed." })),
    next_attempt_at_ms: optional(
      Type.Integer({ description: "Of an item: when a worker tries it again by itself." }),
    ),
    gateway: optional(Type.String()),
    origin: optional(Type.String({ description: "`webhook`, `pull` or `import`." })),
    received_at_ms: optional(Ms),
  },
  { $id: "QuarantineEntry", description: "An event or item that could not be processed." },
);

/** An extension of the contract. Bodies are not shown: they may hold what persons wrote. */
export function addListQuarantine(app: FastifyInstance, { read }: RouteContext): void {
  app.addSchema(QuarantineEntry);
  const digest = toQueryDigest(["quarantine"]);
  const schema = {
    operationId: "listQuarantine",
    tags: ["Operations"],
    summary: "List what could not be processed",
    description: "Events and items with their reasons, newest first, without bodies.",
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({ items: Type.Array(named(QuarantineEntry)), next_cursor: NextCursor }),
      ...failures(400, 401),
    },
  };
  const url = "/v2/operations/quarantine";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, async (request) => {
    const { query } = request;
    const { limit = LIMIT_DEFAULT, cursor } = query;
    const after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
    const rows = await read(request, (db) =>
      listQuarantine(db, { limit: limit + 1, ...(after === undefined ? {} : { after }) }),
    );
    const { shown, last } = cutPage(rows, limit);
    const items = shown.map(({ number, ...row }) => ({
      ...dropNulls(row),
      id: `${row.kind}-${number}`,
    }));
    if (last === undefined) return { items };
    const position = [last.quarantined_at_ms, last.kind, last.number];
    return { items, next_cursor: toCursor(digest, position) };
  });
}

function toPosition([atMs, kind, number]: readonly unknown[]): QuarantinePosition | undefined {
  if (!Number.isSafeInteger(atMs) || !Number.isSafeInteger(number)) return undefined;
  if (kind !== "event" && kind !== "item") return undefined;
  return { quarantined_at_ms: atMs as number, kind, number: number as number };
}
