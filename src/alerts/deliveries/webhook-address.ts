import { lookup as resolve } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** IPv4 networks that are not public, from the IANA special-purpose registry; below also those of IPv6. */
const SPECIAL = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  SPECIAL.addSubnet(net, prefix, "ipv4");
}
/** The public IPv6 network. Its special-purpose parts are excluded below. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
for (const [net, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  SPECIAL.addSubnet(net, prefix, "ipv6");
}

/** Returns true if the address is on the public internet, so that a request to it cannot reach an internal service. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL.check(address, "ipv4");
  if (family !== 6 || address.includes("%")) return false;
  return GLOBAL.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}

/** The message is stored as the result of the attempt. */
export class AddressError extends Error {
  constructor() {
    super("private address refused");
    this.name = "AddressError";
  }
}

/**
 * Resolves a name and rejects it if any of its addresses is not public. The connection uses the addresses that were
 * checked, so a name that resolves differently the next time (DNS rebinding) has no effect.
 */
export const lookUpPublic: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { all: true }).then(
    (found) => {
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => isPublicAddress(address))) {
        done(new AddressError(), "", 0);
      } else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    },
    (error: NodeJS.ErrnoException) => done(error, "", 0),
  );
};
