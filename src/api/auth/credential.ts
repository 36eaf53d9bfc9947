/**
 * What proves who sends a request: the text of a token, or the secret of a console session behind a mark. A bearer header
 * cannot have a space, so a session's secret never works as a token, nor a token as a session's secret.
 */
import { isTokenText } from "./token.ts";

const SESSION_MARK = "session ";
/** 256 random bits. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

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
  return secret === undefined ? isTokenText(credential) : SECRET.test(secret);
}
