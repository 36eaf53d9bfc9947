import { parseArgs } from "node:util";
import { systemClock } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import {
  changeRole,
  createToken,
  revokeTokens,
  rotateToken,
  type TokenOutcome,
} from "../../people/change-tokens.ts";
import { isRole, ROLES, type Role } from "../../people/role.ts";
import { CONSOLE_TOKEN, parseTokenName } from "../../people/token-name.ts";
import { type ApiTokenRow, listTokens } from "../../people/token-store.ts";
import { type Command, formatTable, type Terminal, toMinute, UsageError } from "../command.ts";
import { cliAuthor, withStore } from "../with-store.ts";

const HELP = `Creates, lists, changes and revokes API tokens.

Usage:
  assay token create --name NAME [--role ROLE | --read-only] [--expires DATE] [--demo]
  assay token list [--json] [--demo]
  assay token role WHICH --role ROLE [--demo]
  assay token rotate WHICH [--demo]
  assay token revoke WHICH [--with-made] [--demo]

  --name NAME      what the token is for, or whose it is; two active tokens cannot have the same name
  --role ROLE      market reads the market; desk also decides about watches and dealers, marks, corrects, and writes alerts,
                   views, targets and presets; owner, the default, may do everything
  --read-only      the same as --role market
  --expires DATE   when the token stops working: 2027-01-31 or 2027-01-31T12:00:00Z
  --with-made      also revokes the tokens that this one made, those that they made, and so on
  --json           prints one JSON object per line
  --demo           uses the demo database
  WHICH            the id, name or prefix of the token

The token is printed once, on standard output; Assay stores only its SHA-256 hash. rotate prints a new text for the same token: the
old text and all browsers that are signed in with it stop working. A change takes effect within a second in every running
service. The last owner can be neither revoked nor lowered: create another one first, or rotate it.

Examples:
  TOKEN=$(assay token create --name reporting --role market)
  assay token rotate reporting
`;

const OPTIONS = {
  name: { type: "string" },
  role: { type: "string" },
  "read-only": { type: "boolean", default: false },
  "with-made": { type: "boolean", default: false },
  expires: { type: "string" },
  json: { type: "boolean", default: false },
  demo: { type: "boolean", default: false },
} as const;

export const tokenCommand: Command = {
  summary: "creates, lists, changes and revokes API tokens",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
    });
    const [verb, which, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`unexpected arguments: ${rest.join(" ")}`);
    const isDemo = values.demo;
    const role = parseRole(values.role, values["read-only"]);
    if (verb === "create") {
      if (which !== undefined) throw new UsageError("use --name NAME to name the token");
      await create(terminal, { ...values, role: role ?? "owner", isDemo });
    } else if (verb === "list") await listAllTokens(terminal, { isJson: values.json, isDemo });
    else if (verb === "role" && which !== undefined) {
      if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(", ")}`);
      await change(terminal, { which, role, isDemo });
    } else if (verb === "rotate" && which !== undefined) await rotate(terminal, { which, isDemo });
    else if (verb === "revoke" && which !== undefined) {
      await revoke(terminal, { which, isWithMade: values["with-made"], isDemo });
    } else {
      throw new UsageError("expected one of: create, list, role WHICH, rotate WHICH, revoke WHICH");
    }
    return 0;
  },
};

function parseRole(text: string | undefined, isReadOnly: boolean): Role | undefined {
  if (text === undefined) return isReadOnly ? "market" : undefined;
  if (!isRole(text)) throw new UsageError(`--role must be one of ${ROLES.join(", ")}, not ${text}`);
  if (isReadOnly && text !== "market") {
    throw new UsageError(`--read-only is the role market, not ${text}`);
  }
  return text;
}

interface CreateOptions {
  readonly name?: string | undefined;
  readonly role: Role;
  readonly expires?: string | undefined;
  readonly isDemo: boolean;
}

async function create(terminal: Terminal, options: CreateOptions): Promise<void> {
  const given = options.name?.trim() ?? "";
  if (given === "" || given.length > 100)
    throw new UsageError("--name must have 1 to 100 characters");
  const parsed = parseTokenName(given);
  if (parsed.kind === "refused") throw new UsageError(`--name: ${parsed.reason}`);
  const { name } = parsed;
  const nowMs = systemClock.nowMs();
  const expiresAtMs = options.expires === undefined ? undefined : parseDate(options.expires);
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) {
    throw new UsageError("--expires is in the past");
  }
  const { role } = options;
  const created = await withStore(terminal, options, ({ store }) =>
    createToken(store.pool, { name, role, expiresAtMs }, cliAuthor()),
  );
  if (created === undefined) {
    throw new OperatorError(
      `a token named "${name}" already exists; revoke it first, or choose another name`,
    );
  }
  terminal.out.write(`${created.text}\n`);
}

function parseDate(text: string): number {
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/.test(text);
  const atMs = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new UsageError(`--expires must be a date such as 2027-01-31, not ${text}`);
  return atMs;
}

async function listAllTokens(
  terminal: Terminal,
  options: { readonly isJson: boolean; readonly isDemo: boolean },
): Promise<void> {
  const tokens = await withStore(terminal, options, ({ store }) => listTokens(store.pool));
  if (options.isJson) {
    for (const token of tokens) terminal.out.write(`${JSON.stringify(token)}\n`);
    return;
  }
  terminal.out.write(formatTokens(tokens, systemClock.nowMs()));
}

export function formatTokens(tokens: readonly ApiTokenRow[], nowMs: number): string {
  const head = ["NAME", "PREFIX", "ROLE", "STATE", "LAST USED", "CREATED", "ID"];
  const rows = tokens.map((token) => [
    token.name,
    token.prefix,
    token.role,
    stateOf(token, nowMs),
    token.last_used_at_ms === null ? "never" : toMinute(token.last_used_at_ms),
    toMinute(token.created_at_ms),
    token.id,
  ]);
  return formatTable([head, ...rows]);
}

function stateOf(token: ApiTokenRow, nowMs: number): string {
  if (token.revoked_at_ms !== null) return `revoked ${toMinute(token.revoked_at_ms)}`;
  if (token.expires_at_ms === null) return "active";
  const word = token.expires_at_ms <= nowMs ? "expired" : "active until";
  return `${word} ${toMinute(token.expires_at_ms)}`;
}

interface Named {
  readonly which: string;
  readonly isDemo: boolean;
}

async function change(terminal: Terminal, options: Named & { readonly role: Role }): Promise<void> {
  const { role } = options;
  const outcome = await withStore(terminal, options, ({ store }) =>
    changeRole(store.pool, { which: { idNameOrPrefix: options.which }, role }, cliAuthor()),
  );
  for (const token of tokensOf(outcome, options)) {
    terminal.err.write(`${token.name} (${token.prefix}…) has the role ${role}\n`);
  }
}

async function rotate(terminal: Terminal, options: Named): Promise<void> {
  const rotated = await withStore(terminal, options, ({ store }) =>
    rotateToken(store.pool, { which: { idNameOrPrefix: options.which } }, cliAuthor()),
  );
  if (rotated === undefined) throw unknownToken(options);
  const { row, text } = rotated;
  terminal.err.write(`rotated ${row.name}: its old text and its browsers no longer work\n`);
  // Only links use that token, so nobody needs its text.
  if (row.name !== CONSOLE_TOKEN) terminal.out.write(`${text}\n`);
}

async function revoke(
  terminal: Terminal,
  options: Named & { readonly isWithMade: boolean },
): Promise<void> {
  const { which, isWithMade } = options;
  const outcome = await withStore(terminal, options, ({ store }) =>
    revokeTokens(store.pool, { which: { idNameOrPrefix: which }, isWithMade }, cliAuthor()),
  );
  for (const token of tokensOf(outcome, options)) {
    terminal.err.write(`revoked ${token.name} (${token.prefix}…)\n`);
  }
}

function tokensOf(outcome: TokenOutcome, options: Named): readonly ApiTokenRow[] {
  if (outcome.kind === "done") return outcome.tokens;
  if (outcome.kind === "not_found") throw unknownToken(options);
  throw new OperatorError(
    "this is the last owner, or the last that does not expire; create another one first, or use assay token rotate",
  );
}

function unknownToken({ which }: Named): OperatorError {
  return new OperatorError(`no active token has the id, name or prefix "${which}"`);
}
