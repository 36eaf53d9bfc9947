import { Type } from "typebox";
import { Listing } from "../market/listing-body.ts";
import { Id, named, optional } from "../schemas.ts";
import { AlertMatch } from "./list-alert-matches.ts";

const Timestamp = Type.String({ format: "date-time" });
const ABSENT = "Absent: every one may have changed.";

const AlertMatchEvent = Type.Object(
  {
    type: Type.Literal("alert.match"),
    timestamp: Timestamp,
    data: Type.Object({
      alert: Type.Object({ id: Id, name: Type.String() }),
      match: named(AlertMatch),
      listing: optional(named(Listing)),
      message: optional(
        Type.Unsafe<Readonly<Record<string, unknown>>>(
          Type.Object({}, { additionalProperties: true, description: "For an alert on messages." }),
        ),
      ),
      is_shadow: optional(
        Type.Boolean({ description: "True if it follows from a profile in shadow; else absent." }),
      ),
    }),
  },
  { $id: "AlertMatchEvent", description: "An alert has matched." },
);

const AlertChangedEvent = Type.Object(
  {
    type: Type.Literal("alert.changed"),
    timestamp: Timestamp,
    data: Type.Object({ alert_ids: optional(Type.Array(Id, { description: ABSENT })) }),
  },
  {
    $id: "AlertChangedEvent",
    description: "Alerts, their mute, their matches or seen marks have changed.",
  },
);

const CellsChangedEvent = Type.Object(
  {
    type: Type.Literal("cells.changed"),
    timestamp: Timestamp,
    data: Type.Object({ configuration_ids: optional(Type.Array(Id, { description: ABSENT })) }),
  },
  {
    $id: "CellsChangedEvent",
    description: "Configurations were calculated, or they or their profile have changed.",
  },
);

const SessionChangedEvent = Type.Object(
  {
    type: Type.Literal("session.changed"),
    timestamp: Timestamp,
    data: Type.Object({ session_ids: optional(Type.Array(Id, { description: ABSENT })) }),
  },
  {
    $id: "SessionChangedEvent",
    description: "Sessions have changed, or receive messages again after a minute of silence.",
  },
);

/** The data of the events of the stream, as the contract describes them. */
export const EVENT_BODIES = [
  AlertMatchEvent,
  AlertChangedEvent,
  CellsChangedEvent,
  SessionChangedEvent,
] as const;
