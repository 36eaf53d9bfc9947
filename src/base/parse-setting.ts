import { isEmail } from "./email.ts";

// Parsers for the text of a setting. Each returns the value, or what is wrong with the text.

export function parseText(text: string): { readonly value: string } {
  return { value: text };
}

/** The driver has no fallback between TLS and plain text, so modes with one are refused. */
const TLS_MODES = ["disable", "require", "verify-ca", "verify-full"];

/** Accepts several hosts, separated by commas, as libpq does. */
export function parseDatabaseUrl(text: string) {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?)([^/?#\s]*)(\S*)$/.exec(text);
  if (parts === null) return { problem: "must start with postgres://" };
  const [, before = "", hosts = "", after = ""] = parts;
  try {
    for (const host of hosts.split(",")) {
      if (host === "" && hosts !== "") return { problem: "has a comma next to no host" };
      const { username, password, searchParams } = new URL(before + host + after);
      decodeURIComponent(username + password);
      const mode = searchParams.get("sslmode") ?? "disable";
      if (!TLS_MODES.includes(mode)) {
        return { problem: `has sslmode=${mode}; use ${TLS_MODES.join(", ")}` };
      }
    }
    return { value: text };
  } catch {
    return {
      problem: "is not a valid address; write special characters in the password as %XX",
    };
  }
}

export function parseBoolean(text: string) {
  if (text === "true" || text === "1") return { value: true };
  if (text === "false" || text === "0") return { value: false };
  return { problem: "must be true or false" };
}

export function parseInteger(text: string, range: { readonly min: number; readonly max: number }) {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return { value };
  return { problem: `must be a whole number from ${range.min} to ${range.max}` };
}

export function parseHttpUrl(text: string) {
  if (/^https?:\/\/[^\s@]+$/.test(text)) return { value: text };
  return { problem: "must start with http:// or https://" };
}

/** A name and password are part of the address, so the text is a secret. */
export function parseSmtpUrl(text: string) {
  try {
    const { protocol, hostname, username, password } = new URL(text);
    decodeURIComponent(username + password);
    if (["smtp:", "smtps:"].includes(protocol) && hostname !== "") return { value: text };
  } catch {
    // Reported below.
  }
  return {
    problem:
      "must be smtp://user:password@host:port or smtps://…; write special characters in the password as %XX",
  };
}

export function parseEmail(text: string) {
  return isEmail(text)
    ? { value: text }
    : { problem: "must be one e-mail address, without a name" };
}

export function parseOneOf<Value extends string>(text: string, values: readonly Value[]) {
  const value = values.find((one) => one === text);
  return value === undefined ? { problem: `must be one of ${values.join(", ")}` } : { value };
}
