import type { BrandData } from "../brand.ts";

export const chopard = {
  name: "Chopard",
  spellings: ["chopard", "萧邦", "蕭邦", "choppard"],
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

export const ulysseNardin = {
  name: "Ulysse Nardin",
  spellings: ["ulysse nardin", "ulysse", "雅典", "ulysee nardin", "ulyse nardin", "ulysses nardin"],
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
  spellings: [
    "girard perregaux",
    "gp",
    "girard-perregaux",
    "girard",
    "芝柏",
    "girard peregaux",
    "gerard perregaux",
    "girard perregeaux",
  ],
  shapes: [
    { pattern: "#####-##-####-??[?]", trust: "shape" },
    { pattern: "#####-##-###-####[?]", trust: "shape" },
    { pattern: "#####-##-###-##[@]", trust: "shape" },
  ],
  models: [
    { name: "Laureato", words: ["laureato"], references: "81010 81020 80189 81005 81015" },
    { name: "1966", words: ["girard perregaux 1966", "gp 1966"], references: "49555 49525" },
  ],
} as const satisfies BrandData;
