/** The only module that makes requests. Pages call `api`; everything that can go wrong becomes a `Failure`. */
import {
  type AnswerFacts,
  type AssayClient,
  AssayConnectionError,
  AssayError,
  createAssayClient,
} from "../client/assay-client.ts";
import { readJson, send } from "../client/transport.ts";
import { noteSignedOut, type Proof, type Role, session, swap } from "./state/session.ts";

/** Why a request failed, as far as the page must tell these cases apart. */
export interface Failure {
  readonly kind: "signed_out" | "offline" | "busy" | "missing" | "forbidden" | "refused" | "broken";
  /** What the service said. */
  readonly message: string;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** A page shows its state and tries again by itself, so a request is not repeated for long. */
const CLIENT = { url: location.origin, attempts: 2, delayMaxMs: 2_000, fetch: fetchNoticing };

export const api: AssayClient = createAssayClient(CLIENT);

/** Makes a call, and returns with its answer the tag to change it by: it is refused if someone changed it meanwhile. */
export async function readTagged<Value>(
  call: (options: { readonly onAnswer: (facts: AnswerFacts) => void }) => Promise<Value>,
): Promise<{ readonly value: Value; readonly etag: string | undefined }> {
  let etag: string | undefined;
  const onAnswer = (facts: AnswerFacts): void => {
    etag = facts.etag;
  };
  return { value: await call({ onAnswer }), etag };
}

/** The tag as a member of the call that changes. */
export function toIfMatch(etag: string | undefined): { readonly if_match?: string } {
  return etag === undefined ? {} : { if_match: etag };
}

/** Throws away what an aborted request left: the reader is already elsewhere. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export function toFailure(error: unknown): Failure {
  if (error instanceof AssayError) {
    const { message, code, requestId, retryAfterMs } = error;
    return { kind: kindOf(error), message, code, requestId, retryAfterMs };
  }
  const message = error instanceof Error ? error.message : String(error);
  const kind = error instanceof AssayConnectionError ? "offline" : "broken";
  return { kind, message, code: undefined, requestId: undefined, retryAfterMs: undefined };
}

/** Asks who this browser is. Throws if the service cannot be reached. */
export async function loadSession(): Promise<void> {
  const response = await send(CLIENT, { method: "GET", path: SESSION, isRepeatable: true });
  session.value = toSession(await readJson(response));
}

/** A code works once, so the request is never repeated. If the browser is signed in with another token, the person is asked first. */
export async function signIn(
  proof: Proof,
  { isReplacing = false }: { readonly isReplacing?: boolean } = {},
): Promise<void> {
  const body = isReplacing ? { ...proof, replace: true } : proof;
  const call = { method: "POST", path: SESSIONS, body, isRepeatable: false };
  const response = await send({ ...CLIENT, fetch }, call);
  if (response.status !== 202) return loadSession();
  const asked = (await readJson(response)) as Record<string, unknown>;
  const [tokenName, formerName] = [asked["token_name"], asked["former_token_name"]].map(String);
  swap.value = { proof, tokenName: tokenName ?? "", formerName: formerName ?? "" };
}

export async function signOut(options: WithMade = {}): Promise<void> {
  const path = `${SESSION}${toWithMade(options)}`;
  await send(CLIENT, { method: "DELETE", path, isRepeatable: true });
  session.value = { kind: "signed_out", hasExpired: false };
}

/** Whether the browsers that were signed in from it end too. */
interface WithMade {
  readonly isWithMade?: boolean;
}

function toWithMade({ isWithMade }: WithMade): string {
  return isWithMade === true ? "?with_made=true" : "";
}

/** A browser that is signed in. */
export interface BrowserSession {
  readonly id: string;
  readonly tokenName: string;
  readonly role: Role;
  /** The browser and its system. */
  readonly label: string;
  readonly isCurrent: boolean;
  /** Of the token of this browser. */
  readonly isOwn: boolean;
  /** How many others were signed in from it. */
  readonly madeCount: number;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  readonly expiresAtMs: number;
}

export async function listBrowserSessions(signal: AbortSignal): Promise<readonly BrowserSession[]> {
  const call = { method: "GET", path: SESSIONS, isRepeatable: true };
  const body = await readJson(await send(CLIENT, call, { signal }));
  const { items } = body as { readonly items: readonly Record<string, unknown>[] };
  return items.map((item) => ({
    id: String(item["id"]),
    tokenName: String(item["token_name"]),
    role: toRole(item["role"]),
    label: String(item["label"]),
    isCurrent: item["is_current"] === true,
    isOwn: item["is_own"] === true,
    madeCount: Number(item["made_count"]),
    createdAtMs: Number(item["created_at_ms"]),
    lastUsedAtMs: Number(item["last_used_at_ms"]),
    expiresAtMs: Number(item["expires_at_ms"]),
  }));
}

export async function endBrowserSession(id: string, options: WithMade): Promise<void> {
  const path = `${SESSIONS}/${id}${toWithMade(options)}`;
  await send(CLIENT, { method: "DELETE", path, isRepeatable: true });
}

/** Ends all other sessions of this token, and its links. */
export async function endOtherSessions(): Promise<void> {
  await send(CLIENT, { method: "DELETE", path: SESSIONS, isRepeatable: true });
}

const SESSION = "/console/session";
const SESSIONS = "/console/sessions";

/** A 401 anywhere means that the session has ended; the shell then shows the sign-in at the same address. */
async function fetchNoticing(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.status === 401) noteSignedOut();
  return response;
}

function kindOf({ status }: AssayError): Failure["kind"] {
  if (status === 401) return "signed_out";
  if (status === 403) return "forbidden";
  if (status === 404) return "missing";
  if (status === 429 || status === 503) return "busy";
  return status < 500 ? "refused" : "broken";
}

function toSession(body: unknown): typeof session.value {
  const { token_name, role, expires_at_ms } = body as Record<string, unknown>;
  return {
    kind: "signed_in",
    tokenName: String(token_name),
    role: toRole(role),
    expiresAtMs: typeof expires_at_ms === "number" ? expires_at_ms : undefined,
  };
}

function toRole(role: unknown): Role {
  return role === "owner" || role === "desk" ? role : "market";
}
