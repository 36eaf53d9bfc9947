/** A number that is probably a year. */
export const YEAR_LIKE = /^(19\d\d|20[0-4]\d)$/;
