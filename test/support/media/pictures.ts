import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { type FetchOptions, IN_FLIGHT_MAX, startDue } from "../../../src/media/fetch-pictures.ts";
import { createGatewaySource } from "../../../src/media/gateway-source.ts";
import { createShrinker } from "../../../src/media/shrink-pictures.ts";
import { createWahaClient } from "../../../src/messages/gateways/waha-client.ts";
import { createTestClock, NOW_MS, type TestClock } from "../test-app.ts";
import type { Lifetime } from "../test-database.ts";
import { aMessageEvent, SESSION_A } from "../waha.ts";

export const GATEWAY_KEY = "the gateway's key";

interface PictureMessage extends NonNullable<Parameters<typeof aMessageEvent>[0]> {
  /** The file at the gateway; null if it downloaded none. */
  readonly file?: string | null;
  readonly albumRawId?: string;
  readonly thumbnail?: Buffer;
  readonly wrapper?: string;
}

interface Event {
  readonly payload: { readonly _data?: object };
}

/** A message with a picture, as NOWEB posts it. */
export function aPictureEvent({
  file,
  albumRawId,
  thumbnail,
  wrapper,
  ...message
}: PictureMessage) {
  const session = message.session ?? { ...SESSION_A, engine: "NOWEB" as const };
  const event: Event = aMessageEvent({
    atS: NOW_MS / 1000 - 10,
    ...message,
    session,
    hasMedia: true,
  });
  const name = file === undefined ? `${message.rawId}.jpeg` : file;
  const imageMessage = {
    mimetype: "image/jpeg",
    caption: message.text,
    ...(thumbnail === undefined ? {} : { jpegThumbnail: thumbnail.toString("base64") }),
  };
  const content =
    wrapper === undefined ? { imageMessage } : { [wrapper]: { message: { imageMessage } } };
  const messageAssociation = {
    associationType: "MEDIA_ALBUM",
    parentMessageKey: { id: albumRawId },
  };
  return {
    ...event,
    payload: {
      ...event.payload,
      media: {
        url: name === null ? null : `http://localhost:3000/api/files/${session.name}/${name}`,
        mimetype: "image/jpeg",
      },
      _data: {
        ...event.payload._data,
        message: {
          ...content,
          ...(albumRawId === undefined ? {} : { messageContextInfo: { messageAssociation } }),
        },
      },
    },
  };
}

/** A picture with something to see in it; other seeds look different. */
export async function aPicture(
  seed = 1,
  { width = 640, height = 480, type = "jpeg" as "jpeg" | "png" | "webp" } = {},
): Promise<Buffer> {
  const shapes = Array.from({ length: 12 }, (_, at) => {
    const value = (n: number) => ((seed * 7_919 + at * 104_729 + n * 1_299_709) % 997) / 997;
    const grey = Math.floor(value(1) * 255);
    return `<rect x="${value(2) * 80}" y="${value(3) * 80}" width="${10 + value(4) * 40}" height="${10 + value(5) * 40}" fill="rgb(${grey},${grey},${255 - grey})"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none" width="${width}" height="${height}">${shapes.join("")}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: "#fff" })[type]().toBuffer();
}

/** A PNG with this header and any data. */
export function aPng(width: number, height: number, data: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const chunk = (name: string, body: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    sum.writeUInt32BE(crcOf(named));
    return Buffer.concat([length, named, sum]);
  };
  const parts = [chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

/** Node 20 has no `crc32` before 20.15. */
function crcOf(bytes: Buffer): number {
  if (typeof crc32 === "function") return crc32(bytes);
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

interface TestGateway {
  readonly url: string;
  /** The requests that came, as method and path. */
  readonly asked: string[];
  /** By path. Others are answered with 404. */
  readonly files: Map<string, Buffer | Respond>;
  /** What a request for one message says about its file, by raw id. */
  readonly messages: Map<string, string | null>;
}

/** A server with the two calls of the gateway that pictures need. */
export async function openPictureGateway(t: Lifetime): Promise<TestGateway> {
  const asked: string[] = [];
  const files: TestGateway["files"] = new Map();
  const messages: TestGateway["messages"] = new Map();
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "").split("?")[0] ?? "");
    asked.push(`${request.method} ${path}`);
    if (request.headers["x-api-key"] !== GATEWAY_KEY) return response.writeHead(401).end();
    const file = files.get(path.replace("/api/files/", ""));
    if (typeof file === "function") return file(request, response);
    if (file !== undefined) return response.writeHead(200).end(file);
    const rawId = /\/messages\/[^_]+_[^_]+_([^_]+)/.exec(path)?.[1] ?? "";
    if (!messages.has(rawId)) return response.writeHead(404).end("{}");
    const name = messages.get(rawId);
    const url = name == null ? null : `http://elsewhere:3000/api/files/${name}`;
    return response.writeHead(200).end(JSON.stringify({ id: rawId, media: { url } }));
  });
  server.listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  t.after(
    () =>
      new Promise((settle) => {
        server.closeAllConnections();
        server.close(settle);
      }),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, files, messages };
}

/** What the fetcher needs, over a test's store and gateway. */
export function fetchOptions(
  t: Lifetime,
  pool: DatabasePool,
  { url }: Pick<TestGateway, "url">,
): FetchOptions & { readonly clock: TestClock } {
  const shrinker = createShrinker();
  t.after(() => shrinker.stop());
  const client = createWahaClient({ url, apiKey: GATEWAY_KEY, retryDelayMs: 1, timeoutMs: 5_000 });
  const clock = createTestClock();
  return { pool, clock, source: createGatewaySource(client), shrinker, bytesMax: 1e9 };
}

/** Works until nothing is due. */
export async function fetchAll(options: FetchOptions): Promise<readonly string[]> {
  const results: string[] = [];
  for (;;) {
    const started = await startDue(options, IN_FLIGHT_MAX);
    if (started.length === 0) return results.sort();
    results.push(...(await Promise.all(started.map(({ result }) => result))));
  }
}

interface PictureState {
  readonly raw_id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly shown_raw_id: string | null;
  readonly is_beside: boolean;
  readonly is_thumbnail_only: boolean;
}

export async function listPictureStates(pool: DatabasePool): Promise<readonly PictureState[]> {
  return pool.query<PictureState>(sql`
    select raw_id, state, reason, shown_raw_id, is_beside, is_thumbnail_only from media order by raw_id limit 100`);
}

/** How many bits of two looks differ. */
export function distanceOf(left: string, right: string): number {
  let bits = BigInt(`0x${left}`) ^ BigInt(`0x${right}`);
  let count = 0;
  for (; bits > 0n; bits &= bits - 1n) count += 1;
  return count;
}
