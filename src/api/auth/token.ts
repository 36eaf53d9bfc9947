import crypto, { createHash, randomBytes } from "node:crypto";
import type { ConsoleSession } from "./console-session.ts";

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly expiresAtMs: number | null;
  /** The session of the browser, if the request has no token itself. */
  readonly session?: ConsoleSession;
}

const TOKEN_START = "assay_";
const SECRET_BYTES = 32;
const TOKEN_TEXT = /^assay_[A-Za-z0-9_-]{43}$/;
/** Enough characters to distinguish tokens in a list, and far too few to guess the rest. */
const PREFIX_LENGTH = TOKEN_START.length + 6;

/** 256 random bits after a fixed start that secret scanners can look for. */
export function createTokenText(): string {
  return TOKEN_START + randomBytes(SECRET_BYTES).toString("base64url");
}

export function isTokenText(text: string): boolean {
  return TOKEN_TEXT.test(text);
}

export function tokenPrefix(text: string): string {
  return text.slice(0, PREFIX_LENGTH);
}

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
