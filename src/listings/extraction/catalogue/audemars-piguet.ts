import type { BrandData } from "./brand.ts";

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
        "14790 15000 15002 15005 15050 15056 15100 15154 15190 15202 15210 15300 15305 15400 15402 15407 15410 15412 15413 15450 15451 15452 15454 15458 15466 15467 15468 15500 15510 15514 15550 15551 15552 15553 16202 16204 25594 25654 25686 25730 25820 25829 25860 25865 25960 25969 26022 26120 26240 26300 26315 26317 26320 26326 26327 26330 26331 26332 26333 26334 26510 26511 26517 26522 26530 26534 26552 26574 26579 26583 26584 26585 26586 26587 26591 26603 26606 26609 26614 26615 26670 26674 26715 26730 26735 26239 67600 67601 67630 67650 67651 67652 67653 67654 77350 77351 77353 77410 77450 77451 77452 79450",
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
      references: "15210 26393 26394 26395 26396 26397 26398 26399 26416 26417 26600",
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
    jumbo: { name: "Jumbo", model: "Royal Oak" },
    kasparov: { name: "Kasparov", model: "Royal Oak" },
    volcano: { name: "Volcano", model: "Royal Oak Offshore" },
    bumblebee: { name: "Bumblebee", model: "Royal Oak Offshore" },
    safari: { name: "Safari", model: "Royal Oak Offshore" },
    elephant: { name: "Elephant", model: "Royal Oak Offshore" },
    alyx: { name: "ALYX", model: "Royal Oak" },
  },
  launched: { "16202": 2022, "15500": 2019, "15510": 2022, "26240": 2022, "15550": 2022 },
} as const satisfies BrandData;
