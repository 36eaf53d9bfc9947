/** Careful reading of JSON that came from outside: whatever is not there, or is something else, is undefined. */
export type Json = Readonly<Record<string, unknown>>;

export function toObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The member at a path of names; own members only, so that `__proto__` is a name like any other. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((current, name) => {
    const object = toObject(current);
    return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
  }, value);
}

/** A text that is not empty. */
export function textAt(value: unknown, ...names: readonly string[]): string | undefined {
  const found = at(value, ...names);
  return typeof found === "string" && found !== "" ? found : undefined;
}

const MS_FROM = 100_000_000_000;
/** WhatsApp is from 2009; what lies before that or a century later is no time of a message. */
const TIME_MIN_MS = Date.UTC(2009, 0, 1);
const TIME_MAX_MS = Date.UTC(2109, 0, 1);

/** A gateway's time, in seconds or milliseconds, as whole milliseconds. */
export function timeAt(value: unknown, ...names: readonly string[]): number | undefined {
  const found = Number(at(value, ...names) ?? Number.NaN);
  const ms = Math.floor(found > MS_FROM ? found : found * 1000);
  return ms >= TIME_MIN_MS && ms < TIME_MAX_MS ? ms : undefined;
}
