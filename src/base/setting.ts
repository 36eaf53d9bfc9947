import { readFileSync } from "node:fs";
import { isEmail } from "./address.ts";
import { OperatorError } from "./errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting: its name, what it means, and how its text is read. */
export interface Setting<Value> {
  readonly name: string;
  readonly about: string;
  /** As text, as a user would write it. If absent, the setting is optional. */
  readonly default?: string;
  /** A secret can also be read from a file, named by `NAME_FILE`. */
  readonly isSecret?: boolean;
  /** Returns the value, or what is wrong with the text. */
  parse(text: string): { readonly value: Value } | { readonly problem: string };
}

/** Returns the value of a setting. If something is wrong, it adds to `problems` and returns undefined. */
export function readSetting(
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

// An empty variable counts as not set, because compose files and shells often pass one.
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

export function toSettingsError(problems: readonly string[]): OperatorError {
  return new OperatorError(
    `${problems.length === 1 ? "a setting is" : `${problems.length} settings are`} invalid:\n` +
      `${problems.map((problem) => `  ${problem}`).join("\n")}\n` +
      "All settings: assay serve --help",
  );
}

/** Returns a setting as text for a help page: name, default and meaning. */
export function describeSetting(setting: Setting<unknown>): string {
  const head = setting.default === undefined ? "" : ` (${setting.default})`;
  const file =
    setting.isSecret === true ? `; or name a file that contains it in ${setting.name}_FILE` : "";
  const lines = `${setting.about}${file}`.replaceAll(/(.{1,106})(?: |$)/g, "      $1\n");
  return `  ${setting.name}${head}\n${lines}`;
}

const NAME_PREFIX = "ASSAY_";
/** Only the test runner reads these. */
const TEST_RUNNER_NAMES: readonly string[] = ["ASSAY_TEST_LONG", "ASSAY_TEST_WRITE"];

/** Without this check, a misspelt name would silently leave the default in place. */
export function listUnknownNames(
  environment: Environment,
  settings: readonly Setting<unknown>[],
): string[] {
  const known = new Set(
    settings.flatMap((setting) => [
      setting.name,
      ...(setting.isSecret === true ? [`${setting.name}_FILE`] : []),
    ]),
  );
  return Object.keys(environment)
    .filter(
      (name) =>
        name.startsWith(NAME_PREFIX) && !known.has(name) && !TEST_RUNNER_NAMES.includes(name),
    )
    .map((name) => `${name} is not a known setting`);
}

// Parsers for the text of a setting. Each returns the value, or what is wrong with the text.

export function parseText(text: string): { readonly value: string } {
  return { value: text };
}

/** The driver has no fallback between TLS and plain text, so modes with one are refused. */
const TLS_MODES = ["disable", "require", "verify-ca", "verify-full"];

/** Accepts several hosts, separated by commas, as libpq does. */
export function parseDatabaseUrl(text: string) {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?)([^/?#\s]*)(\S*)$/.exec(text);
  if (parts === null) return { problem: "must start with postgres://" };
  const [, before = "", hosts = "", after = ""] = parts;
  try {
    for (const host of hosts.split(",")) {
      if (host === "" && hosts !== "") return { problem: "has a comma next to no host" };
      const { username, password, searchParams } = new URL(before + host + after);
      decodeURIComponent(username + password);
      const mode = searchParams.get("sslmode") ?? "disable";
      if (!TLS_MODES.includes(mode)) {
        return { problem: `has sslmode=${mode}; use ${TLS_MODES.join(", ")}` };
      }
    }
    return { value: text };
  } catch {
    return {
      problem: "is not a valid address; write special characters in the password as %XX",
    };
  }
}

export function parseBoolean(text: string) {
  if (text === "true" || text === "1") return { value: true };
  if (text === "false" || text === "0") return { value: false };
  return { problem: "must be true or false" };
}

export function parseInteger(text: string, range: { readonly min: number; readonly max: number }) {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return { value };
  return { problem: `must be a whole number from ${range.min} to ${range.max}` };
}

export function parseHttpUrl(text: string) {
  if (/^https?:\/\/[^\s@]+$/.test(text) && URL.canParse(text)) return { value: text };
  return { problem: "must be an address that starts with http:// or https://" };
}

/** A name and password are part of the address, so the text is a secret. */
export function parseSmtpUrl(text: string) {
  try {
    const { protocol, hostname, username, password } = new URL(text);
    decodeURIComponent(username + password);
    if (["smtp:", "smtps:"].includes(protocol) && hostname !== "") return { value: text };
  } catch {
    // Reported below.
  }
  return {
    problem:
      "must be smtp://user:password@host:port or smtps://…; write special characters in the password as %XX",
  };
}

export function parseEmail(text: string) {
  return isEmail(text)
    ? { value: text }
    : { problem: "must be one e-mail address, without a name" };
}

export function parseOneOf<Value extends string>(text: string, values: readonly Value[]) {
  const value = values.find((one) => one === text);
  return value === undefined ? { problem: `must be one of ${values.join(", ")}` } : { value };
}
