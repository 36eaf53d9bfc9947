import type { BrandData } from "../brand.ts";

export const hublot = {
  name: "Hublot",
  spellings: ["hublot", "宇舶", "恒宝"],
  shapes: [
    { pattern: "(1|2|3|4|5|6|7|8|9)##.@@.###[#][.@@][.####][.@@@[##]][.????]", trust: "shape" },
  ],
  models: [
    { name: "Big Bang", words: ["big bang", "bigbang", "big bang unico"] },
    { name: "Classic Fusion", words: ["classic fusion"] },
    { name: "Spirit of Big Bang", words: ["spirit of big bang"] },
    { name: "King Power", words: ["king power"] },
    { name: "Square Bang", words: ["square bang"] },
  ],
} as const satisfies BrandData;

export const tagHeuer = {
  name: "TAG Heuer",
  spellings: ["tag heuer", "tagheuer", "heuer", "豪雅", "泰格豪雅"],
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

export const zenith = {
  name: "Zenith",
  spellings: ["zenith", "真力时", "真力時"],
  shapes: [
    {
      pattern:
        "(03|11|16|18|22|24|27|30|32|40|45|49|51|65|95|96|97|98|99|10).#{3,4}[.]####[/_##[.@###[#]]]",
      trust: "shape",
    },
    {
      pattern:
        "(03|10|11|12|16|18|22|24|27|30|32|40|45|49|51|65|87|95|96|97|98|99).?###.#{3,4}[/_##[.@###[#]]]",
      trust: "shape",
    },
  ],
  models: [
    {
      name: "Chronomaster Sport",
      words: ["chronomaster sport"],
      references: "03.3100.3600 03.3102.3600 03.3103.3600 03.3107.3600 03.3109.3600",
    },
    {
      name: "Chronomaster",
      words: ["chronomaster", "chronomaster original", "el primero", "chronomaster revival"],
      references: "03.3200.3600 03.2040.400 03.2040.4061 03.3400.3610 03.A386.400",
    },
    {
      name: "Defy",
      words: ["defy", "defy skyline", "defy extreme", "defy 21"],
      references: "03.9300.3620 95.9000.9004 49.9000.9004 03.9400.670 97.9100.9004",
    },
    {
      name: "Pilot",
      words: ["zenith pilot"],
      references: "03.4000.3620 49.4000.3652 11.2430.3000",
    },
  ],
} as const satisfies BrandData;

export const bvlgari = {
  name: "Bvlgari",
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
