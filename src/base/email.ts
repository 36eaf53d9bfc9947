/** One plain address. Quoted forms, comments and lists are refused, so it can stand in a header as it is. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/;

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}
