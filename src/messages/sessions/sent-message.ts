import type { GatewayFact } from "../gateway-event.ts";
import type { ReceivedFact } from "../occurrences/report.ts";
import { boundTime } from "../time.ts";

/** That a session received a message, and when it was sent. */
export interface SentMessage {
  readonly session: string;
  readonly sentAtMs: number;
}

export function listSentMessages(reported: readonly ReceivedFact[]): readonly SentMessage[] {
  return reported.flatMap(({ fact, receivedAtMs }) =>
    fact.kind === "message" && fact.session !== undefined
      ? [{ session: fact.session, sentAtMs: boundTime(fact.sentAtMs, receivedAtMs) }]
      : [],
  );
}

/** The same of messages that were erased. */
export function listHeardMessages(
  event: { readonly facts: readonly GatewayFact[]; readonly receivedAtMs: number },
  groups: { readonly ids: ReadonlyMap<string, string>; readonly ignoredIds: ReadonlySet<string> },
): readonly SentMessage[] {
  return event.facts.flatMap((fact) => {
    if (fact.kind !== "heard" || fact.session === undefined || fact.sentAtMs === undefined)
      return [];
    if (groups.ignoredIds.has(groups.ids.get(fact.group ?? "") ?? "")) return [];
    const sentAtMs = boundTime(fact.sentAtMs, event.receivedAtMs);
    return [{ session: fact.session, sentAtMs }];
  });
}
