import { type Clock, MINUTE_MS, SECOND_MS } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import type { Logger } from "../base/log.ts";
import type { DatabasePool } from "../db/database.ts";
import { createKeptRead } from "../db/kept.ts";
import type { Check, CheckContext, Finding } from "./check.ts";
import { CHECKS } from "./checks.ts";

/** A finding with its check and its time. */
export interface BoardFinding extends Finding {
  readonly check: string;
  readonly checkedAtMs: number;
}

interface CheckBoard {
  /** `pending` names the checks that have not finished once since the start. */
  list(): Promise<{
    readonly findings: readonly BoardFinding[];
    readonly pending: readonly string[];
  }>;
  /** Waits for the check in progress. */
  close(): Promise<void>;
}

interface CheckBoardOptions {
  readonly pool: DatabasePool;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly catalogue: CheckContext["loadCatalogue"];
}

const LIGHT_KEPT_MS = 5 * SECOND_MS;
/** These take up to a few seconds in a large market, and change slowly. */
const HEAVY_KEPT_MS = 10 * MINUTE_MS;

/**
 * What `assay doctor` finds, for many readers. Light checks run at most every five seconds. Heavy ones run one after the
 * other in the background, when a reader asks and their last result is older than ten minutes; no reader waits for them.
 */
export function createCheckBoard(options: CheckBoardOptions): CheckBoard {
  const { clock } = options;
  const examine = (check: Check) => runCheck(check, options);
  const heavy = new Map<string, { findings: readonly BoardFinding[]; atMs: number }>();
  let running: Promise<void> | undefined;
  let isClosed = false;

  const findLight = createKeptRead({ clock, maxMs: LIGHT_KEPT_MS }, async () => {
    const found = new Map<string, readonly BoardFinding[]>();
    for (const check of CHECKS) if (!check.isHeavy) found.set(check.name, await examine(check));
    return found;
  });
  const isDue = ({ name, isHeavy }: Check): boolean => {
    const last = heavy.get(name)?.atMs ?? Number.NEGATIVE_INFINITY;
    return isHeavy && clock.elapsedMs() - last >= HEAVY_KEPT_MS;
  };
  const runDue = async (): Promise<void> => {
    for (const check of CHECKS) {
      if (isClosed || !isDue(check)) continue;
      heavy.set(check.name, { findings: await examine(check), atMs: clock.elapsedMs() });
    }
    running = undefined;
  };
  return {
    list: async () => {
      const lightFindings = await findLight();
      if (running === undefined && !isClosed && CHECKS.some(isDue)) running = runDue();
      return {
        findings: CHECKS.flatMap(
          ({ name }) => lightFindings.get(name) ?? heavy.get(name)?.findings ?? [],
        ),
        pending: CHECKS.filter(({ name, isHeavy }) => isHeavy && !heavy.has(name)).map(
          ({ name }) => name,
        ),
      };
    },
    close: async () => {
      isClosed = true;
      await running;
    },
  };
}

/** A check that fails is a finding too. */
async function runCheck(
  { name, examine }: Check,
  { pool, config, clock, log, catalogue }: CheckBoardOptions,
): Promise<readonly BoardFinding[]> {
  const nowMs = clock.nowMs();
  const label = (finding: Finding) => ({ ...finding, check: name, checkedAtMs: nowMs });
  try {
    return (await examine({ pool, config, nowMs, loadCatalogue: catalogue })).map(label);
  } catch (error) {
    log.warn({ err: error, check: name }, "a check of the installation failed");
    const text = `${name}: could not be examined; the log has the reason`;
    return [label({ isFine: false, text, command: "assay doctor" })];
  }
}
