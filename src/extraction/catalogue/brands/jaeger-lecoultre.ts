import { type BrandData, usualPrices } from "../brand.ts";

export const jaegerLeCoultre = {
  name: "Jaeger-LeCoultre",
  spellings: [
    "jaeger lecoultre",
    "jaeger-lecoultre",
    "jaeger le coultre",
    "jaeger",
    "lecoultre",
    "jlc",
    "jeager lecoultre",
    "jaeger lecoutre",
    "jager lecoultre",
    "jaeger lecoulter",
    "jeager le coultre",
  ],
  shapes: [
    { pattern: "Q######?[?]", trust: "shape" },
    { pattern: "#######", trust: "context" },
    { pattern: "###@###[@]", trust: "context" },
    { pattern: "######@", trust: "context" },
    { pattern: "###[.]#[.]##[@]", trust: "context" },
  ],
  prefix: "Q",
  models: [
    { name: "Duomètre", words: ["duometre"] },
    { name: "Geophysic", words: ["geophysic"] },
    { name: "Master Compressor", words: ["master compressor"] },
    { name: "AMVOX", words: ["amvox"] },
    {
      name: "Reverso",
      words: ["reverso"],
      references:
        "3848420 3848422 3858520 3858522 3978480 397848J 2438520 2438522 3828420 2458422 2788570 3958420 3988482 713842J 713257J 2708110",
    },
    {
      name: "Master Ultra Thin",
      words: ["master ultra thin"],
      references: "1368420 1368430 1278420 1338421 1368480 1302520",
    },
    {
      name: "Master Control",
      words: ["master control"],
      references: "1548420 4018420 4138420 4148420 4148480 1548530 1558420",
    },
    {
      name: "Polaris",
      words: ["polaris"],
      references: "9008170 9008180 9068670 9068650 9028180 9068681 906868J 9038180",
    },
    { name: "Rendez-Vous", words: ["rendez vous"], references: "3468421 3448421 3578480" },
    { name: "Memovox", words: ["memovox"] },
  ],
  usual: usualPrices(`
    2438520 4500, 2438522 4600, 3848420 7300, 3848422 7500, 3858520 6000, 3858522 6200, 3978480 7000, 397848J 7000
    3988482 9800, 2458422 6300, 1278420 4200, 1338421 4500, 1368420 6000, 1368430 6200, 1548420 3700, 1558420 5600
    4018420 5800, 4138420 10500, 4148420 8800, 9008170 4300, 9008180 4500, 9028180 6300, 9068670 5500, 9068681 6200
    906868J 6800, 3448421 5300, 3468421 4800
  `),
} as const satisfies BrandData;
