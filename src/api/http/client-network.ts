import { isIPv6 } from "node:net";

const IPV4_IN_IPV6 = /^::ffff:(\d+(?:\.\d+){3})$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The network of a client, for limits per client: an IPv4 address itself, or the first 64 bits of an IPv6 address, because
 * one subscriber usually has all addresses below them.
 */
export function networkOf(address: string): string {
  const v4 = IPV4_IN_IPV6.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  if (!isIPv6(address)) return address;
  const [start = "", end] = (address.split("%")[0] ?? "").split("::");
  const before = start === "" ? [] : start.split(":");
  const after = end === undefined || end === "" ? [] : end.split(":");
  const zeros = Array.from(
    { length: Math.max(0, GROUPS - before.length - after.length) },
    () => "0",
  );
  const groups = end === undefined ? before : [...before, ...zeros, ...after];
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
