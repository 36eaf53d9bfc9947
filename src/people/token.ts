/**
 * API tokens, and the credential that proves who sends a request: the text of a token, or the secret of a console session
 * behind a mark. A bearer header cannot have a space, so a session's secret never works as a token, nor a token as a session's
 * secret.
 */
import crypto, { createHash, randomBytes } from "node:crypto";
import { MINUTE_MS } from "../base/clock.ts";
import type { Role } from "./role.ts";

/** A browser that is signed in, without its secret. */
export interface ConsoleSession {
  readonly id: string;
  readonly expiresAtMs: number;
}

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAtMs: number | null;
  /** The session of the browser, if the request has no token itself. */
  readonly session?: ConsoleSession;
}

/** Time enough to copy a link to another device, and too short for one that is found later in a terminal or a chat. */
export const CODE_MAX_AGE_MS = 15 * MINUTE_MS;
/** Of a code that a page shows to the camera of another device, which is at hand. */
export const DEVICE_CODE_MAX_AGE_MS = 5 * MINUTE_MS;

const TOKEN_START = "assay_";
const SECRET_BYTES = 32;
const TOKEN_TEXT = /^assay_[A-Za-z0-9_-]{43}$/;
/** Enough characters to distinguish tokens in a list, and far too few to guess the rest. */
const PREFIX_LENGTH = TOKEN_START.length + 6;
const SESSION_MARK = "session ";
/** Of a session: 256 random bits. */
const SESSION_SECRET = /^[A-Za-z0-9_-]{43}$/;
const CODE_BYTES = 16;
const CODE = /^[A-Za-z0-9_-]{22}$/;

/** 256 random bits after a fixed start that secret scanners can look for. */
export function createTokenText(): string {
  return TOKEN_START + randomBytes(SECRET_BYTES).toString("base64url");
}

export function createSessionSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** 128 random bits: it is typed into no form, and a guess has 15 minutes and a rate limit. */
export function createCode(): string {
  return randomBytes(CODE_BYTES).toString("base64url");
}

/** Returns false for a text that was never issued, so that it costs no query. */
export function isCode(text: string): boolean {
  return CODE.test(text);
}

export function isTokenText(text: string): boolean {
  return TOKEN_TEXT.test(text);
}

export function tokenPrefix(text: string): string {
  return text.slice(0, PREFIX_LENGTH);
}

/** As which the store knows a token, and also the secret of a session and a one-time code. */
export function tokenSha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The SHA-256 as text. Every request needs it, and `crypto.hash` of newer Node versions takes a third of the time. */
export const tokenKey: (text: string) => string =
  typeof crypto.hash === "function"
    ? (text) => crypto.hash("sha256", text, "base64")
    : (text) => tokenSha256(text).toString("base64");

export function isExpired(token: ApiToken, nowMs: number): boolean {
  const { expiresAtMs, session } = token;
  return (
    (expiresAtMs !== null && expiresAtMs <= nowMs) ||
    (session !== undefined && session.expiresAtMs <= nowMs)
  );
}

export function toBearer(authorization: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

export function toSessionCredential(secret: string): string {
  return SESSION_MARK + secret;
}

/** Returns the secret if the credential is that of a session. */
export function sessionSecretOf(credential: string): string | undefined {
  return credential.startsWith(SESSION_MARK) ? credential.slice(SESSION_MARK.length) : undefined;
}

/** Returns false for a text that was never issued, so that it costs no query. */
export function isWellFormed(credential: string): boolean {
  const secret = sessionSecretOf(credential);
  return secret === undefined ? isTokenText(credential) : SESSION_SECRET.test(secret);
}
