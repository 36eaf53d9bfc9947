import { PAGES } from "../pages.ts";
import { referencePath } from "../parts/reference-path.ts";
import { navigate } from "../router.ts";
import type { Command } from "../state/commands.ts";
import { words } from "../words/words.ts";

export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly run: () => void;
}

/**
 * What the palette offers for a text: pages and actions whose name has all of its words, then
 * the page of a reference, if it looks like one, and a search of the market.
 */
export function listEntries(options: {
  readonly text: string;
  readonly commands: readonly Command[];
  readonly canWrite: boolean;
}): readonly PaletteEntry[] {
  const { commands, canWrite } = options;
  const text = options.text.trim();
  const pages = PAGES.filter(({ path }) => !path.includes(":")).map(({ path, title }) => ({
    id: `page-${path}`,
    title,
    kind: words.palette.page,
    run: () => navigate(path),
  }));
  const actions = commands
    .filter(({ isWrite }) => canWrite || isWrite !== true)
    .map(({ id, title, run }) => ({ id, title, run, kind: words.palette.action }));
  const parts = text.toLowerCase().split(/\s+/);
  const named = [...pages, ...actions].filter(({ title }) =>
    parts.every((part) => title.toLowerCase().includes(part)),
  );
  if (text === "") return named;
  const search = {
    id: "search-market",
    title: words.palette.searchMarket(text),
    kind: words.palette.page,
    run: () => navigate(`/market?${new URLSearchParams({ q: text })}`),
  };
  return [...named, ...(isReference(text) ? [toReference(text)] : []), search];
}

/** One word with digits, as references are. */
function isReference(text: string): boolean {
  return /^[\w./-]{3,40}$/.test(text) && /\d{2}/.test(text);
}

function toReference(text: string): PaletteEntry {
  const reference = text.toUpperCase();
  return {
    id: "open-reference",
    title: words.palette.openReference(reference),
    kind: words.palette.page,
    run: () => navigate(referencePath({ reference })),
  };
}
