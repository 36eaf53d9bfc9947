import type { ComponentType } from "preact";
import type { IconName } from "./parts/icons.tsx";
import type { Parameters, Path } from "./paths.ts";
import { words } from "./words/words.ts";

export interface PageProps {
  /** The parts of the address that its path names, decoded. */
  readonly parameters: Parameters;
}

export interface Page {
  readonly path: Path;
  readonly title: string;
  /** How the navigation lists it, if it does. */
  readonly nav?: {
    readonly icon: IconName;
    /** True if it is one of the five items of a phone; otherwise it stands under "More" there. */
    readonly isOnPhone: boolean;
    /** True for what is apart from the work with watches. */
    readonly isApart: boolean;
    /** True for what a token of the role `market` may not read. */
    readonly isDesk?: boolean;
    /** Pages that belong to it although their address does not say so. */
    readonly also?: readonly string[];
  };
  /** The page's code is a chunk of its own, loaded when the page is opened. */
  readonly load: () => Promise<ComponentType<PageProps>>;
}

/** All pages, in the order of the navigation. A new page is a folder in `pages/` and an entry here. */
export const PAGES: readonly Page[] = [
  {
    path: "/",
    title: words.pages.buys,
    nav: { icon: "buys", isOnPhone: true, isApart: false },
    load: async () => (await import("./pages/buys/buys-page.tsx")).BuysPage,
  },
  {
    path: "/market",
    title: words.pages.market,
    nav: { icon: "market", isOnPhone: true, isApart: false },
    load: async () => (await import("./pages/market/market-page.tsx")).MarketPage,
  },
  {
    path: "/references",
    title: words.pages.references,
    nav: { icon: "references", isOnPhone: false, isApart: false },
    load: async () => (await import("./pages/references/references-page.tsx")).ReferencesPage,
  },
  {
    path: "/references/:reference",
    title: words.pages.reference,
    load: async () => (await import("./pages/reference/reference-page.tsx")).ReferencePage,
  },
  {
    path: "/listings/:listing_id",
    title: words.pages.listing,
    load: async () => (await import("./pages/listing/listing-page.tsx")).ListingPage,
  },
  {
    path: "/dealers",
    title: words.pages.dealers,
    nav: { icon: "dealers", isOnPhone: false, isApart: false },
    load: async () => (await import("./pages/dealers/dealers-page.tsx")).DealersPage,
  },
  {
    path: "/dealers/:contact_id",
    title: words.pages.dealer,
    load: async () => (await import("./pages/dealers/dealers-page.tsx")).DealersPage,
  },
  {
    path: "/deals",
    title: words.pages.deals,
    nav: { icon: "deals", isOnPhone: false, isApart: false, isDesk: true },
    load: async () => (await import("./pages/deals/deals-page.tsx")).DealsPage,
  },
  {
    path: "/alerts",
    title: words.pages.alerts,
    nav: { icon: "alerts", isOnPhone: true, isApart: false },
    load: async () => (await import("./pages/alerts/alerts-page.tsx")).AlertsPage,
  },
  {
    path: "/alerts/:alert_id",
    title: words.pages.alert,
    load: async () => (await import("./pages/alerts/alerts-page.tsx")).AlertsPage,
  },
  {
    path: "/settings",
    title: words.pages.settings,
    nav: { icon: "settings", isOnPhone: false, isApart: true, also: ["/operations"] },
    load: async () => (await import("./pages/settings/settings-page.tsx")).SettingsPage,
  },
  {
    path: "/operations",
    title: words.pages.operations,
    load: async () => (await import("./pages/settings/settings-page.tsx")).SettingsPage,
  },
  {
    path: "/start",
    title: words.pages.start,
    load: async () => (await import("./pages/start/start-page.tsx")).StartPage,
  },
];
