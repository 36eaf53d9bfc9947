import type { BrandData } from "../brand.ts";
import { usualPrices } from "../fact-lists.ts";

export const blancpain = {
  name: "Blancpain",
  spellings: ["blancpain", "宝珀", "寶珀", "blanc pain", "blancpan"],
  shapes: [
    { pattern: "####[@]-####[@]-##[@][@]", trust: "shape" },
    { pattern: "####-####-@##[@]", trust: "shape" },
  ],
  models: [
    {
      name: "Fifty Fathoms",
      words: ["fifty fathoms", "50 fathoms", "五十噚", "bathyscaphe", "fifty fathoms bathyscaphe"],
      references: "5015 5010 5000 5007 5008 5052 5054 5066 5085 5100 5200 2200",
    },
    { name: "Villeret", words: ["villeret"], references: "6651 6654 6656 6606 6127 6104 6661" },
    { name: "Air Command", words: ["air command"] },
    { name: "Leman", words: ["leman"], references: "2100 2885 2185" },
  ],
  usual: usualPrices(`
    5015-1130 11000, 5015-12B30 11500, 5015-3630 19000, 5010-12B30 12500, 5000-1110 7700, 5000-0130 9300, 5000-0240 9300
    5200-1110 10500, 5200-0130 11000, 6651-1127 6000, 6651-3642 9500, 6654-1127 9300, 6654-3642 15500
  `),
} as const satisfies BrandData;
