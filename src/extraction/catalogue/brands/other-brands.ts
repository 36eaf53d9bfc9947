import type { BrandData } from "../brand.ts";

/** Brands that are traded rarely, mostly by name or with "ref" before the number. */
export const otherBrands: readonly BrandData[] = [
  {
    name: "Longines",
    spellings: ["longines", "浪琴"],
    shapes: [{ pattern: "L#[.]###[.]#[.]##[.]#", trust: "shape" }],
    models: [
      { name: "Spirit", words: ["longines spirit"] },
      { name: "HydroConquest", words: ["hydroconquest"] },
      { name: "Master Collection", words: ["longines master"] },
    ],
  },
  {
    name: "Roger Dubuis",
    spellings: ["roger dubuis", "rogue dubuis", "rogerdubuis", "罗杰杜彼"],
    shapes: [{ pattern: "RDDB@@####", trust: "shape" }],
    models: [{ name: "Excalibur", words: ["excalibur"] }],
  },
  {
    name: "Piaget",
    spellings: ["piaget", "伯爵"],
    shapes: [{ pattern: "G0A#####", trust: "shape" }],
    models: [
      { name: "Polo", words: ["piaget polo"] },
      { name: "Altiplano", words: ["altiplano"] },
      { name: "Possession", words: ["piaget possession"] },
    ],
  },
  {
    name: "Montblanc",
    spellings: ["montblanc", "mont blanc", "万宝龙"],
    shapes: [{ pattern: "MB######", trust: "shape" }],
    models: [
      { name: "1858", words: ["montblanc 1858"] },
      { name: "Star Legacy", words: ["star legacy"] },
    ],
  },
  {
    name: "Franck Muller",
    spellings: ["franck muller", "frank muller", "法穆兰"],
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
    shapes: [{ pattern: "BR_##-##", trust: "context" }],
    models: [{ name: "BR 05", words: ["br 05", "br05"] }],
  },
];
