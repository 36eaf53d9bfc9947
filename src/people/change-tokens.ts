/**
 * What people do with tokens: make one, change its role, give it a new text, revoke it. The API and the command line both come
 * here.
 *
 * Invariant: no write leaves the store without an owner, because no one could make tokens then. An owner that expires is none
 * for this rule while there is one that does not: so time does not take the last one either. The tokens are locked, so two
 * writers at once cannot break it together. And no token writes another one after it was revoked or lowered: the check of a
 * request may be a second old, so the owner is looked at again under the lock.
 */
import { AppError, assert } from "../base/errors.ts";
import { isUuid } from "../base/ids.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import type { ActivityEntry, Author } from "./activity.ts";
import { recordActivity } from "./activity-store.ts";
import { endSessionsOf } from "./console-session-store.ts";
import type { Role } from "./role.ts";
import { createTokenText } from "./token.ts";
import {
  type ApiTokenRow,
  findTokenRow,
  listTokensMadeBy,
  lockLiveTokens,
  type NewApiToken,
  saveRevocation,
  saveRole,
  saveToken,
  saveTokenText,
} from "./token-store.ts";

/** The API names a token by its id only; a command also by its name or prefix. */
export type WhichToken = { readonly id: string } | { readonly idNameOrPrefix: string };

export type TokenOutcome =
  | { readonly kind: "done"; readonly tokens: readonly ApiTokenRow[] }
  | { readonly kind: "not_found" }
  | { readonly kind: "last_owner" };

/** Returns undefined if a live token already has that name. */
export async function createToken(
  pool: DatabasePool,
  token: Pick<NewApiToken, "name" | "role" | "expiresAtMs">,
  author: Author,
): Promise<{ readonly row: ApiTokenRow; readonly text: string } | undefined> {
  const text = createTokenText();
  return pool.transaction(async (tx) => {
    await lockTokensFor(tx, author);
    const row = await saveNewToken(tx, { ...token, text }, author);
    return row === undefined ? undefined : { row, text };
  });
}

/** As `createToken`, for a text that is known already. */
export async function saveNewToken(
  tx: Database,
  token: Pick<NewApiToken, "name" | "role" | "expiresAtMs" | "text">,
  author: Author,
): Promise<ApiTokenRow | undefined> {
  const row = await saveToken(tx, {
    ...token,
    createdAtMs: author.nowMs,
    createdByTokenId: author.tokenId,
  });
  if (row !== undefined) {
    const { id, name } = row;
    const entry = { action: "created", object: { kind: "token", id, name } } as const;
    await recordActivity(tx, author, [{ ...entry, after: row as object as Members }]);
  }
  return row;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Revokes the live tokens that are named. `isWithMade` adds all that they made, and those made, to any depth. Then a token that
 * is revoked already can be named by its id, because what it made may still work.
 */
export async function revokeTokens(
  pool: DatabasePool,
  { which, isWithMade = false }: { readonly which: WhichToken; readonly isWithMade?: boolean },
  author: Author,
): Promise<TokenOutcome> {
  return pool.transaction(async (tx) => {
    const live = await lockTokensFor(tx, author);
    const named = findNamed(live, which).map(({ id }) => id);
    const text = "id" in which ? which.id : which.idNameOrPrefix;
    const makers = isUuid(text) ? [...named, text] : named;
    const made = isWithMade ? await listTokensMadeBy(tx, makers) : [];
    const ids = new Set([...named, ...made]);
    const revoked = live.filter(({ id }) => ids.has(id));
    if (revoked.length === 0) return { kind: "not_found" };
    const left = live.filter(({ id }) => !ids.has(id));
    if (!keepsOwner(live, left, author.nowMs)) return { kind: "last_owner" };
    const saved = await saveRevocation(tx, [...ids], author.nowMs);
    const after = { revoked_at_ms: author.nowMs };
    await recordActivity(
      tx,
      author,
      saved.map(({ id, name }): ActivityEntry => {
        return { action: "revoked", object: { kind: "token", id, name }, before: {}, after };
      }),
    );
    return { kind: "done", tokens: revoked };
  });
}

export async function changeRole(
  pool: DatabasePool,
  { which, role }: { readonly which: WhichToken; readonly role: Role },
  author: Author,
): Promise<TokenOutcome> {
  return pool.transaction(async (tx) => {
    const live = await lockTokensFor(tx, author);
    const [token] = findNamed(live, which);
    if (token === undefined) return { kind: "not_found" };
    const changed = live.map((one) => (one === token ? { ...one, role } : one));
    if (!keepsOwner(live, changed, author.nowMs)) return { kind: "last_owner" };
    const { id, name } = token;
    if (token.role !== role) {
      await saveRole(tx, id, role);
      const object = { kind: "token", id, name } as const;
      const change = { before: { role: token.role }, after: { role } };
      await recordActivity(tx, author, [{ action: "changed", object, ...change }]);
    }
    return { kind: "done", tokens: [await getRow(tx, id)] };
  });
}

/**
 * Gives a token a new text; the old one stops working, and so do its browser sessions and links, which someone with the old
 * text may have opened. Only the session that asks for it stays.
 */
export async function rotateToken(
  pool: DatabasePool,
  request: { readonly which: WhichToken; readonly keptSessionId?: string | undefined },
  author: Author,
): Promise<{ readonly row: ApiTokenRow; readonly text: string } | undefined> {
  const text = createTokenText();
  return pool.transaction(async (tx) => {
    const live = await lockTokensFor(tx, author);
    const [token] = findNamed(live, request.which);
    if (token === undefined || !isActive(token, author.nowMs)) return undefined;
    const { id, name } = token;
    await saveTokenText(tx, id, text);
    await endSessionsOf(tx, id, { exceptId: request.keptSessionId });
    const object = { kind: "token", id, name } as const;
    // Neither text is stored; that they differ is.
    const change = { before: { token: "old" }, after: { token: "new" } };
    await recordActivity(tx, author, [{ action: "rotated", object, ...change }]);
    return { row: await getRow(tx, id), text };
  });
}

/** Locks the live tokens, and returns them. A command has no token, and who runs it has the store. */
async function lockTokensFor(
  tx: Database,
  { tokenId, nowMs }: Author,
): Promise<readonly ApiTokenRow[]> {
  const live = await lockLiveTokens(tx);
  if (tokenId === undefined) return live;
  const own = live.find(({ id }) => id === tokenId);
  if (own === undefined || !isActive(own, nowMs)) {
    throw new AppError("unauthorized", "the token is unknown, revoked or expired");
  }
  if (own.role !== "owner") {
    throw new AppError(
      "forbidden",
      `this needs the role owner, and the token has the role ${own.role}`,
    );
  }
  return live;
}

/** An id goes before a name, and a name before a prefix. */
function findNamed(live: readonly ApiTokenRow[], which: WhichToken): readonly ApiTokenRow[] {
  const text = "id" in which ? which.id : which.idNameOrPrefix;
  const byId = live.filter(({ id }) => id === text.toLowerCase());
  if ("id" in which || byId.length > 0) return byId;
  const byName = live.filter(({ name }) => name === text);
  return byName.length > 0 ? byName : live.filter(({ prefix }) => prefix === text);
}

function isActive({ expires_at_ms }: ApiTokenRow, nowMs: number): boolean {
  return expires_at_ms === null || expires_at_ms > nowMs;
}

function keepsOwner(
  before: readonly ApiTokenRow[],
  after: readonly ApiTokenRow[],
  nowMs: number,
): boolean {
  const ownersOf = (tokens: readonly ApiTokenRow[]) =>
    tokens.filter((token) => token.role === "owner" && isActive(token, nowMs));
  const lastingOf = (tokens: readonly ApiTokenRow[]) =>
    ownersOf(tokens).filter(({ expires_at_ms }) => expires_at_ms === null);
  if (lastingOf(before).length > 0) return lastingOf(after).length > 0;
  return ownersOf(before).length === 0 || ownersOf(after).length > 0;
}

async function getRow(tx: Database, id: string): Promise<ApiTokenRow> {
  const row = await findTokenRow(tx, id);
  assert(row !== undefined, "a locked token is stored");
  return row;
}
