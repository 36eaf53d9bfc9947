/**
 * An alert as the editor has it. The chosen configurations stand beside the filter, so that the controls of the filter, which
 * know nothing of them, show the rest.
 */
import type { Alert, CreateAlertRequest } from "../../../client/assay-client.ts";
import { type Filter, isSameJson, without } from "../../filters/filter.ts";
import { readFilter, writeFilter } from "../../filters/filter-url.ts";
import type { AddressProblem } from "../../words/filters.ts";

export const STRATEGIES = ["market_filter", "price_engine"] as const;
type Strategy = (typeof STRATEGIES)[number];

export interface AlertDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly strategy: Strategy;
  readonly filter: Filter;
  readonly configurationIds: readonly string[];
  readonly viewId: string | undefined;
}

const OWN_PARAMETERS = ["name", "strategy", "view", "configuration"];
const IDS = "configuration_ids";

export function toDraft({ name, enabled, strategy, filters, view_id }: Alert): AlertDraft {
  const ids = filters[IDS];
  return {
    name,
    enabled,
    strategy: strategyOf(strategy),
    filter: without(filters, [IDS]),
    configurationIds: Array.isArray(ids) ? ids.map(String) : [],
    viewId: view_id,
  };
}

/** A new alert as the address begins it: `/alerts/new?name=Cheap+GMT&reference=126710BLNR`. */
export function readDraft(query: URLSearchParams): {
  readonly draft: AlertDraft;
  readonly problems: readonly AddressProblem[];
} {
  const { filter, problems } = readFilter(query, OWN_PARAMETERS);
  const draft = {
    name: query.get("name") ?? "",
    enabled: true,
    strategy: strategyOf(query.get("strategy")),
    filter,
    configurationIds: query.getAll("configuration"),
    viewId: query.get("view") ?? undefined,
  };
  return { draft, problems };
}

/** The address of a new alert that begins like this one. */
export function toNewPath(draft: Omit<AlertDraft, "enabled">): string {
  const query = new URLSearchParams({ name: draft.name });
  if (draft.strategy !== "market_filter") query.set("strategy", draft.strategy);
  if (draft.viewId !== undefined) query.set("view", draft.viewId);
  for (const id of draft.configurationIds) query.append("configuration", id);
  return `/alerts/new?${writeFilter(draft.filter, query)}`;
}

type AlertBody = Required<Pick<CreateAlertRequest, "name" | "enabled" | "strategy" | "filters">> &
  Pick<CreateAlertRequest, "view_id">;

export function toBody(draft: AlertDraft): AlertBody {
  const { name, enabled, strategy, viewId } = draft;
  const view = viewId === undefined ? {} : { view_id: viewId };
  return { name: name.trim(), enabled, strategy, filters: toFilters(draft), ...view };
}

/** Only what differs, so that a change elsewhere of something else stays; undefined if nothing does. */
export function toPatch(draft: AlertDraft, stored: Alert) {
  const before: Readonly<Record<string, unknown>> = toBody(toDraft(stored));
  const after = { ...toBody(draft), view_id: draft.viewId ?? null };
  const changed = Object.entries(after).filter(
    ([member, value]) => !isSameJson(value, before[member] ?? null),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** Only alerts on buys know configurations; the others keep their choice in case the reader changes back. */
export function toFilters({ strategy, filter, configurationIds }: AlertDraft): Filter {
  const isOnSome = strategy === "price_engine" && configurationIds.length > 0;
  return isOnSome ? { ...filter, [IDS]: configurationIds } : filter;
}

function strategyOf(text: string | null): Strategy {
  return STRATEGIES.find((strategy) => strategy === text) ?? "market_filter";
}
