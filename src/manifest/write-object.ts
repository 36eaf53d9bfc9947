/**
 * The rules of the API for objects that a manifest can declare too: who may change an object, ids that the client chooses,
 * repeated requests, and conditional requests. Every write is one transaction under the lock of declarations, which `apply`
 * takes too. Steps of the pipeline go on meanwhile.
 */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { AppError, type ErrorCode } from "../base/errors.ts";
import { canonicalHash } from "../base/ids.ts";
import { isStorableText } from "../base/text.ts";
import type { Database, DatabasePool, Transaction } from "../db/database.ts";
import { limitLockWait, takeLock } from "../db/locks.ts";
import type { Stamp } from "../db/row.ts";
import type { ActivityEntry, ActivityKind, Author } from "../people/activity.ts";
import { recordActivity } from "../people/activity-store.ts";
import { writeDeclaration } from "./apply-declarations.ts";
import type { Judges } from "./find-doubts.ts";
import type { WrittenKind } from "./stored-declarations.ts";

type Members = Readonly<Record<string, unknown>>;

/** How the API writes one kind of object. */
export interface ObjectKind<Body extends object> {
  readonly kind: WrittenKind;
  /** As in "there is no view with this id". */
  readonly noun: string;
  readonly notFound: ErrorCode;
  /** True if callers cannot create a copy of it, as of a group of the gateway. */
  readonly isOnlyOne?: boolean;
  find(db: Database, id: string): Promise<StoredObject<Body> | undefined>;
  /** Locks the row, for a kind that is also deleted without the lock of declarations. */
  lock?(tx: Transaction, id: string): Promise<void>;
  /** Deletes the object with what depends on it, or throws `in_use`. Absent if the API does not delete it. */
  remove?(tx: Transaction, id: string, stamp: Stamp): Promise<void>;
  /** The id of a deleted object that a new one revives, unless the caller chooses an id. */
  findFormerId?(tx: Transaction, given: Members): Promise<string | undefined>;
  /** Adds members that the caller cannot choose, such as `updated_by`. */
  complete?(given: Members, stamp: Stamp): Members;
  /** Returns what the patch means. Throws if it must name more than it does. */
  readPatch?(before: Members, patch: Members): Members;
  /** Makes a change that is allowed for every manager of the object. Returns false if this is no such change. */
  changeAny?(tx: Transaction, change: AnyChange): Promise<boolean>;
}

interface AnyChange {
  readonly id: string;
  readonly managedBy: string | null;
  readonly patch: Members;
  readonly stamp: Stamp;
}

interface StoredObject<Body extends object> {
  /** As the API shows it. */
  readonly body: Body;
  /** In the members of the manifest, without `id`. */
  readonly given: Members;
  /** Null if nothing is declared yet, as for a group that only the gateway knows. */
  readonly managedBy: string | null;
  readonly createdHash: string | null;
}

export interface Writer {
  readonly author: Author;
  /** Refuses what a write would warn of. */
  readonly isStrict: boolean;
  readonly judges: Judges;
}

export interface Written<Body extends object> {
  readonly body: Body;
  /** False if the request was a repetition. */
  readonly isNew: boolean;
  readonly warnings: readonly string[];
}

/** Creates an object. A repeated request with the same `id` and the same body returns the object as it is now. */
export async function createObject<Body extends object>(
  pool: DatabasePool,
  kind: ObjectKind<Body>,
  request: { readonly given: Members & { readonly id?: string }; readonly writer: Writer },
): Promise<Written<Body>> {
  const { id: chosenId, ...given } = request.given;
  checkStorable(given);
  const createdHash = canonicalHash(given);
  return underLock(pool, async (tx) => {
    const id = chosenId?.toLowerCase() ?? (await kind.findFormerId?.(tx, given)) ?? randomUUID();
    const known = chosenId === undefined ? undefined : await kind.find(tx, id);
    if (known !== undefined && known.createdHash !== createdHash) {
      throw new AppError("already_exists", `another ${kind.noun} has this id`);
    }
    if (known !== undefined) return { body: known.body, isNew: false, warnings: [] };
    const { writer } = request;
    const stamp = { ...stampOf(writer), createdHash };
    const warnings = await save(tx, kind, { id, given, stamp, writer });
    const after = await getObject(tx, kind, id);
    await record(tx, { kind, id, action: "created", after }, writer);
    return { body: after.body, isNew: true, warnings };
  });
}

interface ChangeRequest<Body extends object> {
  readonly id: string;
  readonly writer: Writer;
  /** Returns false if the object is not the one that the caller has read. */
  readonly isExpected?: (body: Body) => boolean;
}

/** Replaces the members that `patch` names. A member that is null is removed. */
export async function changeObject<Body extends object>(
  pool: DatabasePool,
  kind: ObjectKind<Body>,
  request: ChangeRequest<Body> & { readonly patch: Members },
): Promise<Written<Body>> {
  const id = request.id.toLowerCase();
  return underLock(pool, async (tx) => {
    await kind.lock?.(tx, id);
    const before = await getObject(tx, kind, id);
    checkExpected(kind, before, request);
    checkStorable(request.patch);
    const { writer } = request;
    const stamp = stampOf(writer);
    const { managedBy } = before;
    const finish = async (warnings: readonly string[]): Promise<Written<Body>> => {
      const after = await getObject(tx, kind, id);
      await record(tx, { kind, id, action: "changed", before, after }, writer);
      return { body: after.body, isNew: false, warnings };
    };
    if (await kind.changeAny?.(tx, { id, managedBy, patch: request.patch, stamp }))
      return finish([]);
    checkOwner(kind, before);
    const patch = kind.readPatch?.(before.given, request.patch) ?? request.patch;
    const given = patchMembers(before.given, patch);
    if (isDeepStrictEqual(given, before.given) && before.managedBy !== null) {
      return { body: before.body, isNew: false, warnings: [] };
    }
    return finish(await save(tx, kind, { id, given, stamp, writer }));
  });
}

export async function deleteObject<Body extends object>(
  pool: DatabasePool,
  kind: ObjectKind<Body> & Required<Pick<ObjectKind<Body>, "remove">>,
  request: ChangeRequest<Body>,
): Promise<void> {
  const id = request.id.toLowerCase();
  await underLock(pool, async (tx) => {
    const before = await getObject(tx, kind, id);
    checkOwner(kind, before);
    checkExpected(kind, before, request);
    await kind.remove(tx, id, stampOf(request.writer));
    await record(tx, { kind, id, action: "deleted", before }, request.writer);
  });
}

export async function getObject<Body extends object>(
  db: Database,
  kind: Pick<ObjectKind<Body>, "find" | "notFound" | "noun">,
  id: string,
): Promise<StoredObject<Body>> {
  const found = await kind.find(db, id);
  if (found !== undefined) return found;
  throw new AppError(kind.notFound, `there is no ${kind.noun} with this id`);
}

function underLock<Result>(
  pool: DatabasePool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return pool.transaction(async (tx) => {
    await limitLockWait(tx);
    await takeLock(tx, "declarations");
    return work(tx);
  });
}

function stampOf({ author }: Writer): Stamp {
  return { nowMs: author.nowMs, by: author.name };
}

/** The kinds as the activity calls them. */
const ACTIVITY_KIND_OF: Readonly<Record<WrittenKind, ActivityKind>> = {
  profiles: "profile",
  views: "view",
  configurations: "configuration",
  alerts: "alert",
  webhooks: "webhook_target",
  groups: "group",
  group_presets: "group_preset",
};

async function record<Body extends object>(
  tx: Transaction,
  written: {
    readonly kind: ObjectKind<Body>;
    readonly id: string;
    readonly action: ActivityEntry["action"];
    readonly before?: StoredObject<Body>;
    readonly after?: StoredObject<Body>;
  },
  { author }: Writer,
): Promise<void> {
  const { kind, id, action, before, after } = written;
  if (action === "changed" && isDeepStrictEqual(before?.given, after?.given)) return;
  const object = { kind: ACTIVITY_KIND_OF[kind.kind], id, name: nameOf(after ?? before) };
  const values = {
    ...(before === undefined ? {} : { before: before.given }),
    ...(after === undefined ? {} : { after: after.given }),
  };
  await recordActivity(tx, author, [{ action, object, ...values }]);
}

/** Most kinds have a name, a configuration its label or key. */
function nameOf(stored: StoredObject<object> | undefined): string | undefined {
  const { name, label, configuration_key: key } = { ...stored?.body, ...stored?.given } as Members;
  return [name, label, key].find((text) => typeof text === "string");
}

function save<Body extends object>(
  tx: Transaction,
  kind: ObjectKind<Body>,
  saved: {
    readonly id: string;
    readonly given: Members;
    readonly stamp: Stamp;
    readonly writer: Writer;
  },
): Promise<readonly string[]> {
  const { given, stamp, writer } = saved;
  return writeDeclaration(tx, {
    kind: kind.kind,
    given: { ...(kind.complete?.(given, stamp) ?? given), id: saved.id },
    stamp,
    isStrict: writer.isStrict,
    judges: writer.judges,
  });
}

function checkOwner<Body extends object>(
  { noun, isOnlyOne }: ObjectKind<Body>,
  { managedBy }: StoredObject<Body>,
): void {
  if (managedBy === "api" || managedBy === null) return;
  const advice =
    managedBy === "manifest"
      ? `a manifest manages this ${noun}: change it there and run \`assay apply\``
      : `the price engine manages this ${noun}: change its configuration`;
  const orCopy = isOnlyOne === true ? "" : ", or create a copy of your own";
  throw new AppError("managed_elsewhere", `${advice}${orCopy}`);
}

function checkExpected<Body extends object>(
  { noun }: ObjectKind<Body>,
  { body }: StoredObject<Body>,
  { isExpected }: ChangeRequest<Body>,
): void {
  if (isExpected === undefined || isExpected(body)) return;
  throw new AppError(
    "precondition_failed",
    `this ${noun} has changed since it was read; read it again and send its ETag as If-Match`,
  );
}

function patchMembers(before: Members, patch: Members): Members {
  const kept = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(kept);
}

const DEPTH_MAX = 32;

/** Throws if a request has a value that the store cannot keep as JSON. */
function checkStorable(given: object): void {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [
    { value: given, depth: 0 },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === "string") checkText(value);
    if (typeof value !== "object" || value === null) continue;
    if (depth > DEPTH_MAX) {
      throw new AppError(
        "invalid_payload",
        `the body is nested more than ${DEPTH_MAX} levels deep`,
      );
    }
    for (const [name, member] of Object.entries(value)) {
      checkText(name);
      waiting.push({ value: member, depth: depth + 1 });
    }
  }
}

function checkText(text: string): void {
  if (isStorableText(text)) return;
  throw new AppError(
    "invalid_payload",
    "text must not contain null characters or half surrogate pairs",
  );
}
