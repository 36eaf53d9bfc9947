import { countDeadDeliveries, listFailingDeliveries } from "../alerts/deliveries/delivery-store.ts";
import { helpFor } from "../alerts/deliveries/target.ts";
import { listGoneTargets } from "../alerts/deliveries/target-store.ts";
import { listMatchedTexts, listRecentBuys } from "../alerts/match-store.ts";
import { DAY_MS } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import { groupBy } from "../base/group-by.ts";
import { showAmount } from "../base/text.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { TEXT_MAX } from "../extraction/text/normalize.ts";
import type { TextClause } from "../filters/language/clause.ts";
import { parseFilters } from "../filters/language/filter.ts";
import { holds, holdsText } from "../filters/language/predicate.ts";
import { clausesOfSets, effectiveSets } from "../filters/language/sets.ts";
import { listWordFilters } from "../filters/saved-filter-store.ts";
import { EMPTY_FACTS } from "../listings/listing.ts";
import { listPricedDays, type PricedDay } from "../listings/price-store.ts";
import { FIELD_BREAK, toMessageText } from "../listings/search-text.ts";
import { findMessageOverviews } from "../messages/message-store.ts";
import { countSuspectAsks, listSuspectAsks } from "../pricing/cells/suspect-asks.ts";
import {
  findPricingHealth,
  findSetsOfConfigurations,
} from "../pricing/configurations/configuration-store.ts";
import { ageInDays, type DatedRate, RATE_AGE_MAX_DAYS } from "../rates/fx.ts";
import { findRates } from "../rates/fx-store.ts";
import { findRateFetch } from "../rates/rate-fetch-store.ts";
import type { Finding } from "./check.ts";

/** Built-in rates are a month apart. */
const BUILT_IN_AGE_MAX_DAYS = 40;
const RATES_REMEDY =
  "set ASSAY_RATES=ecb and restart, or download https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip, unpack it and run: assay fx import eurofxref-hist.csv";

/** Reports currencies of stored listings that have no rate, an old rate or an approximate rate. */
export async function examineRates(db: Database): Promise<readonly Finding[]> {
  const days = await listPricedDays(db);
  if (days.length === 0) return [{ isFine: true, text: "rates: no listing needs one yet" }];
  const asks = days.map(({ currency, day_number }) => ({ currency, atMs: day_number * DAY_MS }));
  const rateOf = await findRates(db, asks);
  const priced = days.map((day) => {
    const rate = rateOf(day.currency, day.day_number * DAY_MS);
    return { ...day, rate, ageDays: rate ? ageInDays(rate, day.day_number * DAY_MS) : 0 };
  });
  const missing = priced.filter(({ rate }) => rate === undefined);
  const old = priced.filter(({ rate, ageDays }) => rate !== undefined && ageDays > ageMaxOf(rate));
  const approximate = priced.filter(({ rate }) => rate?.isApproximate === true);
  const findings = [
    ...describeDays(
      missing,
      false,
      `have no rate and therefore no price in EUR; declare one under \`fx_rates\` with \`assay apply\`, or ${RATES_REMEDY}`,
    ),
    ...describeDays(old, false, `are converted with a rate that is too old; ${RATES_REMEDY}`),
    ...describeDays(
      approximate,
      true,
      `are converted with an approximate rate (built in, or a stablecoin counted as a dollar); for exact rates, ${RATES_REMEDY}`,
    ),
  ];
  return findings.length > 0
    ? findings
    : [{ isFine: true, text: "rates: every priced listing has one" }];
}

function ageMaxOf(rate: DatedRate): number {
  return rate.kind === "built_in" ? BUILT_IN_AGE_MAX_DAYS : RATE_AGE_MAX_DAYS;
}

/** Returns for example "rates: listings (12 in AED, 3 in TWD) have no rate …". */
function describeDays(
  days: readonly (PricedDay & { readonly ageDays: number })[],
  isFine: boolean,
  what: string,
): readonly Finding[] {
  if (days.length === 0) return [];
  const counts = new Map<string, { count: number; ageDays: number }>();
  for (const { currency, count, ageDays } of days) {
    const sum = counts.get(currency) ?? { count: 0, ageDays: 0 };
    counts.set(currency, { count: sum.count + count, ageDays: Math.max(sum.ageDays, ageDays) });
  }
  const words = [...counts].map(
    ([currency, { count, ageDays }]) =>
      `${count} in ${currency}${ageDays > 0 ? ` (up to ${ageDays} days old)` : ""}`,
  );
  const text = `rates: listings (${words.join(", ")}) ${what}`;
  return [{ isFine, text, command: "assay fx import eurofxref-hist.csv" }];
}

/** Rates are fetched daily. A failure of some hours is not worth a look. */
const FETCH_AGE_MAX_MS = 2 * DAY_MS;

/** Reports how old the fetched rates are, if a worker is to fetch them. */
export async function examineRateFetch(
  db: Database,
  { ratesSource }: Pick<Config, "ratesSource">,
  nowMs: number,
): Promise<readonly Finding[]> {
  if (ratesSource === "none") return [];
  const { fetched_at_ms, latest_day, failing_since_ms, failed_count, last_error } =
    await findRateFetch(db);
  const age =
    fetched_at_ms === null || latest_day === null
      ? "not fetched yet"
      : `those of ${latest_day}, fetched at ${new Date(fetched_at_ms).toISOString()}`;
  if (failing_since_ms === null) {
    const isFine = fetched_at_ms === null || nowMs - fetched_at_ms < FETCH_AGE_MAX_MS;
    const help = isFine ? "" : "; start `assay serve` with a worker, or check its log";
    return [{ isFine, text: `rates of the ECB: ${age}${help}` }];
  }
  return [
    {
      isFine: nowMs - (fetched_at_ms ?? failing_since_ms) < FETCH_AGE_MAX_MS,
      text:
        `rates of the ECB: ${age}; ${failed_count} attempts failed since ` +
        `${new Date(failing_since_ms).toISOString()} (${last_error}); check ASSAY_RATES_URL and the network. ` +
        "A worker tries again by itself",
    },
  ];
}

/** Reports configurations whose cells are stale or could not be calculated, and source markets without a view. */
export async function examinePricing(db: Database, nowMs: number): Promise<readonly Finding[]> {
  const health = await findPricingHealth(db, nowMs);
  if (health.configuration_count === 0) {
    return [
      {
        isFine: true,
        text: "prices: no configuration is declared yet; declare one with `assay apply`",
        command: "assay apply --help",
      },
    ];
  }
  const missing = [
    ...(health.has_eu_view ? [] : ["EU"]),
    ...(health.has_hk_view ? [] : ["HK"]),
  ].join(" and ");
  return [
    health.stale_count === 0
      ? { isFine: true, text: `prices: ${health.configuration_count} configurations, none stale` }
      : {
          isFine: false,
          text:
            `prices: ${health.stale_count} of ${health.configuration_count} configurations are stale; ` +
            "start `assay serve` with a worker, or run `assay refresh`",
          command: "assay refresh",
        },
    ...(health.failed_count === 0
      ? []
      : [
          {
            isFine: false,
            text:
              `prices: ${health.failed_count} configurations could not be calculated ` +
              `(${health.last_refresh_error}); the API shows their last good cells`,
          },
        ]),
    missing === ""
      ? { isFine: true, text: "source views: EU and HK" }
      : {
          // A dealer may buy in one market only. Without any view, no listing gets a price.
          isFine: health.has_eu_view || health.has_hk_view,
          text: `source views: none for ${missing}, so no listing counts as an ask there; declare one under \`views\` with \`assay apply\``,
          command: "assay apply --help",
        },
  ];
}

const SUSPECTS_MAX = 5;

/**
 * Lists the first suspect asks. They are no fault of the installation, and every market has some, so the check is fine with
 * them: they count in no price and fire no buy.
 */
export async function examineSuspects(
  pool: DatabasePool,
  nowMs: number,
): Promise<readonly Finding[]> {
  const { suspect_count, cell_count } = await countSuspectAsks(pool);
  if (suspect_count === 0) return [{ isFine: true, text: "suspect asks: none" }];
  const asks = await pool.transaction((tx) => listSuspectAsks(tx, { limit: SUSPECTS_MAX, nowMs }));
  return [
    {
      isFine: true,
      text:
        `suspect asks: ${suspect_count} in ${cell_count} cells, most likely misread; they count in no price and fire no buy; ` +
        "look at the message (`assay explain LISTING_ID`), and if it was misread, " +
        "run `assay correct LISTING_ID price='AMOUNT CURRENCY'`",
      command: "assay correct LISTING_ID price='AMOUNT CURRENCY'",
    },
    ...asks.map((ask) => ({
      isFine: true,
      text:
        `suspect ask: ${ask.listing_id} asks ${showAmount(ask.comparable_ask_eur_minor)} EUR in ` +
        `${ask.configuration_key} ${ask.year} ${ask.condition_bucket}; plausible are ` +
        `${showAmount(ask.plausible_min_eur_minor)} to ${showAmount(ask.plausible_max_eur_minor)}, ` +
        `the median is ${showAmount(ask.ask_median_eur_minor)}`,
      command: `assay explain ${ask.listing_id}`,
    })),
  ];
}

const BUYS_DAYS = 30;
/** Of more matches the latest are looked at. */
const BUYS_MAX = 10_000;

/**
 * Proposes `papers` for a profile that compares any sets, if that would have left out one of its latest buys. Nothing is wrong with
 * a desk that buys watches without papers, so the check is fine with it.
 */
export async function examineSets(db: Database, nowMs: number): Promise<readonly Finding[]> {
  const sinceMs = nowMs - BUYS_DAYS * DAY_MS;
  const buys = await listRecentBuys(db, { sinceMs, limit: BUYS_MAX });
  const ids = [...new Set(buys.map(({ configuration_id }) => configuration_id))];
  const configurations = await findSetsOfConfigurations(db, ids);
  const byProfile = groupBy(
    configurations.filter(
      ({ profile_sets, ...own }) =>
        profile_sets === "any" && effectiveSets({ ...own, profileSets: "papers" }) === "papers",
    ),
    ({ profile_name }) => profile_name,
  );
  return [...byProfile].flatMap(([name, ofProfile]) => {
    const followers = new Set(ofProfile.map(({ id }) => id));
    const bought = new Map(
      buys
        .filter(({ configuration_id }) => followers.has(configuration_id))
        .map((buy) => [buy.listing_id, buy.full_set_status]),
    );
    const leftOut = [...bought.values()].filter((set) => !hasPapers(set)).length;
    if (leftOut === 0) return [];
    const text =
      `sets: ${leftOut} of ${bought.size} buys of the last ${BUYS_DAYS} days by the profile "${name}" are watches without papers; ` +
      "`sets: papers` would leave them out";
    return [{ isFine: true, text }];
  });
}

function hasPapers(full_set_status: readonly string[]): boolean {
  const facts = { ...EMPTY_FACTS, full_set_status };
  return clausesOfSets("papers").every((one) => holds(one, facts, { rateOf: () => undefined }));
}

/** Of more alerts the first are looked at, and of more matches the latest. */
const WORD_ALERTS = { alertsMax: 500, eachMax: 500, matchesMax: 10_000, messagesMax: 500 };
const WORD_DAYS = 30;
const WORD_FINDINGS_MAX = 20;

/**
 * Names alerts that ask for words which their latest matches have only in lines of other watches: such listings match no more.
 * Nothing is wrong with an alert that finds less, so the check is fine with it.
 */
export async function examineWordAlerts(db: Database, nowMs: number): Promise<readonly Finding[]> {
  const filters = await listWordFilters(db, WORD_ALERTS.alertsMax);
  const clauses = new Map(
    filters.map(({ owner_id, filters: all }) => [
      owner_id,
      parseFilters(all, { sets: null }).clauses.filter(
        (one): one is TextClause => one.kind === "text",
      ),
    ]),
  );
  const matches = await listMatchedTexts(db, [...clauses.keys()], {
    sinceMs: nowMs - WORD_DAYS * DAY_MS,
    eachMax: WORD_ALERTS.eachMax,
    limit: WORD_ALERTS.matchesMax,
  });
  const unlike = matches.filter(
    ({ alert_id, search_text }) => !holdsAll(clauses.get(alert_id) ?? [], search_text),
  );
  const ids = [...new Set(unlike.map((match) => match.canonical_message_id))];
  const messages = await findMessageOverviews(db, ids.slice(0, WORD_ALERTS.messagesMax), {
    textLengthMax: TEXT_MAX,
  });
  const wholes = new Map([...messages].map(([id, { text }]) => [id, toMessageText(text ?? "")]));
  const lost = unlike.filter(({ alert_id, canonical_message_id, search_text }) => {
    const whole = wholes.get(canonical_message_id) ?? "";
    // What its whole message does not match either was edited or corrected since.
    return holdsAll(clauses.get(alert_id) ?? [], search_text + FIELD_BREAK + whole);
  });
  const counts = groupBy(matches, ({ alert_id }) => alert_id);
  return [...groupBy(lost, ({ alert_id }) => alert_id)]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, WORD_FINDINGS_MAX)
    .map(([id, ofAlert]) => ({
      isFine: true,
      text:
        `words: ${ofAlert.length} of ${counts.get(id)?.length} matches of the last ${WORD_DAYS} days of the alert ` +
        `"${ofAlert[0]?.alert_name}" have its words in lines of other watches only, and match no more; to ask for every word ` +
        "of one watch, use `text_search` with mode `all`; to read whole messages, an alert with `resource: messages`",
    }));
}

function holdsAll(clauses: readonly TextClause[], searchText: string): boolean {
  return clauses.every((clause) => holdsText(clause, searchText));
}

const FAILING_MAX = 20;

/** Reports targets that are gone, deliveries that fail, from the first attempt on, and those that were given up. */
export async function examineDeliveries(db: Database): Promise<readonly Finding[]> {
  const count = await countDeadDeliveries(db);
  const failing = await listFailingDeliveries(db, FAILING_MAX);
  const gone = await listGoneTargets(db, FAILING_MAX);
  return [
    ...gone.map(({ name, gone_at_ms }) => ({
      isFine: false,
      text:
        `webhooks: the target "${name}" said at ${new Date(gone_at_ms).toISOString()} that it is gone, so nothing is sent to it; ` +
        "change its address, or delete it; if it is back, send it a test or retry one of its deliveries",
      command: "assay deliveries retry --all-dead",
    })),
    ...failing.map(({ target, last_result, count: failed }) => ({
      isFine: false,
      text:
        `webhooks: ${failed} deliveries to "${target}" fail (${last_result}) and are retried; ` +
        (helpFor(last_result) ?? "check the target; see `assay deliveries list --status pending`"),
      command: "assay deliveries list --status pending",
    })),
    count === 0
      ? { isFine: true, text: "webhooks: no dead deliveries" }
      : {
          isFine: false,
          text: `webhooks: ${count} deliveries are dead; see \`assay deliveries list --status dead\`, then \`assay deliveries retry --all-dead\``,
          command: "assay deliveries retry --all-dead",
        },
  ];
}
