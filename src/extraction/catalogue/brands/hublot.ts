import type { BrandData } from "../brand.ts";
import { usualPrices } from "../fact-lists.ts";

export const hublot = {
  name: "Hublot",
  spellings: ["hublot", "宇舶", "恒宝", "hubolt", "hublott", "hubkot"],
  shapes: [
    { pattern: "(1|2|3|4|5|6|7|8|9)##.@@.###[#][.@@][.####][.@@@[##]][.????]", trust: "shape" },
  ],
  models: [
    {
      name: "Big Bang",
      words: ["big bang", "bigbang", "big bang unico", "hublot unico", "meca 10", "meca-10"],
      references:
        "301.SB.131.RX 301.SX.130.RX 301.SX.1170.RX 301.PX.1180.RX 341.SX.130.RX 342.SX.130.RX 361.SX.1270.RX 411.NX.1170.RX 411.CI.1170.RX 411.OX.1180.RX 421.NX.1170.RX 421.CI.1170.RX 441.NX.1170.RX 441.NX.1171.RX 441.CI.1170.RX 441.CI.1171.RX 441.OX.1180.RX 441.OX.1181.RX 451.NX.1170.NX 456.NX.0170.RX",
    },
    {
      name: "Classic Fusion",
      words: ["classic fusion", "aerofusion", "aero fusion"],
      references:
        "511.NX.1171.LR 511.NX.1171.RX 511.NX.7170.LR 511.NX.7170.RX 511.NX.7071.RX 511.NX.8970.LR 511.CM.1171.RX 511.OX.1181.LR 521.NX.1171.LR 521.NX.1171.RX 525.NX.0170.LR 525.CM.0170.RX 541.NX.1171.LR 541.NX.1171.RX 541.NX.7170.LR 541.NX.7170.RX 542.NX.1171.LR 542.NX.1171.RX 542.NX.7170.LR 542.NX.7170.RX 542.NX.1270.RX.MDM 565.NX.1171.LR 565.NX.1171.RX 565.NX.7170.RX 581.NX.1171.RX 581.NX.7170.RX",
    },
    {
      name: "Spirit of Big Bang",
      words: ["spirit of big bang"],
      references:
        "601.NX.0173.LR 601.CI.0173.LR 601.OX.0183.LR 641.NX.0173.LR 642.NX.0170.RX 647.NX.1137.RX",
    },
    { name: "King Power", words: ["king power"] },
    { name: "Square Bang", words: ["square bang"] },
  ],
  nicknames: {
    "sang bleu": { name: "Sang Bleu" },
    orlinski: { name: "Orlinski", model: "Classic Fusion" },
  },
  usual: usualPrices(`
    301.SB.131.RX 5500, 301.SX.130.RX 5300, 301.SX.1170.RX 5500, 301.PX.1180.RX 11500, 411.NX.1170.RX 8800
    411.CI.1170.RX 9500, 421.NX.1170.RX 11000, 421.CI.1170.RX 12000, 441.NX.1170.RX 10500, 441.NX.1171.RX 10500
    441.CI.1170.RX 11500, 441.CI.1171.RX 11500, 441.OX.1180.RX 20500, 441.OX.1181.RX 20500, 451.NX.1170.NX 13000
    456.NX.0170.RX 13500, 511.NX.1171.LR 4700, 511.NX.1171.RX 5000, 511.NX.7170.LR 4700, 511.NX.7170.RX 4900
    511.NX.7071.RX 4700, 521.NX.1171.LR 5700, 521.NX.1171.RX 6000, 525.NX.0170.LR 7500, 541.NX.1171.LR 6000
    541.NX.1171.RX 6300, 542.NX.1171.LR 4700, 542.NX.1171.RX 5000, 542.NX.7170.LR 4700, 542.NX.7170.RX 5000
    565.NX.1171.RX 4500, 565.NX.7170.RX 4500, 601.NX.0173.LR 10000, 641.NX.0173.LR 12000
  `),
} as const satisfies BrandData;
