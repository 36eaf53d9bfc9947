import { type BrandData, usualPrices } from "../brand.ts";

export const grandSeiko = {
  name: "Grand Seiko",
  spellings: ["grand seiko", "grandseiko", "gs", "grand sieko"],
  shapes: [{ pattern: "(SBG|SLG|STG)@###[@]", trust: "shape" }],
  models: [
    {
      name: "Heritage",
      references:
        "SBGA211 SBGA413 SBGA415 SBGA407 SBGH267 SBGH277 SBGH279 SBGJ237 SBGR311 SBGW231 SBGV245 SLGH005 SLGH003 SLGA007 SLGA009 SLGA019 SBGH265 SBGA375 SBGA443 SBGA465 SBGH271 SBGH273 SBGH299 SBGH301 SBGW235 SBGW258 SBGX261 SBGX263 SBGP001 SLGA021 SLGH013 SLGH017",
    },
    {
      name: "Sport",
      references:
        "SBGE201 SBGE255 SBGE277 SBGN003 SBGN005 SBGC201 SBGA229 SBGA461 SBGA231 SBGE253 SBGE257 SBGE285 SBGJ203 SBGC203 SBGC253 SLGA015 SLGA023",
    },
    { name: "Elegance", references: "SBGY007 SBGY009 SBGK005 SBGK007 SBGM221 SBGM239" },
    { name: "Evolution 9", words: ["evolution 9"], references: "SLGC001 SLGW002 SLGW003" },
  ],
  nicknames: {
    skyflake: { name: "Skyflake", model: "Heritage", references: "SBGA407" },
    "mount iwate": { name: "Mount Iwate", model: "Heritage" },
    "mt iwate": { name: "Mount Iwate", model: "Heritage" },
    shunbun: { name: "Shunbun", model: "Heritage", references: "SBGA413" },
    "white birch": {
      name: "White Birch",
      model: "Evolution 9",
      dial: "white",
      references: "SLGH005 SLGA009",
    },
    omiwatari: { name: "Omiwatari", model: "Elegance", references: "SBGY007" },
    shirakaba: {
      name: "Shirakaba",
      model: "Evolution 9",
      dial: "white",
      references: "SLGH005 SLGA009",
    },
  },
  usual: usualPrices(`
    SBGA211 4300, SBGA229 4300, SBGA375 4000, SBGA407 4600, SBGA413 5000, SBGA415 4900, SBGA443 5000, SBGE201 4200
    SBGE253 4000, SBGE255 4200, SBGE257 4200, SBGE277 4600, SBGH271 4600, SBGH273 4500, SBGH277 4600, SBGM221 3800
    SBGN003 2400, SBGN005 2500, SBGW231 3500, SBGW235 3800, SBGX261 1700, SBGX263 1700, SBGP001 2300, SBGY007 7200
    SLGA007 7600, SLGA009 7500, SLGA019 7500, SLGA015 8500, SLGA021 7600, SLGC001 10000, SLGH005 7200, SLGW003 8300
    SBGC201 7000, SBGC203 7300, SBGJ203 4600, SBGJ237 4800, SBGK005 6500, SBGK007 5500, SBGM239 4200, SBGA461 4700
    SBGA231 4700, SBGE285 6000, SLGA023 9500, SBGV245 2000
  `),
} as const satisfies BrandData;

export const blancpain = {
  name: "Blancpain",
  spellings: ["blancpain", "blanc pain", "blancpan"],
  shapes: [
    { pattern: "####[@]-####[@]-##[@][@]", trust: "shape" },
    { pattern: "####-####-@##[@]", trust: "shape" },
  ],
  models: [
    {
      name: "Fifty Fathoms",
      words: ["fifty fathoms", "50 fathoms", "bathyscaphe", "fifty fathoms bathyscaphe"],
      references: "5015 5010 5000 5007 5008 5052 5054 5066 5085 5100 5200 2200",
    },
    { name: "Villeret", words: ["villeret"], references: "6651 6654 6656 6606 6127 6104 6661" },
    { name: "Air Command", words: ["air command"] },
    { name: "Leman", words: ["leman"], references: "2100 2885 2185" },
  ],
  usual: usualPrices(`
    5015-1130 11000, 5015-12B30 11500, 5015-3630 19000, 5010-12B30 12500, 5000-1110 7700, 5000-0130 9300, 5000-0240 9300
    5200-1110 10500, 5200-0130 11000, 6651-1127 6000, 6651-3642 9500, 6654-1127 9300, 6654-3642 15500
  `),
} as const satisfies BrandData;

export const breguet = {
  name: "Breguet",
  spellings: ["breguet", "bregeut", "breget"],
  shapes: [{ pattern: "####(BA|BB|BR|PT|ST|TI|BH)[/??[/???]]", trust: "shape" }],
  models: [
    {
      name: "Classique",
      words: ["classique"],
      references: "5177 5157 7147 7137 7337 5277 3137 3130 5140 7787 5317 5327",
    },
    { name: "Marine", words: ["breguet marine"], references: "5517 5527 5547 5817 5827 5887 5847" },
    {
      name: "Tradition",
      words: ["breguet tradition"],
      references: "7027 7057 7097 7077 7037 7047",
    },
    {
      name: "Type XX",
      words: ["type xx", "type xxi", "type 20"],
      references: "3800 3810 3820 3880 2057 2067",
    },
    { name: "Reine de Naples", words: ["reine de naples"], references: "8918 8928 8908" },
  ],
  usual: usualPrices(`
    5177BA 12000, 5177BB 11500, 5177BR 12500, 5157BA 10000, 5157BB 10000, 7147BB 12500, 7147BR 12500, 7337BR 22000
    5517TI 11500, 5517ST 12000, 5527TI 14000, 5547TI 16500, 5817ST 10500, 7027BR 18500, 7027BB 18500, 7057BR 17000
    7057BB 17000, 7097BB 22000, 3800ST 5000, 3820ST 5200, 2057ST 12000, 2067ST 12000, 8918BB 18000, 8918BR 19500
  `),
} as const satisfies BrandData;

/** Brands that are traded rarely, mostly by name or with "ref" before the number. */
export const otherBrands: readonly BrandData[] = [
  {
    name: "Longines",
    spellings: ["longines"],
    shapes: [
      { pattern: "L#[.]###[.]#[.]##[.]#", trust: "shape" },
      { pattern: "L#.###.#[.##]", trust: "shape" },
    ],
    models: [
      { name: "Spirit", words: ["longines spirit", "spirit zulu time"] },
      { name: "Conquest", words: ["longines conquest"] },
      { name: "Legend Diver", words: ["legend diver"] },
      { name: "DolceVita", words: ["dolcevita", "longines dolce vita"] },
      { name: "HydroConquest", words: ["hydroconquest"] },
      { name: "Master Collection", words: ["longines master"] },
    ],
  },
  {
    name: "Roger Dubuis",
    spellings: ["roger dubuis", "rogue dubuis", "rogerdubuis"],
    shapes: [{ pattern: "RDDB@@####", trust: "shape" }],
    models: [{ name: "Excalibur", words: ["excalibur"] }],
  },
  {
    name: "Piaget",
    spellings: ["piaget"],
    shapes: [{ pattern: "G0A#####", trust: "shape" }],
    models: [
      { name: "Polo", words: ["piaget polo"] },
      { name: "Altiplano", words: ["altiplano"] },
      { name: "Possession", words: ["piaget possession"] },
    ],
  },
  {
    name: "Montblanc",
    spellings: ["montblanc", "mont blanc"],
    shapes: [{ pattern: "MB######", trust: "shape" }],
    models: [
      { name: "1858", words: ["montblanc 1858"] },
      { name: "Star Legacy", words: ["star legacy"] },
    ],
  },
  {
    name: "Franck Muller",
    spellings: ["franck muller", "frank muller"],
    shapes: [],
    models: [
      { name: "Vanguard", words: ["franck muller vanguard", "vanguard"] },
      { name: "Long Island", words: ["franck muller long island"] },
      { name: "Crazy Hours", words: ["crazy hours"] },
    ],
  },
  {
    name: "Jacob & Co.",
    spellings: ["jacob & co", "jacob and co", "jacob co"],
    shapes: [],
    models: [
      { name: "Epic X", words: ["epic x"] },
      { name: "Astronomia", words: ["astronomia"] },
    ],
  },
  {
    name: "Glashütte Original",
    spellings: ["glashutte original", "glashuette original", "glashutte orginal"],
    shapes: [{ pattern: "1-##-##-##-##-##", trust: "shape" }],
    models: [
      { name: "PanoMaticLunar", words: ["panomaticlunar", "pano lunar"] },
      { name: "PanoReserve", words: ["panoreserve", "pano reserve"] },
      { name: "PanoInverse", words: ["panoinverse", "pano inverse"] },
      { name: "PanoGraph", words: ["panograph"] },
      { name: "Senator Excellence", words: ["senator excellence"] },
      { name: "Senator Chronometer", words: ["senator chronometer"] },
      { name: "Sixties", words: ["sixties"] },
      { name: "Seventies", words: ["seventies"] },
      { name: "SeaQ", words: ["seaq"] },
    ],
  },
  {
    name: "Bell & Ross",
    spellings: ["bell & ross", "bell and ross", "bell ross"],
    shapes: [
      { pattern: "BR_0#-9#", trust: "shape" },
      { pattern: "BR(0|S|V|X)#?{1,2}-?{2,4}-?{2,4}[/?{2,4}]", trust: "shape" },
      { pattern: "BR_(0|S|V|X)#[?[?]][-?{2,4}]", trust: "context" },
    ],
    models: [
      { name: "BR 03", words: ["br 03", "br03"] },
      { name: "BR 05", words: ["br 05", "br05"] },
    ],
  },
];
