import { createHash } from "node:crypto";
import type { TableSum } from "./contents.ts";

const NEWLINE = 10;

/** Counts and sums what goes by. A row of COPY's text form ends with a newline and contains none. */
export function startTableSum(name: string) {
  const hash = createHash("sha256");
  const counted = { rows: 0, bytes: 0 };
  return {
    /** Returns how many rows ended in it. */
    add: (bytes: Buffer): number => {
      hash.update(bytes);
      counted.bytes += bytes.length;
      let rows = 0;
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) rows += 1;
      counted.rows += rows;
      return rows;
    },
    finish: (): TableSum => ({
      name,
      row_count: counted.rows,
      byte_count: counted.bytes,
      sha256: hash.digest("hex"),
    }),
  };
}
