import type { BrandData } from "./brand.ts";

export const tudor = {
  name: "Tudor",
  spellings: ["tudor", "帝舵", "帝陀"],
  shapes: [
    { pattern: "M(7|2|1)####[?{1,6}][-####]", trust: "shape" },
    {
      pattern: "(79)###[~(MNU|MNUW|CNU|SG|V|GM|RB|DK|CN|KN|BB|SV|TN|TB|N|B|R|G|A|T|P)][-####]",
      trust: "shape",
    },
    { pattern: "7941A1A0(RU|NU|NR)[-####]", trust: "shape" },
    { pattern: "7939@?@?@@[-####]", trust: "shape" },
    { pattern: "7939G1A0NRU[-####]", trust: "shape" },
    {
      pattern: "(25|28|12|70|74|75|76)###[(TNL|TN|TB|TC|TS|KN|N|B|R|G|T)][-####]",
      trust: "context",
    },
    { pattern: "####[/#]", trust: "context" },
  ],
  models: [
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
      ],
      references:
        "79220 79220B 79220R 79220N 79230 79230N 79230B 79230R 79230G 79030 79030N 79030B 79018V 79010SG 79000 79000N 79010 79500 79540 79580 79470 79830RB 79733N 79730 79250 79363 7941A1A0RU 7941A1A0NU",
    },
    {
      name: "Black Bay Chrono",
      words: ["black bay chrono", "bb chrono"],
      references: "79350 79360 79360N 79360DK 79360B 79363N",
    },
    { name: "Black Bay Ceramic", references: "79210CNU" },
    {
      name: "Pelagos",
      words: ["pelagos", "pelagos fxd", "pelagos 39"],
      references: "25500TN 25600TN 25600TB 25610TNL 25407N 25707B 25717N 25807KN",
    },
    { name: "Ranger", words: ["ranger"], references: "79950 79910" },
    { name: "Royal", references: "28300 28400 28500 28600" },
    { name: "Heritage Chrono", words: ["heritage chrono"], references: "70330N 70330B" },
    { name: "Big Block", words: ["big block"], references: "79160 79170 79180 94200" },
    {
      name: "Submariner",
      references: "7016 7021 7922 7924 7928 9401 9411 76100 75090 79090 79190",
    },
  ],
} as const satisfies BrandData;
