import { createHash } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Database } from "../db/database.ts";
import { saveRawEvents } from "../intake/raw-event-store.ts";
import { toObject } from "./gateways/json.ts";

export interface PullOptions {
  readonly pool: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** An answer of the gateway. Messages are stored by `fetch-messages.ts`. */
export interface Pull {
  readonly kind: "sessions" | "groups" | "lids";
  readonly session?: string;
  /** A long answer comes in pages. */
  readonly page?: number;
  readonly data: unknown;
}

/** Hashes of the answers of the last round, by kind, session and page: as many as there are answers in a round. */
export type StoredPulls = Map<string, string>;

/** Stores the answer as a raw event. An answer that has not changed since the last round is not stored again. */
export async function savePull(
  options: PullOptions,
  stored: StoredPulls,
  { kind, session, page, data }: Pull,
): Promise<void> {
  const key = `${kind} ${session ?? ""} ${page ?? 0}`;
  const hash = createHash("sha256").update(JSON.stringify(data)).digest("hex");
  if (stored.get(key) === hash) return;
  const nowMs = options.clock.nowMs();
  const body = Buffer.from(
    JSON.stringify({
      assay_pull: kind,
      ...(session === undefined ? {} : { session }),
      at_ms: nowMs,
      data,
    }),
  );
  const event = { gateway: "waha", origin: "pull", body, receivedAtMs: nowMs } as const;
  await saveRawEvents(options.pool, [event], "never");
  stored.set(key, hash);
  const count = Array.isArray(data) ? data.length : Object.keys(toObject(data) ?? {}).length;
  options.log.info({ kind, session, count }, "pulled from the gateway");
}
