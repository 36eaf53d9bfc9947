import type { BrandData } from "../brand.ts";
import { usualPrices } from "../fact-lists.ts";

export const breguet = {
  name: "Breguet",
  spellings: ["breguet", "宝玑", "寶璣", "bregeut", "breget"],
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
  usual: usualPrices(`
    5177BA 12000, 5177BB 11500, 5177BR 12500, 5157BA 10000, 5157BB 10000, 7147BB 12500, 7147BR 12500, 7337BR 22000
    5517TI 11500, 5517ST 12000, 5527TI 14000, 5547TI 16500, 5817ST 10500, 7027BR 18500, 7027BB 18500, 7057BR 17000
    7057BB 17000, 7097BB 22000, 3800ST 5000, 3820ST 5200, 2057ST 12000, 2067ST 12000, 8918BB 18000, 8918BR 19500
  `),
} as const satisfies BrandData;
