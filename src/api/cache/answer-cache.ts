/**
 * Keeps whole answers of a route as bytes, each with its compressed forms, so that an unchanged answer is sent without a
 * query. See `src/db/kept.ts` for what makes an answer outdated.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Clock, withDeadline } from "../../base/clock.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import { createKept } from "../../db/kept.ts";
import { type MadeBody, sendMade, toMadeBody } from "../http/representation.ts";
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
  /** The topic that announces changes. If it announces ids, each key begins with such an id. */
  readonly topic: string;
  /** True if an answer is made of the rows of many ids, so every change drops all answers. */
  readonly hasManyIds?: boolean;
  /** Other topics. Each change of one drops all answers. */
  readonly otherTopics?: readonly string[];
  readonly bytesMax?: number;
  /** Learns which URLs have an answer in this cache. Only if the answer is the same for every role. */
  readonly ready?: ReadyAnswers;
}

interface Answer extends MadeBody {
  readonly validFromMs: number;
  readonly validUntilMs: number;
}

const BYTES_MAX = 32 * 1024 * 1024;
/** Roughly the memory that an answer takes in addition to its body. */
const ENTRY_BYTES = 500;
const MAKE_TIMEOUT_MS = 5_000;

export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const { feed, clock, topic, hasManyIds = false, otherTopics = [] } = options;
  const kept = createKept<Answer>({
    changes: { feed, topic, isForAll: hasManyIds, otherTopics },
    sizeMax: options.bytesMax ?? BYTES_MAX,
    sizeOf: ({ body }) => body.byteLength + ENTRY_BYTES,
    isValid: ({ validFromMs, validUntilMs }) => {
      const nowMs = clock.nowMs();
      return nowMs >= validFromMs && nowMs <= validUntilMs;
    },
  });

  const sendKept = (
    exchange: Exchange,
    key: string,
    answer: Answer,
  ): FastifyReply | Promise<FastifyReply> => {
    const { url, routeOptions } = exchange.request;
    options.ready?.add(url, { route: routeOptions.url ?? "none", find: () => kept.find(key) });
    return sendMade(exchange, answer, (byteCount) => kept.grow(key, answer, byteCount));
  };

  return {
    send: (exchange, key, make) => {
      const found = kept.find(key);
      if (found !== undefined) return sendKept(exchange, key, found);
      const makeAnswer = async (): Promise<Answer> => {
        const validFromMs = clock.nowMs();
        const { body, validUntilMs = Number.POSITIVE_INFINITY } = await make();
        const bytes = Buffer.from(exchange.reply.serialize(body) as string);
        return { ...toMadeBody(bytes), validFromMs, validUntilMs };
      };
      return kept
        .renew(key, () => withDeadline(makeAnswer(), MAKE_TIMEOUT_MS), exchange.request.caller)
        .then((answer) => sendKept(exchange, key, answer));
    },
  };
}
