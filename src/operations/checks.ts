import type { Check } from "./check.ts";
import {
  examineBackfills,
  examineGateway,
  examineMedia,
  examineRefusals,
  examineSenders,
  examineSessions,
} from "./examine-gateway.ts";
import {
  examineDeliveries,
  examinePricing,
  examineRateFetch,
  examineRates,
  examineSets,
  examineSuspects,
  examineWordAlerts,
} from "./examine-market.ts";
import {
  examineCatalogue,
  examineCorrections,
  examineExtraction,
  examineIgnored,
  examineNodeAge,
  examineQuarantine,
  examineQueue,
  examineRetention,
  examineServerAge,
  examineSetAside,
  examineStandbys,
  examineTimelines,
} from "./examine-pipeline.ts";

/** In the order of the data. */
export const CHECKS: readonly Check[] = [
  {
    name: "server_version",
    isHeavy: false,
    examine: ({ pool, config }) => examineServerAge(pool, config),
  },
  {
    name: "node_version",
    isHeavy: false,
    examine: async () => examineNodeAge(process.versions.node),
  },
  { name: "timelines", isHeavy: false, examine: ({ pool }) => examineTimelines(pool) },
  {
    name: "standbys",
    isHeavy: false,
    examine: ({ pool, config }) => examineStandbys(pool, config),
  },
  { name: "queue", isHeavy: false, examine: ({ pool, nowMs }) => examineQueue(pool, nowMs) },
  { name: "quarantine", isHeavy: false, examine: ({ pool }) => examineQuarantine(pool) },
  { name: "ignored_events", isHeavy: true, examine: ({ pool }) => examineIgnored(pool) },
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
  { name: "media", isHeavy: true, examine: ({ pool, config }) => examineMedia(pool, config) },
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
  { name: "sets", isHeavy: true, examine: ({ pool, nowMs }) => examineSets(pool, nowMs) },
  { name: "words", isHeavy: true, examine: ({ pool, nowMs }) => examineWordAlerts(pool, nowMs) },
  { name: "deliveries", isHeavy: false, examine: ({ pool }) => examineDeliveries(pool) },
];
