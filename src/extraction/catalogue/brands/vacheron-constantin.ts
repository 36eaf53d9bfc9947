import { type BrandData, launchYears, usualPrices } from "../brand.ts";

export const vacheronConstantin = {
  name: "Vacheron Constantin",
  spellings: [
    "vacheron constantin",
    "vacheron",
    "vacheron constantine",
    "vc",
    "vacheron constatin",
    "vacheron contantin",
    "vacheron & constantin",
  ],
  shapes: [
    { pattern: "####@_/_###@[~?###]", trust: "shape" },
    { pattern: "#####_/_###@[~?###]", trust: "shape" },
    { pattern: "#####-###@[-?###]", trust: "shape" },
    {
      pattern: "####(V|E|U|H|S|T|K|F)",
      trust: "context",
    },
    { pattern: "#####", trust: "context" },
  ],
  models: [
    {
      name: "Overseas",
      words: ["overseas"],
      references:
        "42040 42042 42050 42052 47040 47450 49150 4300V 4500V 4520V 4600V 5100V 5110V 5500V 5520V 6000V 6007V 2000V 2300V 2305V 2500V 4000V 7700V 7900V 7910V 7920V 1205V",
    },
    {
      name: "Historiques",
      words: ["historiques", "historiques 222", "vacheron 222"],
      references: "4200H 1100S 81180 82035 86122 37001",
    },
    {
      name: "Patrimony",
      words: ["patrimony"],
      references: "43175 81160 81180 81530 85180 85515 86020 4110U 4010U 4100U 4115U 1110U 1410U",
    },
    {
      name: "Traditionnelle",
      words: ["traditionnelle", "traditionelle"],
      references: "82172 83570 87172 4000T 4010T 5000T 6000T 82572 80172 88172",
    },
    { name: "Fiftysix", words: ["fiftysix", "fifty six"], references: "4000E 4400E 4600E" },
    { name: "Malte", words: ["malte"], references: "30130 82130 47112 42015" },
    { name: "Égérie", words: ["egerie"], references: "8005F 4605F" },
  ],
  nicknames: {
    "american 1921": { name: "American 1921", model: "Historiques", references: "82035 1100S" },
    "cornes de vache": { name: "Cornes de Vache", model: "Historiques" },
  },
  launched: launchYears(`
    2016 4300V 4500V 5500V 2305V, 2018 7900V 4600E 4000E, 2019 6000V, 2022 4200H
  `),
  /** By case metal. A number without it has no price, unless nearly all of its watches are of steel. */
  usual: usualPrices(`
    4500V/110A 23000, 4500V/110R 46000, 4500V/000R 33000, 4520V/210A 27500, 4520V/210R 60000, 5500V/110A 29500
    5500V/110R 52000, 5520V/210A 31000, 5520V/210R 63000, 7900V/110A 27000, 7920V/210A 31000, 4000V/210A 36000
    4300V/120R 88000, 4300V/120G 92000, 6000V/110A 105000, 6000V/110R 150000, 42042 12500, 47040 13500, 47450 13000
    49150 14000, 4200H/222A 40000, 4200H/222J 75000, 82035/000R 30000, 1100S/000R 26000
    81180/000G 15000, 81180/000J 14500, 81180/000R 15500, 85180/000R 18000, 85180/000J 17000, 43175/000R 40000
    82172/000G 14500, 82172/000R 14500, 4600E/000A 9000, 4600E/000R 17500, 4000E/000A 14500, 4000E/000R 21500
    2305V/100A 21000, 4400E/000A 13000, 1110U/000R 16500
  `),
} as const satisfies BrandData;
