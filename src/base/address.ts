import { isIP } from "node:net";

/** All addresses that begin with the same `prefix` bits as `address`. */
export interface AddressRange {
  readonly address: string;
  readonly prefix: number;
}

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };
/** A zone or an IPv4 address in IPv6 notation would match no client. */
const UNUSABLE = /%|^::ffff:/i;

/** Parses the text of a setting: addresses and networks, separated by commas. */
export function parseAddressRanges(
  text: string,
): { readonly value: readonly AddressRange[] } | { readonly problem: string } {
  const ranges: AddressRange[] = [];
  for (const entry of text.split(",")) {
    const range = findRange(entry.trim());
    if (range === undefined) {
      return {
        problem:
          "must be addresses or networks, such as 127.0.0.1 or 10.0.0.0/8, separated by commas",
      };
    }
    if (range.prefix === 0) {
      return { problem: "must be your own proxies only: every address would let clients name any" };
    }
    ranges.push(range);
  }
  return { value: ranges };
}

function findRange(entry: string): AddressRange | undefined {
  const [address = "", length, ...rest] = entry.split("/");
  const bits = BITS[isIP(address)];
  if (bits === undefined || rest.length > 0 || UNUSABLE.test(address)) return undefined;
  if (length === undefined) return { address, prefix: bits };
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return prefix <= bits ? { address, prefix } : undefined;
}

/** Returns true if only this machine can reach the service. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Returns an address that a browser can open. If the service listens on all addresses, it is the loopback address. */
export function toServiceUrl(host: string, port: number): string {
  const open = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host;
  return `http://${open.includes(":") && !open.startsWith("[") ? `[${open}]` : open}:${port}`;
}

/** One plain address. Quoted forms, comments and lists are refused, so it can stand in a header as it is. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/;

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}
