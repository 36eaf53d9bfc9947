import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { isLoopback } from "../../../base/address.ts";
import type { Config } from "../../../base/config.ts";
import { AppError, assert } from "../../../base/errors.ts";
import { dropNulls } from "../../../db/row.ts";
import { createConsoleCode } from "../../../people/open-sessions.ts";
import { ROLES } from "../../../people/role.ts";
import { type ApiToken, DEVICE_CODE_MAX_AGE_MS } from "../../../people/token.ts";
import { findOwnToken, type OwnToken, saveLastLooked } from "../../../people/token-store.ts";
import { takeSession, toConsoleLink } from "../../auth/console-session.ts";
import { isLoopbackName } from "../../http/request-frame.ts";
import { failures, Id, Ms, named, optional, type RouteContext, typed } from "../schemas.ts";
import { authorOf } from "../writes.ts";

const Me = Type.Object(
  {
    token_id: Id,
    name: Type.String(),
    role: Type.Enum([...ROLES]),
    last_looked_at_ms: optional(Ms),
  },
  { $id: "Me", description: "Who makes this request." },
);

const LookedBody = Type.Object(
  {
    at_ms: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "A time after the service's own counts as that one.",
    }),
  },
  { additionalProperties: false },
);

const SignInLink = Type.Object(
  {
    url: Type.String({ description: "Opens the console once, signed in with the same token." }),
    expires_at_ms: Ms,
  },
  { $id: "SignInLink" },
);

/** An extension of the contract. Not from a replica: what was just stored must be there. */
export function addGetMe(app: FastifyInstance, { access }: RouteContext): void {
  app.addSchema(Me);
  const schema = {
    operationId: "getMe",
    tags: ["Tokens"],
    summary: "Get who makes the request",
    description: "The token of this request, or of the browser's session.",
    response: { 200: named(Me), ...failures(401) },
  };
  typed(app).get("/v2/me", { schema }, async (request) =>
    toMe(await findOwnToken(access(request), tokenOf(request).id)),
  );
}

/** An extension of the contract. */
export function addSaveLastLooked(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "saveLastLooked",
    tags: ["Tokens"],
    summary: "Save when this person last looked",
    description:
      "For the token of this request, in all its browsers. An earlier time than the stored one changes nothing.",
    body: LookedBody,
    response: { 200: named(Me), ...failures(400, 401) },
  };
  typed(app).put("/v2/me/last-looked", { schema }, async (request) => {
    const atMs = Math.min(request.body.at_ms, clock.nowMs());
    return toMe(await saveLastLooked(db(request), tokenOf(request).id, atMs));
  });
}

/** An extension of the contract. The page draws the link as a QR code. */
export function addCreateSignInLink(
  app: FastifyInstance,
  { access, clock, config, sessionLimit }: RouteContext,
): void {
  app.addSchema(SignInLink);
  const schema = {
    operationId: "createSignInLink",
    tags: ["Tokens"],
    summary: "Sign in another device",
    description:
      "A link that signs one browser in with the token of this request, once and within five minutes. A link that a browser makes " +
      "ends with its session, and what it opens lasts no longer than that. It leads to " +
      "`ASSAY_PUBLIC_URL`, or else to the address at which the page of this request was opened. If neither is an address that another " +
      "device can reach, 409. At most 20 sign-ins and links of a token per minute; then 429.",
    response: { 201: named(SignInLink), ...failures(401, 409) },
  };
  typed(app).post("/v2/me/sign-in-link", { schema }, async (request, reply) => {
    const url = findReachableUrl(request, config);
    if (url === undefined) {
      const state = config.publicUrl === undefined ? "is not set" : "leads to this machine only";
      throw new AppError(
        "not_configured",
        `ASSAY_PUBLIC_URL ${state}, so the service does not know an address that another device can reach: set it to one and restart`,
      );
    }
    const { id, session } = tokenOf(request);
    takeSession(sessionLimit, id);
    const maxAgeMs = DEVICE_CODE_MAX_AGE_MS;
    const which = { token: { id }, maxAgeMs, sessionId: session?.id };
    const code = await createConsoleCode(access(request), which, authorOf(request, { clock }));
    if (code === undefined) {
      throw new AppError("unauthorized", "the token or the session has ended");
    }
    reply.header("cache-control", "no-store").code(201);
    return { url: toConsoleLink(url, code.text), expires_at_ms: code.expiresAtMs };
  });
}

/** Undefined if only this machine is known to reach the service. */
function findReachableUrl(
  { headers: { origin, host: asked } }: FastifyRequest,
  { host, publicUrl }: Pick<Config, "host" | "publicUrl">,
): string | undefined {
  const isReachable = (url: string) => !isLoopbackName(new URL(url).hostname);
  if (publicUrl !== undefined && isReachable(publicUrl)) return publicUrl;
  if (isLoopback(host) || origin === undefined || !URL.canParse(origin)) return undefined;
  const page = new URL(origin);
  return page.host === asked?.toLowerCase() && isReachable(origin) ? page.origin : undefined;
}

function tokenOf({ apiToken }: FastifyRequest): ApiToken {
  assert(apiToken !== null, "a request below /v2 has a token");
  return apiToken;
}

function toMe(row: OwnToken | undefined) {
  if (row === undefined) throw new AppError("unauthorized", "the token is gone");
  return dropNulls(row);
}
