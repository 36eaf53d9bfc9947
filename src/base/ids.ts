const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** UUID-shaped: any version, either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
