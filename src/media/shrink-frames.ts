/**
 * What the service and the process that decodes pictures say to each other, in frames: a length (4 bytes) and as many bytes. A question
 * is what to do (1 byte) and a file. An answer is the length of some JSON (4 bytes), the JSON, and the files whose lengths it has.
 */

/** Make a picture small. */
export const SHRINK = 1;
/** Make a picture of an SVG of our own. */
export const DRAW = 2;

export type Answer =
  /** What the process says first. */
  | { readonly kind: "ready" }
  | {
      readonly kind: "done";
      readonly width: number;
      readonly height: number;
      readonly look: string;
    }
  | { readonly kind: "drawn" }
  | { readonly kind: "refused" };

const LENGTH_BYTES = 4;

/** Larger than any question: a file, what to do, and the length. */
const FRAME_BYTES_MAX = 17 * 1024 * 1024;

/** Puts frames together from pieces, without copying what came before at each piece. */
export function createFrames(take: (frame: Buffer) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  let neededBytes = LENGTH_BYTES;
  return (piece) => {
    pieces.push(piece);
    length += piece.length;
    while (length >= neededBytes) {
      const bytes = Buffer.concat(pieces);
      const end = LENGTH_BYTES + bytes.readUInt32BE(0);
      if (end > FRAME_BYTES_MAX) throw new RangeError("a frame is too large");
      neededBytes = end;
      if (length >= end) {
        take(bytes.subarray(LENGTH_BYTES, end));
        neededBytes = LENGTH_BYTES;
      }
      const rest = length >= end ? bytes.subarray(end) : bytes;
      pieces = [rest];
      length = rest.length;
    }
  };
}

export function toQuestion(task: typeof SHRINK | typeof DRAW, file: Uint8Array): Buffer {
  const head = Buffer.alloc(LENGTH_BYTES + 1);
  head.writeUInt32BE(file.byteLength + 1);
  head.writeUInt8(task, LENGTH_BYTES);
  return Buffer.concat([head, file]);
}

export interface WholeAnswer {
  readonly answer: Answer;
  readonly files: readonly Buffer[];
}

export function toAnswer(answer: Answer, files: readonly Buffer[]): Buffer {
  const about = Buffer.from(JSON.stringify({ ...answer, lengths: files.map((f) => f.length) }));
  const head = Buffer.alloc(2 * LENGTH_BYTES);
  const length = files.reduce((sum, file) => sum + file.length, about.length + LENGTH_BYTES);
  head.writeUInt32BE(length);
  head.writeUInt32BE(about.length, LENGTH_BYTES);
  return Buffer.concat([head, about, ...files]);
}

/** Throws if the frame is no answer. Who sends it decodes files of strangers, so nothing in it is believed. */
export function readAnswer(frame: Buffer): WholeAnswer {
  let start = LENGTH_BYTES + frame.readUInt32BE(0);
  const about = JSON.parse(frame.subarray(LENGTH_BYTES, start).toString()) as Answer & {
    readonly lengths: readonly number[];
  };
  const { lengths, ...answer } = about;
  const files = lengths.map((length) => {
    start += length;
    return frame.subarray(start - length, start);
  });
  if (start !== frame.length) throw new RangeError("an answer has other lengths than it says");
  return { answer: answer as Answer, files };
}
