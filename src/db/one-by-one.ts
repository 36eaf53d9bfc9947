import { isItemFault, isTimeout } from "./store-error.ts";

/** After so many time-outs the store is probably slow, and the rest stays queued. */
const TIMEOUTS_MAX = 2;

type Report = { readonly takenCount: number };

export interface SingleWork<Key> {
  run(key: Key): Promise<Report>;
  /** Takes the item off its queue and stores the reason. */
  setAside(key: Key, error: unknown): Promise<Report>;
}

/**
 * Processes the items of a batch that failed, each on its own, and sets the failing ones aside. Throws if the store is down
 * or a statement is wrong, because then no item is at fault.
 *
 * A time-out can be the fault of the item or of a slow store. It counts as the item's fault only if another item of the
 * batch succeeded. Otherwise the time-out is thrown, and the item stays queued.
 */
export async function runOneByOne<Key>(
  keys: readonly Key[],
  work: SingleWork<Key>,
): Promise<Report> {
  const late: { readonly key: Key; readonly error: unknown }[] = [];
  let takenCount = 0;
  for (const key of keys) {
    if (late.length === TIMEOUTS_MAX) break;
    try {
      takenCount += (await work.run(key)).takenCount;
    } catch (error) {
      if (!isItemFault(error)) throw error;
      if (isTimeout(error)) late.push({ key, error });
      else takenCount += (await work.setAside(key, error)).takenCount;
    }
  }
  const [first] = late;
  if (first !== undefined && takenCount === 0) throw first.error;
  for (const { key, error } of late) takenCount += (await work.setAside(key, error)).takenCount;
  return { takenCount };
}
