/** The address of the worker, through the one policy that the page's Content-Security-Policy allows. */

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): object };
}

let url: object | string | undefined;

/** The build writes the address into the page. Nothing else can become the address of a script. */
export function workerUrl(): object | string {
  if (url !== undefined) return url;
  const built = document.querySelector<HTMLMetaElement>("meta[name=assay-worker]")?.content ?? "";
  const factory = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes;
  const createScriptURL = (asked: string): string => {
    if (asked === built && asked.startsWith("/assets/")) return asked;
    throw new TypeError("not a script of the console");
  };
  url = factory?.createPolicy("assay", { createScriptURL }).createScriptURL(built) ?? built;
  return url;
}
