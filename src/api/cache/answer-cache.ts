import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../base/clock.ts";
import { withDeadline } from "../../base/deadline.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import { etagOf, isKnownEtag } from "../http/etag.ts";
import type { ReadyAnswers } from "./ready-answers.ts";

/** Keeps whole answers, so that what did not change is served without the store. */
export interface AnswerCache {
  /** Sends the kept answer of that key, or makes it, keeps it and sends it. */
  send(
    exchange: Exchange,
    key: string,
    make: () => Promise<NewAnswer>,
  ): Promise<unknown> | FastifyReply;
}

interface NewAnswer {
  readonly body: unknown;
  /** When something in it changes by the passing of time alone. */
  readonly untilMs?: number;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface AnswerCacheOptions {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  /** What announces its changes. Where it names ids, they are the first words of the answers' keys. */
  readonly topic: string;
  readonly bytesMax?: number;
  /** Is told which URLs have an answer here. */
  readonly ready?: ReadyAnswers;
}

interface Answer {
  readonly body: Buffer;
  readonly etag: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

const BYTES_MAX = 32 * 1024 * 1024;
/** What an answer takes beside its body, about. */
const ENTRY_BYTES = 500;
const MAKE_TIMEOUT_MS = 5_000;

/**
 * A kept answer is dropped when the store says that what it tells has changed, and is not used unless that could be heard
 * within the last second. Who asks for what is not kept waits for the question that is under way, if there is one.
 */
export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const { feed, clock, bytesMax = BYTES_MAX } = options;
  const kept = new Map<string, Answer>();
  const making = new Map<string, Promise<Answer>>();
  let keptBytes = 0;

  const keysOf = new Map<string, Set<string>>();

  const drop = (key: string): void => {
    // Whoever asks from now on must not be given what was read before the change.
    making.delete(key);
    const answer = kept.get(key);
    if (answer === undefined) return;
    keptBytes -= sizeOf(answer);
    kept.delete(key);
    const keys = keysOf.get(idOf(key));
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(idOf(key));
  };
  feed.subscribe(options.topic, (ids) => {
    if (ids === undefined) for (const key of kept.keys()) drop(key);
    else for (const id of ids) for (const key of keysOf.get(id) ?? []) drop(key);
    // There are never many of these.
    for (const key of making.keys()) if (ids?.includes(idOf(key)) !== false) drop(key);
  });

  const keep = (key: string, answer: Answer): void => {
    drop(key);
    if (sizeOf(answer) > bytesMax) return;
    kept.set(key, answer);
    keptBytes += sizeOf(answer);
    keysOf.set(idOf(key), (keysOf.get(idOf(key)) ?? new Set()).add(key));
    for (const oldest of kept.keys()) {
      if (keptBytes <= bytesMax) break;
      drop(oldest);
    }
  };

  const find = (key: string): Answer | undefined => {
    const answer = feed.isLive() ? kept.get(key) : undefined;
    if (answer === undefined) return undefined;
    const nowMs = clock.nowMs();
    return nowMs >= answer.fromMs && nowMs <= answer.untilMs ? answer : undefined;
  };

  const makeOnce = (key: string, make: () => Promise<Answer>): Promise<Answer> => {
    const underWay = feed.isLive() ? making.get(key) : undefined;
    if (underWay !== undefined) return underWay;
    const started: Promise<Answer> = withDeadline(make(), MAKE_TIMEOUT_MS).then(
      (answer) => {
        // A change that came while we asked has taken it from the list.
        if (making.get(key) === started) keep(key, answer);
        return answer;
      },
      (error: unknown) => {
        if (making.get(key) === started) making.delete(key);
        throw error;
      },
    );
    making.set(key, started);
    return started;
  };

  const sendKept = (exchange: Exchange, key: string, answer: Answer): FastifyReply => {
    const { url, routeOptions } = exchange.request;
    options.ready?.know(url, { route: routeOptions.url ?? "none", find: () => find(key) });
    return sendAnswer(exchange, answer);
  };

  return {
    send: (exchange, key, make) => {
      const found = find(key);
      if (found !== undefined) return sendKept(exchange, key, found);
      return makeOnce(key, async () => {
        const fromMs = clock.nowMs();
        const { body, untilMs = Number.POSITIVE_INFINITY } = await make();
        const bytes = Buffer.from(exchange.reply.serialize(body) as string);
        return { body: bytes, etag: etagOf(bytes), fromMs, untilMs };
      }).then((answer) => sendKept(exchange, key, answer));
    },
  };
}

function idOf(key: string): string {
  const end = key.indexOf(" ");
  return end < 0 ? key : key.slice(0, end);
}

function sizeOf({ body }: Answer): number {
  return body.byteLength + ENTRY_BYTES;
}

function sendAnswer({ request, reply }: Exchange, { body, etag }: Answer): FastifyReply {
  reply.header("etag", etag);
  if (isKnownEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.header("content-type", "application/json; charset=utf-8").send(body);
}
