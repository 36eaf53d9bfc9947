import type { BrandData } from "../brand.ts";

export const hMoser = {
  name: "H. Moser & Cie.",
  spellings: [
    "h. moser & cie",
    "h moser & cie",
    "h. moser",
    "h moser",
    "moser & cie",
    "moser",
    "亨利慕时",
  ],
  shapes: [{ pattern: "(1|2|3|6|8)###-####", trust: "shape" }],
  models: [
    {
      name: "Streamliner",
      words: ["streamliner"],
      references: "6200-1200 6201-1200 6902-1201 6500-1200 6812-1200",
    },
    { name: "Pioneer", words: ["pioneer"], references: "3200-1200 3201-1200 3230-1200" },
    {
      name: "Endeavour",
      words: ["endeavour"],
      references: "1200-0200 1341-0207 1800-0200 1321-0100",
    },
    { name: "Venturer", words: ["venturer"], references: "2327-0200" },
  ],
} as const satisfies BrandData;

export const chopard = {
  name: "Chopard",
  spellings: ["chopard", "萧邦", "蕭邦"],
  shapes: [
    { pattern: "######-####", trust: "shape" },
    { pattern: "##/####[/?{1,3}]", trust: "context" },
  ],
  models: [
    {
      name: "Alpine Eagle",
      words: ["alpine eagle"],
      references: "298600-3001 298600-3002 298601-3001 298601-3012 298609-3001 298617-3001",
    },
    { name: "L.U.C", words: ["l.u.c", "luc"] },
    {
      name: "Happy Sport",
      words: ["happy sport"],
      references: "278559-3003 278582-3002 278573-3012",
    },
    {
      name: "Mille Miglia",
      words: ["mille miglia"],
      references: "168511-3001 168571-3001 168589-3001",
    },
  ],
} as const satisfies BrandData;

export const breitling = {
  name: "Breitling",
  spellings: ["breitling", "百年灵", "百年靈"],
  shapes: [
    {
      pattern: "(AB|RB|UB|EB|CB|IB|PB|SB|XB|VB|TB|NB|MB|LB|KB|JB|HB|DB)[~]#{4,8}[?{1,8}]",
      trust: "shape",
    },
    { pattern: "(A|E|M|R|U|X|I|V|K|D|H)#{5,8}[?{1,8}]", trust: "shape" },
  ],
  models: [
    {
      name: "Navitimer",
      words: ["navitimer", "navitimer b01"],
      references: "AB0138 AB0139 AB0120 AB0127 AB0137 A17326 A17395 A35340 RB0138 UB0138 A13324",
    },
    {
      name: "Superocean",
      words: ["superocean", "super ocean"],
      references: "A17316 A17366 A17367 A17364 A17375 A17376 A17377",
    },
    {
      name: "Superocean Heritage",
      words: ["superocean heritage"],
      references: "AB2010 AB2020 AB2030 A13313 A37320 AB0162",
    },
    {
      name: "Chronomat",
      words: ["chronomat", "chronomat b01"],
      references: "AB0134 AB0110 AB0115 AB0116 AB0136 UB0134 RB0134 A32398",
    },
    {
      name: "Avenger",
      words: ["avenger"],
      references: "A17318 A17328 A13317 A13385 AB0147 A32320",
    },
    {
      name: "Premier",
      words: ["breitling premier"],
      references: "AB0118 A13315 A37340 AB0145 A37330",
    },
    { name: "Top Time", words: ["top time"], references: "A23310 A23311 AB01763 A25310 AB0176" },
    { name: "Colt", words: ["colt"], references: "A17313 A17388 A74388" },
    { name: "Endurance Pro", words: ["endurance pro"], references: "X82310 X83310" },
  ],
} as const satisfies BrandData;

export const grandSeiko = {
  name: "Grand Seiko",
  spellings: ["grand seiko", "grandseiko", "gs", "冠蓝狮"],
  shapes: [{ pattern: "(SBG|SLG|STG)@###[@]", trust: "shape" }],
  models: [
    {
      name: "Heritage",
      references:
        "SBGA211 SBGA413 SBGA415 SBGA407 SBGH267 SBGH277 SBGH279 SBGJ237 SBGR311 SBGW231 SBGV245 SLGH005 SLGH003 SLGA007 SLGA009 SLGA019 SBGH265",
    },
    {
      name: "Sport",
      references: "SBGE201 SBGE255 SBGE277 SBGN003 SBGN005 SBGC201 SBGA229 SBGA461 SBGA231",
    },
    { name: "Elegance", references: "SBGY007 SBGY009 SBGK005 SBGK007 SBGM221 SBGM239" },
    { name: "Evolution 9", words: ["evolution 9"], references: "SLGC001 SLGW002 SLGW003" },
  ],
} as const satisfies BrandData;

export const ulysseNardin = {
  name: "Ulysse Nardin",
  spellings: ["ulysse nardin", "ulysse", "雅典"],
  shapes: [{ pattern: "(1|2|3|6|8)##[#]-###[-#[#]][/?{1,8}]", trust: "context" }],
  models: [
    { name: "Marine", words: ["ulysse nardin marine"], references: "1183-310 1183-122" },
    { name: "Freak", words: ["freak x", "ulysse freak"], references: "2303-270 2305-270" },
    { name: "Diver", words: ["ulysse nardin diver"], references: "8163-175 1183-170" },
  ],
} as const satisfies BrandData;

export const parmigiani = {
  name: "Parmigiani Fleurier",
  spellings: ["parmigiani fleurier", "parmigiani", "帕玛强尼"],
  shapes: [{ pattern: "PFC_###[-#######][-#{4,6}]", trust: "shape" }],
  models: [
    {
      name: "Tonda PF",
      words: ["tonda pf", "tonda"],
      references: "PFC914 PFC905 PFC804 PFC909 PFC931",
    },
    { name: "Kalpa", words: ["kalpa"], references: "PFC128 PFC193" },
  ],
} as const satisfies BrandData;

export const girardPerregaux = {
  name: "Girard-Perregaux",
  spellings: ["girard perregaux", "girard-perregaux", "girard", "芝柏"],
  shapes: [
    { pattern: "#####-##-####-??[?]", trust: "shape" },
    { pattern: "#####-##-###-####[?]", trust: "shape" },
  ],
  models: [
    { name: "Laureato", words: ["laureato"], references: "81010 81020 80189 81005 81015" },
    { name: "1966", words: ["girard perregaux 1966"], references: "49555 49525" },
  ],
} as const satisfies BrandData;
