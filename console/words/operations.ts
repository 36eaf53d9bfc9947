import { formatCount } from "./formats.ts";
import { trade } from "./trade.ts";

/** The steps from an event of the gateway to a match, as a dealer would call them. */
const STEPS: Readonly<Record<string, string>> = {
  "canonicalize events": "Messages received",
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
/** What a check found, in one sentence. What exactly, it says itself, for engineers. */
const FINDINGS: Readonly<Record<string, string>> = {
  server_version: "The database is an old version with known security holes.",
  node_version: "The service runs on an old version of Node, which gets no more fixes.",
  timelines: "The database went back to an older state, so parts of the service refuse it.",
  standbys: "What is stored is not yet safe on a second machine.",
  queue: "Messages wait longer than they should.",
  quarantine: "Some messages could not be processed.",
  ignored_events: "Something that was received is not used.",
  set_aside: "Some messages could not be processed.",
  extraction: "Not all messages were searched for watches.",
  catalogue: "The catalogue lacks references that dealers ask for.",
  corrections: "A correction no longer fits its message.",
  events: "Anyone could post messages: nothing proves where they come from.",
  gateway: "The program that reads the phones cannot be reached.",
  refused_events: "Messages were refused, so they are missing.",
  media: "Photos could not be fetched.",
  retention: "Old data is not removed as agreed.",
  backfill: "Missed messages could not be fetched.",
  sessions: "A phone is silent or not linked.",
  rates: "Asks in some currencies have no exchange rate.",
  rate_fetch: "The exchange rates cannot be fetched.",
  prices: "Some prices are out of date.",
  suspect_asks: "Many asks were most likely misread.",
  sets: "Watches without papers are compared with full sets.",
  words: "Alerts on words match otherwise than before.",
  deliveries: "Notifications did not arrive.",
};

const REASONS: Readonly<Record<string, string>> = {
  not_json: "It is not JSON.",
  not_an_event: "It is not an event of the gateway.",
  malformed_payload: "It lacks what an event of its kind must have.",
};

export const operationsWords = {
  count: formatCount,
  fine: "Everything works.",
  bad: (total: number) =>
    total === 1 ? "One thing needs attention." : `${total} things need attention.`,
  readAt: "last read",
  notRead: "could not be read again; this page keeps trying",
  refresh: "Read again",

  figures: "In short",
  lessThanSecond: "below 1 s",
  lag: "From message to match",
  lagHint: (p99: string) => `for half of them; almost all within ${p99}`,
  noLag: "no match in 24 hours",
  waiting: "Waiting",
  waitingHint: (age: string) => (age === "now" ? "the first just came" : `the first for ${age}`),
  nothingWaits: "nothing waits",
  quarantine: "Could not be processed",
  quarantineHint: (events: number, items: number) =>
    events + items === 0
      ? "every message was read"
      : `${formatCount(events)} as they came, ${formatCount(items)} later`,
  suspects: "Suspect asks",
  suspectsHint: (cells: number) =>
    cells === 0 ? "no ask looks misread" : `in ${formatCount(cells)} prices; they do not count`,
  rates: "Exchange rates",
  ratesAge: (days: number) => (days === 0 ? "today’s" : `${days} d old`),
  ratesOld: (currency: string) => `the oldest is ${currency}`,
  ratesSource: {
    ecb: "fetched from the ECB every day",
    none: "entered by hand",
  },
  ratesFailing: "the fetch fails",
  noRates: "none",
  builtIn: "built in",
  builtInHint: "approximate",

  findings: "What needs attention",
  noFindings: "Nothing. All checks are fine.",
  findingOf: (check: string) => FINDINGS[check] ?? check.replaceAll("_", " "),
  pending: (total: number) => `${total} more are still being checked.`,
  fineChecks: (total: number) => `${total} checks are fine.`,

  sessions: "Phones",
  sessionsHint:
    "The phones that are in the dealers’ groups. One that listens receives what is posted, one that sends posts your own offers.",
  sessionsCaption: "The linked phones, their health and their latest message",
  session: "Phone",
  roleOf: (name: string) => ROLES[name] ?? name,
  health: "Health",
  healthOf: (name: string) => trade.health[name] ?? name.replaceAll("_", " "),
  lastMessage: "Last message",
  never: "never",
  noSessions: "No phone is linked yet.",
  noSessionsHint: "A phone appears here with the first message that it receives.",
  connect: "Link a phone",

  flow: "From message to match",
  flowNote: "last 24 hours",
  flowCaption: "Every step from message to match: what it did in 24 hours, and what waits for it",
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
  noBackfill: "What is posted while a phone is off is not fetched afterwards.",
  noBackfillSetting:
    "Set ASSAY_WAHA_URL to the address of the gateway and start Assay again: then it asks for missed messages.",

  quarantineTitle: "Could not be processed",
  quarantineCaption: "What could not be processed, the newest first",
  entry: "Number",
  reason: "Reason",
  reasonOf: (name: string) => REASONS[name] ?? name.replaceAll("_", " "),
  since: "Since",
  attempts: (total: number) => (total === 1 ? "tried once" : `tried ${total} times`),
  noQuarantine: "Nothing. Every message was read.",
  quarantineCommand: "assay quarantine",
  quarantineHelp: "To look at one, try it again or drop it:",
} as const;
