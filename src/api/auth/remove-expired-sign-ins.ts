import { type Clock, MINUTE_MS } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Database } from "../../db/database.ts";
import { removeExpiredCodes } from "./console-code-store.ts";
import { removeExpiredSessions } from "./console-session-store.ts";

const EVERY_MS = 10 * MINUTE_MS;

/**
 * Deletes expired codes and sessions, and those of revoked tokens, in the background: at the start and every ten minutes, a
 * bounded batch each time. They stopped working before, so nothing depends on when this happens.
 */
export function startRemovingExpired(options: {
  readonly db: Database;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Logger;
}): { stop(): Promise<void> } {
  const { db, clock, log } = options;
  const remove = () =>
    removeExpired(db, clock.nowMs()).catch((error: unknown) => {
      log.warn({ err: error }, "cannot remove expired sessions of the console");
    });
  let running = remove();
  const timer = setInterval(() => {
    running = running.then(remove);
  }, EVERY_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}

async function removeExpired(db: Database, nowMs: number): Promise<void> {
  await removeExpiredCodes(db, nowMs);
  await removeExpiredSessions(db, nowMs);
}
