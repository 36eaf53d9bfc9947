import { type BrandData, usualPrices } from "../brand.ts";

export const hublot = {
  name: "Hublot",
  spellings: ["hublot", "hubolt", "hublott", "hubkot"],
  shapes: [
    { pattern: "(1|2|3|4|5|6|7|8|9)##.@@.###[#][.@@][.####][.@@@[##]][.????]", trust: "shape" },
  ],
  models: [
    {
      name: "Big Bang",
      words: ["big bang", "bigbang", "big bang unico", "hublot unico", "meca 10", "meca-10"],
      references:
        "301.SB.131.RX 301.SX.130.RX 301.SX.1170.RX 301.PX.1180.RX 341.SX.130.RX 342.SX.130.RX 361.SX.1270.RX 411.NX.1170.RX 411.CI.1170.RX 411.OX.1180.RX 421.NX.1170.RX 421.CI.1170.RX 441.NX.1170.RX 441.NX.1171.RX 441.CI.1170.RX 441.CI.1171.RX 441.OX.1180.RX 441.OX.1181.RX 451.NX.1170.NX 456.NX.0170.RX",
    },
    {
      name: "Classic Fusion",
      words: ["classic fusion", "aerofusion", "aero fusion"],
      references:
        "511.NX.1171.LR 511.NX.1171.RX 511.NX.7170.LR 511.NX.7170.RX 511.NX.7071.RX 511.NX.8970.LR 511.CM.1171.RX 511.OX.1181.LR 521.NX.1171.LR 521.NX.1171.RX 525.NX.0170.LR 525.CM.0170.RX 541.NX.1171.LR 541.NX.1171.RX 541.NX.7170.LR 541.NX.7170.RX 542.NX.1171.LR 542.NX.1171.RX 542.NX.7170.LR 542.NX.7170.RX 542.NX.1270.RX.MDM 565.NX.1171.LR 565.NX.1171.RX 565.NX.7170.RX 581.NX.1171.RX 581.NX.7170.RX",
    },
    {
      name: "Spirit of Big Bang",
      words: ["spirit of big bang"],
      references:
        "601.NX.0173.LR 601.CI.0173.LR 601.OX.0183.LR 641.NX.0173.LR 642.NX.0170.RX 647.NX.1137.RX",
    },
    { name: "King Power", words: ["king power"] },
    { name: "Square Bang", words: ["square bang"] },
  ],
  nicknames: {
    "sang bleu": { name: "Sang Bleu" },
    orlinski: { name: "Orlinski", model: "Classic Fusion" },
  },
  usual: usualPrices(`
    301.SB.131.RX 5500, 301.SX.130.RX 5300, 301.SX.1170.RX 5500, 301.PX.1180.RX 11500, 411.NX.1170.RX 8800
    411.CI.1170.RX 9500, 421.NX.1170.RX 11000, 421.CI.1170.RX 12000, 441.NX.1170.RX 10500, 441.NX.1171.RX 10500
    441.CI.1170.RX 11500, 441.CI.1171.RX 11500, 441.OX.1180.RX 20500, 441.OX.1181.RX 20500, 451.NX.1170.NX 13000
    456.NX.0170.RX 13500, 511.NX.1171.LR 4700, 511.NX.1171.RX 5000, 511.NX.7170.LR 4700, 511.NX.7170.RX 4900
    511.NX.7071.RX 4700, 521.NX.1171.LR 5700, 521.NX.1171.RX 6000, 525.NX.0170.LR 7500, 541.NX.1171.LR 6000
    541.NX.1171.RX 6300, 542.NX.1171.LR 4700, 542.NX.1171.RX 5000, 542.NX.7170.LR 4700, 542.NX.7170.RX 5000
    565.NX.1171.RX 4500, 565.NX.7170.RX 4500, 601.NX.0173.LR 10000, 641.NX.0173.LR 12000
    341.SX.130.RX 4800, 411.OX.1180.RX 16500, 525.CM.0170.RX 8500, 541.NX.7170.LR 6000, 541.NX.7170.RX 6300
    511.CM.1171.RX 5500, 511.OX.1181.LR 10500, 565.NX.1171.LR 4200, 581.NX.1171.RX 4000, 601.CI.0173.LR 11000
    601.OX.0183.LR 20500, 642.NX.0170.RX 13000
  `),
} as const satisfies BrandData;

export const zenith = {
  name: "Zenith",
  spellings: ["zenith"],
  shapes: [
    { pattern: "(01|02|03|06).####.###[/##[.@###[#]]]", trust: "shape" },
    { pattern: "A(27|34|37|38)#[#]", trust: "context" },
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
  usual: usualPrices(`
    03.3100.3600 6800, 03.3103.3600 7300, 03.3107.3600 6800, 03.3109.3600 6800, 03.3200.3600 6000, 03.2040.400 4000
    03.2040.4061 5200, 03.9300.3620 5600, 95.9000.9004 6800, 49.9000.9004 7000, 97.9100.9004 11500, 03.4000.3620 5300
    49.4000.3652 6300
    11.2430.3000 3000
  `),
} as const satisfies BrandData;

export const tagHeuer = {
  name: "TAG Heuer",
  spellings: ["tag heuer", "tagheuer", "heuer", "tag hauer", "tag heur", "tag huer"],
  shapes: [
    { pattern: "(C|W|S)@@###?[~@@####]", trust: "shape" },
    { pattern: "(C|W)@@#???[~@@###[#]]", trust: "shape" },
    { pattern: "(C|W)@####[.@@####]", trust: "context" },
    {
      pattern: "(11|13|15|21|24|31|36|51|63|72|73|74|77)##[#]@[@[@]]",
      trust: "context",
    },
    { pattern: "(110|150|444|500|510|700|750|844|980).###[@]", trust: "context" },
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
  usual: usualPrices(`
    CBN2010 4300, CBN2011 4300, CBN2A1B 3900, CBS2210 4700, CBS2212 4700, CAR201V 3200, CBK2110 3300, CBK2112 3300
    WBN2110 2100, WBN2012 2100, CAW2111 3900, CAW211P 4600, CBL2111 4600, CBL2113 4700, CAL2113 3800, CW2113 2900
    WAY201A 1700, WBP201A 2100, WBP201B 2100, WBP208C 2600, CAY211Z 2300, CAZ1010 950, WAZ1110 800, CAZ2011 1900
    CBE2110 3000, CBE2111 3000, WBE5110 2000, WBE5116 2100, CBC2110 2700, WAT2010 1500
  `),
} as const satisfies BrandData;

export const bulgari = {
  name: "Bulgari",
  spellings: ["bvlgari", "bulgari", "bvl", "bulgary"],
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
  usual: usualPrices(`
    102713 7500, 103297 9300, 103431 9300, 103434 9300, 103068 11000, 103739 4900, 103740 4900, 103741 5000
    103382 2200, 103445 2300, 103383 3100
  `),
} as const satisfies BrandData;
