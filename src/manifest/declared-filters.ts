/** The filters of declared items: what is wrong with them, and as the matcher saves them. */
import type { DeclaredAlert } from "../alerts/alert-write-store.ts";
import { AppError } from "../base/errors.ts";
import { findUnknownMembers, parseFilter } from "../filters/language/filter.ts";
import { asksNothing, MEMBERS } from "../filters/language/members.ts";
import type { FilterOwner, SavedFilter } from "../filters/saved-filter-store.ts";
import type { ViewRow } from "../filters/view-store.ts";
import type { DeclaredConfiguration } from "../pricing/configurations/configuration-write-store.ts";
import type { Row } from "./parse-manifest.ts";
import { type Path, type Problem, suggest } from "./problem.ts";
import type { KindName } from "./schema.ts";

type Filters = Readonly<Record<string, unknown>>;

export interface FilterFindings {
  readonly problems: readonly Problem[];
  /** Members that no filter knows. They are stored but have no effect, so the user gets a note. */
  readonly notes: readonly Problem[];
}

/** Checks each member on its own, so that every wrong member is reported with its line. */
export function checkFilters(
  row: Row<KindName>,
  filters: Filters,
  extraMembers: readonly string[] = [],
): FilterFindings {
  const members = Object.keys(filters);
  const problems = members.flatMap((member) =>
    findProblem(row, { [member]: filters[member] }, member),
  );
  const notes = findUnknownMembers(filters, extraMembers).map(({ path, known }) => ({
    ...row.problemAt(["filters", ...path], "no filter uses this member, so it has no effect"),
    hint: () => suggest(path.at(-1) ?? "", known),
    reason: "unknown_member" as const,
  }));
  if (problems.length > 0) return { problems, notes };
  return { problems: findProblem(row, filters), notes };
}

function findProblem(row: Row<KindName>, filters: Filters, member?: string): readonly Problem[] {
  try {
    parseFilter(filters);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [, place = "", text = error.message] =
      /^filters(?:\.([\w.]+))?: (.*)$/s.exec(error.message) ?? [];
    const inner = place === "" ? (member ?? "") : place;
    return [row.problemAt(["filters", ...toPath(inner)], text)];
  }
}

function toPath(place: string): Path {
  return place
    .split(".")
    .filter((part) => part !== "")
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Returns the members that apply to listings only. */
export function listingOnlyMembers(filters: Filters): readonly string[] {
  return Object.keys(filters).filter((name) => {
    const member = MEMBERS.get(name);
    return member !== undefined && member.isOfMessages !== true && !asksNothing(filters[name]);
  });
}

/** Returns the filters as the database returns them: JSON turns -0 into 0. */
export function toStorable(filters: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(filters)) as Readonly<Record<string, unknown>>;
}

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

const VIEW_KINDS = { EU: "view_eu", HK: "view_hk" } as const;

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

const OWNER_KINDS = {
  configuration: ["configuration"],
  view: Object.values(VIEW_KINDS),
  alert: ["alert", "message_alert", "price_alert"],
} as const;

/** Returns every owner under which these items can have a filter, so that none remains after a change of kind. */
export function ownersOf(
  kind: "configuration" | "view" | "alert",
  ids: readonly string[],
): readonly FilterOwner[] {
  return ids.flatMap((owner_id) =>
    OWNER_KINDS[kind].map((owner_kind) => ({ owner_kind, owner_id })),
  );
}
