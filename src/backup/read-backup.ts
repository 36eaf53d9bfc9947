import { createReadStream } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { OperatorError } from "../base/errors.ts";
import {
  type BackupHeader,
  type BackupTable,
  type BackupTrailer,
  type Frame,
  type FrameKind,
  parseHeader,
  parseTable,
  parseTableSum,
  parseTrailer,
  readFrames,
  startTableSum,
  type TableSum,
} from "./backup-file.ts";

interface BackupReader {
  readonly header: BackupHeader;
  /**
   * Hands each table to `take`, which reads all of its rows, then checks the whole. Throws if anything is missing, damaged or too
   * much, so nothing of it may be kept before this resolves.
   */
  readTables(take: TakeTable, onRows?: (count: number) => void): Promise<BackupTrailer>;
  close(): void;
}

/** `rows` is the text of COPY. */
export type TakeTable = (table: BackupTable, rows: AsyncIterable<Buffer>) => Promise<void>;

export async function openBackup(path: string): Promise<BackupReader> {
  const file = createReadStream(path);
  const frames = readFrames(file)[Symbol.asyncIterator]();
  const next = async (): Promise<Frame | undefined> => {
    const { value, done } = await frames.next();
    return done === true ? undefined : value;
  };
  const expectFrame = async (...kinds: readonly FrameKind[]): Promise<Frame> => {
    const frame = await next();
    if (frame === undefined) {
      throw new OperatorError("the backup is cut off: its end is missing");
    }
    if (!kinds.includes(frame.kind)) throw new OperatorError("the backup is damaged");
    return frame;
  };
  const header = await expectFrame("header")
    .then(({ content }) => parseHeader(content))
    .catch((error: unknown) => {
      file.destroy();
      throw error;
    });
  const readTable = async (
    table: BackupTable,
    take: TakeTable,
    onRows: (count: number) => void,
  ): Promise<TableSum> => {
    if (!isDeepStrictEqual(parseTable((await expectFrame("table")).content), table)) {
      throw new OperatorError("the backup is damaged");
    }
    const sum = startTableSum(table.name);
    let stated: TableSum | undefined;
    const rows = async function* (): AsyncIterable<Buffer> {
      for (;;) {
        const frame = await expectFrame("rows", "end");
        if (frame.kind === "end") {
          stated = parseTableSum(frame.content);
          return;
        }
        onRows(sum.add(frame.content));
        yield frame.content;
      }
    };
    await take(table, rows());
    const found = sum.finish();
    if (!isDeepStrictEqual(stated, found)) {
      throw new OperatorError(`the backup is damaged: table ${table.name} is not what it was`);
    }
    return found;
  };
  return {
    header,
    readTables: async (take, onRows = () => undefined) => {
      const sums: TableSum[] = [];
      for (const table of header.tables) sums.push(await readTable(table, take, onRows));
      const trailer = parseTrailer((await expectFrame("trailer")).content);
      if (!isDeepStrictEqual(trailer.tables, sums) || (await next()) !== undefined) {
        throw new OperatorError("the backup is damaged");
      }
      return trailer;
    },
    close: () => file.destroy(),
  };
}

/** Reads the file to its end. Throws if it is no backup, or not whole. */
export async function verifyBackup(
  path: string,
  onRows?: (count: number) => void,
): Promise<{ readonly header: BackupHeader; readonly trailer: BackupTrailer }> {
  const reader = await openBackup(path);
  try {
    return { header: reader.header, trailer: await reader.readTables(skip, onRows) };
  } finally {
    reader.close();
  }
}

/** Reads the rows of a table without keeping them. */
export async function skip(_: unknown, rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of rows);
}
