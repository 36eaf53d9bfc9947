/** The content codings that responses may have, in the order of our preference. */
const CODINGS = ["br", "gzip"] as const;

export type Coding = (typeof CODINGS)[number];

interface Choice {
  /** Absent: the client accepts none of ours, or prefers a body without a coding. */
  readonly coding?: Coding;
  readonly isIdentityRefused: boolean;
}

/** A smaller body fits into one packet anyway. */
const BYTES_MIN = 1024;
/** Clients send few different headers, and parsing one takes longer than sending a kept answer. */
const KNOWN_MAX = 100;

const known = new Map<string, Choice>();

/** Returns the coding for a body of this size, or undefined if it must be sent as it is (RFC 9110, 12.5.3). */
export function chooseCoding(accepted: string | undefined, byteCount: number): Coding | undefined {
  if (accepted === undefined) return undefined;
  const { coding, isIdentityRefused } = choiceOf(accepted);
  return byteCount > BYTES_MIN || isIdentityRefused ? coding : undefined;
}

function choiceOf(accepted: string): Choice {
  const found = known.get(accepted);
  if (found !== undefined) return found;
  if (known.size >= KNOWN_MAX) known.clear();
  const choice = parseAccepted(accepted);
  known.set(accepted, choice);
  return choice;
}

/**
 * If no coding is acceptable and identity is refused too, the body is sent as it is: RFC 9110 allows that, and an error
 * would help the client less.
 */
function parseAccepted(accepted: string): Choice {
  const weights = new Map(accepted.split(",").map(parseElement));
  const weightOf = (name: string): number | undefined => weights.get(name) ?? weights.get("*");
  const identity = weightOf("identity");
  let best: Coding | undefined;
  for (const coding of CODINGS) {
    if ((weightOf(coding) ?? 0) > (best === undefined ? 0 : (weightOf(best) ?? 0))) best = coding;
  }
  const isPreferred = best !== undefined && (weightOf(best) ?? 0) >= (identity ?? 0);
  return {
    ...(best !== undefined && isPreferred ? { coding: best } : {}),
    isIdentityRefused: identity === 0,
  };
}

/** A weight that is not valid refuses its coding. */
function parseElement(element: string): readonly [name: string, weight: number] {
  const [name = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0;
  return [name === "x-gzip" ? "gzip" : name, weight];
}
