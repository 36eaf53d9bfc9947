import { helpFor } from "../alerts/deliveries/delivery.ts";
import {
  countDeadDeliveries,
  listFailingDeliveries,
  listGoneTargets,
} from "../alerts/deliveries/delivery-overview-store.ts";
import { showAmount } from "../base/amount.ts";
import type { Config } from "../base/config.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { findUnsignedProblem } from "../intake/sender-rule.ts";
import { createWahaClient } from "../messages/gateways/waha-client.ts";
import { listSuspectAsks } from "../pricing/cells/list-suspect-asks.ts";
import { findPricingHealth } from "../pricing/cells/pricing-health-store.ts";
import { countSuspectAsks } from "../pricing/cells/suspect-ask-store.ts";
import type { Finding } from "./finding.ts";

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

/** Reports whether the gateway's events can be accepted. */
export function examineSenders(config: Config): readonly Finding[] {
  if (config.wahaHmacKey !== undefined) {
    return [{ isFine: true, text: "events: must be signed with ASSAY_WAHA_HMAC_KEY" }];
  }
  const problem = findUnsignedProblem(config);
  return [
    problem === undefined
      ? { isFine: true, text: "events: accepted unsigned, from programs on this machine only" }
      : { isFine: false, text: `events: all are refused; ${problem}` },
  ];
}

/** Checks that the gateway answers, if its address is set. */
export async function examineGateway(config: Config): Promise<readonly Finding[]> {
  if (config.wahaUrl === undefined) {
    return [
      {
        isFine: true,
        text: "gateway: ASSAY_WAHA_URL is not set; Assay knows only what the gateway posts",
      },
    ];
  }
  const client = createWahaClient({
    url: config.wahaUrl,
    timeoutMs: 5_000,
    retryDelayMs: 200,
    ...(config.wahaApiKey === undefined ? {} : { apiKey: config.wahaApiKey }),
  });
  try {
    const sessions = await client.listSessions();
    const count = Array.isArray(sessions) ? sessions.length : 0;
    return [{ isFine: true, text: `gateway: answers, with ${count} sessions` }];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      {
        isFine: false,
        text: `gateway: does not answer (${reason}); check ASSAY_WAHA_URL and ASSAY_WAHA_API_KEY`,
      },
    ];
  }
}
