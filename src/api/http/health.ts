import type { FastifyInstance } from "fastify";
import { systemClock, withDeadline } from "../../base/clock.ts";
import type { Metrics } from "../../base/metrics.ts";
import { createBuckets } from "../../base/shares/bucket.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import type { Hosts } from "../../db/driver/hosts.ts";
import { createKeptRead } from "../../db/kept.ts";
import { sql } from "../../db/sql.ts";
import type { Intake } from "../../intake/receive-event.ts";

interface HealthOptions {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly hosts: Pick<Hosts, "urls" | "state">;
  readonly intake: Pick<Intake, "isStoring">;
  /** True from SIGTERM on: load balancers should send no more. */
  readonly isStopping: () => boolean;
}

const STORE_TIMEOUT_MS = 2_000;
/** Anyone may ask, as often as he likes. */
const CHECK_AGE_MAX_MS = 200;
/** More often than this, metrics are up to a second old. */
const METRICS_FRESH = { size: 10, perSecond: 1 };

/** Live: the process answers. Ready: it can do its work, so send it requests. */
export function addHealth(app: FastifyInstance, options: HealthOptions): void {
  const age = { clock: systemClock, maxMs: CHECK_AGE_MAX_MS };
  const check = createKeptRead(age, () => isStoreUp(options.db));
  app.get("/health/live", { schema: { hide: true } }, async () => ({ status: "ok" }));
  app.get("/health/ready", { schema: { hide: true } }, async (_request, reply) => {
    const isUp = await check();
    const { position, timeline, isRefusing } = options.hosts.state();
    const checks = {
      store: isUp ? "ok" : isRefusing ? "refused_timeline" : "down",
      // A store with a full disk answers questions, but takes no events.
      intake: options.intake.isStoring() ? "ok" : "refused",
      change_feed: options.feed.isLive() ? "ok" : "down",
      stopping: options.isStopping() ? "yes" : "no",
    };
    // Without the change feed requests are slower, not wrong.
    const isReady = checks.store === "ok" && checks.intake === "ok" && checks.stopping === "no";
    // The position in DATABASE_URL: strangers need not know its name.
    const primary = { host: position, hosts: options.hosts.urls.length, timeline };
    const status = isReady ? "ok" : "unavailable";
    return reply.code(isReady ? 200 : 503).send({ status, checks, primary });
  });
}

export function addMetrics(app: FastifyInstance, metrics: Metrics): void {
  const fresh = createBuckets({ ...METRICS_FRESH, clock: systemClock });
  let kept: ReturnType<Metrics["render"]> | undefined;
  app.get("/metrics", { schema: { hide: true } }, async (_request, reply) => {
    if (fresh.take("metrics") === undefined || kept === undefined) kept = metrics.render();
    const { contentType, text } = await kept;
    return reply.type(contentType).send(text);
  });
}

async function isStoreUp(db: Database): Promise<boolean> {
  try {
    await withDeadline(db.query(sql`select 1`), STORE_TIMEOUT_MS);
    return true;
  } catch {
    // The reason is in the log, not in the response.
    return false;
  }
}
