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
import { type Clock, withDeadline } from "../../base/clock.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import { chooseCoding, etagOf, isKnownEtag, toEtagOf } from "../http/representation.ts";
import {
  createBoundedAnswers,
  createEncodedBody,
  type EncodedBody,
  keyId,
} from "./kept-answers.ts";
import type { ReadyAnswers } from "./ready-answers.ts";

interface AnswerCache {
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

interface AnswerCacheOptions {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  /** The topic that announces changes. If it announces ids, each key begins with such an id; see `keyId`. */
  readonly topic: string;
  /** True if an answer is made of the rows of many ids, so every change drops all answers. */
  readonly hasManyIds?: boolean;
  readonly bytesMax?: number;
  /** Learns which URLs have an answer in this cache. */
  readonly ready?: ReadyAnswers;
}

interface Answer {
  readonly body: Buffer;
  readonly encoded: EncodedBody;
  readonly etag: string;
  readonly validFromMs: number;
  readonly validUntilMs: number;
}

const BYTES_MAX = 32 * 1024 * 1024;
const MAKE_TIMEOUT_MS = 5_000;

export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const { feed, clock } = options;
  const kept = createBoundedAnswers<Answer>(options.bytesMax ?? BYTES_MAX);
  const inProgress = new Map<string, Promise<Answer>>();

  feed.subscribe(options.topic, (announced) => {
    const ids = options.hasManyIds === true ? undefined : announced;
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

  /** Compresses the answer if no earlier request has. */
  const sendKept = (
    { request, reply }: Exchange,
    key: string,
    answer: Answer,
  ): FastifyReply | Promise<FastifyReply> => {
    const { url, headers, routeOptions } = request;
    options.ready?.add(url, { route: routeOptions.url ?? "none", find: () => findValid(key) });
    const { body, encoded, etag } = answer;
    const coding = chooseCoding(headers["accept-encoding"], body.byteLength);
    reply.header("etag", toEtagOf(etag, coding));
    if (isKnownEtag(headers["if-none-match"], etag)) return reply.code(304).send();
    if (coding === undefined) return sendJson(reply, body);
    reply.header("content-encoding", coding);
    const found = encoded.find(coding);
    if (found !== undefined) return sendJson(reply, found);
    return encoded
      .make(coding, (byteCount) => kept.grow(key, answer, byteCount))
      .then((bytes) => sendJson(reply, bytes));
  };

  return {
    send: (exchange, key, make) => {
      const found = findValid(key);
      if (found !== undefined) return sendKept(exchange, key, found);
      return makeOnce(key, async () => {
        const validFromMs = clock.nowMs();
        const { body, validUntilMs = Number.POSITIVE_INFINITY } = await make();
        const bytes = Buffer.from(exchange.reply.serialize(body) as string);
        const encoded = createEncodedBody(bytes);
        return { body: bytes, encoded, etag: etagOf(bytes), validFromMs, validUntilMs };
      }).then((answer) => sendKept(exchange, key, answer));
    },
  };
}

function sendJson(reply: FastifyReply, bytes: Buffer): FastifyReply {
  return reply.header("content-type", "application/json; charset=utf-8").send(bytes);
}
