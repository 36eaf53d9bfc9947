// What the demo's generator knows about each ask, to compare with what the service says: the worth of exactly this watch,
// and whether the ask still stands.

import { DAY_MS } from "../../src/base/clock.ts";
import { type DemoAsk, demoRate, MARKET_SHARES, worthEur } from "../../src/demo/asks.ts";
import type { DemoDealer } from "../../src/demo/dealers.ts";
import type { DemoMessage, Market } from "../../src/demo/posts.ts";
import { hkMarkupOf } from "../../src/pricing/cells/cell.ts";
import type { RefreshedConfiguration } from "../../src/pricing/cells/refresh-store.ts";
import { toComparableAsk } from "../../src/pricing/thresholds.ts";

/** What became of an ask. */
type Fate = "offered" | "replaced" | "sold" | "revoked";

/** One ask of one text of a dealer. The text may be in several groups, and may be posted again. */
export interface TrueAsk {
  readonly messageId: string;
  /** Its place among the asks of the text, and how many there are. */
  readonly at: number;
  readonly count: number;
  readonly ask: DemoAsk;
  readonly dealer: DemoDealer;
  readonly firstMs: number;
  readonly fate: Fate;
}

export interface Verdict {
  /** Whether an ask that stands is a buy. */
  readonly kind: "buy" | "unclear" | "none";
  /** What exactly this watch is worth, as an average of dealers would ask for it. */
  readonly valueEurMinor: number;
}

/** Around the limit between a buy and none, because nobody knows a value more exactly. A share of the value. */
export const TOLERANCE = 0.015;

interface Statement {
  readonly message: DemoMessage;
  readonly messageId: string;
  readonly asks: readonly DemoAsk[];
  readonly isRevoked: boolean;
}

/**
 * The asks of the messages that a session heard. `messageIdOf` has their stored messages by raw id. A dealer's last post of a
 * piece that he did not revoke says what it costs; asks for other amounts are replaced.
 */
export function listTrueAsks(
  messages: readonly DemoMessage[],
  messageIdOf: ReadonlyMap<string, string>,
  nowMs: number,
): readonly TrueAsk[] {
  const statements = messages
    .flatMap((message): readonly Statement[] => {
      const messageId = messageIdOf.get(message.rawId);
      if (messageId === undefined) return [];
      const isEdited = message.edit !== undefined && message.edit.atMs < nowMs;
      const asks = isEdited ? (message.edit?.asks ?? []) : message.asks;
      const isRevoked = message.revokedAtMs !== undefined && message.revokedAtMs < nowMs;
      return [{ message, messageId, asks, isRevoked }];
    })
    .toSorted((left, right) => left.message.atMs - right.message.atMs);
  const sold = new Set(statements.flatMap(({ message }) => message.soldPiece ?? []));
  const standing = statements.filter(({ isRevoked }) => !isRevoked);
  const standingIds = new Set(standing.map(({ messageId }) => messageId));
  // The latest one is the last to be set.
  const latest = new Map(
    standing.flatMap(({ asks }) => asks.map(({ piece, amount }) => [piece, amount] as const)),
  );
  const fateOf = ({ piece, amount }: DemoAsk, messageId: string): Fate => {
    if (sold.has(piece)) return "sold";
    if (!standingIds.has(messageId)) return "revoked";
    return latest.get(piece) === amount ? "offered" : "replaced";
  };
  const first = new Map<string, Statement>();
  for (const statement of statements)
    if (!first.has(statement.messageId)) first.set(statement.messageId, statement);
  return [...first.values()].flatMap(({ message, messageId, asks }) =>
    asks.map((ask, at) => ({
      messageId,
      at,
      count: asks.length,
      ask,
      dealer: message.dealer,
      firstMs: message.atMs,
      fate: fateOf(ask, messageId),
    })),
  );
}

/** Europe and Hong Kong are source markets. A dealer without a known phone number is in neither. */
export function isPriced(dealer: DemoDealer): boolean {
  return dealer.market !== "US" && !dealer.isHidden;
}

interface TruthOptions {
  readonly market: Market;
  readonly rules: readonly RefreshedConfiguration[];
  readonly nowMs: number;
}

/** Returns a function that judges an ask by the value of exactly that watch. `asSet` judges as if it were another set. */
export function createJudge({ market, rules, nowMs }: TruthOptions) {
  const biases = market.dealers
    .filter(isPriced)
    .map((dealer) => (1 + dealer.bias) * MARKET_SHARES[dealer.market]);
  const averageBias = biases.reduce((sum, bias) => sum + bias, 0) / biases.length;
  return ({ ask, dealer, firstMs }: TrueAsk, asSet: DemoAsk["set"] = ask.set): Verdict => {
    const rule = findRule(rules, ask);
    const value = worthEur({ ...ask, set: asSet }, nowMs) * averageBias * 100;
    const landed = toComparableAsk(
      toEurMinor(ask, firstMs),
      dealer.market === "HK" ? "HK" : "EU",
      hkMarkupOf(rule),
    ).comparableAskEurMinor;
    const override = rule.minimum_profit_overrides.find(
      ({ year, condition_bucket }) =>
        year === ask.year && condition_bucket === ask.condition.toLowerCase(),
    );
    const most = value - (override?.amount_eur_minor ?? rule.minimum_profit_eur_minor);
    const within = TOLERANCE * value;
    const kind = landed <= most - within ? "buy" : landed > most + within ? "none" : "unclear";
    return { kind, valueEurMinor: value };
  };
}

/** The rule of the reference and dial. Rules for certain sets and the showcase have longer keys. */
function findRule(
  rules: readonly RefreshedConfiguration[],
  { watch, dial }: DemoAsk,
): RefreshedConfiguration {
  const end = `:${watch.reference}${dial === undefined ? "" : `:${dial}`}`;
  const rule = rules.find(({ configuration_key }) => configuration_key.endsWith(end));
  if (rule === undefined) throw new Error(`no rule ends with ${end}`);
  return rule;
}

function toEurMinor({ amount, currency }: DemoAsk, atMs: number): number {
  const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  return Math.round((amount * 100) / (currency === "EUR" ? 1 : demoRate(currency, dayMs)));
}
