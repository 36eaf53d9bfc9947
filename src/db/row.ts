/** A row without the columns that have no value: the API leaves out what is absent and never sends `null`. */
export type Present<Row> = {
  [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key];
} & {
  [Key in keyof Row as null extends Row[Key] ? Key : never]?: NonNullable<Row[Key]>;
};

export function dropNulls<Row extends object>(row: Row): Present<Row> {
  const entries = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as Present<Row>;
}
