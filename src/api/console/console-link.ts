import type { Clock } from "../../base/clock.ts";
import type { DatabasePool } from "../../db/database.ts";
import { CONSOLE_TOKEN, createConsoleCode } from "../auth/console-code-store.ts";

/**
 * A link that signs a browser in once. The code is in the fragment, which browsers send to no server, so it reaches no log and
 * no proxy. Returns undefined if no active token has the name.
 */
export async function createConsoleLink(
  pool: DatabasePool,
  link: {
    readonly clock: Pick<Clock, "nowMs">;
    readonly url: string;
    /** The default is `console`, which is created if needed. */
    readonly tokenName?: string;
  },
): Promise<string | undefined> {
  const { clock, url, tokenName = CONSOLE_TOKEN } = link;
  const code = await createConsoleCode(pool, { tokenName, nowMs: clock.nowMs() });
  return code === undefined ? undefined : `${url.replace(/\/+$/, "")}/#open=${code}`;
}
