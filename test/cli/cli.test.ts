import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { aDataDir, aFolder, aServedDataDir, callAssay, runAssay } from "../support/run-assay.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

const COMMANDS = [
  "serve",
  "migrate",
  "console",
  "token",
  "apply",
  "export",
  "backup",
  "restore",
  "import",
  "replay",
  "fx",
  "reextract",
  "refresh",
  "explain",
  "doctor",
  "deliveries",
  "quarantine",
  "extract",
];

test("--help lists the commands, and each has a page with an example", async () => {
  const overview = await runAssay(["--help"], {});

  assert.equal(overview.code, 0);
  for (const command of COMMANDS) {
    assert.match(overview.out, new RegExp(`^ {2}${command} +\\w`, "m"));
    const page = await callAssay([command, "--help"]);
    assert.equal(page.code, 0, command);
    assert.match(page.out, /Usage:[\s\S]*Examples?:/, command);
  }
});

test("serve --help and the docs list every setting with its default", async () => {
  const { out } = await callAssay(["serve", "--help"]);
  const docs = readFileSync("docs/operations.md", "utf8");
  const names = [
    ...out.slice(out.indexOf("Settings,")).matchAll(/^ {2}([A-Z][A-Z_]+)\b(?: \((\S+)\))?/gm),
  ];

  assert.ok(names.length > 10, out);
  for (const [, name, standard] of names) {
    assert.ok(
      docs.includes(`| \`${name}\` | ${standard === undefined ? "" : `${standard} `}|`),
      name,
    );
  }

  assert.match(out, /PORT \(8080\)/);
  assert.match(out, /ASSAY_ALLOW_UNSAFE_STORE \(false\)/);
});

test("wrong arguments exit with 2, point to the help and print nothing on standard output", async () => {
  const calls = [
    [["fly"], /no command "fly". See: assay --help/],
    [["serve", "--fast"], /Unknown option '--fast'[\s\S]*See: assay serve --help/],
    [["token"], /expected one of: create, list, role WHICH/],
    [["token", "create"], /--name must have 1 to 100 characters/],
    [
      ["token", "create", "--name", "x", "--expires", "soon"],
      /--expires must be a date such as 2027-01-31, not soon/,
    ],
    [["token", "create", "--name", "x", "--expires", "2001-01-01"], /is in the past/],
    [["__proto__"], /no command "__proto__"/],
  ] as const;

  for (const [args, message] of calls) {
    const { code, out, err } = await callAssay(args);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, message);
    assert.equal(out, "");
  }
});

test("a token is printed once, listed by its prefix and revoked by its name", async (t) => {
  const environment = await aMigratedStore(t);

  const created = await callAssay(
    ["token", "create", "--name", "desk", "--read-only"],
    environment,
  );
  const twice = await callAssay(["token", "create", "--name", "desk"], environment);
  const list = await callAssay(["token", "list"], environment);
  const revoked = await callAssay(["token", "revoke", "desk"], environment);
  const again = await callAssay(["token", "revoke", "desk"], environment);
  const after = await callAssay(["token", "list", "--json"], environment);

  assert.match(created.out, /^assay_[\w-]{43}\n$/);
  assert.equal(twice.code, 1);
  assert.match(twice.err, /a token named "desk" already exists; revoke it first/);
  assert.match(list.out, new RegExp(`^desk +${created.out.slice(0, 12)} +market +active`, "m"));
  assert.ok(!list.out.includes(created.out.trim()));
  assert.equal(revoked.code, 0);
  assert.equal(again.code, 1);
  assert.match(again.err, /no active token/);
  assert.equal(typeof JSON.parse(after.out).revoked_at_ms, "number");
});

test("a token has a role, which is changed, and gets a new text", async (t) => {
  const environment = await aMigratedStore(t);
  const call = (...words: string[]) => callAssay(["token", ...words], environment);

  const created = await call("create", "--name", "mei", "--role", "desk");
  const wrong = await call("create", "--name", "x", "--role", "boss");
  const both = await call("create", "--name", "x", "--role", "desk", "--read-only");
  const raised = await call("role", "mei", "--role", "owner");
  const lowered = await call("role", "mei", "--role", "market");
  const rotated = await call("rotate", "mei");
  const unknown = await call("rotate", "nobody");
  const list = await call("list", "--json");

  assert.deepEqual([created.code, wrong.code, both.code, raised.code], [0, 2, 2, 0]);
  assert.match(wrong.err, /--role must be one of market, desk, owner, not boss/);
  assert.equal(lowered.code, 1);
  assert.match(lowered.err, /the last owner.*assay token rotate/);
  assert.match(rotated.out, /^assay_[\w-]{43}\n$/);
  assert.notEqual(rotated.out, created.out);
  assert.equal(unknown.code, 1);
  const { name, role, prefix } = JSON.parse(list.out);
  assert.deepEqual([name, role, prefix], ["mei", "owner", rotated.out.slice(0, 12)]);
});

async function aMigratedStore(t: TestContext) {
  return {
    DATABASE_URL: (await borrowTestDatabase(t)).url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
  };
}

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));

  assert.deepEqual(await runAssay(["--version"], {}), { code: 0, out: `${version}\n`, err: "" });
});

test("a command that only uses a store refuses to create one, says what to do, and leaves the folder as it is", async (t) => {
  const folder = aFolder(t);
  const missing = join(folder, "nowhere");
  const { dataDir } = await aServedDataDir(t);

  const none = await callAssay(["token", "create", "--name", "desk"], { ASSAY_DATA_DIR: missing });
  const empty = await callAssay(["doctor"], { ASSAY_DATA_DIR: dataDir });
  const demoDir = (await aServedDataDir(t)).dataDir;
  await callAssay(["migrate"], { ASSAY_DATA_DIR: demoDir, ASSAY_DEMO: "true" });
  const onlyDemo = await callAssay(["doctor"], { ASSAY_DATA_DIR: demoDir });
  const made = await callAssay(["migrate"], { ASSAY_DATA_DIR: dataDir });
  const demo = await callAssay(["token", "list", "--demo"], { ASSAY_DATA_DIR: dataDir });
  const used = await callAssay(["token", "list"], { ASSAY_DATA_DIR: dataDir });

  for (const [{ code, out, err }, place] of [
    [none, missing],
    [empty, dataDir],
    [onlyDemo, demoDir],
    [demo, dataDir],
  ] as const) {
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.ok(err.includes(`there is no store in ${place}`), err);
    assert.match(err, /set ASSAY_DATA_DIR.*run: assay serve, migrate, apply or import/);
  }
  assert.match(onlyDemo.err, /but that of the demo, which needs --demo/);
  assert.doesNotMatch(empty.err, /--demo/);
  assert.equal(existsSync(missing), false);
  assert.ok(made.err.includes(`store: ${dataDir}, which is new\n`), made.err);
  assert.ok(used.err.includes(`store: ${dataDir}\n`), used.err);
});

test("migrate prints the migrations that it ran, and on the second call that the schema is up to date", async (t) => {
  const environment = { ASSAY_DATA_DIR: aDataDir(t) };

  const first = await runAssay(["migrate"], environment);
  const second = await runAssay(["migrate"], environment);

  assert.match(first.out, /^0001-change-feed\n/);
  assert.equal(second.out, "");
  assert.match(second.err, /up to date/);
});

test("an exported chat is imported once, with its group's currency, and a replay changes nothing", async (t) => {
  const { dataDir: folder } = await aServedDataDir(t);
  const environment = { ASSAY_DATA_DIR: folder, ASSAY_WAHA_UNSIGNED: "true" };
  const file = join(folder, "chat.txt");
  writeFileSync(
    file,
    "20/08/2026, 09:15 - Lena: WTS 5711/1A\n92.000\n20/08/2026, 09:16 - Lena: up\n",
  );
  const call = ["import", "chat", file, "--group", "EU Dealers", "--default-currency", "eur"];

  const first = await callAssay(call, environment);
  const second = await callAssay(call, environment);
  const replayed = await callAssay(["replay"], environment);
  const health = await callAssay(["doctor"], environment);
  const withoutKey = await callAssay(["doctor"], { ASSAY_DATA_DIR: folder });
  const catalogue = join(folder, "catalogue.json");
  writeFileSync(
    catalogue,
    JSON.stringify({ brands: [{ name: "Hamilton", spellings: ["hamilton"] }] }),
  );
  const withCatalogue = { ...environment, ASSAY_CATALOGUE: catalogue };
  const outdated = await callAssay(["doctor"], withCatalogue);
  const current = await callAssay(["reextract"], environment);
  const reread = await callAssay(["reextract"], withCatalogue);
  const missing = await callAssay(["import", "chat", "/nowhere", "--group", "x"], environment);
  const wrong = await callAssay(["import", "waha", file, "--default-currency", "EUR"], environment);

  assert.match(first.out, /^2 read, 2 new, 0 already stored/);
  assert.match(second.out, /^2 read, 0 new, 2 already stored/);
  assert.equal(replayed.code, 0);
  assert.match(replayed.err, /2 events to replay/);
  assert.equal(health.code, 0, health.out);
  assert.equal(withoutKey.code, 1);
  assert.match(withoutKey.out, /^BAD {2}events: all are refused; set ASSAY_WAHA_HMAC_KEY/m);
  assert.match(health.out, /ok {3}queue: all events are processed/);
  assert.equal(outdated.code, 1);
  assert.match(
    outdated.out,
    /BAD {2}listings: 2 messages were extracted with another version, catalogue or words, .*`assay reextract`/,
  );
  assert.equal(current.out, "everything is up to date\n");
  assert.equal(reread.out, "2 messages extracted again\n");
  assert.equal(missing.code, 1);
  assert.match(missing.err, /cannot read \/nowhere \(ENOENT\)/);
  assert.equal(wrong.code, 2);
});
