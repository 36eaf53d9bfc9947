import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { toOpenapiText } from "../../src/api/http/openapi.ts";
import { openTestApp } from "../support/test-app.ts";
import { dumpSchema } from "./dump-schema.ts";

/** `npm run generate` writes the files; a run of the tests compares them. */
const IS_WRITING = process.env["ASSAY_TEST_WRITE"] === "1";

test("the schema and the contract that are committed are those of the migrations and the routes", async (t) => {
  const { app, db } = await openTestApp(t);

  const generated = { "schema.sql": await dumpSchema(db), "openapi-v2.json": toOpenapiText(app) };

  for (const [file, text] of Object.entries(generated)) {
    const isSame = existsSync(file) && readFileSync(file, "utf8") === text;
    if (IS_WRITING && !isSame) writeFileSync(file, text);
    assert.ok(isSame || IS_WRITING, `${file} differs: run \`npm run generate\``);
  }
});
