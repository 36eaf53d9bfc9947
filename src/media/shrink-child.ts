/**
 * The process that decodes pictures of strangers. It has no environment, no connection and no file of ours: bytes come in by one
 * pipe and go out by another. A file that makes the decoder crash or run away ends this process and nothing else.
 */
import sharp from "sharp";
import { GRID, lookOf } from "./look.ts";
import { SIDES } from "./picture.ts";
import { createFrames, DRAW, SHRINK, toAnswer } from "./shrink-frames.ts";

/** A phone's picture has 12 to 50 million. */
const PIXELS_MAX = 64_000_000;
const FULL_QUALITY = 80;
const THUMB_QUALITY = 72;
const DRAWN_QUALITY = 90;

sharp.cache(false);
sharp.concurrency(1);

// Ctrl-C and a stop of the service are the parent's matter: it waits for the picture in progress, then closes the pipe.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

let working = Promise.resolve();

process.stdin.on(
  "data",
  createFrames((frame) => {
    working = working.then(() => answer(frame));
  }),
);
process.stdin.on("end", () => process.exit(0));
send({ kind: "ready" }, []);

async function answer(frame: Buffer): Promise<void> {
  const [task] = frame;
  const file = frame.subarray(1);
  try {
    if (task === SHRINK) await shrink(file);
    else if (task === DRAW) await draw(file);
    else send({ kind: "refused" }, []);
  } catch {
    // Why it cannot be read is no one's matter but the sender's.
    send({ kind: "refused" }, []);
  }
}

/** Decodes once; both sizes and the look are made of the same pixels. The first frame of a picture that moves counts. */
async function shrink(file: Buffer): Promise<void> {
  const side = SIDES.full;
  const { data, info } = await sharp(file, {
    limitInputPixels: PIXELS_MAX,
    failOn: "error",
    sequentialRead: true,
    pages: 1,
  })
    .autoOrient()
    .resize(side, side, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const pixels = () => sharp(data, { raw });
  const picture = await pixels().webp({ quality: FULL_QUALITY, effort: 3 }).toBuffer();
  const thumb = await pixels()
    .resize(SIDES.thumb, SIDES.thumb, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: THUMB_QUALITY, effort: 3 })
    .toBuffer();
  const grey = await pixels()
    .resize(GRID, GRID, { fit: "fill" })
    .greyscale()
    .raw({ depth: "uchar" })
    .toBuffer();
  const look = lookOf(grey);
  send({ kind: "done", width: info.width, height: info.height, look }, [picture, thumb]);
}

/** Makes pixels of an SVG of our own, for the demo. */
async function draw(file: Buffer): Promise<void> {
  const jpeg = await sharp(file, { limitInputPixels: PIXELS_MAX })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: DRAWN_QUALITY })
    .toBuffer();
  send({ kind: "drawn" }, [jpeg]);
}

function send(...answer: Parameters<typeof toAnswer>): void {
  process.stdout.write(toAnswer(...answer));
}
