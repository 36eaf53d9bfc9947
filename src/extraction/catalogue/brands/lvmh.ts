import type { BrandData } from "../brand.ts";

export const tagHeuer = {
  name: "TAG Heuer",
  spellings: [
    "tag heuer",
    "tagheuer",
    "heuer",
    "豪雅",
    "泰格豪雅",
    "tag hauer",
    "tag heur",
    "tag huer",
  ],
  shapes: [
    { pattern: "(C|W|S)@@###?[~@@####]", trust: "shape" },
    { pattern: "(C|W)@@#???[~@@###[#]]", trust: "shape" },
    { pattern: "(C|W)@####[.@@####]", trust: "context" },
  ],
  models: [
    {
      name: "Carrera",
      words: ["carrera"],
      references:
        "CBN2010 CBN2011 CBN2A1B CBS2210 CBS2211 CBS2212 CAR201V CAR2A1W CBK2110 CBK2112 WBN2110 WBN2012",
    },
    {
      name: "Monaco",
      words: ["monaco"],
      references: "CAW2111 CAW211P CBL2111 CBL2113 CAL2113 CW2113",
    },
    {
      name: "Aquaracer",
      words: ["aquaracer"],
      references: "WAY208F WAY201A WBP201A WBP201B WBP208C WBP5110 CAY211Z",
    },
    {
      name: "Formula 1",
      words: ["formula 1", "formula one"],
      references: "CAZ101E CAZ1010 WAZ1110 CAZ2011 WBY1160",
    },
    { name: "Autavia", words: ["autavia"], references: "CBE2110 CBE2111 WBE5110 WBE5116" },
    { name: "Link", words: ["tag heuer link"], references: "CBC2110 WBC2110 WAT2010" },
  ],
} as const satisfies BrandData;

export const bulgari = {
  name: "Bulgari",
  spellings: ["bvlgari", "bulgari", "bvl", "bulgary", "宝格丽", "寶格麗"],
  shapes: [{ pattern: "(101|102|103|104)###", trust: "context" }],
  models: [
    {
      name: "Octo Finissimo",
      words: ["octo finissimo", "finissimo"],
      references:
        "102713 103297 103431 103068 103672 103137 103286 102711 102912 103434 103011 103015",
    },
    {
      name: "Octo Roma",
      words: ["octo roma", "octo"],
      references: "102704 103740 103739 103741 103481",
    },
    {
      name: "Serpenti",
      words: ["serpenti", "serpenti tubogas", "serpenti seduttori"],
      references:
        "102969 103145 102919 103361 103250 101816 101817 103143 103144 103147 103261 103700",
    },
    {
      name: "Aluminium",
      words: ["bvlgari aluminium"],
      references: "103382 103445 103383 103868 103701",
    },
    { name: "Diagono", words: ["diagono"] },
  ],
} as const satisfies BrandData;
