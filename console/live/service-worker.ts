/**
 * Keeps the console itself on the device: a start without a connection shows the console, which says that the service cannot be
 * reached and goes on by itself when it can. Nothing of the market is kept, and no request for data passes through here.
 *
 * Files with a hash in their name never change, so they come from the cache. A document comes from the service if that answers,
 * because the next release has another one. A new release waits until no tab of the old one is left, so a tab never has
 * files of two releases.
 */
import { isConsolePath } from "../paths.ts";

/** Written by the build: all files of this release, and a name that changes with them. */
declare const RELEASE: { readonly name: string; readonly files: readonly string[] };

interface ExtendableEvent {
  waitUntil(done: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface NotificationEvent extends ExtendableEvent {
  readonly notification: {
    readonly data?: { readonly path?: string };
    close(): void;
  };
}

interface WindowClient {
  readonly url: string;
  focus(): Promise<WindowClient>;
  navigate(url: string): Promise<WindowClient | null>;
}

interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly clients: {
    matchAll(options: { readonly type: "window" }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<WindowClient | null>;
  };
  addEventListener(name: "install" | "activate", run: (event: ExtendableEvent) => void): void;
  addEventListener(name: "fetch", run: (event: FetchEvent) => void): void;
  addEventListener(name: "notificationclick", run: (event: NotificationEvent) => void): void;
}

const scope = globalThis as unknown as WorkerScope;
const PREFIX = "assay-";
const CACHE = `${PREFIX}${RELEASE.name}`;
/** All pages have the same document, but for the scripts that it names beforehand. */
const DOCUMENT = "/";
/** What a proxy answers when the service is away. */
const AWAY: readonly number[] = [502, 503, 504];

scope.addEventListener("install", (event) => event.waitUntil(keepRelease()));
scope.addEventListener("activate", (event) => event.waitUntil(dropOthers()));

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.location.origin) return;
  if (request.mode === "navigate" && isConsolePath(pathname)) {
    event.respondWith(openDocument(request));
  } else if (RELEASE.files.includes(pathname)) {
    event.respondWith(readFile(request));
  }
});

/** A notification of the browser leads to its watch: in a tab that is open, or in a new one. */
scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.path ?? DOCUMENT));
});

async function keepRelease(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([DOCUMENT, ...RELEASE.files]);
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function openDocument(request: Request): Promise<Response> {
  const kept = (): Promise<Response | undefined> => caches.match(DOCUMENT, { cacheName: CACHE });
  try {
    const response = await fetch(request);
    return AWAY.includes(response.status) ? ((await kept()) ?? response) : response;
  } catch (error) {
    const response = await kept();
    if (response === undefined) throw error;
    return response;
  }
}

async function readFile(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}

async function show(path: string): Promise<void> {
  const [open] = await scope.clients.matchAll({ type: "window" });
  if (open === undefined) await scope.clients.openWindow(path);
  else await (await open.focus()).navigate(path);
}
