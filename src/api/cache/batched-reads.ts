/** Answers for many keys at once. A key that has none is left out. */
type Load<Row> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;

/** More in one question would make its first wait for its last. */
const KEYS_MAX = 50;

/**
 * Puts what requests ask in one turn of the event loop as one question: under load the way to the store and back costs
 * more than what is asked there. Whoever asks alone waits for nobody.
 */
export function createBatchedReads<Row>(
  load: Load<Row>,
): (key: string) => Promise<Row | undefined> {
  let waiting: Batch<Row> | undefined;
  return (key) => {
    if (waiting === undefined || waiting.keys.size >= KEYS_MAX) {
      const batch: Batch<Row> = newBatch();
      waiting = batch;
      setImmediate(() => {
        if (waiting === batch) waiting = undefined;
        Promise.resolve([...batch.keys])
          .then(load)
          .then(batch.settle, batch.reject);
      });
    }
    const { keys, answer } = waiting;
    keys.add(key);
    return answer.then((rows) => rows.get(key));
  };
}

interface Batch<Row> {
  readonly keys: Set<string>;
  readonly answer: Promise<ReadonlyMap<string, Row>>;
  readonly settle: (rows: ReadonlyMap<string, Row>) => void;
  readonly reject: (error: unknown) => void;
}

function newBatch<Row>(): Batch<Row> {
  let settle: Batch<Row>["settle"] = () => undefined;
  let reject: Batch<Row>["reject"] = () => undefined;
  const answer = new Promise<ReadonlyMap<string, Row>>((onSettle, onReject) => {
    settle = onSettle;
    reject = onReject;
  });
  return { keys: new Set(), answer, settle, reject };
}
