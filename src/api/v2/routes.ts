import type { FastifyInstance } from "fastify";
import { addExportManifest } from "./administration/export-manifest.ts";
import { addGetOperations, type OperationContext } from "./administration/get-operations.ts";
import {
  addDeleteGroupPreset,
  addListGroupPresets,
  addWriteGroupPresets,
} from "./administration/group-presets.ts";
import { addChangeGroup, addListGroups } from "./administration/groups.ts";
import { addListFxRates } from "./administration/list-fx-rates.ts";
import { addListQuarantine } from "./administration/list-quarantine.ts";
import { addListSessions } from "./administration/list-sessions.ts";
import { addCreateToken, addListTokens, addRevokeToken } from "./administration/tokens.ts";
import { addListAlertStates, addListAlerts, addWriteAlerts } from "./alerts/alerts.ts";
import { addListDeliveries, addRetryDelivery } from "./alerts/deliveries.ts";
import { addListAlertMatches } from "./alerts/list-alert-matches.ts";
import { addListWatchMatches } from "./alerts/list-watch-matches.ts";
import { addMarkMatchesSeen, addMarkMatchSeen } from "./alerts/mark-matches-seen.ts";
import { addMuteAlert, addUnmuteAlert } from "./alerts/mute-alerts.ts";
import { addPreviewAlert } from "./alerts/preview-alert.ts";
import { addTestWebhookTarget, addWriteTargets } from "./alerts/targets.ts";
import { addCorrectListing } from "./listing/correct-listing.ts";
import { addExplainListing } from "./listing/explain-listing.ts";
import { addGetListing, addGetPriceHistory } from "./listing/get-listing.ts";
import { addGetListingReading } from "./listing/get-listing-reading.ts";
import { addCountFacets } from "./market/count-facets.ts";
import { addExportListings } from "./market/export-listings.ts";
import { addListListings, addSearchListings } from "./market/search-listings.ts";
import { addSearchReferences } from "./market/search-references.ts";
import { addSummarizeMarket } from "./market/summarize-market.ts";
import { addWriteViews } from "./market/views.ts";
import { addGetContact } from "./messages/get-contact.ts";
import { addGetMessage, addListMessages } from "./messages/messages.ts";
import { addGetOccurrenceSummary, addListOccurrences } from "./messages/occurrences.ts";
import { addListConfigurations, addWriteConfigurations } from "./price-engine/configurations.ts";
import { addGetBackcast, addGetCellHistory } from "./price-engine/get-cell-history.ts";
import { addGetConfigurationCells } from "./price-engine/get-configuration-cells.ts";
import { addGetPopulation } from "./price-engine/get-population.ts";
import { addPreviewConfiguration } from "./price-engine/preview-configuration.ts";
import {
  addListListingMatches,
  addPriceManyListings,
  createPriceListings,
} from "./price-engine/price-listings.ts";
import { addWriteProfiles } from "./price-engine/profiles.ts";
import { addSearchLiveFeed } from "./price-engine/search-live-feed.ts";
import type { RouteContext } from "./schemas.ts";

export function addMarketRoutes(app: FastifyInstance, context: RouteContext): void {
  addSearchListings(app, context);
  addListListings(app, context);
  addCountFacets(app, context);
  addSearchReferences(app, context);
  addSummarizeMarket(app, context);
  addExportListings(app, context);
  addGetListing(app, context);
  addGetPriceHistory(app, context);
}

/** What belongs to one listing: how it was read, why it does or does not match, and a person's corrections. */
export function addListingRoutes(app: FastifyInstance, context: RouteContext): void {
  addGetListingReading(app, context);
  addExplainListing(app, context);
  addCorrectListing(app, context);
}

export function addPriceEngineRoutes(app: FastifyInstance, context: RouteContext): void {
  const priceListings = createPriceListings(context);
  addListListingMatches(app, context, priceListings);
  addPriceManyListings(app, context, priceListings);
  addSearchLiveFeed(app, context, priceListings);
  addGetConfigurationCells(app, context);
  addListConfigurations(app, context);
  addGetCellHistory(app, context);
  addWriteConfigurations(app, context);
  addWriteProfiles(app, context);
  addGetBackcast(app, context);
  addGetPopulation(app, context);
  addPreviewConfiguration(app, context);
}

export function addAlertRoutes(app: FastifyInstance, context: RouteContext): void {
  addListAlerts(app, context);
  addWriteAlerts(app, context);
  addMuteAlert(app, context);
  addUnmuteAlert(app, context);
  addListAlertMatches(app, context);
  addListAlertStates(app, context);
  addListWatchMatches(app, context);
  addPreviewAlert(app, context);
  addMarkMatchSeen(app, context);
  addMarkMatchesSeen(app, context);
}

export function addMessageRoutes(app: FastifyInstance, context: RouteContext): void {
  addListMessages(app, context);
  addGetMessage(app, context);
  addListOccurrences(app, context);
  addGetOccurrenceSummary(app, context);
}

export function addNotificationRoutes(app: FastifyInstance, context: RouteContext): void {
  addWriteTargets(app, context);
  addTestWebhookTarget(app, context);
  addListDeliveries(app, context);
  addRetryDelivery(app, context);
}

export function addContactRoutes(app: FastifyInstance, context: RouteContext): void {
  addGetContact(app, context);
}

export function addGroupRoutes(app: FastifyInstance, context: RouteContext): void {
  addListGroups(app, context);
  addChangeGroup(app, context);
}

export function addOutboundRoutes(app: FastifyInstance, context: RouteContext): void {
  addListGroupPresets(app, context);
  addWriteGroupPresets(app, context);
  addDeleteGroupPreset(app, context);
}

export function addSystemRoutes(app: FastifyInstance, context: RouteContext): void {
  addListSessions(app, context);
}

export function addViewRoutes(app: FastifyInstance, context: RouteContext): void {
  addWriteViews(app, context);
}

export function addOperationRoutes(app: FastifyInstance, context: OperationContext): void {
  addGetOperations(app, context);
  addListQuarantine(app, context);
}

export function addManifestRoutes(app: FastifyInstance, context: RouteContext): void {
  addExportManifest(app, context);
}

export function addRateRoutes(app: FastifyInstance, context: RouteContext): void {
  addListFxRates(app, context);
}

export function addTokenRoutes(app: FastifyInstance, context: RouteContext): void {
  addListTokens(app, context);
  addCreateToken(app, context);
  addRevokeToken(app, context);
}
