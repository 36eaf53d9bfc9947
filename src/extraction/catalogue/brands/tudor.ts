import { type BrandData, launchYears, usualPrices } from "../brand.ts";

export const tudor = {
  name: "Tudor",
  spellings: ["tudor"],
  shapes: [
    { pattern: "M(12|25|28|35|53|55|56|57|70|74|75|76|79|91)###[@{1,4}][-####]", trust: "shape" },
    { pattern: "M####@#@#[@{1,4}][-####]", trust: "shape" },
    {
      pattern:
        "(79)###[~(MNU|MNUW|MN|CNU|SG|V|GM|RB|DK|CN|KN|BB|BM|BA|SV|TN|TB|N|B|R|G|A|T|P|M)][-####]",
      trust: "shape",
    },
    { pattern: "(25|28|79)##@#@#[@{1,4}][-####]", trust: "shape" },
    {
      pattern:
        "(20|21|25|28|12|70|72|73|74|75|76|91|92|94)###[(TNL|TN|TB|TC|TS|KN|N|B|R|G|T)][-####]",
      trust: "context",
    },
    { pattern: "####[/#]", trust: "context" },
  ],
  prefix: "M",
  models: [
    {
      name: "1926",
      words: ["tudor 1926", "tudor classic 1926", "classic 1926"],
      references: "91350 91351 91450 91451 91550 91551 91650 91651",
    },
    { name: "Prince", words: ["tudor prince", "prince oysterdate", "prince date day"] },
    {
      name: "Monte Carlo",
      words: ["tudor monte carlo"],
      references: "7031 7032 7033 7149 7159 7169 9420 9421 9430 94210 94300",
    },
    {
      name: "Prince Date Chronograph",
      words: ["tudor tiger", "prince date chrono", "tiger prince date"],
      references: "79260 79260P 79261 79263 79263P 79270 79270P 79273 79280 79280P 79283",
    },
    { name: "Fastrider", words: ["fastrider"] },
    { name: "Glamour", words: ["tudor glamour"] },
    { name: "North Flag", words: ["north flag"], references: "91210N" },
    { name: "Grantour", words: ["grantour"], references: "20500N 20350N 20530N" },
    {
      name: "Black Bay",
      words: [
        "black bay",
        "blackbay",
        "bb58",
        "bb54",
        "black bay 58",
        "black bay 54",
        "black bay pro",
        "bb pro",
        "bb41",
        "bb 58",
        "bb 54",
        "black bay gmt",
        "bb gmt",
        "black bay 41",
        "black bay ceramic",
      ],
      references:
        "79220 79220B 79220R 79220N 79230 79230N 79230B 79230R 79230G 79030 79030N 79030B 79018V 79010SG 79000 79000N 79010 79500 79540 79580 79470 79830RB 79733N 79730 79250 79363 79680 79833MN 7941A1A0RU 7941A1A0NU 7939A1A0RU 7939G1A0NRU",
    },
    {
      name: "Black Bay Chrono",
      words: ["black bay chrono", "bb chrono"],
      references: "79350 79360 79360N 79360DK 79360B 79363N",
    },
    { name: "Black Bay Ceramic", references: "79210CNU" },
    {
      name: "Pelagos",
      words: ["pelagos", "pelagos fxd", "pelagos 39", "pelagos ultra", "pelagos lhd", "fxd"],
      references: "25500TN 25600 25600TN 25600TB 25610TNL 25407N 25707B 25717N 25807KN 2543C1A7NU",
    },
    { name: "Ranger", words: ["ranger"], references: "79950 79910" },
    { name: "Royal", words: ["tudor royal"], references: "28300 28400 28500 28600" },
    { name: "Heritage Chrono", words: ["heritage chrono"], references: "70330 70330N 70330B" },
    { name: "Big Block", words: ["big block"], references: "79160 79170 79180 94200" },
    {
      name: "Submariner",
      references:
        "7016 7021 7922 7923 7924 7928 9401 9411 76100 75090 75190 79090 79190 73090 73190",
    },
  ],
  launched: launchYears(`
    2010 70330, 2012 79220 25500TN, 2015 25600, 2016 79230, 2018 79030N 79830RB, 2020 79030B
    2021 79010SG 79018V 79210CNU 79360N 25707B, 2022 25407N 79470 79950, 2023 79000N 7941A1A0RU
  `),
  usual: usualPrices(`
    79030 2700, 79000 2800, 79220 2200, 79230 2600, 79230G 3800, 79250 2500, 79010SG 3000, 79018V 10500, 79500 2000
    79540 2100, 79580 2200, 79470 3000, 79733N 3500, 79830RB 3000, 79833MN 3300, 79210CNU 3400, 7941A1A0RU 3300
    7941A1A0NU 3400, 7939A1A0RU 3500, 7939G1A0NRU 3900, 79350 3300, 79360 4000, 79363 5200, 79950 2300, 79910 1800
    25407N 3200, 25500TN 2400, 25600TN 2700, 25600TB 2700, 25610TNL 3000, 25707B 3000, 25717N 3000, 25807KN 3600
    2543C1A7NU 4300, 28300 1600, 28400 1700, 28500 1800, 28600 2000, 70330 2900
    79260 3200, 79270 3000, 79280 2700, 79160 5500, 79170 5000, 79180 4800, 7016 5500, 7021 9000, 7928 9000
    9401 7500, 9411 7000, 9420 11000, 76100 4000, 75090 2600, 75190 2700, 79090 4500, 79190 4500, 73090 2000, 73190 2300
    91650 1300, 91550 1250, 91450 1150, 91350 1100, 91651 1900, 91551 1800, 91210N 2200, 20350N 1900, 20530N 2000
    79730 2200, 79680 3200
  `),
} as const satisfies BrandData;
