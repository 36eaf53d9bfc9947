import { type BrandData, usualPrices } from "../brand.ts";

export const breitling = {
  name: "Breitling",
  spellings: ["breitling", "brietling", "breightling"],
  shapes: [
    {
      pattern: "(AB|RB|UB|EB|CB|IB|PB|SB|XB|VB|TB|NB|MB|LB|KB|JB|HB|DB)[~]#{4,8}[?{1,8}]",
      trust: "shape",
    },
    { pattern: "(A|E|M|R|U|X|I|V|K|D)#{5,8}[?{1,8}]", trust: "shape" },
    // Eight digits behind an H are a Hamilton.
    { pattern: "H#{5,7}[@[?{1,6}]]", trust: "shape" },
  ],
  models: [
    { name: "Aerospace", words: ["breitling aerospace"] },
    { name: "Emergency", words: ["breitling emergency"] },
    { name: "Transocean", words: ["transocean"] },
    { name: "Montbrillant", words: ["montbrillant"] },
    { name: "Bentley", words: ["breitling bentley", "breitling for bentley"] },
    {
      name: "Navitimer",
      words: ["navitimer", "navitimer b01", "cosmonaute"],
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
  usual: usualPrices(`
    AB0138 6300, AB0139 6300, AB0137 6300, AB0127 5000, AB0120 4300, A13324 2800, A17326 3200, A17395 3200, RB0138 15500
    A17366 2300, A17375 3300, A17376 3400, A17377 3200, AB2010 3000, AB2020 3200, AB2030 3400, A13313 3000, AB0162 5000
    AB0134 5700, AB0110 4000, AB0115 4300, AB0136 5400, UB0134 7800, RB0134 16500, A32398 3900, A17318 2600
    A13317 3200, A13385 3000, AB0147 5500, A32320 3700, AB0118 5000, A13315 3000, AB0145 6200, A23310 3300
    A23311 3300, AB0176 5000, AB01763 5000, A17313 1900, A17388 1700, A74388 1300, X82310 2000, X83310 2200
    A35340 2600, UB0138 8000, A17367 2800, A17364 2000, AB0116 4300, A17316 2100
  `),
} as const satisfies BrandData;
