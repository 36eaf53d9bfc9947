import type { BrandData } from "../brand.ts";
import { EUROPEAN_HOUSES } from "./houses-europe.ts";
import { OTHER_HOUSES } from "./houses-world.ts";

/**
 * Watch houses that dealers trade rarely: names and spellings, and models where a word surely means one. They have no
 * shapes, so a reference counts only if the dealer announces it ("Ref. 709").
 *
 * One house a line: `name: spellings; model = words; model = words`. The name is the spelling if there is no other. A
 * name that is also an ordinary word (Ball, Sinn, Citizen) has spellings of several words only, because a spelling alone
 * makes a text a candidate for a watch.
 */
export const houses: readonly BrandData[] = `${EUROPEAN_HOUSES}\n${OTHER_HOUSES}`
  .split("\n")
  .map((line) => line.trim())
  .filter((line) => line !== "")
  .map(parseHouse);

function parseHouse(line: string): BrandData {
  const [head = "", ...models] = line.split(";");
  const [name = "", spellings] = head.split(":");
  return {
    name: name.trim(),
    spellings: spellings === undefined ? [name.trim().toLowerCase()] : splitSpellings(spellings),
    shapes: [],
    models: models.map((model) => {
      const [modelName = "", words = ""] = model.split("=");
      return { name: modelName.trim(), words: splitSpellings(words) };
    }),
  };
}

function splitSpellings(text: string): string[] {
  return text.split(",").map((spelling) => spelling.trim());
}
