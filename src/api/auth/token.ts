import crypto, { createHash, randomBytes } from "node:crypto";

/** What is known of a token that may call the API. */
export interface ApiToken {
  readonly id: string;
  readonly isReadOnly: boolean;
  readonly expiresAtMs: number | null;
}

const MARK = "assay_";
const SECRET_BYTES = 32;
const SHAPE = /^assay_[A-Za-z0-9_-]{43}$/;
/** Enough of it to tell tokens apart in a list, far too little to guess the rest. */
const PREFIX_LENGTH = MARK.length + 6;

/** 256 random bits behind a mark that secret scanners can look for. */
export function createTokenText(): string {
  return MARK + randomBytes(SECRET_BYTES).toString("base64url");
}

export function isTokenText(text: string): boolean {
  return SHAPE.test(text);
}

export function tokenPrefix(text: string): string {
  return text.slice(0, PREFIX_LENGTH);
}

export function tokenSha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The same as a text. Every request asks for it, and the one-shot way of newer Nodes costs a third. */
export const tokenKey: (text: string) => string =
  typeof crypto.hash === "function"
    ? (text) => crypto.hash("sha256", text, "base64")
    : (text) => tokenSha256(text).toString("base64");

export function isExpired(token: ApiToken, nowMs: number): boolean {
  return token.expiresAtMs !== null && token.expiresAtMs <= nowMs;
}
