// How the text of a setting is read: its value, or the reason why it is none.

export function parseText(text: string): { readonly value: string } {
  return { value: text };
}

/** Of several hosts the first is enough to see whether it is an address. */
export function parseDatabaseUrl(text: string) {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text)) {
    return { problem: "must be an address that begins with postgres://" };
  }
  try {
    const { username, password } = new URL(text.replace(/,[^/?]*/, ""));
    decodeURIComponent(username + password);
    return { value: text };
  } catch {
    return {
      problem: "is not a valid address; special characters of the password must be written as %XX",
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
