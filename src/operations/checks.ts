import type { Config } from "../base/config.ts";
import type { DatabasePool } from "../db/database.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { examineCatalogue } from "./examine-catalogue.ts";
import { examineCorrections } from "./examine-corrections.ts";
import { examineBackfills, examineRefusals, examineSessions } from "./examine-gateway.ts";
import {
  examineDeliveries,
  examineGateway,
  examinePricing,
  examineSenders,
  examineSuspects,
} from "./examine-market.ts";
import {
  examineExtraction,
  examineQuarantine,
  examineQueue,
  examineSetAside,
} from "./examine-pipeline.ts";
import { examineRateFetch } from "./examine-rate-fetch.ts";
import { examineRates } from "./examine-rates.ts";
import { examineRetention } from "./examine-retention.ts";
import type { Finding } from "./finding.ts";

/** What a check may read. */
export interface CheckContext {
  readonly pool: DatabasePool;
  readonly config: Config;
  readonly nowMs: number;
  loadCatalogue(): Promise<Catalogue>;
}

export interface Check {
  /** Part of the API. */
  readonly name: string;
  /** True if it reads many rows or asks another program: it must not run for every request. */
  readonly isHeavy: boolean;
  examine(context: CheckContext): Promise<readonly Finding[]>;
}

/** In the order of the data. */
export const CHECKS: readonly Check[] = [
  { name: "queue", isHeavy: false, examine: ({ pool, nowMs }) => examineQueue(pool, nowMs) },
  { name: "quarantine", isHeavy: false, examine: ({ pool }) => examineQuarantine(pool) },
  { name: "set_aside", isHeavy: false, examine: ({ pool }) => examineSetAside(pool) },
  {
    name: "extraction",
    isHeavy: false,
    examine: async ({ pool, loadCatalogue }) => examineExtraction(pool, await loadCatalogue()),
  },
  {
    name: "catalogue",
    isHeavy: true,
    examine: async ({ pool, loadCatalogue, nowMs }) =>
      examineCatalogue(pool, await loadCatalogue(), nowMs),
  },
  { name: "corrections", isHeavy: false, examine: ({ pool }) => examineCorrections(pool) },
  { name: "events", isHeavy: false, examine: async ({ config }) => examineSenders(config) },
  { name: "gateway", isHeavy: true, examine: ({ config }) => examineGateway(config) },
  {
    name: "refused_events",
    isHeavy: false,
    examine: ({ pool, nowMs }) => examineRefusals(pool, nowMs),
  },
  {
    name: "retention",
    isHeavy: false,
    examine: ({ pool, config, nowMs }) => examineRetention(pool, config, nowMs),
  },
  { name: "backfill", isHeavy: false, examine: ({ pool }) => examineBackfills(pool) },
  { name: "sessions", isHeavy: false, examine: ({ pool, nowMs }) => examineSessions(pool, nowMs) },
  { name: "rates", isHeavy: true, examine: ({ pool }) => examineRates(pool) },
  {
    name: "rate_fetch",
    isHeavy: false,
    examine: ({ pool, config, nowMs }) => examineRateFetch(pool, config, nowMs),
  },
  { name: "prices", isHeavy: false, examine: ({ pool, nowMs }) => examinePricing(pool, nowMs) },
  {
    name: "suspect_asks",
    isHeavy: true,
    examine: ({ pool, nowMs }) => examineSuspects(pool, nowMs),
  },
  { name: "deliveries", isHeavy: false, examine: ({ pool }) => examineDeliveries(pool) },
];
