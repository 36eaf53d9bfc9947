/** Phrases as they are read in a data file: separated by commas, over as many lines as they take. */
export function splitWords(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "");
}
