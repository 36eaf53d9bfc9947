import type { BrandData } from "../brand.ts";
import { PATEK_PHILIPPE_LAUNCHED, PATEK_PHILIPPE_USUAL } from "./patek-philippe-facts.ts";

/** A base number covers all metals. Dealers add the letters for metal, bracelet and dial. */
export const patekPhilippe = {
  name: "Patek Philippe",
  spellings: [
    "patek philippe",
    "patek",
    "patekphilippe",
    "patek phillipe",
    "patek phillippe",
    "patek philipe",
    "philippe patek",
    "pp",
    "p.p",
    "百达翡丽",
    "百達翡麗",
    "pateck philippe",
    "pateck",
    "patek phillip",
    "patek philip",
    "patek phillipp",
  ],
  shapes: [
    {
      pattern: "(3|4|5|6|7)###_/_#[#][#][#]_(AR|JR|GR|A|J|R|G|P|T)[-###]",
      trust: "shape",
    },
    { pattern: "(3|4|5|6|7)###( |-)#[#][#][#](AR|JR|GR|A|J|R|G|P|T)[-###]", trust: "shape" },
    { pattern: "(3|4|5|6|7)###(A|J|R|G|P|T)/#[#][#][#][#][-###]", trust: "shape" },
    { pattern: "(3|4|5|6|7)###_(RG|EG|EJ|ER|EP|AR|JR|GR|HG|A|J|R|G|P|T)[-###]", trust: "shape" },
    { pattern: "(3|4|5|6|7)###-(A|J|R|G|P|T)-###", trust: "shape" },
    { pattern: "(3|4|5|6|7)###/(A|J|R|G|P|T)[-###]", trust: "context" },
    { pattern: "(1|2)###(A|J|R|G|P)[-###]", trust: "context" },
    { pattern: "(3|4|5|6|7)###/#[#][#][#][-###]", trust: "context" },
    { pattern: "####[-###]", trust: "context" },
  ],
  models: [
    {
      name: "Nautilus",
      words: ["nautilus", "鹦鹉螺"],
      references:
        "3700 3710 3711 3712 3800 3900 4700 5711 5712 5719 5724 5726 5740 5811 5980 5976 5990 7010 7011 7014 7018 7021 7118",
    },
    {
      name: "Aquanaut",
      words: ["aquanaut", "手雷"],
      references: "5060 5064 5065 5066 5164 5165 5167 5168 5261 5650 5968 5968A 4960 4961",
    },
    {
      name: "Aquanaut Luce",
      words: ["aquanaut luce", "luce"],
      references: "5067 5068 5069 5072 5062 5267 5268 5269 7968",
    },
    { name: "Cubitus", words: ["cubitus"], references: "5821 5822 7128" },
    {
      name: "Calatrava",
      words: ["calatrava"],
      references:
        "96 565 570 2526 3520 3796 3802 3919 3923 3944 3960 3998 4896 4897 4899 4997 5026 5088 5107 5116 5117 5118 5119 5120 5123 5127 5153 5196 5212 5224 5226 5227 5296 5297 5298 5328 5522 5524 6000 6006 6007 6119 6196 7119 7120 7121 7122 7200 7234 5077 5078 5178 5093 5022 5091",
    },
    {
      name: "Complications",
      words: [
        "annual calendar",
        "world time",
        "worldtime",
        "world timer",
        "travel time",
        "pilot travel time",
        "alarm travel time",
      ],
      references:
        "4936 4937 4940 4946 4947 4948 5035 5036 5054 5055 5056 5085 5110 5130 5131 5134 5135 5146 5147 5170 5172 5205 5230 5231 5235 5320 5326 5330 5396 5450 5550 5905 5924 5930 5934 5935 5960 5961 6102 6104 7000 7040 7130 7134 7140 7150 7180 5250 5350 5172",
    },
    {
      name: "Grand Complications",
      words: ["grand complications", "grand complication", "perpetual calendar chronograph"],
      references:
        "1463 1518 2497 2499 3448 3450 3970 3940 3941 3974 3979 5004 5013 5016 5033 5038 5039 5040 5050 5059 5070 5073 5074 5076 5078 5100 5101 5102 5104 5131 5139 5140 5159 5160 5175 5180 5200 5204 5207 5208 5216 5217 5236 5270 5271 5303 5304 5308 5316 5320 5327 5339 5370 5372 5373 5374 5496 5520 5531 5539 5550 5940 5950 5951 5959 5970 5971 5975 5976 6002 6159 6300 6301 5111 5177 5275 6127 7127 7047",
    },
    {
      name: "Gondolo",
      words: ["gondolo"],
      references: "4824 4825 4962 5009 5010 5014 5024 5098 5109 5111 5112 5124 5200 7041 7042 7099",
    },
    {
      name: "Golden Ellipse",
      words: ["golden ellipse", "ellipse"],
      references: "3548 3738 3748 3848 5738 5739 5638",
    },
    {
      name: "Twenty~4",
      words: ["twenty 4", "twenty~4", "twenty four"],
      references: "4907 4908 4909 4910 4920 7300",
    },
  ],
  nicknames: {
    jumbo: { name: "Jumbo" },
    zebra: { name: "Zebra" },
  },
  launched: PATEK_PHILIPPE_LAUNCHED,
  usual: PATEK_PHILIPPE_USUAL,
} as const satisfies BrandData;
