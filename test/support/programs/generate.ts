// Writes the generated files, or compares them with what is committed: generate.ts --write | --compare
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { buildApp } from "../../../src/api/app.ts";
import { toOpenapiText } from "../../../src/api/http/openapi.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { parseConfig } from "../../../src/base/config.ts";
import { createLogger } from "../../../src/base/log.ts";
import { createMetrics } from "../../../src/base/metrics.ts";
import { openChangeFeed } from "../../../src/db/changes.ts";
import { openPool } from "../../../src/db/pool.ts";
import { createIntake } from "../../../src/intake/receive-event.ts";
import { loadCatalogue } from "../../../src/listings/dealer-catalogue.ts";
import { createAgeCheck } from "../../../src/messages/privacy/event-age.ts";
import { startTestServer, TEMPLATE, withDatabase } from "../test-server.ts";
import { dumpSchema } from "./dump-schema.ts";

const isWriting = process.argv.includes("--write");
const server = await startTestServer();
const url = withDatabase(server.url, TEMPLATE);
const log = createLogger("warn");
const pool = openPool({ url, name: "assay generate" });
const feed = openChangeFeed({ url, log });
const app = await buildApp({
  config: parseConfig({}),
  db: pool,
  checks: pool,
  read: (ask) => ask(pool),
  readFigures: (ask) => ask(pool),
  intake: createIntake(pool),
  ages: createAgeCheck({ db: pool, clock: systemClock, log }),
  feed,
  clock: systemClock,
  catalogue: () => loadCatalogue(undefined),
  log,
  metrics: createMetrics(),
  isStopping: () => false,
});
const generated = { "schema.sql": await dumpSchema(pool), "openapi-v2.json": toOpenapiText(app) };
await app.close();
await feed.close();
await pool.end();
await server.stop();

const differing = Object.entries(generated).filter(
  ([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text,
);
for (const [file, text] of differing) {
  if (isWriting) writeFileSync(file, text);
  process.stdout.write(`${file} ${isWriting ? "written" : "differs: run `npm run generate`"}\n`);
}
if (!isWriting && differing.length > 0) process.exitCode = 1;
