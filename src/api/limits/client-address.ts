/**
 * The address of a client and its network, for limits per client. Behind a proxy, all requests come from the proxy's address, and the header
 * `X-Forwarded-For` has the client's. Anyone can send that header, so it is read only as far as trusted proxies wrote it: each of
 * them appends the address from which it got the request.
 *
 * Example: 10.0.0.0/8 is trusted. 10.0.0.1 sends `X-Forwarded-For: 192.0.2.1, 203.0.113.9, 10.0.0.2`. The proxy 10.0.0.2
 * got the request from 203.0.113.9, so that is the client. It wrote 192.0.2.1 itself, which proves nothing.
 *
 * Nothing else is taken from a proxy's headers, whether it is trusted or not: they make no cookie secure and no event direct.
 */
import { BlockList, isIP, isIPv6 } from "node:net";
import type { AddressRange } from "../../base/address.ts";

/** As much of a request as is needed. */
interface Sent {
  readonly ip: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const PORT_BEHIND_V4 = /^(\d+(?:\.\d+){3}):\d+$/;
const IN_BRACKETS = /^\[([^\]]+)\](?::\d+)?$/;
const IPV4_IN_IPV6 = /^::ffff:(\d+(?:\.\d+){3})$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Returns the function that finds the address of a request's client. */
export function createClientAddress(trusted: readonly AddressRange[]): (request: Sent) => string {
  const proxies = new BlockList();
  for (const { address, prefix } of trusted) {
    proxies.addSubnet(address, prefix, isIPv6(address) ? "ipv6" : "ipv4");
  }
  const isProxy = (address: string): boolean => {
    const plain = withoutZone(address);
    // An IPv4 address in IPv6 notation is compared with IPv4 ranges too.
    return isIP(plain) !== 0 && proxies.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
  return ({ ip, headers }) => {
    const hops = String(headers["x-forwarded-for"] ?? "").split(",");
    let address = ip;
    while (isProxy(address)) {
      const before = findAddress(hops.pop() ?? "");
      // The proxy does not say where the request came from, so it counts as the client itself.
      if (before === undefined) return address;
      address = before;
    }
    return address;
  };
}

/**
 * The network of a client: an IPv4 address itself, or the first 64 bits of an IPv6 address, because
 * one subscriber usually has all addresses below them.
 */
export function networkOf(address: string): string {
  const v4 = IPV4_IN_IPV6.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  if (!isIPv6(address)) return address;
  const [start = "", end] = withoutZone(address).split("::");
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

/** Some proxies append the port, which differs for every connection of a client. */
function findAddress(text: string): string | undefined {
  const entry = text.trim();
  const address = PORT_BEHIND_V4.exec(entry)?.[1] ?? IN_BRACKETS.exec(entry)?.[1] ?? entry;
  return isIP(address) === 0 ? undefined : address;
}

function withoutZone(address: string): string {
  return address.split("%", 1)[0] ?? "";
}
