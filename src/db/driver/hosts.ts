/**
 * The hosts of a connection URL, of which one is the primary. `postgres://u:p@a:5432,b:5432/d` names two. A pool connects
 * to the current host; when that fails or turns out to be a standby, it moves on to the next.
 */
export interface Hosts {
  readonly count: number;
  /** The URL of the current host alone. */
  current(): string;
  /** Moves on to the next host, unless another connection attempt already did. */
  moveOnFrom(url: string): void;
}

export function openHosts(url: string): Hosts {
  const urls = splitHosts(url);
  let at = 0;
  const current = (): string => urls[at] ?? url;
  return {
    count: urls.length,
    current,
    moveOnFrom: (failed) => {
      if (failed === current()) at = (at + 1) % urls.length;
    },
  };
}

/** Runs `connect` until it succeeds, at most once for each host, unless the error is one that all hosts would have. */
export async function connectToAny<Connection>(
  hosts: Hosts,
  connect: () => Promise<Connection>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Connection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect();
    } catch (error) {
      if (attempt >= hosts.count || isFinal(error)) throw error;
    }
  }
}

function splitHosts(url: string): readonly string[] {
  const parts = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/is.exec(url);
  if (parts === null) return [url];
  const [, before = "", hosts = "", after = ""] = parts;
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}
