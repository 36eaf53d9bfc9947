/**
 * Keeps whole answers of a route as bytes, so that an unchanged answer is sent without a query.
 *
 * Every change in the store announces a topic and the ids that changed. The cache drops the answers of those ids. If the
 * feed of announcements is interrupted, a change could go unnoticed, so then the cache makes every answer again.
 *
 * Invariant: a kept answer is at most a second older than the store. An answer whose query began before a change goes to
 * the callers who asked before the change; it is neither kept nor given to later callers.
 *
 * Example: A asks for key `7 0 50`, and the query starts. B asks for the same key and waits for the same query. Then the
 * feed announces id 7. C asks and starts a second query. A and B get the result of the first query, C gets the result of
 * the second, and only the second is kept.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../base/clock.ts";
import { withDeadline } from "../../base/deadline.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import { etagOf, isKnownEtag } from "../http/etag.ts";
import { keyId } from "./cache-key.ts";
import type { ReadyAnswers } from "./ready-answers.ts";

export interface AnswerCache {
  /** Sends the kept answer of this key. If there is none, makes it, keeps it and sends it. */
  send(
    exchange: Exchange,
    key: string,
    make: () => Promise<NewAnswer>,
  ): Promise<unknown> | FastifyReply;
}

interface NewAnswer {
  readonly body: unknown;
  /** The last millisecond at which the answer is true, if time alone can make it wrong. Absent: no limit. */
  readonly validUntilMs?: number;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface AnswerCacheOptions {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  /** The topic that announces changes. If it announces ids, each key begins with such an id; see `cache-key.ts`. */
  readonly topic: string;
  readonly bytesMax?: number;
  /** Learns which URLs have an answer in this cache. */
  readonly ready?: ReadyAnswers;
}

interface Answer {
  readonly body: Buffer;
  readonly etag: string;
  readonly validFromMs: number;
  readonly validUntilMs: number;
}

const BYTES_MAX = 32 * 1024 * 1024;
/** Roughly the memory that an answer takes in addition to its body. */
const ENTRY_BYTES = 500;
const MAKE_TIMEOUT_MS = 5_000;

export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const { feed, clock } = options;
  const kept = createBoundedAnswers(options.bytesMax ?? BYTES_MAX);
  const inProgress = new Map<string, Promise<Answer>>();

  feed.subscribe(options.topic, (ids) => {
    kept.drop(ids);
    // A caller who asks after the change must not share a query that began before it.
    for (const key of inProgress.keys()) {
      if (ids === undefined || ids.includes(keyId(key))) inProgress.delete(key);
    }
  });

  const findValid = (key: string): Answer | undefined => {
    const answer = feed.isLive() ? kept.find(key) : undefined;
    if (answer === undefined) return undefined;
    const nowMs = clock.nowMs();
    return nowMs >= answer.validFromMs && nowMs <= answer.validUntilMs ? answer : undefined;
  };

  /** Returns false if a change was announced since the query began. */
  const endProgress = (key: string, answer: Promise<Answer>): boolean =>
    inProgress.get(key) === answer && inProgress.delete(key);

  /** Shares the query that is in progress for this key, if there is one. */
  const makeOnce = (key: string, make: () => Promise<Answer>): Promise<Answer> => {
    const shared = feed.isLive() ? inProgress.get(key) : undefined;
    if (shared !== undefined) return shared;
    const started: Promise<Answer> = withDeadline(make(), MAKE_TIMEOUT_MS).then(
      (answer) => {
        if (endProgress(key, started)) kept.keep(key, answer);
        return answer;
      },
      (error: unknown) => {
        endProgress(key, started);
        throw error;
      },
    );
    inProgress.set(key, started);
    return started;
  };

  const sendKept = (exchange: Exchange, key: string, answer: Answer): FastifyReply => {
    const { url, routeOptions } = exchange.request;
    options.ready?.add(url, { route: routeOptions.url ?? "none", find: () => findValid(key) });
    return sendAnswer(exchange, answer);
  };

  return {
    send: (exchange, key, make) => {
      const found = findValid(key);
      if (found !== undefined) return sendKept(exchange, key, found);
      return makeOnce(key, async () => {
        const validFromMs = clock.nowMs();
        const { body, validUntilMs = Number.POSITIVE_INFINITY } = await make();
        const bytes = Buffer.from(exchange.reply.serialize(body) as string);
        return { body: bytes, etag: etagOf(bytes), validFromMs, validUntilMs };
      }).then((answer) => sendKept(exchange, key, answer));
    },
  };
}

interface BoundedAnswers {
  find(key: string): Answer | undefined;
  /** Drops the oldest answers if there is no room. Does not keep an answer that is larger than the whole bound. */
  keep(key: string, answer: Answer): void;
  /** Drops the answers of these ids; without ids, all answers. */
  drop(ids: readonly string[] | undefined): void;
}

function createBoundedAnswers(bytesMax: number): BoundedAnswers {
  // In the order in which they were kept, so the oldest is first.
  const answers = new Map<string, Answer>();
  const keysById = new Map<string, Set<string>>();
  let totalBytes = 0;

  const dropKey = (key: string): void => {
    const answer = answers.get(key);
    if (answer === undefined) return;
    totalBytes -= sizeOf(answer);
    answers.delete(key);
    const id = keyId(key);
    const keys = keysById.get(id);
    keys?.delete(key);
    if (keys?.size === 0) keysById.delete(id);
  };

  return {
    find: (key) => answers.get(key),
    keep: (key, answer) => {
      dropKey(key);
      if (sizeOf(answer) > bytesMax) return;
      answers.set(key, answer);
      totalBytes += sizeOf(answer);
      keysById.set(keyId(key), (keysById.get(keyId(key)) ?? new Set()).add(key));
      for (const oldest of answers.keys()) {
        if (totalBytes <= bytesMax) break;
        dropKey(oldest);
      }
    },
    drop: (ids) => {
      if (ids === undefined) for (const key of answers.keys()) dropKey(key);
      else for (const id of ids) for (const key of keysById.get(id) ?? []) dropKey(key);
    },
  };
}

function sizeOf({ body }: Answer): number {
  return body.byteLength + ENTRY_BYTES;
}

function sendAnswer({ request, reply }: Exchange, { body, etag }: Answer): FastifyReply {
  reply.header("etag", etag);
  if (isKnownEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.header("content-type", "application/json; charset=utf-8").send(body);
}
