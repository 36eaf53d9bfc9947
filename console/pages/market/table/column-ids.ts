/** The columns of the table, in their order. `watch` is always there. */
export const COLUMN_IDS = [
  "watch",
  "year",
  "condition",
  "set",
  "dial",
  "ask",
  "market",
  "average",
  "dealer",
  "country",
  "groups",
  "posts",
  "seen",
  "sent",
] as const;

export type ColumnId = (typeof COLUMN_IDS)[number];

export const DEFAULT_COLUMNS: readonly ColumnId[] = [
  "watch",
  "ask",
  "market",
  "dealer",
  "country",
  "groups",
  "seen",
];
