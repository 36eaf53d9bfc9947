import type { ComponentType } from "preact";
import type { Parameters, Path } from "./paths.ts";
import { words } from "./words/words.ts";

export interface PageProps {
  /** The parts of the address that its path names, decoded. */
  readonly parameters: Parameters;
}

export interface Page {
  readonly path: Path;
  readonly title: string;
  /** True if the navigation lists it. */
  readonly isInNav: boolean;
  /** The page's code is a chunk of its own, loaded when the page is opened. */
  readonly load: () => Promise<ComponentType<PageProps>>;
}

/** All pages, in the order of the navigation. A new page is a folder in `pages/` and an entry here. */
export const PAGES: readonly Page[] = [
  {
    path: "/",
    title: words.pages.buys,
    isInNav: true,
    load: async () => (await import("./pages/buys/buys-page.tsx")).BuysPage,
  },
  {
    path: "/market",
    title: words.pages.market,
    isInNav: true,
    load: async () => (await import("./pages/market/market-page.tsx")).MarketPage,
  },
  {
    path: "/references",
    title: words.pages.references,
    isInNav: true,
    load: async () => (await import("./pages/references/references-page.tsx")).ReferencesPage,
  },
  {
    path: "/references/:reference",
    title: words.pages.reference,
    isInNav: false,
    load: async () => (await import("./pages/reference/reference-page.tsx")).ReferencePage,
  },
  {
    path: "/listings/:listing_id",
    title: words.pages.listing,
    isInNav: false,
    load: async () => (await import("./pages/listing/listing-page.tsx")).ListingPage,
  },
  {
    path: "/alerts",
    title: words.pages.alerts,
    isInNav: true,
    load: async () => (await import("./pages/alerts/alerts-page.tsx")).AlertsPage,
  },
  {
    path: "/alerts/:alert_id",
    title: words.pages.alert,
    isInNav: false,
    load: async () => (await import("./pages/alerts/alerts-page.tsx")).AlertsPage,
  },
  {
    path: "/operations",
    title: words.pages.operations,
    isInNav: true,
    load: async () => (await import("./pages/operations/operations-page.tsx")).OperationsPage,
  },
  {
    path: "/settings",
    title: words.pages.settings,
    isInNav: true,
    load: async () => (await import("./pages/settings/settings-page.tsx")).SettingsPage,
  },
  {
    path: "/start",
    title: words.pages.start,
    isInNav: false,
    load: async () => (await import("./pages/start/start-page.tsx")).StartPage,
  },
];
