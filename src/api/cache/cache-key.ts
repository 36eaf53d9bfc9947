/**
 * A cache key is an id, optionally followed by a space and more words, such as `<alert id> 0 50 false`. The change feed
 * announces ids, so a cache finds all keys of a changed row by this first word.
 */
export function keyId(key: string): string {
  const end = key.indexOf(" ");
  return end < 0 ? key : key.slice(0, end);
}
