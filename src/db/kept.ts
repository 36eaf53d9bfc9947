/**
 * A bounded memory of what was read from the store: whole answers, rows, tokens. A value is dropped when the change feed
 * announces its id, when it is too old, or when newer values need its place. If the feed is interrupted, a change could go
 * unnoticed, so then no kept value is used.
 *
 * Invariant: a value that follows the feed is at most a second older than the store. A value whose read began before a
 * change goes to the callers who asked before the change; it is neither kept nor given to later callers.
 *
 * Example: A asks for key `7 0 50`, and the read starts. B asks for the same key and waits for the same read. Then the
 * feed announces id 7. C asks and starts a second read. A and B get the result of the first read, C gets the result of
 * the second, and only the second is kept.
 */
import type { Caller } from "../base/shares/caller.ts";
import { type AgeBound, createSingleFlight, isTooOld } from "../base/single-flight.ts";
import type { ChangeFeed } from "./changes.ts";

interface Kept<Value> {
  /** Returns undefined if there is no value that may be used. */
  find(key: string): Value | undefined;
  /** Returns the kept value. If there is none, shares the read in progress, or loads the value and keeps it. */
  read(key: string, load: () => Promise<Value>, caller?: Caller): Promise<Value>;
  /** Like `read`, but does not use the kept value. A failure is not kept, nor is `undefined`. */
  renew(key: string, load: () => Promise<Value>, caller?: Caller): Promise<Value>;
  /** Counts what this value takes in addition, if it is still kept. */
  grow(key: string, value: Value, size: number): void;
}

interface KeptOptions<Value> {
  /** What announces changes. Absent: only the age bounds how long a value is used. */
  readonly changes?: Changes;
  readonly age?: AgeBound;
  /** Bound of all sizes. A value that is larger than the whole bound is not kept. */
  readonly sizeMax: number;
  /** If absent, each value counts as 1. */
  readonly sizeOf?: (value: Value) => number;
  /** Asked before a kept value is used. */
  readonly isValid?: (value: Value) => boolean;
}

interface Changes {
  readonly feed: ChangeFeed;
  /**
   * If the topic announces ids, each key is such an id, optionally followed by a space and more words, such as
   * `<alert id> 0 50 false`. All keys of a changed id are found by this first word.
   */
  readonly topic: string;
  /** True if the ids are not those of the keys, so every change drops all values. */
  readonly isForAll?: boolean;
  /** Other topics. Each change of one drops all values. */
  readonly otherTopics?: readonly string[];
}

interface Entry<Value> {
  readonly value: Value;
  readonly startedAtMs: number;
  size: number;
}

export function createKept<Value>(options: KeptOptions<Value>): Kept<Value> {
  const { changes, age, isValid = () => true } = options;
  const entries = createEntries(options);
  const flight = createSingleFlight(age);
  const isLive = (): boolean => changes?.feed.isLive() !== false;

  changes?.feed.subscribe(changes.topic, (announced) => {
    const ids = changes.isForAll === true ? undefined : announced;
    entries.drop(ids);
    flight.forget((key) => ids === undefined || ids.includes(idOf(key)));
  });

  for (const topic of changes?.otherTopics ?? []) {
    changes?.feed.subscribe(topic, () => {
      entries.drop(undefined);
      flight.forget(() => true);
    });
  }

  const find = (key: string): Value | undefined => {
    const entry = entries.find(key);
    if (entry === undefined || !isLive() || isTooOld(entry, age)) return undefined;
    return isValid(entry.value) ? entry.value : undefined;
  };
  const renew = (key: string, load: () => Promise<Value>, caller?: Caller): Promise<Value> => {
    if (!isLive()) flight.forget((other) => other === key);
    const loadAndKeep = async (isCurrent: () => boolean): Promise<Value> => {
      const startedAtMs = age?.clock.elapsedMs() ?? 0;
      const value = await load();
      if (isCurrent()) entries.keep(key, value, startedAtMs);
      return value;
    };
    return flight.share(key, loadAndKeep, caller);
  };
  return {
    find,
    read: async (key, load, caller) => {
      const found = find(key);
      return found === undefined ? renew(key, load, caller) : found;
    },
    renew,
    grow: entries.grow,
  };
}

/** For a read that has one answer, which may be as old as `age` says. */
export function createKeptRead<Value>(
  age: AgeBound,
  load: () => Promise<Value>,
): () => Promise<Value> {
  const kept = createKept<Value>({ age, sizeMax: 1 });
  return () => kept.read("only", load);
}

function createEntries<Value>({ age, sizeMax, sizeOf = () => 1 }: KeptOptions<Value>) {
  // In the order in which they were kept, so the oldest is first.
  const entries = new Map<string, Entry<Value>>();
  const keysById = new Map<string, Set<string>>();
  let totalSize = 0;

  const dropKey = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    totalSize -= entry.size;
    entries.delete(key);
    const id = idOf(key);
    const keys = keysById.get(id);
    keys?.delete(key);
    if (keys?.size === 0) keysById.delete(id);
  };
  const dropOldest = (): void => {
    for (const [key, entry] of entries) {
      if (totalSize <= sizeMax && !isTooOld(entry, age)) return;
      dropKey(key);
    }
  };
  return {
    find: (key: string) => entries.get(key),
    keep: (key: string, value: Value, startedAtMs: number): void => {
      dropKey(key);
      const size = value === undefined ? Number.POSITIVE_INFINITY : sizeOf(value);
      if (size > sizeMax) return;
      entries.set(key, { value, startedAtMs, size });
      totalSize += size;
      keysById.set(idOf(key), (keysById.get(idOf(key)) ?? new Set()).add(key));
      dropOldest();
    },
    grow: (key: string, value: Value, size: number): void => {
      const entry = entries.get(key);
      if (entry?.value !== value) return;
      entry.size += size;
      totalSize += size;
      dropOldest();
    },
    /** Without ids, all. */
    drop: (ids: readonly string[] | undefined): void => {
      if (ids === undefined) for (const key of entries.keys()) dropKey(key);
      else for (const id of ids) for (const key of keysById.get(id) ?? []) dropKey(key);
    },
  };
}

function idOf(key: string): string {
  const end = key.indexOf(" ");
  return end < 0 ? key : key.slice(0, end);
}
