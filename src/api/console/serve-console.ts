import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { AppError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { type Coding, chooseCoding } from "../http/representation.ts";

/**
 * The paths at which the browser console lives, as routes, each with the folder of its page. All answer with the same document,
 * but for the page's own script, which it names so that the browser asks for it at once.
 */
export const CONSOLE_PAGES: Readonly<Record<string, string>> = {
  "/": "buys",
  "/market": "market",
  "/references": "references",
  "/references/:reference": "reference",
  "/listings/:listing_id": "listing",
  "/dealers": "dealers",
  "/dealers/:contact_id": "dealers",
  "/deals": "deals",
  "/alerts": "alerts",
  "/alerts/:alert_id": "alerts",
  "/operations": "settings",
  "/settings": "settings",
  "/start": "start",
};

/** The page runs only our own scripts, contacts only this service, and makes scripts' addresses only by one policy. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types assay",
].join("; ");

const PAGE_HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy": CONSOLE_POLICY,
  "cross-origin-opener-policy": "same-origin",
} as const;

/** A worker obeys the policy of its own response, so scripts have the page's policy. */
const ASSET_HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": CONSOLE_POLICY,
} as const;

/** Files whose names have no hash: a browser asks each time whether there is another release. */
const FIXED_HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy": CONSOLE_POLICY,
} as const;

/** Without slots: all files are in memory, and each answer is sent at once, so that connections are the only thing to bound. */
const FILE_ROUTE = { schema: { hide: true }, config: { isSelfAdmitted: true } } as const;

/** One file of the built console, with its compressed forms. */
interface ConsoleFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly encoded: Readonly<Record<Coding, Buffer>>;
}

interface ConsoleFiles {
  /** The documents, by the name of the page. */
  readonly pages: ReadonlyMap<string, string>;
  /** By path. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const Manifest = Type.Object({
  pages: Type.Record(Type.String(), Type.String()),
  files: Type.Record(Type.String(), Type.Object({ file: Type.String(), type: Type.String() })),
});

/** Serves the browser console: one page at all of its paths, and the files that the page names. */
export function addConsole(
  app: FastifyInstance,
  { folder, log }: { readonly folder: URL; readonly log: Logger },
): void {
  const files = findConsoleFiles(folder);
  if (files === undefined) {
    log.warn("the console is not built, so it is not served; run: node scripts/build.mjs");
    return;
  }
  for (const [path, name] of Object.entries(CONSOLE_PAGES)) {
    const page = files.pages.get(name);
    if (page === undefined) throw new Error(`the built console has no page ${name}`);
    app.get(path, FILE_ROUTE, (_request, reply) =>
      reply.headers(PAGE_HEADERS).type("text/html; charset=utf-8").send(page),
    );
  }

  app.get<{ Params: { name: string } }>("/assets/:name", FILE_ROUTE, (request, reply) => {
    const file = files.assets.get(`/assets/${request.params.name}`);
    if (file === undefined) throw new AppError("route_not_found", "no asset has this name");
    return sendFile(request, reply.headers(ASSET_HEADERS), file);
  });
  for (const path of ["/app.webmanifest", "/service-worker.js"]) {
    const file = files.assets.get(path);
    if (file === undefined) throw new Error(`the built console has no ${path}`);
    app.get(path, FILE_ROUTE, (request, reply) =>
      sendFile(request, reply.headers(FIXED_HEADERS), file),
    );
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const coding = chooseCoding(request.headers["accept-encoding"], file.bytes.length);
  reply.type(file.type);
  if (coding === undefined) return reply.send(file.bytes);
  return reply.header("content-encoding", coding).send(file.encoded[coding]);
}

/** Reads the whole console, which is a few hundred kilobytes. Returns undefined if it is not built. */
function findConsoleFiles(folder: URL): ConsoleFiles | undefined {
  const read = (name: string): Buffer => readFileSync(new URL(name, folder));
  const manifest = findManifest(folder);
  if (manifest === undefined) return undefined;
  const assets = Object.entries(manifest.files).map(([path, { file, type }]) => {
    const encoded = { br: read(`${file}.br`), gzip: read(`${file}.gz`) };
    return [path, { type, bytes: read(file), encoded }] as const;
  });
  const pages = Object.entries(manifest.pages).map(
    ([name, file]) => [name, read(file).toString()] as const,
  );
  return { pages: new Map(pages), assets: new Map(assets) };
}

function findManifest(folder: URL): Static<typeof Manifest> | undefined {
  try {
    return Value.Parse(
      Manifest,
      JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8")),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
