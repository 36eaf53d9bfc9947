import { readFileSync } from "node:fs";
import { OperatorError } from "./errors.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";
import { parseBoolean, parseDatabaseUrl, parseInteger, parseText } from "./parse-setting.ts";

/** How Assay runs: read once from the environment, checked as a whole, then handed around. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly logLevel: LogLevel;
  /** Absent: the embedded server in `dataDir`. */
  readonly databaseUrl?: string;
  /** A replica for reads; absent: the primary answers them. */
  readonly databaseReadUrl?: string;
  readonly databaseConnectionsMax: number;
  readonly dataDir: string;
  readonly isDemo: boolean;
  /** About how many messages the demo's market has. */
  readonly demoMessages: number;
  /** Whether the demo goes on receiving messages. */
  readonly isDemoTrickling: boolean;
  readonly isUnsafeStoreAllowed: boolean;
  /** 0: no limit. */
  readonly rateLimitPerMinute: number;
  readonly requestsInFlightMax: number;
  readonly connectionsMax: number;
  readonly lameDuckMs: number;
  /** The key with which the gateway signs its events. */
  readonly wahaHmacKey?: string;
  /** Where WAHA itself can be asked; absent: it is not. */
  readonly wahaUrl?: string;
  readonly wahaApiKey?: string;
  /** A message that came later than this after it was sent fires no alerts. */
  readonly alertWindowHours: number;
  /** Whether webhooks may go to private addresses and over plain HTTP. */
  readonly isPrivateWebhookAllowed: boolean;
  /** A dealer's own additions to the catalogue. */
  readonly catalogueFile?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface Setting<Value> {
  readonly name: string;
  readonly about: string;
  /** As one would write it; absent: the setting has no value unless it is set. */
  readonly default?: string;
  /** A secret can also be given as a file, by `NAME_FILE`. */
  readonly isSecret?: boolean;
  /** Gives the value, or the reason why it is none. */
  parse(text: string): { readonly value: Value } | { readonly problem: string };
}

type Settings = { readonly [Key in keyof Required<Config>]: Setting<Required<Config>[Key]> };

const SETTINGS: Settings = {
  port: {
    name: "PORT",
    about: "the TCP port to listen on; 0 takes a free one",
    default: "8080",
    parse: (text) => parseInteger(text, { min: 0, max: 65_535 }),
  },
  host: {
    name: "HOST",
    about: "the address to listen on; 0.0.0.0 or :: for all of them",
    default: "127.0.0.1",
    parse: parseText,
  },
  logLevel: {
    name: "LOG_LEVEL",
    about: `the least severe kind of log line to write: ${LOG_LEVELS.join(", ")}`,
    default: "info",
    parse: (text) => {
      const value = LOG_LEVELS.find((level) => level === text);
      return value === undefined
        ? { problem: `must be one of ${LOG_LEVELS.join(", ")}` }
        : { value };
    },
  },
  databaseUrl: {
    name: "DATABASE_URL",
    about:
      "a PostgreSQL server, version 15 or newer, postgres://user:password@host:port/database, " +
      "also several host:port separated by commas; absent: the embedded server in ASSAY_DATA_DIR",
    isSecret: true,
    parse: parseDatabaseUrl,
  },
  databaseReadUrl: {
    name: "DATABASE_READ_URL",
    about:
      "a streaming replica of DATABASE_URL, one host; requests read there while it is no more than a second " +
      "behind, and from DATABASE_URL when it is not",
    isSecret: true,
    parse: (text) =>
      /^[^?]*,/.test(text) ? { problem: "must name one host" } : parseDatabaseUrl(text),
  },
  databaseConnectionsMax: {
    name: "ASSAY_DATABASE_CONNECTIONS",
    about: "how many connections to the store one process opens for its work",
    default: "10",
    parse: (text) => parseInteger(text, { min: 1, max: 500 }),
  },
  dataDir: {
    name: "ASSAY_DATA_DIR",
    about: "the folder of the embedded server and of the demo's token",
    default: "./data",
    parse: parseText,
  },
  isDemo: {
    name: "ASSAY_DEMO",
    about: "whether commands use the demo's database (as --demo does): true or false",
    default: "false",
    parse: parseBoolean,
  },
  demoMessages: {
    name: "ASSAY_DEMO_MESSAGES",
    about: "about how many messages the demo's market has when it is loaded",
    default: "30000",
    parse: (text) => parseInteger(text, { min: 1_000, max: 1_000_000 }),
  },
  isDemoTrickling: {
    name: "ASSAY_DEMO_TRICKLE",
    about: "whether the demo goes on receiving messages while it is served: true or false",
    default: "true",
    parse: parseBoolean,
  },
  isUnsafeStoreAllowed: {
    name: "ASSAY_ALLOW_UNSAFE_STORE",
    about: "whether to run on a server with fsync or synchronous_commit off: true or false",
    default: "false",
    parse: parseBoolean,
  },
  rateLimitPerMinute: {
    name: "ASSAY_RATE_LIMIT_PER_MINUTE",
    about: "how many requests one token may make in a minute in one process; 0 for no limit",
    default: "6000",
    parse: (text) => parseInteger(text, { min: 0, max: 100_000_000 }),
  },
  requestsInFlightMax: {
    name: "ASSAY_REQUESTS_IN_FLIGHT",
    about: "how many requests one process works on at once; more are answered with 503",
    default: "500",
    parse: (text) => parseInteger(text, { min: 1, max: 100_000 }),
  },
  connectionsMax: {
    name: "ASSAY_CONNECTIONS",
    about: "how many client connections one process keeps open; more are refused",
    default: "4000",
    parse: (text) => parseInteger(text, { min: 1, max: 100_000 }),
  },
  lameDuckMs: {
    name: "ASSAY_LAME_DUCK_MS",
    about:
      "how long to go on serving after SIGTERM while /health/ready says no; at least the interval " +
      "at which your load balancer asks",
    default: "2000",
    parse: (text) => parseInteger(text, { min: 0, max: 600_000 }),
  },
  wahaHmacKey: {
    name: "ASSAY_WAHA_HMAC_KEY",
    about: "the key with which WAHA signs its webhooks; needed unless HOST is loopback",
    isSecret: true,
    parse: parseText,
  },
  wahaUrl: {
    name: "ASSAY_WAHA_URL",
    about:
      "the address of WAHA, to ask it for sessions, group names, numbers of LIDs and missed messages; " +
      "absent: only what it posts is known",
    parse: (text) =>
      /^https?:\/\/[^\s@]+$/.test(text)
        ? { value: text }
        : { problem: "must begin with http:// or https://" },
  },
  wahaApiKey: {
    name: "ASSAY_WAHA_API_KEY",
    about: "the key for ASSAY_WAHA_URL; one that may only read is enough",
    isSecret: true,
    parse: parseText,
  },
  alertWindowHours: {
    name: "ASSAY_ALERT_WINDOW_HOURS",
    about: "a message that comes later than this after it was sent fires no alerts",
    default: "24",
    parse: (text) => parseInteger(text, { min: 1, max: 8_760 }),
  },
  isPrivateWebhookAllowed: {
    name: "ASSAY_WEBHOOK_ALLOW_PRIVATE",
    about:
      "whether matches may be sent to webhooks at private, loopback and link-local addresses, and over plain " +
      "HTTP: true or false",
    default: "false",
    parse: parseBoolean,
  },
  catalogueFile: {
    name: "ASSAY_CATALOGUE",
    about: "a JSON file with brands, references and words of your own, added to the catalogue",
    parse: parseText,
  },
};

/** Whether only this machine can reach the service. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

const OUR_NAME = /^ASSAY_/;
/** Read by the test runner, never by the service. */
const FOREIGN_NAMES: readonly string[] = ["ASSAY_TEST_LONG", "ASSAY_TEST_WRITE"];

/** Reads all settings; every problem is in the one error that it throws. */
export function parseConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values = Object.entries(SETTINGS).map(([key, setting]) => [
    key,
    readSetting(setting as Setting<unknown>, environment, problems),
  ]);
  problems.push(...listUnknownNames(environment));
  if (problems.length > 0) {
    throw new OperatorError(
      `${problems.length === 1 ? "a setting is" : `${problems.length} settings are`} wrong:\n` +
        `${problems.map((problem) => `  ${problem}`).join("\n")}\n` +
        "All settings: assay serve --help",
    );
  }
  // Each member of Config has a setting, and each setting's parser gives its member's type.
  return Object.freeze(
    Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  ) as unknown as Config;
}

/** The settings for a help page: name, default and meaning, one paragraph each. */
export function describeSettings(): string {
  return Object.values(SETTINGS)
    .map((setting: Setting<unknown>) => {
      const head = setting.default === undefined ? "" : ` (${setting.default})`;
      const file = setting.isSecret === true ? `; or ${setting.name}_FILE, a file with it` : "";
      return `  ${setting.name}${head}\n      ${setting.about}${file}\n`;
    })
    .join("");
}

function readSetting(
  setting: Setting<unknown>,
  environment: Environment,
  problems: string[],
): unknown {
  const text = readText(setting, environment, problems);
  if (text === undefined) return undefined;
  const parsed = setting.parse(text);
  if ("value" in parsed) return parsed.value;
  const shown = setting.isSecret === true ? "" : `, not "${text.slice(0, 80)}"`;
  problems.push(`${setting.name} ${parsed.problem}${shown}`);
  return undefined;
}

// An empty variable is an unset one: that is how compose files and shells write "nothing".
function readText(
  setting: Setting<unknown>,
  environment: Environment,
  problems: string[],
): string | undefined {
  const text = environment[setting.name]?.trim();
  const file = setting.isSecret === true ? environment[`${setting.name}_FILE`]?.trim() : undefined;
  if (text && file) problems.push(`${setting.name} and ${setting.name}_FILE are both set`);
  if (text) return text;
  if (!file) return setting.default;
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    problems.push(`${setting.name}_FILE cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}

/** A misspelt setting would otherwise be a silent default. */
function listUnknownNames(environment: Environment): string[] {
  const known = new Set(
    Object.values(SETTINGS).flatMap((setting: Setting<unknown>) => [
      setting.name,
      ...(setting.isSecret === true ? [`${setting.name}_FILE`] : []),
    ]),
  );
  return Object.keys(environment)
    .filter((name) => OUR_NAME.test(name) && !known.has(name) && !FOREIGN_NAMES.includes(name))
    .map((name) => `${name} is not a setting of Assay`);
}
