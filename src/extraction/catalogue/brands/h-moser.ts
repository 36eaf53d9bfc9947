import type { BrandData } from "../brand.ts";
import { usualPrices } from "../fact-lists.ts";

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
    "moser and cie",
    "h moser and cie",
  ],
  shapes: [{ pattern: "(1|2|3|6|8)###-####", trust: "shape" }],
  models: [
    { name: "Swiss Alp Watch", words: ["swiss alp watch", "swiss alp"] },
    {
      name: "Streamliner",
      words: ["streamliner"],
      references: "6200-1200 6201-1200 6902-1201 6500-1200 6812-1200 6902-1200",
    },
    { name: "Pioneer", words: ["pioneer"], references: "3200-1200 3201-1200 3230-1200" },
    {
      name: "Endeavour",
      words: ["endeavour"],
      references: "1200-0200 1341-0207 1800-0200 1321-0100",
    },
    { name: "Venturer", words: ["venturer"], references: "2327-0200" },
  ],
  usual: usualPrices(`
    6200-1200 17500, 6201-1200 17500, 3200-1200 9800, 3201-1200 10000
  `),
} as const satisfies BrandData;
