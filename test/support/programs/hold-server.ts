// A process that holds the embedded server of a data folder until it is stopped or killed.
//   hold-server.ts DATA_DIR [ACCOUNT_KIND]
import { createLogger } from "../../../src/base/log.ts";
import type { AccountKind } from "../../../src/db/embedded/home.ts";
import { openEmbeddedServer } from "../../../src/db/embedded/server.ts";

const [dataDir = "", accountKind] = process.argv.slice(2);
const server = await openEmbeddedServer({
  dataDir,
  log: createLogger("silent"),
  ...(accountKind === undefined ? {} : { accountKind: accountKind as AccountKind }),
});
process.once("SIGTERM", () => void server.release());
process.stdout.write(`${server.url("postgres")}\n`);
