// What fills the queue of a pipeline: stored events, and what they are checked against.

import { HOUR_MS, systemClock } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { rawEvent } from "../../test/support/drain.ts";
import { applyTexts } from "../../test/support/manifest.ts";
import { aPost, DEALERS, nextMessage } from "./messages.ts";

const CHUNK = 1_000;

/** Alerts on filters, of which one in fifty offers matches some; prices of four references, and an alert on their buys. */
export async function declareAlerts(db: DatabasePool, count: number): Promise<void> {
  const references = ["126610LN", "126334", "116500LN", "228238"];
  const manifest = {
    profiles: [{ name: "default" }],
    views: [{ name: "everywhere", source_market: "EU", filters: {} }],
    configurations: references.map((reference) => ({
      profile: "default",
      brand: "Rolex",
      reference,
    })),
    alerts: [
      { name: "buys", strategy: "price_engine" },
      ...Array.from({ length: count }, (_, at) => ({
        name: `alert ${at}`,
        filters: { reference: [references[at % 4]], price: { lte: (at + 1) * 10_000 } },
      })),
    ],
    fx_rates: ["HKD", "USD"].map((currency) => ({ date: "2026-01-02", currency, per_eur: 2 })),
  };
  await applyTexts(db, JSON.stringify(manifest), { clock: systemClock });
}

/** New offers in the styles of the three markets; one in five repeats an offer. */
export async function storeEvents(db: DatabasePool, count: number): Promise<void> {
  const texts: string[] = [];
  const nowMs = systemClock.nowMs();
  for (let at = 0; at < count; at += 1) {
    const last = at % 5 === 4 ? texts[at - DEALERS] : undefined;
    texts.push(last ?? nextMessage());
  }
  for (let from = 0; from < count; from += CHUNK) {
    const events = texts.slice(from, from + CHUNK).map((text, index) => {
      const at = from + index;
      // Within the alert window, in the order in which they were sent.
      const atMs = nowMs - 20 * HOUR_MS + (at / count) * 19 * HOUR_MS;
      return rawEvent(aPost({ id: `P${at}`, at, text, atMs }), { receivedAtMs: nowMs });
    });
    await saveRawEvents(db, events, "window");
  }
}
