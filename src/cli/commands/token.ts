import { parseArgs } from "node:util";
import { CONSOLE_TOKEN, RESERVED_NAME } from "../../api/auth/console-session-store.ts";
import { createTokenText } from "../../api/auth/token.ts";
import {
  type ApiTokenRow,
  listTokens,
  revokeTokens,
  saveToken,
} from "../../api/auth/token-store.ts";
import { systemClock } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import { type Command, formatTable, type Terminal, toMinute, UsageError } from "../command.ts";
import { withStore } from "../with-store.ts";

const HELP = `Creates, lists and revokes API tokens.

Usage:
  assay token create --name NAME [--read-only] [--expires DATE] [--demo]
  assay token list [--json] [--demo]
  assay token revoke WHICH [--demo]

  --name NAME      what the token is for; two active tokens cannot have the same name
  --read-only      the token can read and search, but change nothing
  --expires DATE   when the token stops working: 2027-01-31 or 2027-01-31T12:00:00Z
  --json           prints one JSON object per line
  --demo           uses the demo database
  WHICH            the id, name or prefix of the token

The token is printed once, on standard output; Assay stores only its SHA-256 hash. A revoked token stops working within
a second in every running service.

Example:
  TOKEN=$(assay token create --name reporting --read-only)
`;

const OPTIONS = {
  name: { type: "string" },
  "read-only": { type: "boolean", default: false },
  expires: { type: "string" },
  json: { type: "boolean", default: false },
  demo: { type: "boolean", default: false },
} as const;

export const tokenCommand: Command = {
  summary: "creates, lists and revokes API tokens",
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
    if (verb === "create") {
      if (which !== undefined) throw new UsageError("use --name NAME to name the token");
      await createToken(terminal, { ...values, isDemo });
    } else if (verb === "list") await listAllTokens(terminal, { isJson: values.json, isDemo });
    else if (verb === "revoke" && which !== undefined) {
      await revokeToken(terminal, { which, isDemo });
    } else throw new UsageError("expected one of: create, list, revoke WHICH");
    return 0;
  },
};

interface CreateOptions {
  readonly name?: string | undefined;
  readonly "read-only": boolean;
  readonly expires?: string | undefined;
  readonly isDemo: boolean;
}

async function createToken(terminal: Terminal, options: CreateOptions): Promise<void> {
  const name = options.name?.trim() ?? "";
  if (name === "" || name.length > 100)
    throw new UsageError("--name must have 1 to 100 characters");
  if (name === CONSOLE_TOKEN) throw new UsageError(`--name: ${RESERVED_NAME}`);
  const nowMs = systemClock.nowMs();
  const expiresAtMs = options.expires === undefined ? undefined : parseDate(options.expires);
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) {
    throw new UsageError("--expires is in the past");
  }
  const text = createTokenText();
  const saved = await withStore(terminal, options, ({ store }) =>
    saveToken(store.pool, {
      text,
      name,
      isReadOnly: options["read-only"],
      createdAtMs: nowMs,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    }),
  );
  if (saved === undefined) {
    throw new OperatorError(
      `a token named "${name}" already exists; revoke it first, or choose another name`,
    );
  }
  terminal.out.write(`${text}\n`);
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
  const head = ["NAME", "PREFIX", "ACCESS", "STATE", "LAST USED", "CREATED", "ID"];
  const rows = tokens.map((token) => [
    token.name,
    token.prefix,
    token.is_read_only ? "read" : "read, write",
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

async function revokeToken(
  terminal: Terminal,
  options: { readonly which: string; readonly isDemo: boolean },
): Promise<void> {
  const revoked = await withStore(terminal, options, ({ store }) =>
    revokeTokens(store.pool, { which: options.which, nowMs: systemClock.nowMs() }),
  );
  if (revoked.length === 0) {
    throw new OperatorError(`no active token has the id, name or prefix "${options.which}"`);
  }
  for (const token of revoked) terminal.err.write(`revoked ${token.name} (${token.prefix}…)\n`);
}
