// Parsers for the text of a setting. Each returns the value, or what is wrong with the text.

export function parseText(text: string): { readonly value: string } {
  return { value: text };
}

/** Checks only the first of several hosts, because `URL` accepts one. */
export function parseDatabaseUrl(text: string) {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text)) {
    return { problem: "must start with postgres://" };
  }
  try {
    const { username, password } = new URL(text.replace(/,[^/?]*/, ""));
    decodeURIComponent(username + password);
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
