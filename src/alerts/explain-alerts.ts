import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { describeFailures } from "../filters/language/describe-filter.ts";
import { joinFilters, parseFilter } from "../filters/language/filter.ts";
import type { FilterContext } from "../filters/language/predicate.ts";
import type { ListingFacts } from "../listings/listing.ts";
import { asRead } from "./near-alerts.ts";

interface ExplainedAlert {
  readonly id: string;
  readonly name: string;
  readonly is_enabled: boolean;
  readonly strategy: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly view_filters: Readonly<Record<string, unknown>> | null;
  readonly matched_at_ms: number | null;
  /** True if the alert names no configurations, or the listing is a member of one that it names. */
  readonly is_in_model: boolean;
}

const ALERTS_MAX = 10_000;
/** An alert is not shown if the listing fails more clauses than this. */
const FAILURES_MAX = 2;

/**
 * Why alerts fire or do not fire for a listing: a block of lines for each. First those that matched it, then those that
 * miss it by the fewest clauses.
 */
export async function explainAlerts(
  db: Database,
  listing: ListingFacts,
  context: FilterContext,
): Promise<readonly (readonly string[])[]> {
  const explained = (await loadAlerts(db, listing.id))
    .filter(({ filters }) => filters["resource"] !== "messages")
    .map((alert) => ({ alert, failures: failuresOf(alert, listing, context) }))
    .filter(
      ({ alert, failures }) => alert.matched_at_ms !== null || failures.length <= FAILURES_MAX,
    );
  const rank = ({ alert, failures }: (typeof explained)[number]) =>
    alert.matched_at_ms === null ? 1 + failures.length : 0;
  return explained
    .sort((left, right) => rank(left) - rank(right))
    .map(({ alert, failures }) => [
      `${alert.name} (${alert.id}), ${alert.strategy}: ${verdictOf(alert, failures)}`,
      ...failures.map((line) => `  ${line}`),
    ]);
}

function verdictOf(alert: ExplainedAlert, failures: readonly string[]): string {
  if (alert.matched_at_ms !== null) {
    return `matched at ${new Date(alert.matched_at_ms).toISOString()}`;
  }
  if (!alert.is_enabled) return "did not match: it is disabled";
  if (failures.length > 0) return "did not match";
  if (!alert.is_in_model)
    return "did not match: the listing is in the model of none of its configurations";
  return alert.strategy === "price_engine"
    ? "did not match: its filters hold, so see the configurations above, or it was outside the window"
    : "did not match, although its filters hold: it was outside the window, or the alert is younger";
}

function failuresOf(
  alert: ExplainedAlert,
  listing: ListingFacts,
  context: FilterContext,
): readonly string[] {
  const filters = [alert.filters, ...(alert.view_filters === null ? [] : [alert.view_filters])];
  const parsed = filters.map((filter) => parseFilter(filter));
  return describeFailures(joinFilters(parsed), asRead(alert, listing), context);
}

/** Alerts of users on listings, and the system alerts of the configurations that the listing is a member of. */
async function loadAlerts(db: Database, listingId: string): Promise<readonly ExplainedAlert[]> {
  return db.query<ExplainedAlert>(sql`
    select alert.id, alert.name, alert.is_enabled, alert.strategy, alert.filters,
           view.filters as view_filters, match.matched_at_ms,
           cardinality(configuration_ids_of(alert.filters)) = 0
             or exists (select 1
                          from listing_model as model
                         where model.listing_id = ${listingId}
                           and model.configuration_id::text = any(configuration_ids_of(alert.filters)))
             as is_in_model
      from alert
      left join market_view as view on view.id = alert.view_id
      left join alert_match as match
        on match.alert_id = alert.id and match.resource = 'watch_listing' and match.resource_id = ${listingId}
     where not alert.is_system or match.alert_id is not null
        or alert.configuration_id in (select configuration_id from listing_model where listing_id = ${listingId})
     order by alert.created_at_ms desc, alert.id
     limit ${ALERTS_MAX}`);
}
