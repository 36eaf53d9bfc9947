import type { DeclaredAlert } from "../alerts/declared-alert-store.ts";
import type { FilterOwner, SavedFilter } from "../filters/saved-filter-store.ts";
import type { ViewRow } from "../filters/view-store.ts";
import type { DeclaredConfiguration } from "../pricing/configurations/configuration-write-store.ts";

/** The filter that the matcher uses for a configuration: its brand, its reference as dealers write it, and its filters. */
export function configurationFilter(configuration: DeclaredConfiguration): SavedFilter {
  return {
    owner_kind: "configuration",
    owner_id: configuration.id,
    filters: populationFilters(configuration),
    reads_duplicates: true,
  };
}

/** Which listings a configuration prices. */
export function populationFilters(
  priced: Pick<DeclaredConfiguration, "brand" | "reference" | "market_reference" | "filters">,
): SavedFilter["filters"] {
  const { brand, reference, market_reference, filters } = priced;
  return [
    { side: ["for_sale"], brand: [brand], reference: [market_reference ?? reference] },
    filters,
  ];
}

/** Returns the filter of a source view, and undefined for a view without a market. */
export function viewFilter({ id, filters, source_market }: ViewRow): SavedFilter | undefined {
  if (source_market === null) return undefined;
  return {
    owner_kind: VIEW_KINDS[source_market],
    owner_id: id,
    filters: [filters],
    reads_duplicates: true,
  };
}

const VIEW_KINDS = { EU: "view_eu", HK: "view_hk" } as const;

/** Returns undefined if the alert is disabled, or is a price alert without conditions of its own. */
export function alertFilter(
  alert: DeclaredAlert,
  viewById: ReadonlyMap<string, ViewRow>,
): SavedFilter | undefined {
  const { id, filters, strategy, is_enabled, view_id } = alert;
  const view = view_id === null ? undefined : viewById.get(view_id);
  if (!is_enabled) return undefined;
  const hasConditions = Object.keys(filters).some((member) => member !== "configuration_ids");
  if (strategy === "price_engine" && view === undefined && !hasConditions) return undefined;
  return {
    owner_kind: alertKind(alert),
    owner_id: id,
    filters: view === undefined ? [filters] : [filters, view.filters],
    reads_duplicates: false,
  };
}

function alertKind({ strategy, filters }: DeclaredAlert): string {
  if (strategy === "price_engine") return "price_alert";
  return filters["resource"] === "messages" ? "message_alert" : "alert";
}

/** Returns every owner under which these items can have a filter, so that none remains after a change of kind. */
export function ownersOf(
  kind: "configuration" | "view" | "alert",
  ids: readonly string[],
): readonly FilterOwner[] {
  return ids.flatMap((owner_id) =>
    OWNER_KINDS[kind].map((owner_kind) => ({ owner_kind, owner_id })),
  );
}

const OWNER_KINDS = {
  configuration: ["configuration"],
  view: Object.values(VIEW_KINDS),
  alert: ["alert", "message_alert", "price_alert"],
} as const;
