import type { BrandData } from "../brand.ts";

export const breguet = {
  name: "Breguet",
  spellings: ["breguet", "宝玑", "寶璣"],
  shapes: [{ pattern: "####(BA|BB|BR|PT|ST|TI|BH)[/??[/???]]", trust: "shape" }],
  models: [
    {
      name: "Classique",
      words: ["classique"],
      references: "5177 5157 7147 7137 7337 5277 3137 3130 5140 7787 5317 5327",
    },
    { name: "Marine", words: ["breguet marine"], references: "5517 5527 5547 5817 5827 5887 5847" },
    {
      name: "Tradition",
      words: ["breguet tradition"],
      references: "7027 7057 7097 7077 7037 7047",
    },
    {
      name: "Type XX",
      words: ["type xx", "type xxi", "type 20"],
      references: "3800 3810 3820 3880 2057 2067",
    },
    { name: "Reine de Naples", words: ["reine de naples"], references: "8918 8928 8908" },
  ],
} as const satisfies BrandData;

export const blancpain = {
  name: "Blancpain",
  spellings: ["blancpain", "宝珀", "寶珀"],
  shapes: [{ pattern: "####[@]-####[@]-##[@][@]", trust: "shape" }],
  models: [
    {
      name: "Fifty Fathoms",
      words: ["fifty fathoms", "50 fathoms", "五十噚"],
      references: "5015 5010 5000 5008 5200 5052 5085 2200",
    },
    { name: "Villeret", words: ["villeret"], references: "6651 6654 6656 6606 6127 6104 6661" },
    { name: "Air Command", words: ["air command"] },
    { name: "Leman", words: ["leman"], references: "2100 2885 2185" },
  ],
} as const satisfies BrandData;

export const longines = {
  name: "Longines",
  spellings: ["longines", "浪琴"],
  shapes: [{ pattern: "L#[.]###[.]#[.]##[.]#", trust: "shape" }],
  models: [
    { name: "Spirit", words: ["longines spirit"] },
    { name: "HydroConquest", words: ["hydroconquest"] },
    { name: "Master Collection", words: ["longines master"] },
  ],
} as const satisfies BrandData;
