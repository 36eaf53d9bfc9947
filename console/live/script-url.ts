/** The addresses of workers, through the one Trusted Types policy that the page's Content-Security-Policy allows. */

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): object };
}

/** Keeps the console working without a connection. Its address is the same in every release, so that the browser finds the next one. */
export const OFFLINE_WORKER = "/service-worker.js";

let toTrusted: ((url: string) => object | string) | undefined;

/** The address of the worker that follows the events. The build writes it into the page. */
export function builtWorker(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=assay-worker]")?.content ?? "";
}

/** Nothing but the two workers can become the address of a script. The types of browsers do not know trusted addresses yet. */
export function toScriptUrl(url: string): string {
  toTrusted ??= createPolicy();
  return toTrusted(url) as unknown as string;
}

function createPolicy(): (url: string) => object | string {
  const factory = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes;
  const createScriptURL = (asked: string): string => {
    const isBuilt = asked === builtWorker() && asked.startsWith("/assets/");
    if (isBuilt || asked === OFFLINE_WORKER) return asked;
    throw new TypeError("not a script of the console");
  };
  const policy = factory?.createPolicy("assay", { createScriptURL });
  return (url) => policy?.createScriptURL(url) ?? createScriptURL(url);
}
