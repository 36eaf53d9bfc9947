import type { FastifyInstance } from "fastify";
import { AppError } from "../../base/errors.ts";
import type { Metrics } from "../../base/metrics.ts";
import { createRefusals, type Refusals, type RefusalsOptions } from "../../intake/note-refusals.ts";
import type { Intake } from "../../intake/receive-event.ts";
import { isSignedBy } from "../../intake/signature.ts";
import { failures, OWN_DEADLINE } from "../v2/schemas.ts";

export interface WebhookOptions extends RefusalsOptions {
  readonly intake: Intake;
  readonly metrics: Metrics;
  /** Absent: bodies are not signed, which is only allowed on loopback. */
  readonly hmacKey?: string;
  readonly isLoopback: boolean;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Receives the gateway's events: checks the signature, stores the bytes as received, and answers 202 once they are
 * committed. The pipeline parses them later, so a body that makes no sense is stored and acknowledged like any other.
 */
export async function addWebhooks(app: FastifyInstance, options: WebhookOptions): Promise<void> {
  const refusals = createRefusals(options);
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer" },
      async (_request: unknown, body: Buffer) => body,
    );
    const schema = {
      operationId: "receiveWahaEvent",
      tags: ["Webhooks"],
      summary: "Receive an event of the WAHA gateway",
      description:
        "Signed by `X-Webhook-Hmac`, the HMAC-SHA512 of the body in hex; needs no token. Answers 202 once the event is " +
        "stored, whatever the body is, and also for a repeated event.",
      security: [],
      response: { 202: { type: "null", description: "The event is stored." }, ...failures(401) },
    };
    scope.post(
      "/v2/webhooks/waha",
      { schema, bodyLimit: BODY_BYTES_MAX, config: OWN_DEADLINE },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const signature = request.headers["x-webhook-hmac"];
        refuseUnsigned(body, typeof signature === "string" ? signature : undefined, {
          ...options,
          refusals,
        });
        await options.intake.receive({
          gateway: "waha",
          origin: "webhook",
          body,
          receivedAtMs: options.clock.nowMs(),
        });
        options.metrics.webhookEvents.inc({ result: "stored" });
        return reply.code(202).send(null);
      },
    );
    done();
  });
}

function refuseUnsigned(
  body: Buffer,
  signature: string | undefined,
  options: WebhookOptions & { readonly refusals: Refusals },
): void {
  const { hmacKey, isLoopback, metrics, refusals } = options;
  if (hmacKey === undefined && isLoopback) return;
  if (hmacKey !== undefined && isSignedBy(hmacKey, body, signature)) return;
  metrics.webhookEvents.inc({ result: "refused" });
  refusals.note(hmacKey === undefined ? "no_key" : "bad_signature");
  throw new AppError(
    "unauthorized",
    hmacKey === undefined
      ? "events from other machines are refused unless ASSAY_WAHA_HMAC_KEY is set"
      : "the signature in X-Webhook-Hmac is missing or wrong; check ASSAY_WAHA_HMAC_KEY",
  );
}
