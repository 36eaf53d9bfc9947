import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Config } from "../../base/config.ts";
import { AppError, assert } from "../../base/errors.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { Slot, Slots } from "../../base/shares/slots.ts";
import type { Intake } from "../../intake/receive-event.ts";
import {
  createRefusals,
  type RefusalReason,
  type RefusalsOptions,
} from "../../intake/refused-events.ts";
import {
  findSenderProblem,
  findUnsignedProblem,
  startSignatureCheck,
} from "../../intake/sender-rule.ts";
import { leaveOutSecrets } from "../../messages/gateways/waha-kept.ts";
import type { AgeCheck } from "../../messages/privacy/event-age.ts";
import { type Admission, overloaded } from "../limits/admission.ts";
import type { Connections } from "../limits/connections.ts";
import { failures, OWN_DEADLINE } from "./schemas.ts";

interface WebhookOptions extends RefusalsOptions {
  readonly config: Config;
  readonly intake: Intake;
  readonly ages: AgeCheck;
  readonly metrics: Metrics;
  readonly connections: Connections;
  readonly admission: Admission;
  readonly slots: Slots;
}

interface EventBody {
  readonly bytes: Buffer;
  /** True also if events need no signature. */
  readonly isSigned: boolean;
}

interface EventBodyOptions {
  readonly slots: Slots;
  /** The slot of the request. It holds the bytes until the request leaves. */
  readonly slot: Slot;
  /** True if the sender is not known yet. Then the request gives way to newer ones while its body arrives. */
  readonly isStranger: boolean;
  /** Absent: the body needs no signature. */
  readonly signed?: { readonly key: string; readonly signature: string };
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const RESULTS = ["stored", "refused", "too_old", "failed"];

/** For the document only. */
const WahaEvent = Type.Object(
  {},
  {
    $id: "WahaEvent",
    additionalProperties: true,
    description: "An event as WAHA sends it.",
    examples: [
      {
        event: "message",
        session: "default",
        engine: "NOWEB",
        payload: {
          id: "false_120363000000000001@g.us_3EB0C431C26A1D9F2A41_491700000001@c.us",
          timestamp: 1_794_744_000,
          from: "120363000000000001@g.us",
          participant: "491700000001@c.us",
          body: "WTS Rolex 126610LN 2024 full set, like new, 11.200 EUR",
        },
      },
    ],
  },
);

/**
 * Receives the gateway's events: checks the signature of the bytes as they came, stores what of them may be stored, and answers
 * 202 once that is committed. Events are read here only to leave out secrets of the gateway, and those that are too old. The
 * pipeline reads what they say later, so a body that makes no sense is acknowledged like any other, and quarantined there.
 */
export async function addWebhooks(app: FastifyInstance, options: WebhookOptions): Promise<void> {
  const refusals = createRefusals(options);
  for (const result of RESULTS) options.metrics.webhookEvents.inc({ result }, 0);
  await app.register((scope, _options, done) => {
    const refuse = (message: string): AppError => {
      options.metrics.webhookEvents.inc({ result: "refused" });
      refusals.note(reasonOf(options.config));
      return new AppError("unauthorized", message);
    };
    const slotOf = admitEvents(scope, { ...options, refuse });
    const read = (request: FastifyRequest, payload: Readable): Promise<EventBody> => {
      const { config, connections, slots } = options;
      const key = config.wahaHmacKey;
      const signature = String(request.headers["x-webhook-hmac"] ?? "");
      return readEventBody(payload, {
        slots,
        slot: slotOf(request),
        isStranger: !connections.isTrusted(request.raw.socket),
        ...(key === undefined ? {} : { signed: { key, signature } }),
      });
    };
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", read);
    const schema = {
      operationId: "receiveWahaEvent",
      tags: ["Webhooks"],
      summary: "Receive an event of the WAHA gateway",
      description:
        "Signed by `X-Webhook-Hmac`, the HMAC-SHA512 of the body in hex; needs no token. Answers 202 once the event is " +
        "stored, whatever the body is, and also for a repeated event. A message that is older than what retention keeps is " +
        "answered and counted, but not stored.",
      security: [],
      headers: Type.Object({
        "x-webhook-hmac": Type.Optional(
          Type.String({ description: "The HMAC-SHA512 of the body, in hex." }),
        ),
      }),
      body: WahaEvent,
      response: { 202: { type: "null", description: "The event is stored." }, ...failures(401) },
    };
    const config = { ...OWN_DEADLINE, isSelfAdmitted: true };
    // The schemas are for the document only: every body is stored.
    const validatorCompiler = () => () => true;
    scope.post(
      "/v2/webhooks/waha",
      { schema, config, validatorCompiler },
      async (request, reply) => {
        // Fastify calls no parser for a request without a body.
        const body = (request.body as EventBody | undefined) ?? (await read(request, request.raw));
        const { bytes, isSigned } = body;
        if (!isSigned) {
          throw refuse("the signature in X-Webhook-Hmac is wrong; check ASSAY_WAHA_HMAC_KEY");
        }
        options.connections.trust(request.raw.socket);
        const kept = leaveOutSecrets(bytes);
        if (kept.unreadable === "too_many_parts") {
          options.metrics.webhookEvents.inc({ result: "refused" });
          refusals.note("too_many_parts");
          throw new AppError("payload_too_large", "the event has more parts than are read");
        }
        await store(options, kept.body);
        return reply.code(202).send();
      },
    );
    done();
  });
}

/** Refuses requests by their heads, and admits the others. Returns the function that finds the slot of a request. */
function admitEvents(
  scope: FastifyInstance,
  options: WebhookOptions & { readonly refuse: (message: string) => AppError },
): (request: FastifyRequest) => Slot {
  const { config, admission, slots, connections } = options;
  const slotsByRequest = new WeakMap<FastifyRequest, Slot>();
  scope.addHook("onRequest", (request, _reply, done) => {
    const problem = findSenderProblem(config, request.headers);
    if (problem !== undefined) return done(options.refuse(problem));
    if (Number(request.headers["content-length"] ?? 0) > BODY_BYTES_MAX) return done(tooLarge());
    const slot = admission.admit(request, slots);
    if (slot instanceof AppError) return done(slot);
    slotsByRequest.set(request, slot);
    done();
  });
  // A stranger may take its time to read the answer, so then it gives way too.
  scope.addHook("onSend", (request, _reply, payload, done) => {
    const { socket } = request.raw;
    const slot = connections.isTrusted(socket) ? undefined : slotsByRequest.get(request);
    if (slot !== undefined) slot.giveWay = () => socket.destroy();
    done(null, payload);
  });
  return (request) => {
    const slot = slotsByRequest.get(request);
    assert(slot !== undefined, "the request was admitted");
    return slot;
  };
}

/** Reads a whole body. Rejects as soon as it is too large, or when there is no room for its bytes. */
function readEventBody(payload: Readable, options: EventBodyOptions): Promise<EventBody> {
  const { slots, slot, signed } = options;
  const check = signed === undefined ? undefined : startSignatureCheck(signed.key);
  const chunks: Buffer[] = [];
  let byteCount = 0;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      slot.giveWay = undefined;
      payload.off("data", onData).off("end", onEnd).off("error", onError);
    };
    const fail = (error: Error): void => {
      stop();
      // The response closes the connection, and until then nothing more is read.
      payload.on("error", () => undefined).pause();
      chunks.length = 0;
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      byteCount += chunk.byteLength;
      if (byteCount > BODY_BYTES_MAX) fail(tooLarge());
      else if (!slots.tryHold(slot, chunk.byteLength)) fail(overloaded());
      else {
        check?.add(chunk);
        chunks.push(chunk);
      }
    };
    // The client disconnected, which is not our failure.
    const onError = (cause: Error): void => {
      fail(new AppError("invalid_payload", "the body did not arrive completely", cause));
    };
    const onEnd = (): void => {
      stop();
      const bytes = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
      resolve({ bytes, isSigned: check?.isSignedBy(signed?.signature ?? "") ?? true });
    };
    if (options.isStranger) slot.giveWay = () => fail(overloaded());
    payload.on("data", onData).on("end", onEnd).on("error", onError);
  });
}

/** Resolves when the event is stored, or counted because it is too old. */
async function store(
  { intake, ages, metrics, clock }: WebhookOptions,
  body: Uint8Array,
): Promise<void> {
  const receivedAtMs = clock.nowMs();
  const event = { gateway: "waha", origin: "webhook", body, receivedAtMs } as const;
  try {
    const isTooOld = await ages.refuses(event);
    if (!isTooOld) await intake.receive(event);
    metrics.webhookEvents.inc({ result: isTooOld ? "too_old" : "stored" });
  } catch (error) {
    metrics.webhookEvents.inc({ result: "failed" });
    throw error;
  }
}

function reasonOf(config: Config): RefusalReason {
  if (config.wahaHmacKey !== undefined) return "bad_signature";
  return findUnsignedProblem(config) === undefined ? "not_direct" : "no_key";
}

function tooLarge(): AppError {
  return new AppError("payload_too_large", "the body is too large");
}
