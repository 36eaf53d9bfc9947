import { StoreDownError } from "../store-error.ts";

/** The part of the driver's connection that reports what the server asks for. */
interface AuthenticationEvents {
  prependListener(event: string, listener: () => void): unknown;
}

export interface ScramProof {
  /** True once the server has proved that it knows the password, as SCRAM demands of both sides. */
  isProven(): boolean;
}

/** As libpq's parameter of this name. */
export function requiresScram(url: string): boolean {
  return /[?&]require_auth=scram-sha-256(?:&|$)/.test(url);
}

/**
 * A program that takes the port of a stopped server could ask for the password itself, and the driver would send it. So
 * such a request ends the connection before the driver can answer. A program that asks for nothing is refused by the
 * caller, because it has proved nothing.
 */
export function requireScram(
  connection: AuthenticationEvents,
  destroy: (error: Error) => void,
): ScramProof {
  let isProven = false;
  for (const event of ["authenticationCleartextPassword", "authenticationMD5Password"]) {
    connection.prependListener(event, () =>
      destroy(new StoreDownError("the server asks for the password itself; it is not ours")),
    );
  }
  // The driver checks the signature in it, and fails to connect if it is wrong.
  connection.prependListener("authenticationSASLFinal", () => {
    isProven = true;
  });
  return { isProven: () => isProven };
}
