/**
 * The hosts of a connection URL. `postgres://u:p@a:5432,b:5432/d` names two, of which one is the primary. All pools of a store
 * share one `Hosts`, so that what one connection learns counts for all.
 *
 * After a fail-over the old primary may go on taking writes: it was cut off, or the program that should stop it has died. What
 * it takes is lost. But the server that takes over begins a new timeline, a number that every server tells. So the invariant
 * is: no connection for writes is opened to, or kept on, a timeline that is lower than the highest that any host has shown.
 *
 * Example: a and b are on timeline 3, and a is the primary. b is promoted and shows timeline 4. The connections to a are closed
 * and new ones go to b. If b fails, a is refused until it has followed b. If b answers on timeline 3 again, timeline 4 is lost with all
 * that was stored on it: after `LOST_AFTER_MS` the process is told, so that it can start anew.
 */
import { type Clock, systemClock } from "../../base/clock.ts";
import { StoreDownError } from "../store-error.ts";

export interface Hosts {
  /** One for each host. */
  readonly urls: readonly string[];
  /** The URL of the host that connections go to. */
  current(): string;
  /** Moves on to the next host, unless another connection attempt already did. */
  moveOnFrom(url: string): void;
  /** Closes all connections and moves on to the next host, for a replica that answers but is of no use. */
  leave(): void;
  /** Notes what a host says about itself; undefined if it cannot be asked. */
  note(url: string, server: ServerFacts | undefined): void;
  /** Keeps account of a new connection. Throws a `StoreDownError` if it may not be used. */
  admit(connection: HostConnection): void;
  forget(connection: HostConnection): void;
  state(): HostsState;
}

/** What a server says about itself. */
export interface ServerFacts {
  readonly process_id: number;
  readonly is_read_only: boolean;
  readonly is_in_recovery: boolean;
  /** 0 if the server does not tell. */
  readonly timeline: number;
}

export interface HostConnection {
  readonly url: string;
  readonly server: ServerFacts;
  /** True if it is for a replica. */
  readonly isReadOnly: boolean;
  destroy(error: Error): void;
}

interface HostsState {
  /** Name and port of the server that the last connection for writes went to; its position in the URL, from 1. */
  readonly host: string;
  readonly position: number;
  /** The highest that any host has shown. */
  readonly timeline: number;
  /** How often connections went to another server, or to another timeline of the same one. */
  readonly failOverCount: number;
  /** True while the only primaries that answer are on a lower timeline than the highest. */
  readonly isRefusing: boolean;
}

interface HostsOptions {
  /** Called when writes go to another server than before. */
  readonly onFailOver?: (state: HostsState) => void;
  /** Called once, when the highest timeline has been lost for `LOST_AFTER_MS`. */
  readonly onTimelineLost?: (state: HostsState) => void;
  readonly clock?: Pick<Clock, "elapsedMs">;
  /** For a test that shows what timelines prevent. */
  readonly ignoresTimelines?: boolean;
}

/** A fail-over and a standby that joins the new timeline take less. */
export const LOST_AFTER_MS = 60_000;

/** Asked of each new connection, and by the watch. A standby tells the timeline that it follows. */
export const SERVER_QUERY = `
  select pg_backend_pid() as process_id, current_setting('transaction_read_only')::boolean as is_read_only,
         pg_is_in_recovery() as is_in_recovery`;
export const TIMELINE_QUERY = `
  select case when pg_is_in_recovery()
              then (select greatest(timeline_id, (select min_recovery_end_timeline from pg_control_recovery()))
                      from pg_control_checkpoint())
              else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer
          end as timeline`;

export function openHosts(url: string, options: HostsOptions = {}): Hosts {
  const urls = splitHosts(url);
  const connections = new Set<HostConnection>();
  const known = new Map<string, ServerFacts>();
  const used = { url: "", timeline: 0, failOverCount: 0 };
  let at = 0;
  let highest = 0;
  const current = (): string => urls[at] ?? url;
  const isLeft = ({ timeline }: ServerFacts): boolean =>
    options.ignoresTimelines !== true && timeline < highest;
  const isPrimary = (server: ServerFacts | undefined): boolean =>
    server !== undefined && !server.is_read_only && !isLeft(server);
  const answers = () => [...known.values()];
  const isRefusing = (): boolean =>
    answers().some((server) => !server.is_read_only && isLeft(server)) &&
    !answers().some(isPrimary);
  const state = (): HostsState => ({
    host: hostOf(used.url),
    position: urls.indexOf(used.url) + 1,
    timeline: highest,
    failOverCount: used.failOverCount,
    isRefusing: isRefusing(),
  });
  const noteLoss = createLossTimer(options, () => options.onTimelineLost?.(state()));
  const noteTimeline = ({ timeline }: ServerFacts): void => {
    if (timeline <= highest) return;
    highest = timeline;
    for (const connection of connections) {
      if (connection.isReadOnly || !isLeft(connection.server)) continue;
      connection.destroy(new StoreDownError(`another server took over on timeline ${timeline}`));
    }
  };
  const noteUse = ({ url: usedUrl, server }: HostConnection): void => {
    const isFirst = used.url === "";
    const isSame = used.url === usedUrl && used.timeline === server.timeline;
    Object.assign(used, { url: usedUrl, timeline: server.timeline });
    if (isFirst || isSame) return;
    used.failOverCount += 1;
    options.onFailOver?.(state());
  };
  return {
    urls,
    current,
    moveOnFrom: (failed) => {
      if (failed === current()) at = (at + 1) % urls.length;
    },
    leave: () => {
      at = (at + 1) % urls.length;
      const reason = new StoreDownError("another replica is used");
      for (const connection of connections) connection.destroy(reason);
    },
    note: (noted, server) => {
      if (server === undefined) known.delete(noted);
      else known.set(noted, server);
      if (server !== undefined) noteTimeline(server);
      if (isPrimary(server) && !isPrimary(known.get(current()))) at = urls.indexOf(noted);
      noteLoss(isRefusing() && known.size === urls.length && answers().every(isLeft));
    },
    admit: (connection) => {
      const { server } = connection;
      noteTimeline(server);
      if (urls.length === 1) known.set(connection.url, server);
      refuse(connection, { hasSeveral: urls.length > 1, isLeft: isLeft(server), highest });
      if (!connection.isReadOnly) noteUse(connection);
      connections.add(connection);
    },
    forget: (connection) => connections.delete(connection),
    state,
  };
}

function refuse(
  { server, isReadOnly }: HostConnection,
  known: { readonly hasSeveral: boolean; readonly isLeft: boolean; readonly highest: number },
): void {
  if (isReadOnly) {
    if (!known.hasSeveral || server.is_in_recovery) return;
    throw new StoreDownError("the server is a primary; reads go to a replica");
  }
  if (server.is_read_only) {
    throw new StoreDownError("the server is a standby and takes no writes");
  }
  if (!known.isLeft) return;
  throw new StoreDownError(
    `the server is on timeline ${server.timeline}, but another one has taken over on timeline ${known.highest}; ` +
      "what it takes would be lost",
  );
}

/** Calls `onLost` once, when the timeline has been lost for long enough. */
function createLossTimer(
  { clock = systemClock }: HostsOptions,
  onLost: () => void,
): (isLost: boolean) => void {
  let sinceMs: number | undefined;
  let isTold = false;
  return (isLost) => {
    sinceMs = isLost ? (sinceMs ?? clock.elapsedMs()) : undefined;
    if (isTold || sinceMs === undefined || clock.elapsedMs() - sinceMs < LOST_AFTER_MS) return;
    isTold = true;
    onLost();
  };
}

/** Runs `connect` until it succeeds, at most once for each host, unless the error is one that all hosts would have. */
export async function connectToAny<Connection>(
  { urls }: Hosts,
  connect: () => Promise<Connection>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Connection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect();
    } catch (error) {
      if (attempt >= urls.length || isFinal(error)) throw error;
    }
  }
}

/** The URL of each host. */
export function splitHosts(url: string): readonly string[] {
  const parts = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/is.exec(url);
  if (parts === null) return [url];
  const [, before = "", hosts = "", after = ""] = parts;
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}

function hostOf(url: string): string {
  return /^[a-z]+:\/\/(?:[^@/?#]*@)?([^/?#]+)/i.exec(url)?.[1] ?? "";
}
