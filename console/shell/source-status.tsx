/** Whether watches still come in: how the phones that listen are, and whether this page hears of it. */

import { computed } from "@preact/signals";
import { useCallback, useMemo } from "preact/hooks";
import type { Session } from "../../client/assay-client.ts";
import { api } from "../api.ts";
import { liveStatus, useLive } from "../live/live.ts";
import type { LiveEvent } from "../live/stream.ts";
import { nowMs } from "../state/clock.ts";
import { useLoad, useRefresh } from "../state/load.ts";
import { isPresenting } from "../state/preferences.ts";
import { formatAge, hidePhones } from "../words/formats.ts";
import { trade } from "../words/trade.ts";
import { words } from "../words/words.ts";

/** A phone becomes silent without an event. */
const REFRESH_MS = 60_000;
/** What stands in the bar of several: the worst. */
const WORST_FIRST = ["down", "needs_auth", "stale", "connecting"];

/** Green only if every phone that listens is healthy. The words say it, not only the colour. */
export function SourceStatus() {
  const load = useLoad([], (signal) => api.listSessions({}, { signal }));
  useRefresh(load.reload, REFRESH_MS);
  useLive(
    useCallback((events: readonly LiveEvent[]) => {
      if (events.some(isAboutPhones)) load.reload();
    }, []),
  );
  const sessions = load.state.value.value?.items;
  const status = liveStatus.value;
  if (status !== "open" || sessions === undefined) {
    const text = status === "open" ? words.live.connecting : describeStream(status);
    return (
      <div class="status is-off" data-live={status}>
        <span class="status-words">{text}</span>
      </div>
    );
  }
  return <Phones phones={sessions.filter(({ can_receive }) => can_receive)} />;
}

function Phones({ phones }: { readonly phones: readonly Session[] }) {
  const sick = phones
    .filter(({ health_state }) => health_state !== "healthy")
    .toSorted((left, right) => rankOf(left) - rankOf(right));
  const text = useMemo(() => computed(() => describe(phones, sick, nowMs.value)), [phones]);
  const isFine = phones.length > 0 && sick.length === 0;
  return (
    <a
      class={isFine ? "status" : "status is-off"}
      data-live="open"
      href={phones.length === 0 ? "/start" : "/settings?show=phones"}
    >
      <span class="status-words">{text}</span>
    </a>
  );
}

function describe(phones: readonly Session[], sick: readonly Session[], now: number): string {
  const [worst, ...others] = sick;
  if (phones.length === 0) return words.sources.none;
  if (worst === undefined) return words.sources.fine(phones.length);
  const { label, gateway_name, health_state, last_message_at_ms } = worst;
  const name = label ?? gateway_name;
  const word = trade.health[health_state] ?? health_state;
  const isSilent = health_state === "stale" && last_message_at_ms !== undefined;
  return words.sources.sick({
    name: isPresenting.value ? hidePhones(name) : name,
    state: isSilent ? words.sources.since(word, formatAge(now - last_message_at_ms)) : word,
    otherCount: others.length,
  });
}

function rankOf({ health_state }: Session): number {
  const at = WORST_FIRST.indexOf(health_state);
  return at < 0 ? 0 : at;
}

function isAboutPhones({ event }: LiveEvent): boolean {
  return event === "session.changed" || event === "reconnected";
}

function describeStream(status: typeof liveStatus.value): string {
  if (status === "connecting") return words.live.connecting;
  return status === "off" ? words.live.off : words.live.lost;
}
