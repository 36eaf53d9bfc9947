import { createConsoleLink } from "../../../src/api/console/sign-in.ts";
import { systemClock } from "../../../src/base/clock.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { openDemoDatabase } from "../demo.ts";
import { type FaultyNetwork, openFaultyNetwork } from "../faults/faulty-network.ts";
import { type RunningAssay, startAssay } from "../run-assay.ts";
import { addToken } from "../test-app.ts";
import { type Lifetime, openTestDatabase } from "../test-database.ts";
import { postMessage } from "../waha.ts";
import { SHIFTED, shiftClock } from "./shifted-clock.ts";

/** The built program, in a process of its own, on a database of its own. */
export interface DemoService {
  readonly url: string;
  /** May do everything. */
  readonly token: string;
  /** Signs a browser in, once. */
  readonly link: string;
  readonly db: DatabasePool;
  /** Between the service and its database. */
  readonly network: FaultyNetwork;
  /** Ends the process, by default as Ctrl-C does. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

export interface DemoServiceOptions {
  /** Serves an empty store instead of a small demo. */
  readonly isEmpty?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The server of the tests may lose what it acknowledged; the demo takes unsigned events too; targets of notifications are on this machine. */
const SETTINGS = {
  ASSAY_ALLOW_UNSAFE_STORE: "true",
  ASSAY_WAHA_UNSIGNED: "true",
  ASSAY_WEBHOOK_ALLOW_PRIVATE: "true",
  LOG_LEVEL: "warn",
  ...SHIFTED,
};

shiftClock();

export async function startDemoService(
  t: Lifetime,
  { isEmpty = false, environment = {} }: DemoServiceOptions = {},
): Promise<DemoService> {
  const held: { service?: RunningAssay } = {};
  const stop = async (signal: NodeJS.Signals = "SIGINT"): Promise<void> => {
    await held.service?.end(signal);
  };
  // Registered before the database, because hooks run in this order, and a service needs its database to stop well.
  t.after(() => stop());
  const { url: databaseUrl, pool: db } = await (isEmpty ? openTestDatabase : openDemoDatabase)(t);
  const network = await openFaultyNetwork(t, databaseUrl);
  const settings = { ...SETTINGS, ...environment, DATABASE_URL: network.url };
  const service = await startAssay(t, ["serve"], settings);
  held.service = service;
  const { url } = service;
  return {
    url,
    token: await addToken(db, {}),
    link:
      (await createConsoleLink(db, {
        author: { name: "test", nowMs: systemClock.nowMs() },
        url,
      })) ?? "",
    db,
    network,
    stop,
    start: async () => {
      held.service = await startAssay(t, ["serve"], { ...settings, PORT: new URL(url).port });
    },
  };
}

/** Posts a watch that every buy alert of the demo wants, as the gateway does. */
export function postAsk(
  service: Pick<DemoService, "url">,
  euros: number,
  sender?: Parameters<typeof postMessage>[2],
): Promise<void> {
  return postMessage(service, `Rolex 126610LN Submariner 2024 full set used ${euros} EUR`, sender);
}

export async function countStreams({ url }: Pick<DemoService, "url">): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^assay_event_streams (\d+)$/m.exec(text)?.[1]);
}
