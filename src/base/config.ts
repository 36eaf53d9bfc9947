import { type AddressRange, parseAddressRanges } from "./address.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";
import {
  describeSetting,
  type Environment,
  listUnknownNames,
  parseBoolean,
  parseDatabaseUrl,
  parseEmail,
  parseHttpUrl,
  parseInteger,
  parseOneOf,
  parseSmtpUrl,
  parseText,
  readSetting,
  type Setting,
  toSettingsError,
} from "./setting.ts";

/** How Assay runs. It is read once from the environment, checked as a whole, and then passed to the code that needs it. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly logLevel: LogLevel;
  /** If absent, the embedded server in `dataDir` is used. */
  readonly databaseUrl?: string;
  /** A replica for reads. If absent, the primary answers them. */
  readonly databaseReadUrl?: string;
  readonly databaseConnectionsMax: number;
  readonly dataDir: string;
  /** The folder with the programs that the embedded server runs from. If absent, those that npm installed. */
  readonly postgresBin?: string;
  readonly isDemo: boolean;
  /** Approximate number of messages in the demo market. */
  readonly demoMessages: number;
  /** Whether the demo keeps receiving messages while it runs. */
  readonly isDemoTrickling: boolean;
  readonly isUnsafeStoreAllowed: boolean;
  /** 0 means no limit. */
  readonly rateLimitPerMinute: number;
  /** 0 means no limit. */
  readonly workMsPerSecond: number;
  readonly requestsInFlightMax: number;
  readonly connectionsMax: number;
  readonly lameDuckMs: number;
  /** The gateway signs its events with this key. */
  readonly wahaHmacKey?: string;
  /** Whether events without a signature are taken from programs on this machine. */
  readonly isWahaUnsigned: boolean;
  /** Address of WAHA's own API. If absent, Assay does not call it. */
  readonly wahaUrl?: string;
  readonly wahaApiKey?: string;
  /** A message that arrives later than this after it was sent fires no alerts. */
  readonly alertWindowHours: number;
  /** Whether webhooks may go to private addresses and over plain HTTP. */
  readonly isPrivateWebhookAllowed: boolean;
  /** Address of the console, for links and sign-in. */
  readonly publicUrl?: string;
  readonly consoleSessionHours: number;
  /** Proxies whose word about the address of a client is taken. */
  readonly trustedProxies?: readonly AddressRange[];
  /** The mail server for targets of the kind `email`. */
  readonly smtpUrl?: string;
  readonly smtpFrom?: string;
  readonly telegramUrl: string;
  /** A dealer's own additions to the catalogue. */
  readonly catalogueFile?: string;
  /** Where a worker fetches exchange rates by itself. */
  readonly ratesSource: RatesSource;
  /** The folder with the ECB's files. */
  readonly ratesUrl: string;
  /** Messages older than this many days are removed. If absent, everything is kept. */
  readonly retentionDays?: number;
  /** Whether pictures of listings are fetched and kept. If absent, only in the demo. */
  readonly media?: MediaSwitch;
  /** What all pictures together may take. */
  readonly mediaGbMax: number;
}

const MEDIA_SWITCHES = ["on", "off"] as const;
type MediaSwitch = (typeof MEDIA_SWITCHES)[number];

export function isMediaOn({ media, isDemo }: Pick<Config, "media" | "isDemo">): boolean {
  return media === undefined ? isDemo : media === "on";
}

/** Also if there is something to fetch them from: the gateway, or in the demo a pencil. */
export function canFetchMedia(config: Pick<Config, "media" | "isDemo" | "wahaUrl">): boolean {
  return isMediaOn(config) && (config.isDemo || config.wahaUrl !== undefined);
}

const RATES_SOURCES = ["none", "ecb"] as const;
type RatesSource = (typeof RATES_SOURCES)[number];

export const TELEGRAM_URL = "https://api.telegram.org";

type Settings = { readonly [Key in keyof Required<Config>]: Setting<Required<Config>[Key]> };

const SETTINGS: Settings = {
  port: {
    name: "PORT",
    about: "the TCP port to listen on; 0 picks a free port",
    default: "8080",
    parse: (text) => parseInteger(text, { min: 0, max: 65_535 }),
  },
  host: {
    name: "HOST",
    about: "the address to listen on; 0.0.0.0 or :: for all addresses",
    default: "127.0.0.1",
    parse: parseText,
  },
  logLevel: {
    name: "LOG_LEVEL",
    about: `the lowest level to log: ${LOG_LEVELS.join(", ")}`,
    default: "info",
    parse: (text) => parseOneOf(text, LOG_LEVELS),
  },
  databaseUrl: {
    name: "DATABASE_URL",
    about:
      "a PostgreSQL server, version 15 or newer, as postgres://user:password@host:port/database; " +
      "several host:port pairs are separated by commas; if not set, the embedded server in ASSAY_DATA_DIR is used",
    isSecret: true,
    parse: parseDatabaseUrl,
  },
  databaseReadUrl: {
    name: "DATABASE_READ_URL",
    about:
      "streaming replicas of DATABASE_URL, one or several hosts; requests read from one of them while it is at most one " +
      "second behind, and otherwise from DATABASE_URL",
    isSecret: true,
    parse: parseDatabaseUrl,
  },
  databaseConnectionsMax: {
    name: "ASSAY_DATABASE_CONNECTIONS",
    about: "the most connections to the database that one process opens for its work",
    default: "10",
    parse: (text) => parseInteger(text, { min: 1, max: 500 }),
  },
  dataDir: {
    name: "ASSAY_DATA_DIR",
    about: "the folder for the embedded server and the demo token",
    default: "./data",
    parse: parseText,
  },
  postgresBin: {
    name: "ASSAY_POSTGRES_BIN",
    about:
      "the folder with postgres and initdb of an installed PostgreSQL that the embedded server runs from, as " +
      "/usr/lib/postgresql/18/bin; of the version that created the data folder; if not set, Assay's own",
    parse: parseText,
  },
  isDemo: {
    name: "ASSAY_DEMO",
    about: "whether commands use the demo database, as with --demo: true or false",
    default: "false",
    parse: parseBoolean,
  },
  demoMessages: {
    name: "ASSAY_DEMO_MESSAGES",
    about: "about how many messages the demo market has when it is loaded",
    default: "30000",
    parse: (text) => parseInteger(text, { min: 1_000, max: 1_000_000 }),
  },
  isDemoTrickling: {
    name: "ASSAY_DEMO_TRICKLE",
    about: "whether the demo keeps receiving messages while it runs: true or false",
    default: "true",
    parse: parseBoolean,
  },
  isUnsafeStoreAllowed: {
    name: "ASSAY_ALLOW_UNSAFE_STORE",
    about:
      "whether to run on a PostgreSQL server with fsync or synchronous_commit turned off: true or false",
    default: "false",
    parse: parseBoolean,
  },
  rateLimitPerMinute: {
    name: "ASSAY_RATE_LIMIT_PER_MINUTE",
    about:
      "the most requests per minute for one token in one process; 0 for no limit, neither of requests nor of work",
    default: "6000",
    parse: (text) => parseInteger(text, { min: 0, max: 100_000_000 }),
  },
  workMsPerSecond: {
    name: "ASSAY_WORK_MS_PER_SECOND",
    about:
      "the work per second that one process and its store do for the requests of one token with the role market, in milliseconds; " +
      "desk and owner have twice as much; what is not used is saved, up to that of 33 seconds; 0 for no limit",
    default: "300",
    parse: (text) => parseInteger(text, { min: 0, max: 1_000_000 }),
  },
  requestsInFlightMax: {
    name: "ASSAY_REQUESTS_IN_FLIGHT",
    about:
      "the most requests with a token, and the most events, that one process handles at once; more get 503",
    default: "500",
    parse: (text) => parseInteger(text, { min: 1, max: 100_000 }),
  },
  connectionsMax: {
    name: "ASSAY_CONNECTIONS",
    about:
      "the most client connections that one process keeps open; a new one then replaces the oldest that has sent no " +
      "valid token or event",
    default: "4000",
    parse: (text) => parseInteger(text, { min: 1, max: 100_000 }),
  },
  lameDuckMs: {
    name: "ASSAY_LAME_DUCK_MS",
    about:
      "how long to keep serving after SIGTERM while /health/ready fails, in milliseconds; at least the " +
      "interval of your load balancer's health checks",
    default: "2000",
    parse: (text) => parseInteger(text, { min: 0, max: 600_000 }),
  },
  wahaHmacKey: {
    name: "ASSAY_WAHA_HMAC_KEY",
    about:
      "the key that WAHA signs its webhooks with, 16 characters or more; without it events are refused, and HOST must be a loopback address",
    isSecret: true,
    parse: parseText,
  },
  isWahaUnsigned: {
    name: "ASSAY_WAHA_UNSIGNED",
    about:
      "whether to take unsigned events while ASSAY_WAHA_HMAC_KEY is not set, from programs on this machine only: true " +
      "or false; the demo always does",
    default: "false",
    parse: parseBoolean,
  },
  wahaUrl: {
    name: "ASSAY_WAHA_URL",
    about:
      "the address of WAHA's API; Assay asks it for sessions, group names, phone numbers of LIDs and missed " +
      "messages; if not set, Assay knows only what WAHA posts",
    parse: parseHttpUrl,
  },
  wahaApiKey: {
    name: "ASSAY_WAHA_API_KEY",
    about: "the API key for ASSAY_WAHA_URL; a read-only key is enough",
    isSecret: true,
    parse: parseText,
  },
  alertWindowHours: {
    name: "ASSAY_ALERT_WINDOW_HOURS",
    about: "a message that arrives later than this after it was sent fires no alerts",
    default: "24",
    parse: (text) => parseInteger(text, { min: 1, max: 8_760 }),
  },
  isPrivateWebhookAllowed: {
    name: "ASSAY_WEBHOOK_ALLOW_PRIVATE",
    about:
      "whether webhooks may use plain HTTP and private, loopback and link-local addresses: true or false",
    default: "false",
    parse: parseBoolean,
  },
  publicUrl: {
    name: "ASSAY_PUBLIC_URL",
    about:
      "the address at which people open Assay, as with a TLS proxy; links to the console and in notifications lead there",
    parse: parseHttpUrl,
  },
  consoleSessionHours: {
    name: "ASSAY_CONSOLE_SESSION_HOURS",
    about: "how long a browser stays signed in at most",
    default: "720",
    parse: (text) => parseInteger(text, { min: 1, max: 8_760 }),
  },
  trustedProxies: {
    name: "ASSAY_TRUSTED_PROXY",
    about:
      "the addresses or networks of your own proxies, separated by commas; requests from there are counted by the client's " +
      "address in X-Forwarded-For, where wrong tokens and sign-ins are limited; if not set, that header is ignored",
    parse: parseAddressRanges,
  },
  smtpUrl: {
    name: "ASSAY_SMTP_URL",
    about:
      "the mail server for e-mail notifications, as smtp://user:password@host:587 (STARTTLS) or smtps://…:465 (TLS)",
    isSecret: true,
    parse: parseSmtpUrl,
  },
  smtpFrom: {
    name: "ASSAY_SMTP_FROM",
    about: "the address that e-mail notifications come from",
    parse: parseEmail,
  },
  telegramUrl: {
    name: "ASSAY_TELEGRAM_URL",
    about: "the address of Telegram's Bot API; another one for a server of your own or for tests",
    default: TELEGRAM_URL,
    parse: parseHttpUrl,
  },
  catalogueFile: {
    name: "ASSAY_CATALOGUE",
    about:
      "a JSON file with your own brands, references and words, added to the built-in catalogue",
    parse: parseText,
  },
  ratesSource: {
    name: "ASSAY_RATES",
    about:
      "where a worker fetches exchange rates once a day: ecb for the European Central Bank, or none",
    default: "none",
    parse: (text) => parseOneOf(text, RATES_SOURCES),
  },
  ratesUrl: {
    name: "ASSAY_RATES_URL",
    about: "the folder with eurofxref.zip and eurofxref-hist.zip, for a mirror of the ECB's files",
    default: "https://www.ecb.europa.eu/stats/eurofxref",
    parse: parseHttpUrl,
  },
  retentionDays: {
    name: "ASSAY_RETENTION_DAYS",
    about:
      "messages older than this many days are removed: 30 and twice the longest look-back, or more",
    parse: (text) => parseInteger(text, { min: 32, max: 36_500 }),
  },
  media: {
    name: "ASSAY_MEDIA",
    about:
      "whether pictures of messages with a listing are fetched from ASSAY_WAHA_URL and kept: on or off; if not set, only the " +
      "demo has pictures",
    parse: (text) => parseOneOf(text, MEDIA_SWITCHES),
  },
  mediaGbMax: {
    name: "ASSAY_MEDIA_MAX_GB",
    about: "the most that all pictures together take, in GB; the oldest are removed first",
    default: "10",
    parse: (text) => parseInteger(text, { min: 1, max: 100_000 }),
  },
};

/** Reads all settings. Throws one error that lists every problem. */
export function parseConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values = Object.entries(SETTINGS).map(([key, setting]) => [
    key,
    readSetting(setting as Setting<unknown>, environment, problems),
  ]);
  problems.push(...listUnknownNames(environment, Object.values(SETTINGS)));
  if (problems.length > 0) throw toSettingsError(problems);
  // The type of SETTINGS guarantees one setting per member of Config, with a parser that returns the member's type.
  return Object.freeze(
    Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  ) as unknown as Config;
}

/** Returns the settings as text for a help page, one paragraph each. */
export function describeSettings(): string {
  return Object.values<Setting<unknown>>(SETTINGS).map(describeSetting).join("");
}
