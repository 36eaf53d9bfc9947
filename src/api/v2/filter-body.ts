import { Type } from "typebox";
import { MEMBERS } from "../../filters/language/members.ts";
import { optional } from "./schemas.ts";

/** `filters` in a request. Lists the members by name only: `parseFilter` checks their values and reports what is wrong. */
export const FilterBody = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object(
    Object.fromEntries([...MEMBERS.keys()].map((name) => [name, optional(Type.Unknown())])),
    {
      $id: "Filters",
      additionalProperties: true,
      description:
        "A listing filter object: every member that is present must hold. See docs/filters.md.",
    },
  ),
);
