import type { FastifyInstance } from "fastify";
import { addExportManifest } from "./administration/export-manifest.ts";
import { addGetOperations, type OperationContext } from "./administration/get-operations.ts";
import {
  addDeleteGroupPreset,
  addListGroupPresets,
  addWriteGroupPresets,
} from "./administration/group-presets.ts";
import { addChangeGroup, addListGroups } from "./administration/groups.ts";
import { addListActivity } from "./administration/list-activity.ts";
import { addListFxRates } from "./administration/list-fx-rates.ts";
import { addListQuarantine } from "./administration/list-quarantine.ts";
import { addListSessions } from "./administration/list-sessions.ts";
import { addCreateSignInLink, addGetMe, addSaveLastLooked } from "./administration/me.ts";
import {
  addChangeToken,
  addCreateToken,
  addListTokens,
  addRevokeToken,
  addRotateToken,
} from "./administration/tokens.ts";
import { addListAlertStates, addListAlerts, addWriteAlerts } from "./alerts/alerts.ts";
import { addListDeliveries, addRetryDelivery } from "./alerts/deliveries.ts";
import { addListAlertMatches } from "./alerts/list-alert-matches.ts";
import { addListWatchMatches, addSummarizeWatchMatches } from "./alerts/list-watch-matches.ts";
import { addMarkMatchesSeen, addMarkMatchSeen } from "./alerts/mark-matches-seen.ts";
import { addMuteAlert, addUnmuteAlert } from "./alerts/mute-alerts.ts";
import { addPreviewAlert } from "./alerts/preview-alert.ts";
import { addTestWebhookTarget, addWriteTargets } from "./alerts/targets.ts";
import { addReadDeals, addWriteDeals } from "./deals/deals.ts";
import { addCorrectListing } from "./listing/correct-listing.ts";
import { addExplainListing } from "./listing/explain-listing.ts";
import { addGetListing, addGetPriceHistory } from "./listing/get-listing.ts";
import { addGetListingReading } from "./listing/get-listing-reading.ts";
import { addListListingMedia, addListSamePhotos } from "./listing/listing-media.ts";
import { addCountFacets } from "./market/count-facets.ts";
import { addExportListings } from "./market/export-listings.ts";
import { addFindAnything } from "./market/find-anything.ts";
import { addParseAmount } from "./market/parse-amount.ts";
import { addParseQuery } from "./market/parse-query.ts";
import { createPriceReader, type PricedContext } from "./market/price-body.ts";
import { addListListings, addSearchListings } from "./market/search-listings.ts";
import { addSearchReferences } from "./market/search-references.ts";
import { addSummarizeMarket } from "./market/summarize-market.ts";
import { addWriteViews } from "./market/views.ts";
import { addGetMedia } from "./media/get-media.ts";
import { addChangeContact, addReadContacts } from "./messages/contacts.ts";
import { addGetMessage, addListMessages } from "./messages/messages.ts";
import { addGetOccurrenceSummary, addListOccurrences } from "./messages/occurrences.ts";
import { addGetBackcast, addGetCellHistory } from "./price-engine/cell-history.ts";
import { addListConfigurations, addWriteConfigurations } from "./price-engine/configurations.ts";
import { addGetConfigurationCells } from "./price-engine/get-configuration-cells.ts";
import { addGetPopulation } from "./price-engine/get-population.ts";
import { addPreviewConfiguration } from "./price-engine/preview-configuration.ts";
import { addListListingMatches, addPriceManyListings } from "./price-engine/price-listings.ts";
import { addWriteProfiles } from "./price-engine/profiles.ts";
import { addSearchLiveFeed } from "./price-engine/search-live-feed.ts";

interface Context extends OperationContext, PricedContext {}

/**
 * All endpoints in order: it is also the order of the paths in the contract. `app.ts` itself adds those that need more than this
 * context has: the gateway's webhooks and the stream of events.
 */
const ENDPOINTS: readonly ((app: FastifyInstance, context: Context) => void)[] = [
  // Market.
  addSearchListings,
  addListListings,
  addCountFacets,
  addSearchReferences,
  addSummarizeMarket,
  addParseQuery,
  addParseAmount,
  addFindAnything,
  addExportListings,
  addGetListing,
  addGetPriceHistory,
  // One listing: how it was read, why it does or does not match, and a person's corrections.
  addGetListingReading,
  addExplainListing,
  addCorrectListing,
  // Pictures.
  addListListingMedia,
  addListSamePhotos,
  addGetMedia,
  // Price engine.
  addListListingMatches,
  addPriceManyListings,
  addSearchLiveFeed,
  addGetConfigurationCells,
  addListConfigurations,
  addGetCellHistory,
  addWriteConfigurations,
  addWriteProfiles,
  addGetBackcast,
  addGetPopulation,
  addPreviewConfiguration,
  // Alerts.
  addListAlerts,
  addWriteAlerts,
  addMuteAlert,
  addUnmuteAlert,
  addListAlertMatches,
  addListAlertStates,
  addListWatchMatches,
  addSummarizeWatchMatches,
  addPreviewAlert,
  addMarkMatchSeen,
  addMarkMatchesSeen,
  // Deals.
  addReadDeals,
  addWriteDeals,
  // Messages.
  addListMessages,
  addGetMessage,
  addListOccurrences,
  addGetOccurrenceSummary,
  // Targets of alerts, and deliveries to them.
  addWriteTargets,
  addTestWebhookTarget,
  addListDeliveries,
  addRetryDelivery,
  // Contacts, groups, presets and sessions.
  addReadContacts,
  addChangeContact,
  addListGroups,
  addChangeGroup,
  addListGroupPresets,
  addWriteGroupPresets,
  addDeleteGroupPreset,
  addListSessions,
  // Views.
  addWriteViews,
  // Administration.
  addGetOperations,
  addListQuarantine,
  addExportManifest,
  addListFxRates,
  // People: who asks, who may do what, who did what.
  addGetMe,
  addSaveLastLooked,
  addCreateSignInLink,
  addListTokens,
  addCreateToken,
  addChangeToken,
  addRotateToken,
  addRevokeToken,
  addListActivity,
];

export function addRoutes(app: FastifyInstance, context: OperationContext): void {
  const prices = createPriceReader(context);
  for (const addEndpoint of ENDPOINTS) addEndpoint(app, { ...context, ...prices });
}
