/**
 * The events of the demo market, as the gateway would have posted them, and the stretches of time in which a load lives
 * through them.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import {
  type DemoDealer,
  type DemoSession,
  EU_SESSION,
  HK_SESSION,
  SENDING_SESSION,
  sessionsOf,
} from "./dealers.ts";
import { type DemoMessage, listBargains, listMessages, type Market, rawIdOf } from "./posts.ts";
import {
  type Engine,
  type Reporter,
  toEditBody,
  toGroupBody,
  toMessageBody,
  toRevokeBody,
  toStatusBody,
  type WebhookBody,
} from "./waha-bodies.ts";

/** When sessions and groups are announced. It is before every message. */
const SETUP_MS = Date.UTC(2025, 0, 6, 8);
/** The European session switches to another WAHA engine after this many days, as happens after an update. */
const ENGINE_DAYS = 60;
/** The Hong Kong session receives nothing for this long, although the gateway reports WORKING, so it is stale. */
const SILENCE_MS = 3 * HOUR_MS;
/** Each session reconnects once in this many days. */
const RECONNECT_DAYS = 6;
const OWN_OFFERS_PER_DAY = 2;

/**
 * Returns every event that the gateway would have posted from `fromMs` up to `toMs`, in the order of sending. The demo has
 * no other input. The Hong Kong session is silent for the last hours.
 */
export function listMarketEvents(
  market: Market,
  range: { readonly fromMs: number; readonly toMs: number },
): readonly WebhookBody[] {
  const messages = [...listMessages(market, range), ...listBargains(market, range)];
  const isHeard = (session: DemoSession, atMs: number): boolean =>
    session !== HK_SESSION || atMs < range.toMs - SILENCE_MS;
  const events = [
    ...setupEvents(market),
    ...listReconnects(range),
    ...listOwnOffers(market, range),
    ...messages.flatMap((message) =>
      sessionsOf(message.group, market.groups)
        .filter((session) => isHeard(session, message.atMs))
        .flatMap((session) => toEvents(reporterOf(session, message.atMs), message)),
    ),
  ];
  return events
    .filter(({ atMs }) => atMs < range.toMs)
    .sort((left, right) => left.atMs - right.atMs);
}

export function reporterOf(session: DemoSession, atMs: number): Reporter {
  return { session, engine: engineOf(session, atMs) };
}

function engineOf(session: DemoSession, atMs: number): Engine {
  if (session === HK_SESSION) return "GOWS";
  if (session === SENDING_SESSION) return "WPP";
  return Math.floor(atMs / DAY_MS / ENGINE_DAYS) % 2 === 0 ? "NOWEB" : "WEBJS";
}

function toEvents(reporter: Reporter, message: DemoMessage): readonly WebhookBody[] {
  return [
    toMessageBody(reporter, message),
    ...(message.edit === undefined ? [] : [toEditBody(reporter, message, message.edit)]),
    ...(message.revokedAtMs === undefined
      ? []
      : [toRevokeBody(reporter, message, message.revokedAtMs)]),
  ];
}

/** Always the same bytes, so that a second load skips them as already stored. */
function setupEvents(market: Market): readonly WebhookBody[] {
  const sessions = [EU_SESSION, HK_SESSION, SENDING_SESSION];
  return [
    ...sessions.map((session) => toStatusBody(reporterOf(session, SETUP_MS), "WORKING", SETUP_MS)),
    ...market.groups.map((group) =>
      toGroupBody(
        reporterOf(group.market === "HK" ? HK_SESSION : EU_SESSION, SETUP_MS),
        group,
        SETUP_MS,
      ),
    ),
  ];
}

function listReconnects(range: { readonly fromMs: number; readonly toMs: number }) {
  const events: WebhookBody[] = [];
  for (let day = Math.ceil(range.fromMs / DAY_MS); day * DAY_MS < range.toMs; day += 1) {
    for (const [at, session] of [EU_SESSION, HK_SESSION, SENDING_SESSION].entries()) {
      if ((day + at * 2) % RECONNECT_DAYS !== 0) continue;
      const atMs = day * DAY_MS + 3 * HOUR_MS + at * MINUTE_MS;
      const reporter = reporterOf(session, atMs);
      events.push(toStatusBody(reporter, "STARTING", atMs));
      events.push(toStatusBody(reporter, "WORKING", atMs + 11_000));
    }
  }
  return events;
}

/** The dealer's own offers. They are stored but do not become listings. */
function listOwnOffers(
  market: Market,
  range: { readonly fromMs: number; readonly toMs: number },
): readonly WebhookBody[] {
  const groups = market.groups.filter((group) => group.market === "EU");
  const house: DemoDealer = {
    name: SENDING_SESSION.label,
    market: "EU",
    phone: SENDING_SESSION.phone,
    lid: SENDING_SESSION.lid,
    isHidden: false,
    bias: 0,
    groups,
  };
  const events: WebhookBody[] = [];
  for (let day = Math.floor(range.fromMs / DAY_MS); day * DAY_MS < range.toMs; day += 1) {
    for (let at = 0; at < OWN_OFFERS_PER_DAY; at += 1) {
      const atMs = day * DAY_MS + (9 + at * 5) * HOUR_MS;
      const group = groups[(day + at) % groups.length];
      if (group === undefined || atMs < range.fromMs || atMs >= range.toMs) continue;
      const text = `Our stock this week: Rolex 126610LN 2025 full set like new € ${12 + at}.500,-`;
      const message = {
        group,
        dealer: house,
        rawId: rawIdOf(`own/${day}/${at}`),
        atMs,
        text,
        hasMedia: false,
        asks: [],
      };
      events.push(toMessageBody(reporterOf(SENDING_SESSION, atMs), message, true));
    }
  }
  return events;
}

interface StretchRule {
  /** For stretches that end so long before the end of the market. */
  readonly withinMs: number;
  readonly lengthMs: number;
  /** One with fewer events is joined to the next: each costs time, and a small market would have many almost empty ones. */
  readonly eventsMin: number;
}

/** The nearest to the end first. */
const RULES: readonly StretchRule[] = [
  { withinMs: 6 * HOUR_MS, lengthMs: 30 * MINUTE_MS, eventsMin: 8 },
  { withinMs: DAY_MS, lengthMs: 3 * HOUR_MS, eventsMin: 8 },
  { withinMs: 30 * DAY_MS, lengthMs: DAY_MS, eventsMin: 60 },
];

/** A stretch of time in which the demo lives through its market. */
interface Stretch<Event> {
  readonly endMs: number;
  readonly events: readonly Event[];
}

/**
 * The stretches in which the demo lives through its market, oldest first: prices are calculated and alerts fire at the end
 * of each, as they would have. What is older than a month is one stretch, because its messages only make prices.
 *
 * Example: a full market of 90 days has stretches of 60 days, 29 times a day, 6 times three hours, and 12 times half an hour.
 */
export function listStretches<Event extends { readonly atMs: number }>(
  events: readonly Event[],
  range: { readonly fromMs: number; readonly toMs: number },
): readonly Stretch<Event>[] {
  const stretches: Stretch<Event>[] = [];
  let open: Event[] = [];
  let next = 0;
  for (const { endMs, eventsMin } of listEnds(range)) {
    for (; next < events.length; next += 1) {
      const event = events[next];
      if (event === undefined || event.atMs >= endMs) break;
      open.push(event);
    }
    if (open.length < eventsMin && endMs < range.toMs) continue;
    stretches.push({ endMs, events: open });
    open = [];
  }
  return stretches;
}

function listEnds(range: { readonly fromMs: number; readonly toMs: number }) {
  const ends: { endMs: number; eventsMin: number }[] = [];
  let endMs = range.toMs;
  for (const { withinMs, lengthMs, eventsMin } of RULES) {
    for (; endMs > range.toMs - withinMs && endMs > range.fromMs; endMs -= lengthMs)
      ends.push({ endMs, eventsMin });
  }
  if (endMs > range.fromMs) ends.push({ endMs, eventsMin: 1 });
  return ends.reverse();
}
