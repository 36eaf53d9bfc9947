import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { Clock } from "../../base/clock.ts";
import { AppError, assert } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { DatabasePool } from "../../db/database.ts";
import type { Author } from "../../people/activity.ts";
import type { NewConsoleSession } from "../../people/console-session-store.ts";
import {
  CONSOLE_TOKEN,
  createConsoleCode,
  openConsoleSession,
  redeemCode,
} from "../../people/open-sessions.ts";
import { ROLES } from "../../people/role.ts";
import {
  type ApiToken,
  CODE_MAX_AGE_MS,
  createSessionSecret,
  isCode,
  isTokenText,
  toSessionCredential,
} from "../../people/token.ts";
import type { AuthOptions } from "../auth/auth.ts";
import {
  findCookie,
  isHttps,
  toBrowserLabel,
  toConsoleLink,
  toSetCookie,
} from "../auth/console-session.ts";
import type { AdmissionHooks } from "../limits/admission.ts";
import { Ms, optional, typed } from "../v2/schemas.ts";

interface SignInContext {
  readonly db: DatabasePool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly auth: AuthOptions;
  readonly admission: AdmissionHooks;
}

interface Proof {
  readonly kind: "code" | "token";
  readonly text: string;
}

const BODY_BYTES_MAX = 2 * 1024;

const REFUSALS: Readonly<Record<Proof["kind"], string>> = {
  code: "this link was used already or is too old; `assay console` prints a new one, and so does a browser that is signed in",
  token: "the token is unknown, revoked or expired",
};

const Body = Type.Object(
  {
    code: optional(Type.String({ minLength: 1, maxLength: 200 })),
    token: optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
);

/** The session of this browser. */
export const SessionBody = Type.Object({
  token_name: Type.String(),
  role: Type.Enum([...ROLES]),
  is_read_only: Type.Boolean(),
  expires_at_ms: Ms,
});

/** A link that signs a browser in once. Returns undefined if no active token has the name. */
export async function createConsoleLink(
  pool: DatabasePool,
  link: {
    readonly author: Author;
    readonly url: string;
    /** The default is `console`, which is created if needed. */
    readonly tokenName?: string;
  },
): Promise<string | undefined> {
  const { author, url, tokenName: name = CONSOLE_TOKEN } = link;
  const which = { token: { name }, maxAgeMs: CODE_MAX_AGE_MS };
  const code = await createConsoleCode(pool, which, author);
  return code === undefined ? undefined : toConsoleLink(url, code.text);
}

/**
 * Opens a session for the code of a link or for a token, and answers with its cookie. Anyone can call this, so failures are
 * limited by network, and all calls have slots of their own.
 */
export function addSignIn(app: FastifyInstance, context: SignInContext): void {
  const { auth, clock, log } = context;
  const schema = { hide: true, body: Body, response: { 200: SessionBody, 201: SessionBody } };
  const config = { isSignIn: true, isSelfAdmitted: true };
  const route = { schema, config, bodyLimit: BODY_BYTES_MAX, ...context.admission };
  typed(app).post("/console/sessions", route, async (request, reply) => {
    const proof = parseProof(request.body);
    const session = newSession(request, context);
    const found = await auth.signIns.check({ request, reply }, () =>
      signIn(proof, session, context),
    );
    if (found === undefined) throw new AppError("unauthorized", REFUSALS[proof.kind]);
    auth.connections.trust(request.raw.socket);
    reply.header("cache-control", "no-store");
    const body = toSessionBody(found.token);
    if (!found.isNew) return reply.code(200).send(body);
    auth.tokens.makeFamiliar(toSessionCredential(session.secret));
    log.info(
      { reqId: request.id, tokenId: found.token.id, sessionId: found.token.session?.id },
      "a browser signed in",
    );
    const cookie = toSetCookie({
      name: auth.cookieName,
      value: session.secret,
      maxAgeMs: body.expires_at_ms - clock.nowMs(),
      isSecure: isHttps(request.headers, auth.publicUrl),
    });
    return reply.code(201).header("set-cookie", cookie).send(body);
  });
}

export function toSessionBody(token: ApiToken): Static<typeof SessionBody> {
  assert(token.session !== undefined, "the token was found by a session");
  return {
    token_name: token.name,
    role: token.role,
    is_read_only: token.role === "market",
    expires_at_ms: token.session.expiresAtMs,
  };
}

function parseProof({ code, token }: { readonly code?: string; readonly token?: string }): Proof {
  if (code !== undefined && token === undefined) return { kind: "code", text: code };
  if (token !== undefined && code === undefined) return { kind: "token", text: token };
  throw new AppError("invalid_payload", "the body must have either code or token");
}

function newSession(request: FastifyRequest, { auth, clock }: SignInContext): NewConsoleSession {
  const formerSecret = findCookie(request.headers.cookie, auth.cookieName);
  return {
    secret: createSessionSecret(),
    label: toBrowserLabel(request.headers["user-agent"]),
    nowMs: clock.nowMs(),
    requestId: request.id,
    ...(formerSecret === undefined ? {} : { formerSecret }),
  };
}

async function signIn(
  proof: Proof,
  session: NewConsoleSession,
  { db, auth }: SignInContext,
): Promise<{ readonly token: ApiToken; readonly isNew: boolean } | undefined> {
  if (proof.kind === "token") {
    // Only the text of a token: a session's secret opens no second session.
    const known = isTokenText(proof.text) ? await auth.tokens.find(proof.text) : undefined;
    const token = known && (await openConsoleSession(db, proof.text, session));
    return token === undefined ? undefined : { token, isNew: true };
  }
  const opened = isCode(proof.text) ? await redeemCode(db, proof.text, session) : undefined;
  if (opened !== undefined) return { token: opened, isNew: true };
  // A link that this browser used before, for example from its history: the session that it has is enough.
  const { formerSecret } = session;
  if (formerSecret === undefined) return undefined;
  const token = await auth.tokens.find(toSessionCredential(formerSecret));
  return token === undefined ? undefined : { token, isNew: false };
}
