import type { DatabasePool } from "../../src/db/database.ts";
import type { Sql } from "../../src/db/sql.ts";

/** Runs a statement that takes a lock, and keeps the lock until `release` is called. */
export function holdTable(
  db: DatabasePool,
  lock: Sql,
): { readonly held: Promise<void>; release(): Promise<void> } {
  let isHeld = (): void => undefined;
  let letGo = (): void => undefined;
  const held = new Promise<void>((settle) => {
    isHeld = settle;
  });
  const released = new Promise<void>((settle) => {
    letGo = settle;
  });
  const holding = db.transaction(async (tx) => {
    await tx.execute(lock);
    isHeld();
    await released;
  });
  return {
    held,
    release: () => {
      letGo();
      return holding;
    },
  };
}
