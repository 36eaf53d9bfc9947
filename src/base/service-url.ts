/** Returns an address that a browser can open. If the service listens on all addresses, it is the loopback address. */
export function toServiceUrl(host: string, port: number): string {
  const open = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host;
  return `http://${open.includes(":") && !open.startsWith("[") ? `[${open}]` : open}:${port}`;
}
