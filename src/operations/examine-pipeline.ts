import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import { findNodeProblem } from "../base/node-age.ts";
import { cutText } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import { splitHosts } from "../db/driver/hosts.ts";
import { describeUpdate, findServerAge } from "../db/server-age.ts";
import { describeStandbyProblem, findStandbys } from "../db/standbys.ts";
import { findTimelineProblem } from "../db/watch-hosts.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { countQuarantined, isUnknownKind } from "../intake/quarantine-store.ts";
import { countIgnoredEvents, countQueuedEvents } from "../intake/raw-event-store.ts";
import type { SetAsideReason } from "../listings/corrections/correction.ts";
import {
  countCorrections,
  countSetAsideCorrections,
} from "../listings/corrections/correction-store.ts";
import { type CatalogueGap, findCatalogueGaps } from "../listings/dealer-catalogue.ts";
import { readerOf } from "../listings/extract-listings.ts";
import { listNamedWatches } from "../listings/figures/named-watch-store.ts";
import { countNotOffered } from "../listings/listing-store.ts";
import {
  COUNT_MAX,
  countFailedMessages,
  countOutdatedMessages,
} from "../listings/message-extraction-store.ts";
import { hasOldReports } from "../messages/occurrences/reported-message-store.ts";
import { findRetention, type Retention } from "../messages/privacy/retention-store.ts";
import { countSetAsideItems } from "../pipeline/set-aside-store.ts";
import {
  describeMinimum,
  findRetentionMinimum,
  findWantedFloor,
} from "../privacy/retention-days.ts";
import type { Finding } from "./check.ts";
import { listQueueStates } from "./operations-store.ts";

/** Warns of a server with known holes. It works, so it is no failure. */
export async function examineServerAge(
  db: Database,
  { databaseUrl, isDemo }: Pick<Config, "databaseUrl" | "isDemo">,
): Promise<readonly Finding[]> {
  const { version, problem } = await findServerAge(db);
  if (problem === undefined) return [{ isFine: true, text: `server: PostgreSQL ${version}` }];
  const update = describeUpdate(databaseUrl === undefined || isDemo);
  return [{ isFine: true, isWarning: true, text: `server: ${problem}; ${update}` }];
}

/** Warns of a version of Node without fixes. */
export function examineNodeAge(version: string): readonly Finding[] {
  const problem = findNodeProblem(version);
  return [
    problem === undefined
      ? { isFine: true, text: `node: ${version}` }
      : { isFine: true, isWarning: true, text: `node: ${version}. ${problem}` },
  ];
}

/** Says nothing about a server without any standby, unless several hosts are named: there is nothing to lose a fail-over to. */
export async function examineStandbys(
  db: Database,
  { databaseUrl = "", isDemo }: Pick<Config, "databaseUrl" | "isDemo">,
): Promise<readonly Finding[]> {
  const hostCount = isDemo ? 1 : splitHosts(databaseUrl).length;
  const standbys = await findStandbys(db);
  const problem = describeStandbyProblem(standbys, { hostCount, hadStandby: false });
  if (problem === undefined) {
    const text = "standbys: a commit waits for a synchronous one";
    return standbys.isSynchronous ? [{ isFine: true, text }] : [];
  }
  // With one host the standby may be for reads alone, and never be promoted.
  const isForReads = hostCount < 2 && !standbys.isSynchronous;
  const text = `standbys: ${problem}`;
  return [isForReads ? { isFine: true, isWarning: true, text } : { isFine: false, text }];
}

/** Reports processes that refuse this server, as their connections say. They cannot work, and their own doctor is this one. */
export async function examineTimelines(db: Database): Promise<readonly Finding[]> {
  const problem = await findTimelineProblem(db);
  return problem === undefined ? [] : [{ isFine: false, text: `store: ${problem}` }];
}

/** A worker takes an event within a second; one that has waited longer than this waits in vain. */
const WAITING_MAX_MS = MINUTE_MS;

/** Reports events that no worker takes. Those that just came are fine: in a busy market there is always one. */
export async function examineQueue(db: Database, nowMs: number): Promise<readonly Finding[]> {
  const count = await countQueuedEvents(db);
  const queues = count === 0 ? [] : await listQueueStates(db, nowMs);
  const { oldest_age_ms: oldestMs } = queues[0] ?? { oldest_age_ms: 0 };
  if (count > 0 && (oldestMs ?? 0) < WAITING_MAX_MS) {
    return [{ isFine: true, text: `queue: ${count} events are being processed` }];
  }
  return [
    count === 0
      ? { isFine: true, text: "queue: all events are processed" }
      : {
          isFine: false,
          text: `queue: ${count} events are waiting; start \`assay serve\` with a worker, or check its log if it is running`,
          command: "assay serve",
        },
  ];
}

export async function examineQuarantine(db: Database): Promise<readonly Finding[]> {
  const counts = await countQuarantined(db);
  if (counts.length === 0) return [{ isFine: true, text: "quarantine: empty" }];
  const command = "assay quarantine retry --all";
  const failed = counts.filter(({ reason }) => !isUnknownKind(reason));
  const unknown = counts.flatMap(({ reason, count }) =>
    isUnknownKind(reason) ? [{ kind: reason.replace(/^unknown_/, ""), count }] : [],
  );
  return [
    ...failed.map(({ reason, count, latest_at_ms }) => ({
      isFine: false,
      text:
        `quarantine: ${count} events (${reason}), the latest at ${new Date(latest_at_ms).toISOString()}; ` +
        `see \`assay quarantine list\`, then \`${command}\`, or drop them`,
      command,
    })),
    ...(unknown.length === 0
      ? []
      : [
          {
            isFine: true,
            text:
              `quarantine: events of kinds that this version does not know: ${describeKinds(unknown)}; ` +
              `those about a group are kept, and after an update \`${command}\` reads them again`,
            command,
          },
        ]),
  ];
}

/** Kinds that are named in one line. */
const KINDS_MAX = 20;

/** Reports what events were that gave no message. */
export async function examineIgnored(db: Database): Promise<readonly Finding[]> {
  const counts = await countIgnoredEvents(db);
  const what = counts.length === 0 ? "none" : describeKinds(counts);
  return [{ isFine: true, text: `ignored events: ${what} (docs/gateways.md)` }];
}

/** Returns for example "sticker (12), pin (3) and 2 more kinds". */
function describeKinds(
  counts: readonly { readonly kind: string; readonly count: number }[],
): string {
  const named = counts.slice(0, KINDS_MAX).map(({ kind, count }) => `${kind} (${count})`);
  const rest = counts.length > KINDS_MAX ? ` and ${counts.length - KINDS_MAX} more kinds` : "";
  return `${named.join(", ")}${rest}`;
}

export async function examineSetAside(db: Database): Promise<readonly Finding[]> {
  const counts = await countSetAsideItems(db);
  if (counts.length === 0) return [{ isFine: true, text: "pipeline: no item is set aside" }];
  return counts.map(({ step, reason, count, latest_at_ms }) => ({
    isFine: false,
    text:
      `pipeline: ${count} items of "${step}" failed (${reason}), the latest at ${new Date(latest_at_ms).toISOString()}; ` +
      "a worker tries them again by itself; see `assay quarantine list`",
    command: "assay quarantine list",
  }));
}

export async function examineExtraction(
  db: Database,
  catalogue: Catalogue,
): Promise<readonly Finding[]> {
  const failed = await countFailedMessages(db);
  const outdated = await countOutdatedMessages(db, readerOf(catalogue));
  const { listing_count, message_count } = await countNotOffered(db);
  return [
    failed === 0
      ? { isFine: true, text: "listings: extraction worked for every message" }
      : {
          isFine: false,
          text: `listings: extraction failed for ${failed} messages; the log of the worker has their ids`,
        },
    outdated === 0
      ? { isFine: true, text: "listings: all extracted with this version, catalogue and words" }
      : {
          isFine: false,
          text:
            `listings: ${outdated < COUNT_MAX ? "" : "at least "}${outdated} messages were extracted with another version, ` +
            "catalogue or words, and may be read differently; run `assay reextract`",
          command: "assay reextract",
        },
    ...(listing_count === 0
      ? []
      : [
          {
            isFine: true,
            text:
              `listings: ${listing_count} listings of ${message_count} messages were left out as talk: ` +
              "GET /v2/messages?left_out=true; if one is an offer, run `assay correct LISTING_ID --is-a-listing`",
            command: "assay correct LISTING_ID --is-a-listing",
          },
        ]),
  ];
}

const WINDOW_DAYS = 30;
/** Twice as many took 4 s on a table in random order, and a statement has 15 s. */
const LISTINGS_MAX = 100_000;
/** Gaps of each kind that are listed. */
const GAPS_MAX = 10;
const NAME_LENGTH_MAX = 60;
const CATALOGUE_REMEDY =
  "add them to a file of your own and set ASSAY_CATALOGUE (docs/extraction.md, The catalogue), then run `assay reextract`";

/**
 * Lists what recent listings name and the catalogue lacks. No catalogue is complete, so the check is fine with gaps: such
 * listings are read, but with a lower confidence.
 */
export async function examineCatalogue(
  db: Database,
  catalogue: Catalogue,
  nowMs: number,
): Promise<readonly Finding[]> {
  const sinceMs = nowMs - WINDOW_DAYS * DAY_MS;
  const watches = await listNamedWatches(db, { sinceMs, listingsMax: LISTINGS_MAX });
  const { references, models, brands } = findCatalogueGaps(catalogue, watches);
  if (references.length + models.length + brands.length === 0) {
    const text = `catalogue: it has all references and models of the last ${WINDOW_DAYS} days`;
    return [{ isFine: true, text }];
  }
  return [
    {
      isFine: true,
      text:
        `catalogue: it lacks ${references.length} references and ${models.length} models of the last ${WINDOW_DAYS} days, ` +
        `and has no model of ${brands.length} brands; ${CATALOGUE_REMEDY}`,
      command: "assay reextract",
    },
    ...describeGaps("references that it lacks", references),
    ...describeGaps("models that it lacks", models),
    ...describeGaps("brands without a model", brands),
  ];
}

/** Returns for example "catalogue: models that it lacks, by messages: Czapek Quai des Bergues (12), … and 3 more". */
function describeGaps(what: string, gaps: readonly CatalogueGap[]): readonly Finding[] {
  if (gaps.length === 0) return [];
  const words = gaps
    .slice(0, GAPS_MAX)
    .map(({ name, messageCount }) => `${cutText(name, NAME_LENGTH_MAX)} (${messageCount})`);
  const rest = gaps.length > GAPS_MAX ? ` and ${gaps.length - GAPS_MAX} more` : "";
  return [{ isFine: true, text: `catalogue: ${what}, by messages: ${words.join(", ")}${rest}` }];
}

const CORRECTION_REASONS: Readonly<Record<SetAsideReason, string>> = {
  other_reference: "extraction reads another reference there",
  other_currency_or_country: "the group's default currency or the sender's country is another one",
  no_listing: "extraction finds no listing there",
};

/** Reports corrections that do not hold any more. */
export async function examineCorrections(db: Database): Promise<readonly Finding[]> {
  const counts = await countSetAsideCorrections(db);
  if (counts.length === 0) {
    const count = await countCorrections(db);
    return [{ isFine: true, text: `corrections: ${count}, none set aside` }];
  }
  return counts.map(({ reason, count }) => ({
    isFine: false,
    text:
      `corrections: ${count} set aside, because ${CORRECTION_REASONS[reason]}; ` +
      "see `assay corrections list --set-aside`, then correct the listings again or undo the corrections",
    command: "assay corrections list --set-aside",
  }));
}

/** A worker raises the floor within a minute after midnight. */
const BEHIND_MAX_MS = DAY_MS;
/** Removing a day takes minutes, also of a large market. */
const REMOVING_MAX_MS = 6 * HOUR_MS;

/** Reports which messages are kept, and what keeps old ones from leaving. */
export async function examineRetention(
  db: Database,
  { retentionDays: days }: Pick<Config, "retentionDays">,
  nowMs: number,
): Promise<readonly Finding[]> {
  const retention = await findRetention(db);
  const kept = retention === undefined ? "" : await describeRetention(db, retention);
  if (days === undefined) {
    if (retention === undefined) return [];
    const text = `retention: ${kept}; ASSAY_RETENTION_DAYS is not set, so no more days leave`;
    return [{ isFine: true, text }];
  }
  const minimum = await findRetentionMinimum(db);
  if (days < minimum.days) {
    return [{ isFine: false, text: `retention: paused. ${describeMinimum(days, minimum)}` }];
  }
  const wantedMs = await findWantedFloor(db, { days, nowMs });
  if (wantedMs === undefined) {
    return [{ isFine: true, text: `retention: ${days} days are kept; there are no messages yet` }];
  }
  if (retention === undefined || wantedMs - retention.floor_ms > BEHIND_MAX_MS) {
    const text =
      `retention: ${kept === "" ? "not begun" : kept}, but messages should leave after ${days} days; ` +
      "start `assay serve` with a worker, or check its log";
    return [{ isFine: false, text, command: "assay serve" }];
  }
  const isStuck =
    nowMs - retention.raised_at_ms > REMOVING_MAX_MS &&
    (await hasOldReports(db, retention.floor_ms));
  const help = isStuck ? "; that takes too long, check the log of the worker" : "";
  return [{ isFine: !isStuck, text: `retention: ${kept}${help}` }];
}

async function describeRetention(db: Database, retention: Retention): Promise<string> {
  const { floor_ms, too_old_count, last_too_old_at_ms } = retention;
  const isBusy = await hasOldReports(db, floor_ms);
  const tooOld =
    last_too_old_at_ms === null
      ? ""
      : `; ${too_old_count} events were too old when they arrived and were not stored, ` +
        `the last at ${new Date(last_too_old_at_ms).toISOString()}`;
  return (
    `messages since ${new Date(floor_ms).toISOString().slice(0, 10)} are kept` +
    `${isBusy ? ", older ones are being removed" : ""}${tooOld}`
  );
}
