import type { TextSpan } from "../../../client/assay-client.ts";
import { hidePhones } from "../../parts/hide-phones.ts";
import { isPresenting } from "../../state/preferences.ts";

/** Words of one value are short; a text that was made to have long ones is cut. */
const WORDS_MAX = 120;

/** The words of a text at these places. */
export function quote(text: string, spans: readonly TextSpan[]): string {
  const words = spans.map(({ start, end }) => text.slice(start, end)).join(" / ");
  const short = words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)} …` : words;
  return isPresenting.value ? hidePhones(short) : short;
}
