import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { describeSettings, parseConfig } from "../../src/base/config.ts";

test("without any setting the service listens on loopback and uses the embedded server", () => {
  const config = parseConfig({});

  assert.equal(config.host, "127.0.0.1");
  assert.equal(config.port, 8080);
  assert.equal(config.databaseUrl, undefined);
  assert.equal(config.dataDir, "./data");
});

test("an empty setting counts as not set", () => {
  const config = parseConfig({ PORT: "", DATABASE_URL: "  " });

  assert.equal(config.port, 8080);
  assert.equal(config.databaseUrl, undefined);
});

test("all problems are reported at once, each with the name of its setting", () => {
  const environment = {
    PORT: "80a",
    LOG_LEVEL: "loud",
    DATABASE_URL: "mysql://root:hunter2@x/y",
    ASSAY_RATE_LIMIT_PER_MINUTE: "-1",
    ASSAY_RATE_LIMT: "5",
  };

  const message = messageOf(() => parseConfig(environment));

  assert.match(message, /5 settings are invalid/);
  assert.match(message, /PORT must be a whole number from 0 to 65535, not "80a"/);
  assert.match(message, /LOG_LEVEL must be one of fatal,/);
  assert.match(message, /DATABASE_URL must start with postgres:\/\//);
  assert.match(message, /ASSAY_RATE_LIMIT_PER_MINUTE must be a whole number/);
  assert.match(message, /ASSAY_RATE_LIMT is not a known setting/);
  assert.doesNotMatch(message, /hunter2/);
});

test("every host of a database address is checked, and an sslmode with a fallback is refused", () => {
  const check = (url: string) => messageOf(() => parseConfig({ DATABASE_URL: url }));

  assert.match(check("postgres://u:p@a:5432,b:54x2/d"), /DATABASE_URL is not a valid address/);
  assert.match(check("postgres://u:p@a,/d"), /DATABASE_URL has a comma next to no host/);
  assert.match(check("postgres://u:p@a/d?sslmode=prefer"), /DATABASE_URL has sslmode=prefer/);
  for (const url of [
    "postgres://u:p%40@a:5432,[::1]:5433/d?sslmode=require",
    "postgresql:///d?host=/tmp",
  ]) {
    assert.equal(parseConfig({ DATABASE_URL: url }).databaseUrl, url);
  }
});

test("the mail server and sender are checked, and the password is not shown", () => {
  const wrong = { ASSAY_SMTP_URL: "http://desk:hunter2@mail", ASSAY_SMTP_FROM: "Desk <a@b>" };
  const right = { ASSAY_SMTP_URL: "smtps://desk:p%40@[::1]:465", ASSAY_SMTP_FROM: "a@example.org" };

  const message = messageOf(() => parseConfig(wrong));

  assert.match(message, /ASSAY_SMTP_URL must be smtp:\/\//);
  assert.match(message, /ASSAY_SMTP_FROM must be one e-mail address/);
  assert.doesNotMatch(message, /hunter2/);
  assert.equal(parseConfig(right).smtpUrl, right.ASSAY_SMTP_URL);
  assert.equal(parseConfig({}).telegramUrl, "https://api.telegram.org");
});

test("the proxies are addresses and networks, and never every address", () => {
  const parse = (text: string) => parseConfig({ ASSAY_TRUSTED_PROXY: text }).trustedProxies;
  const check = (text: string) => messageOf(() => parse(text));

  assert.equal(parse(""), undefined);
  assert.deepEqual(parse("127.0.0.1, 10.0.0.0/8,fd00::/8 , ::1"), [
    { address: "127.0.0.1", prefix: 32 },
    { address: "10.0.0.0", prefix: 8 },
    { address: "fd00::", prefix: 8 },
    { address: "::1", prefix: 128 },
  ]);
  for (const wrong of [
    "caddy",
    "true",
    "10.0.0",
    "127.0.0.1:80",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "::1/129",
    "fe80::1%eth0",
    "::ffff:10.0.0.1",
    "127.0.0.1,",
    "127.0.0.1 10.0.0.1",
  ]) {
    assert.match(check(wrong), /ASSAY_TRUSTED_PROXY must be addresses or networks, such/, wrong);
  }
  for (const all of ["0.0.0.0/0", "127.0.0.1,::/0"]) {
    assert.match(check(all), /ASSAY_TRUSTED_PROXY must be your own proxies only/, all);
  }
});

test("a secret can come from a file, but not from both the file and the variable", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "assay-config-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "url");
  writeFileSync(file, "postgres://db/assay\n");

  assert.equal(parseConfig({ DATABASE_URL_FILE: file }).databaseUrl, "postgres://db/assay");
  assert.match(
    messageOf(() => parseConfig({ DATABASE_URL_FILE: file, DATABASE_URL: "postgres://x/y" })),
    /both set/,
  );
  assert.match(
    messageOf(() => parseConfig({ DATABASE_URL_FILE: `${file}?` })),
    /cannot be read/,
  );
});

test("the help lists every setting with its default", () => {
  const text = describeSettings();

  for (const name of [
    "PORT (8080)",
    "HOST (127.0.0.1)",
    "DATABASE_URL\n",
    "ASSAY_DATA_DIR (./data)",
  ]) {
    assert.ok(text.includes(name), name);
  }
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}
