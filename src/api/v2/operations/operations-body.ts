import { Type } from "typebox";
import { DEPTH_MAX } from "../../../operations/operations-store.ts";
import { MATCHES_MAX } from "../../../operations/store-figures.ts";
import { Count, DurationMs, Ms, named, optional } from "../schemas.ts";

export const OperationsFinding = Type.Object(
  {
    check: Type.String({ description: "Which check found it, such as `quarantine` or `rates`." }),
    is_fine: Type.Boolean(),
    text: Type.String({ description: "For people; the wording may change." }),
    command: optional(Type.String({ description: "The command that helps or shows more." })),
    checked_at_ms: Ms,
  },
  { $id: "OperationsFinding", description: "A line of `assay doctor`." },
);

export const OperationsQueue = Type.Object(
  {
    step: Type.String({ description: "The step that takes from the queue." }),
    depth: Type.Integer({ minimum: 0, description: `Counted up to ${DEPTH_MAX}.` }),
    oldest_age_ms: optional(
      Type.Integer({ description: "How long its first item has waited, in milliseconds." }),
    ),
  },
  { $id: "OperationsQueue" },
);

export const OperationsStep = Type.Object(
  { step: Type.String(), item_count: Count },
  {
    $id: "OperationsStep",
    description: `Items that workers processed in the hours that began in the last 24; matches are counted up to ${MATCHES_MAX}.`,
  },
);

export const OperationsBackfill = Type.Object(
  {
    session_name: Type.String({ description: "The session's name at the gateway." }),
    is_fine: Type.Boolean(),
    fetched_at_ms: optional(Ms),
    failing_since_ms: optional(Ms),
    failing_count: Type.Integer({ minimum: 0, description: "Chats that could not be fetched." }),
    retry_at_ms: optional(Ms),
    last_error: optional(Type.String()),
  },
  { $id: "OperationsBackfill", description: "Whether missed messages of a session were fetched." },
);

export const Operations = Type.Object(
  {
    as_of_ms: Ms,
    is_fine: Type.Boolean({ description: "All findings are fine." }),
    findings: Type.Array(named(OperationsFinding)),
    pending_checks: Type.Array(Type.String(), {
      description: "Checks that have not finished since the start; ask again a few seconds later.",
    }),
    queues: Type.Array(named(OperationsQueue)),
    steps: Type.Array(named(OperationsStep)),
    lag: Type.Object(
      { match_count: Count, p50_ms: optional(DurationMs), p99_ms: optional(DurationMs) },
      {
        description: `From the time of a message to its match, of the latest ${MATCHES_MAX} matches of the last 24 hours.`,
      },
    ),
    backfills: Type.Array(named(OperationsBackfill)),
    rates: Type.Object(
      {
        source: Type.String({ description: "`none`, or `ecb`: a worker fetches them daily." }),
        fetched_at_ms: optional(Ms),
        latest_day_start_ms: optional(Ms),
        failed_count: Type.Integer({ minimum: 0, description: "Failures since the last fetch." }),
        failing_since_ms: optional(Ms),
        last_error: optional(Type.String()),
        next_at_ms: optional(Ms),
      },
      { description: "How the fetches of exchange rates went." },
    ),
    suspect_asks: Type.Object({ suspect_count: Count, cell_count: Count }),
    quarantine: Type.Object({ event_count: Count, item_count: Count }),
  },
  { $id: "OperationsReport", description: "Whether the installation works, and what it is doing." },
);
