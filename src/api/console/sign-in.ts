import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { type Clock, HOUR_MS } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { AppError, assert } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { DatabasePool } from "../../db/database.ts";
import type { Author } from "../../people/activity.ts";
import { findCode, type NewConsoleSession } from "../../people/console-session-store.ts";
import { createConsoleCode, openConsoleSession, redeemCode } from "../../people/open-sessions.ts";
import { ROLES } from "../../people/role.ts";
import {
  type ApiToken,
  CODE_MAX_AGE_MS,
  createSessionSecret,
  isCode,
  isTokenText,
  toSessionCredential,
} from "../../people/token.ts";
import { CONSOLE_TOKEN } from "../../people/token-name.ts";
import type { AuthOptions } from "../auth/auth.ts";
import {
  findSessionSecret,
  isHttps,
  takeSession,
  toBrowserLabel,
  toConsoleLink,
  toSetCookie,
} from "../auth/console-session.ts";
import type { AdmissionHooks } from "../limits/admission.ts";
import { Ms, optional, typed } from "../v2/schemas.ts";

interface SignInContext {
  readonly db: DatabasePool;
  readonly clock: Clock;
  readonly config: Pick<Config, "consoleSessionHours">;
  readonly log: Logger;
  readonly auth: AuthOptions;
  readonly admission: AdmissionHooks;
}

type SignIn =
  | { readonly kind: "new" | "same"; readonly token: ApiToken }
  /** The browser has a session of another token: nothing is done until the person says that it ends. */
  | { readonly kind: "asks"; readonly token: Named; readonly former: Named };

type Named = Pick<ApiToken, "id" | "name" | "role">;

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
    replace: optional(
      Type.Boolean({ description: "Ends the session of another token that the browser has." }),
    ),
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

/** Whether the browser shall leave the token that it is signed in with for another one. */
const QuestionBody = Type.Object({
  token_name: Type.String(),
  role: Type.Enum([...ROLES]),
  former_token_name: Type.String(),
});

const RESPONSES = { 200: SessionBody, 201: SessionBody, 202: QuestionBody };

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
 * limited by network, and all calls have slots of their own. Anyone can also send a link, so it replaces the session of another token
 * only when the person has been asked: until then it is 202, and the code is not used.
 */
export function addSignIn(app: FastifyInstance, context: SignInContext): void {
  const { auth, clock, log } = context;
  const schema = { hide: true, body: Body, response: RESPONSES };
  const config = { isSignIn: true, isSelfAdmitted: true };
  const route = { schema, config, bodyLimit: BODY_BYTES_MAX, ...context.admission };
  typed(app).post("/console/sessions", route, async (request, reply) => {
    const proof = parseProof(request.body);
    const session = {
      ...newSession(request, context),
      isReplacing: request.body.replace === true,
    };
    const found = await auth.signIns.check(request, () => signIn(proof, session, context));
    if (found === undefined) throw new AppError("unauthorized", REFUSALS[proof.kind]);
    auth.connections.trust(request.raw.socket);
    reply.header("cache-control", "no-store");
    if (found.kind === "asks") return reply.code(202).send(toQuestion(found));
    const body = toSessionBody(found.token);
    if (found.kind === "same") return reply.code(200).send(body);
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

function toQuestion({ token, former }: SignIn & { readonly kind: "asks" }) {
  return { token_name: token.name, role: token.role, former_token_name: former.name };
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

function newSession(
  request: FastifyRequest,
  { auth, clock, config }: SignInContext,
): NewConsoleSession {
  const formerSecret = findSessionSecret(request.headers, auth);
  return {
    secret: createSessionSecret(),
    label: toBrowserLabel(request.headers["user-agent"]),
    nowMs: clock.nowMs(),
    maxAgeMs: config.consoleSessionHours * HOUR_MS,
    requestId: request.id,
    ...(formerSecret === undefined ? {} : { formerSecret }),
  };
}

async function signIn(
  proof: Proof,
  session: NewConsoleSession,
  { db, auth }: SignInContext,
): Promise<SignIn | undefined> {
  const { formerSecret, isReplacing } = session;
  const wanted = await findWanted(proof, session, { db, auth });
  if (wanted === undefined && proof.kind === "token") return undefined;
  const former =
    formerSecret === undefined
      ? undefined
      : await auth.tokens.find(toSessionCredential(formerSecret));
  if (wanted !== undefined && former !== undefined && former.id !== wanted.id && !isReplacing) {
    return { kind: "asks", token: wanted, former };
  }
  // A code was counted when it was made.
  if (wanted !== undefined && proof.kind === "token") takeSession(auth.sessionLimit, wanted.id);
  const token =
    wanted === undefined
      ? undefined
      : await (proof.kind === "token" ? openConsoleSession : redeemCode)(db, proof.text, session);
  if (token !== undefined) return { kind: "new", token };
  // A link that this browser used before, for example from its history: the session that it has is enough.
  return proof.kind === "token" || former === undefined
    ? undefined
    : { kind: "same", token: former };
}

/** Whom the proof signs in, without using it. Only a code or the text of a token: a session's secret opens no second session. */
async function findWanted(
  { kind, text }: Proof,
  { nowMs }: NewConsoleSession,
  { db, auth }: Pick<SignInContext, "db" | "auth">,
): Promise<Named | undefined> {
  if (kind === "token") {
    return isTokenText(text) ? (auth.tokens.findKept(text) ?? auth.tokens.find(text)) : undefined;
  }
  return isCode(text) ? findCode(db, text, nowMs) : undefined;
}
