import type { BrandData } from "../brand.ts";
import { usualPrices } from "../fact-lists.ts";

export const grandSeiko = {
  name: "Grand Seiko",
  spellings: ["grand seiko", "grandseiko", "gs", "冠蓝狮", "grand sieko"],
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
    skyflake: { name: "Skyflake", model: "Heritage" },
    "mount iwate": { name: "Mount Iwate", model: "Heritage" },
    "mt iwate": { name: "Mount Iwate", model: "Heritage" },
    shunbun: { name: "Shunbun", model: "Heritage" },
    "white birch": { name: "White Birch", model: "Evolution 9", dial: "white" },
    omiwatari: { name: "Omiwatari", model: "Elegance" },
    shirakaba: { name: "Shirakaba", model: "Evolution 9", dial: "white" },
  },
  usual: usualPrices(`
    SBGA211 4300, SBGA229 4300, SBGA375 4000, SBGA407 4600, SBGA413 5000, SBGA415 4900, SBGA443 5000, SBGE201 4200
    SBGE253 4000, SBGE255 4200, SBGE257 4200, SBGE277 4600, SBGH271 4600, SBGH273 4500, SBGH277 4600, SBGM221 3800
    SBGN003 2400, SBGN005 2500, SBGW231 3500, SBGW235 3800, SBGX261 1700, SBGX263 1700, SBGP001 2300, SBGY007 7200
    SLGA007 7600, SLGA009 7500, SLGA019 7500, SLGA015 8500, SLGA021 7600, SLGC001 10000, SLGH005 7200, SLGW003 8300
  `),
} as const satisfies BrandData;
