import { formatCount } from "./formats.ts";
import { trade } from "./trade.ts";

/** The steps from an event of the gateway to a match, as a dealer would call them. */
const STEPS: Readonly<Record<string, string>> = {
  "canonicalize events": "Events of the gateway read",
  "merge contacts": "Dealers recognised",
  "queue group messages": "Messages of changed groups read again",
  "extract listings": "Messages searched for watches",
  "match listings": "Watches and messages compared with alerts",
  "rebuild members": "Prices whose rules changed",
  "refresh cells": "Prices calculated",
  "record matches": "Matches",
  "send deliveries": "Notifications sent",
};

const ROLES: Readonly<Record<string, string>> = { receiving: "listens", sending: "sends" };
const REASONS: Readonly<Record<string, string>> = {
  not_json: "It is not JSON.",
  not_an_event: "It is not an event of the gateway.",
  malformed_payload: "It lacks what an event of its kind must have.",
};

export const operationsWords = {
  count: formatCount,
  fine: "Everything works.",
  bad: (total: number) =>
    total === 1 ? "One thing needs a look." : `${total} things need a look.`,
  readAt: "last read",
  notRead: "could not be read again; this page keeps trying",
  refresh: "Read again",

  figures: "In short",
  lessThanSecond: "below 1 s",
  lag: "From message to match",
  lagHint: (p99: string) => `half of them; 99 in 100: ${p99}`,
  noLag: "no match in 24 hours",
  waiting: "Waiting",
  waitingHint: (age: string) => (age === "now" ? "the first just came" : `the first for ${age}`),
  nothingWaits: "nothing waits",
  quarantine: "Could not be processed",
  quarantineHint: (events: number, items: number) =>
    `${formatCount(events)} events, ${formatCount(items)} items`,
  suspects: "Suspect asks",
  suspectsHint: (cells: number) =>
    cells === 0
      ? "none is most likely misread"
      : `in ${formatCount(cells)} prices, counted in none`,
  rates: "Exchange rates",
  ratesAge: (days: number) => (days === 0 ? "of today" : `${days} d old`),
  ratesOld: (currency: string) => `the oldest is ${currency}`,
  ratesSource: {
    ecb: "fetched from the ECB every day",
    none: "as declared; nothing is fetched",
  },
  ratesFailing: "the fetch fails",
  noRates: "none",
  builtIn: "built in",
  builtInHint: "approximate; nothing is fetched or declared",

  findings: "What needs a look",
  noFindings: "Nothing. All checks are fine.",
  pending: (names: string) => `Still being checked: ${names}.`,
  fineChecks: (total: number) => `${total} checks are fine`,

  sessions: "Phones",
  sessionsCaption: "The linked phones, their health and their latest message",
  session: "Phone",
  roleOf: (name: string) => ROLES[name] ?? name,
  health: "Health",
  healthOf: (name: string) => trade.health[name] ?? name.replaceAll("_", " "),
  lastMessage: "Last message",
  never: "never",
  noSessions: "No phone is linked yet.",
  noSessionsHint: "A phone appears here with the first event of the gateway.",
  connect: "Connect the gateway",

  flow: "From event to match",
  flowNote: "last 24 hours",
  flowCaption: "Every step from event to match: what it did in 24 hours, and what waits for it",
  flowHint:
    "One message may offer several watches, and each of them and the message itself are compared with the alerts.",
  step: "Step",
  stepOf: (name: string) => STEPS[name] ?? name,
  done: "Done",
  queue: "Waiting",
  oldest: "For",
  atLeast: (value: number) => `${formatCount(value)} or more`,

  backfill: "Missed messages",
  backfillCaption: "Whether the messages that a phone missed were fetched",
  fetched: "Last fetched",
  notFetched: "not yet",
  failing: "failing",
  complete: "complete",
  failingSince: "since",
  chats: (total: number) => (total === 1 ? "1 chat" : `${total} chats`),
  nextTry: "next try",
  noBackfill:
    "Assay asks the gateway for missed messages if it knows its address: set ASSAY_WAHA_URL and start it again.",

  quarantineTitle: "Could not be processed",
  quarantineCaption: "Events and items that could not be processed, the newest first",
  entry: "Number",
  reason: "Reason",
  reasonOf: (name: string) => REASONS[name] ?? name.replaceAll("_", " "),
  since: "Since",
  attempts: (total: number) => (total === 1 ? "tried once" : `tried ${total} times`),
  noQuarantine: "Nothing. Every event was read.",
  quarantineCommand: "assay quarantine",
  quarantineHelp: "To look at one, try it again or drop it:",
} as const;
