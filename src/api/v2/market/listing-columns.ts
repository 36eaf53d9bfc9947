import type { Static } from "typebox";
import { Listing } from "./listing-body.ts";

/** The columns of an export: the members of a listing, those of inner objects with a dot, as `price.amount_minor`. */
export const LISTING_COLUMNS: readonly string[] = listLeaves(Listing as Schema, "");

/** Loaded only if asked for, because it is longer than all the others together. */
export const TEXT_COLUMN = "source.message_text";

/** Without the columns that are about the reading and not about the watch. */
export const DEFAULT_COLUMNS: readonly string[] = LISTING_COLUMNS.filter(
  (column) => column !== TEXT_COLUMN && !column.startsWith("extraction."),
);

const LIST_SEPARATOR = "; ";

type ReadCell = (listing: Static<typeof Listing>) => string;

/** Returns the function that reads a column: lists are joined, objects are JSON, and a missing value is empty. */
export function cellReader(column: string): ReadCell {
  const path = column.split(".");
  return (listing) => {
    let value: unknown = listing;
    for (const name of path) {
      value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
    }
    if (value === undefined) return "";
    if (Array.isArray(value)) return value.join(LIST_SEPARATOR);
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  };
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

function listLeaves({ properties = {} }: Schema, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const isObject = schema.properties !== undefined && schema.additionalProperties !== true;
    return isObject ? listLeaves(schema, `${path}.`) : [path];
  });
}
