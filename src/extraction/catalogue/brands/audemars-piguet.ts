import type { BrandData } from "../brand.ts";
import { launchYears, usualPrices } from "../fact-lists.ts";

export const audemarsPiguet = {
  name: "Audemars Piguet",
  spellings: [
    "audemars piguet",
    "audemars",
    "audemarspiguet",
    "audemar piguet",
    "audemars pigeut",
    "a.p",
    "ap",
    "ay pea",
    "爱彼",
    "愛彼",
    "audemars piget",
    "audermars piguet",
    "audemar piget",
    "audermars",
    "audemar",
  ],
  shapes: [
    {
      pattern:
        "(14|15|16|22|25|26|56|66|67|77|79)###~(ST|OR|BA|BC|CE|TI|PT|SR|CR|IO|IK|IP|FO|SK|SO|CN|CD|CB|CS|NB|XT|OK|SP|RO|SA|SN|TR|AU|AL|NR|OI|CA|PR|AR|IS|IT|FT|BZ|FS|QT|SG|SV)[(.??[?].????@@.##[.@]|_.##)]",
      trust: "shape",
    },
    { pattern: "(14|15|16|22|25|26|66|67|77|79)###", trust: "context" },
  ],
  models: [
    {
      name: "Royal Oak",
      words: ["royal oak", "royaloak", "皇家橡树"],
      references:
        "14790 15000 15002 15005 15050 15056 15100 15154 15190 15202 15300 15305 15400 15402 15407 15410 15412 15413 15416 15450 15451 15452 15454 15458 15466 15467 15468 15500 15510 15514 15550 15551 15552 15553 16202 16204 25594 25654 25686 25730 25820 25829 25860 25865 25960 25969 26022 26120 26240 26300 26315 26317 26320 26326 26327 26330 26331 26332 26333 26334 26510 26511 26517 26522 26530 26534 26552 26574 26579 26583 26584 26585 26586 26587 26591 26603 26606 26609 26614 26615 26670 26674 26715 26730 26735 26239 67600 67601 67630 67650 67651 67652 67653 67654 77350 77351 77353 77450 77451 77452 79450",
    },
    {
      name: "Royal Oak Offshore",
      words: ["royal oak offshore", "offshore", "roo", "0ffshore"],
      references:
        "15600 15605 15701 15702 15703 15706 15707 15710 15711 15720 25721 25770 25854 25940 25986 26020 26067 26092 26133 26150 26165 26170 26174 26175 26176 26178 26179 26180 26182 26183 26205 26207 26208 26210 26215 26217 26218 26219 26231 26236 26237 26238 26278 26287 26288 26290 26298 26299 26304 26400 26401 26402 26405 26406 26407 26408 26410 26411 26415 26420 26421 26422 26470 26471 26473 26474 26475 26476 26480 26481 26487 26540 26542 26544 26545 26550 26560 26561 26568 26569 26571 26703 26048 77227",
    },
    {
      name: "Royal Oak Concept",
      words: ["royal oak concept"],
      references:
        "25980 26221 26223 26227 26228 26265 26288 26560 26587 26589 26620 26621 26630 26650",
    },
    {
      name: "Code 11.59",
      words: ["code 11.59", "code 1159"],
      references: "15210 26393 26394 26395 26396 26397 26398 26399 26416 26417 26600 77410",
    },
    {
      name: "Millenary",
      words: ["millenary"],
      references: "15320 15325 15350 26066 26145 26352 77244 77247 77301",
    },
    {
      name: "Jules Audemars",
      words: ["jules audemars"],
      references: "15056 15057 15120 15170 15180 26153 26380 26385 26390 26559",
    },
    { name: "[Re]master", words: ["remaster"], references: "26595 15240" },
  ],
  nicknames: {
    "double balance wheel": { name: "Double Balance Wheel", model: "Royal Oak" },
    starwheel: { name: "Starwheel", model: "Code 11.59" },
    barrichello: { name: "Barrichello", model: "Royal Oak Offshore" },
    "lebron james": { name: "LeBron James", model: "Royal Oak Offshore" },
    "michael schumacher": { name: "Michael Schumacher", model: "Royal Oak Offshore" },
    jumbo: { name: "Jumbo", model: "Royal Oak" },
    kasparov: { name: "Kasparov", model: "Royal Oak" },
    volcano: { name: "Volcano", model: "Royal Oak Offshore" },
    bumblebee: { name: "Bumblebee", model: "Royal Oak Offshore" },
    safari: { name: "Safari", model: "Royal Oak Offshore" },
    elephant: { name: "Elephant", model: "Royal Oak Offshore" },
    alyx: { name: "ALYX", model: "Royal Oak" },
  },
  launched: launchYears(`
    2005 15300, 2012 15400 15450 26320, 2014 26470, 2015 26574 15710, 2017 26331, 2019 15210 15500 26315 26393 26394
    2020 77350 77351, 2021 15720 26238 26420, 2022 15510 15550 16202 16204 26240 26715 26730 26735, 2025 26674
  `),
  /** By case material. A number without it has no price. */
  usual: usualPrices(`
    14790ST 12500, 15202ST 57000, 15202OR 88000, 15202BC 112000, 15202IP 92000, 15202BA 88000, 16202ST 66000
    16202OR 95000, 16202BA 106000, 16202BC 100000, 16202XT 143000, 16204ST 180000, 15300ST 22000, 15305ST 98000
    15400ST 27500, 15400OR 54000, 15407ST 136000, 15407OR 170000, 15407BC 176000, 15412BC 330000, 15450ST 32000
    15451ST 34000, 15500ST 31000, 15500OR 42000, 15510ST 37000, 15510OR 65000, 15550ST 38000, 15550SR 38500
    15550OR 62000, 15551ST 46000, 15551OR 68000, 15551BC 78000, 25730ST 22000, 25860ST 23000, 26120ST 20000
    26239OR 46000, 26239BC 90000, 26240ST 47000, 26240OR 65000, 26240BA 93000, 26240BC 139000, 26240CE 91000
    26300ST 28500, 26315ST 39000, 26315OR 53000, 26320ST 29500, 26320OR 48000, 26330ST 30000, 26331ST 34500
    26331OR 52000, 26530ST 122000, 26530OR 178000, 26574ST 82000, 26574OR 125000, 26574BA 105000, 26574BC 248000
    26574TI 95000, 26579CE 200000, 26585CE 280000, 26670ST 156000, 26674ST 149000, 26715ST 45000, 26715OR 89000
    26730ST 187000, 26735ST 222000, 67650ST 17000, 67651ST 20000, 67651SR 30000, 77350ST 31000, 77351ST 34000
    77350CE 41000, 77450OR 80000, 77451ST 43000, 77451OR 68000
    15600CE 55000, 15605SK 29000, 15703ST 15500, 15710ST 16000, 15720ST 23000, 15720CN 28000, 25721ST 19500
    26170ST 15000, 26231ST 27500, 26231OR 43000, 26231BA 41000, 26236OR 100000, 26237ST 26500, 26238ST 34000
    26238TI 28500, 26238BC 116000, 26400IO 18500, 26400SO 19000, 26401RO 29000, 26405CE 20000, 26420ST 33500
    26420SO 27500, 26420TI 33000, 26420CE 40500, 26420RO 41000, 26420OI 43500, 26420IO 28000, 26470ST 16000
    26470SO 19500, 26470OR 36000, 26480TI 18500, 26703ST 20500, 26589IO 110000, 26620IO 160000
    15210ST 14500, 15210OR 20000, 15210BC 19000, 26393CR 22000, 26394OR 52000, 77410OR 17500
  `),
} as const satisfies BrandData;
