import type { ComponentType } from "preact";
import { PAGES, type Page, type PageProps } from "../pages.ts";
import { matchPath, type Parameters } from "../paths.ts";

const loaded = new Map<Page, ComponentType<PageProps>>();

export function findPage(path: string): { page: Page; parameters: Parameters } | undefined {
  for (const page of PAGES) {
    const parameters = matchPath(page.path, path);
    if (parameters !== undefined) return { page, parameters };
  }
  return undefined;
}

/** Undefined if its code is not there yet. */
export function loadedPage(page: Page): ComponentType<PageProps> | undefined {
  return loaded.get(page);
}

export async function loadPage(page: Page): Promise<ComponentType<PageProps>> {
  const component = await page.load();
  loaded.set(page, component);
  return component;
}

/** Loads the page of an address while it is not known yet whether this browser is signed in. */
export function loadEarly(path: string): void {
  const found = findPage(path);
  // A failure is shown when the page is opened.
  if (found !== undefined) loadPage(found.page).catch(() => undefined);
}
