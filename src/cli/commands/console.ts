import { parseArgs } from "node:util";
import { createConsoleLink } from "../../api/console/sign-in.ts";
import { toServiceUrl } from "../../base/address.ts";
import { OperatorError } from "../../base/errors.ts";
import type { Command } from "../command.ts";
import { cliAuthor, withStore } from "../with-store.ts";

const HELP = `Prints a link that opens the console in a browser.

Usage: assay console [--name TOKEN] [--demo]

  --name TOKEN   the token whose rights the browser gets, by its name; the default is "console", which may do everything and
                 is created if needed
  --demo         the console of the demo

The link works once, within 15 minutes; then the browser stays signed in for 30 days. It leads to ASSAY_PUBLIC_URL if that is
set, and otherwise to HOST and PORT. The service may run already, or start later. "assay token rotate console" signs all
browsers out that used such a link.

Examples:
  assay console
  assay token create --name partner --role market && assay console --name partner
`;

const ANSWER_TIMEOUT_MS = 1_000;

export const consoleCommand: Command = {
  summary: "prints a link that opens the console in a browser",
  help: HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args: [...args],
      options: { name: { type: "string" }, demo: { type: "boolean", default: false } },
    });
    const { link, localUrl } = await withStore(
      terminal,
      { isDemo: values.demo },
      async ({ store, config }) => {
        const localUrl = config.port === 0 ? undefined : toServiceUrl(config.host, config.port);
        const url = config.publicUrl ?? localUrl;
        if (url === undefined) {
          throw new OperatorError("set PORT to the port of the service, or ASSAY_PUBLIC_URL");
        }
        const tokenName = values.name;
        const link = await createConsoleLink(store.pool, {
          author: cliAuthor(),
          url,
          ...(tokenName === undefined ? {} : { tokenName }),
        });
        return { link, localUrl };
      },
    );
    if (link === undefined) {
      throw new OperatorError(
        `no active token is named "${values.name}"; assay token list shows all, assay token create makes one`,
      );
    }
    terminal.out.write(`${link}\n`);
    if (localUrl !== undefined && !(await isServing(localUrl))) {
      terminal.err.write(`no service answers at ${localUrl}; start it before you open the link\n`);
    }
    return 0;
  },
};

async function isServing(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    return (await fetch(`${url}/health/live`, { signal })).ok;
  } catch {
    // Nothing listens there, or not yet.
    return false;
  }
}
