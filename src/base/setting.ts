import { readFileSync } from "node:fs";

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
