/** Splits a text of phrases at commas and line ends. */
export function splitWords(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "");
}
