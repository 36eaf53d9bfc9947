/**
 * What is stored of a body of WAHA. The gateway's list of sessions has their whole configuration: the keys of webhooks, ours among them, the
 * passwords of proxies, whatever its operator wrote beside it. None of that is read, and the store, its backups and its replicas are no
 * place for it.
 *
 * Invariant: the readers find the same in what is stored as in what came. What is left out depends on the body alone, so the same bytes are
 * stored as the same bytes, and what is stored already is left as it is.
 *
 * Example: of `{"event":"session.status","session":"eu","metadata":{"pin":"1"},"payload":{"status":"WORKING","config":{…}}}` stays
 * `{"event":"session.status","session":"eu","payload":{"status":"WORKING"}}`.
 */
import { isDeepStrictEqual } from "node:util";
import {
  at,
  type Json,
  parseExactly,
  parseObject,
  readUnreadable,
  textAt,
  toList,
  toObject,
  type Unreadable,
  whyNoObject,
  writeUnreadable,
} from "./payload.ts";
import { isNoEvent } from "./waha.ts";

interface Kept {
  readonly body: Uint8Array;
  /** Why nothing of the body is kept; then only the reason is stored. */
  readonly unreadable?: Unreadable;
}

/** Returns the body without secrets of the gateway: the same one, if it has none. */
export function leaveOutSecrets(body: Uint8Array): Kept {
  const root = parseObject(body);
  if (root === undefined) return toUnreadable(whyNoObject(body), body);
  if (readUnreadable(root) !== undefined) return { body };
  if (isNoEvent(root)) return toUnreadable("not_an_event", body);
  if (isDeepStrictEqual(keepRoot(root), root)) return { body };
  const exact = parseExactly(new TextDecoder().decode(body));
  return { body: Buffer.from(exact.print(keepRoot(toObject(exact.value) ?? {}))) };
}

function toUnreadable(unreadable: Unreadable, body: Uint8Array): Kept {
  return { body: writeUnreadable(unreadable, body), unreadable };
}

/** Returns what is read of a session in the gateway's list. */
export function keepSession(session: unknown): Json {
  return {
    ...pick(session, ["name", "status"]),
    ...keepEach(session, {
      engine: (engine) => pick(engine, ["engine"]),
      me: keepAccount,
    }),
  };
}

/** Events with the state of a session, or with what an engine says beside messages: up to the keys of an account. */
const OF_SESSION = /^(?:session(?:\..*)?|engine\.event|state\.change)$/s;

/** Members that every event has, or that our own envelopes have, each a text or a number. */
const PLAIN: ReadonlySet<string> = new Set([
  ...["id", "timestamp", "event", "session", "engine"],
  ...["assay_pull", "chat", "from_ms", "to_ms", "at_ms"],
]);
/** Members with parts. Whatever else is beside them is of the session. */
const WITH_PARTS: ReadonlySet<string> = new Set([
  ...["payload", "data", "environment", "assay_erased", "assay_heard"],
]);

function keepRoot(root: Json): Json {
  const pull = textAt(root, "assay_pull");
  if (pull === "sessions") {
    const data = at(root, "data");
    const sessions = Array.isArray(data) ? data : Object.values(toObject(data) ?? {});
    const envelope = pick(root, ["assay_pull", "session", "at_ms"]);
    return { ...envelope, ...keepMarks(root), data: sessions.map(keepSession) };
  }
  if (pull === undefined && OF_SESSION.test(textAt(root, "event") ?? "")) return keepStatus(root);
  const kept = only(root, (name, value) => {
    return isEmpty(value) || WITH_PARTS.has(name) || (PLAIN.has(name) && isPlain(value));
  });
  return { ...(strip(kept) as Json), ...keepEach(root, { me: keepAccount }) };
}

/** What an erasure wrote into the body. */
function keepMarks(root: Json): Json {
  return strip(only(root, (name) => name === "assay_erased" || name === "assay_heard")) as Json;
}

function only(object: Json, isKept: (name: string, value: unknown) => boolean): Json {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => isKept(name, value)));
}

function keepStatus(root: Json): Json {
  return {
    ...pick(root, ["timestamp", "event", "session", "engine"]),
    ...keepMarks(root),
    ...keepEach(root, {
      environment: (environment) => pick(environment, ["engine"]),
      me: keepAccount,
      payload: (payload) => ({
        ...pick(payload, ["timestamp", "status"]),
        ...keepStatuses(at(payload, "statuses")),
        ...keepEach(payload, { data: keepLock }),
      }),
    }),
  };
}

function keepStatuses(statuses: unknown): Json {
  const kept = toList(statuses).map((entry) => pick(entry, ["status", "timestamp"]));
  return kept.length === 0 ? {} : { statuses: kept };
}

/** Our own account, as the session is linked to it. */
function keepAccount(me: Json): Json {
  return { ...pick(me, ["id", "lid", "jid", "pushName"]), ...keepLock(me) };
}

function keepLock(of: Json): Json {
  return keepEach(of, { reachoutTimelock: (lock) => pick(lock, ["isActive"]) });
}

/** Returns the members that have such a name and no parts of their own. */
function pick(from: unknown, names: readonly string[]): Json {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = at(from, name);
      return isPlain(value) ? [[name, value]] : [];
    }),
  );
}

function isPlain(value: unknown): boolean {
  return value !== undefined && typeof value !== "object";
}

/** Returns what is kept of the members that are objects. */
function keepEach(from: unknown, members: Readonly<Record<string, (value: Json) => Json>>): Json {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, keep]) => {
      const value = toObject(at(from, name));
      return value === undefined ? [] : [[name, keep(value)]];
    }),
  );
}

/** Members of the configuration of a session, wherever an event may have them, without capitals and strokes. No reader reads one of these. */
const SECRETS: ReadonlySet<string> = new Set([
  ...["config", "metadata", "apps", "webhooks", "hmac", "customheaders", "proxy"],
  ...["password", "apikey", "qr"],
]);
/** Hardly any other name begins like one of them, so hardly any is folded. */
const MAYBE_SECRET = /^[_-]*(?:co|me|ap|we|hm|cu|pr|pa|qr|[a-z][_-])/i;

function isSecret(name: string): boolean {
  return MAYBE_SECRET.test(name) && SECRETS.has(name.toLowerCase().replace(/[_-]/g, ""));
}

/**
 * Returns the same value if there is nothing to leave out, and copies only what changes: nearly all events are stored as they came. The
 * bound on parts keeps it from going too deep.
 */
function strip(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return stripItems(value);
  const object = value as Json;
  const names = Object.keys(object);
  let kept: [string, unknown][] | undefined;
  for (const [place, name] of names.entries()) {
    const item = object[name];
    const isLeftOut = isSecret(name) && !isEmpty(item);
    const left = isLeftOut ? undefined : strip(item);
    if (left !== item) kept ??= names.slice(0, place).map((other) => [other, object[other]]);
    if (!isLeftOut) kept?.push([name, left]);
  }
  return kept === undefined ? value : Object.fromEntries(kept);
}

function stripItems(items: readonly unknown[]): readonly unknown[] {
  let kept: unknown[] | undefined;
  for (const [place, item] of items.entries()) {
    const left = strip(item);
    if (left !== item) kept ??= items.slice(0, place);
    kept?.push(left);
  }
  return kept ?? items;
}

/** Most events have such a member without anything in it, and are stored byte for byte as they came. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== "object") return false;
  return value === null || Object.keys(value).length === 0;
}
