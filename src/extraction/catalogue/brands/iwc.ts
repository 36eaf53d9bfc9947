import { type BrandData, launchYears, usualPrices } from "../brand.ts";

export const iwc = {
  name: "IWC",
  spellings: ["iwc", "iwc schaffhausen", "iwc schaffhaussen"],
  shapes: [
    { pattern: "IW_####[~##]", trust: "shape" },
    { pattern: "IW_######", trust: "shape" },
    { pattern: "(18|25|32|33|34|35|36|37|38|39|45|46|50|51|52|54|56)##-##", trust: "context" },
    { pattern: "(18|25|32|33|34|35|36|37|38|39|45|46|50|51|52|54|56)####", trust: "context" },
  ],
  prefix: "IW",
  /** Full numbers are also written without IW. Four digits alone are mostly a price. */
  models: [
    {
      name: "Portugieser",
      words: ["portugieser", "portuguese", "portugaise"],
      references:
        "IW3714 IW3716 IW3717 IW5001 IW5007 IW5032 IW5033 IW5034 IW5035 IW3583 IW3904 IW3905 IW5451 IW5102 371401 371445 371446 371447 371480 371604 371605 371606 371609 371610 371611 371615 371617 500705 500710 358303 358304 358305 390502 510203 503302",
    },
    {
      name: "Big Pilot",
      words: ["big pilot"],
      references:
        "IW5004 IW5009 IW5010 IW3293 IW5026 IW5027 500401 500901 500912 501001 329301 329303 329304",
    },
    {
      name: "Pilot",
      words: ["pilot chronograph", "pilots watch", "mark xviii", "mark xx", "top gun"],
      references:
        "IW3777 IW3779 IW3709 IW3253 IW3270 IW3282 IW3780 IW3891 IW3894 IW3881 377709 377714 377717 378001 378003 378004 388101 388102 389101 387901 387903 327001 327004 327006 327009 327010 327011 327015 327016 328201 328202 328203 328204 326801",
    },
    {
      name: "Portofino",
      words: ["portofino"],
      references:
        "IW3565 IW3910 IW4592 IW3581 IW3574 IW3441 356501 356502 356517 356518 356519 391007 391009 391027",
    },
    {
      name: "Ingenieur",
      words: ["ingenieur"],
      references:
        "IW3227 IW3239 IW3289 IW3234 IW3580 IW3281 328901 328902 328903 328904 323902 323904",
    },
    {
      name: "Aquatimer",
      words: ["aquatimer"],
      references:
        "IW3290 IW3767 IW3768 IW3719 IW3795 329001 329002 329003 329004 376803 376804 376805 379502",
    },
    {
      name: "Da Vinci",
      words: ["da vinci"],
      references: "IW3750 IW3751 IW3921 IW3934 IW3581 IW4523",
    },
  ],
  nicknames: {
    "le petit prince": { name: "Le Petit Prince" },
    spitfire: { name: "Spitfire", model: "Pilot" },
  },
  launched: launchYears(`
    2016 IW327001, 2021 IW329301 IW329303 IW388101 IW388102, 2022 IW328201 IW328202, 2023 IW328901 IW328902 IW328903 IW328904
  `),
  usual: usualPrices(`
    IW371401 3600, IW371445 4000, IW371446 4000, IW371447 4200, IW371480 7500, IW371604 5700, IW371605 5700, IW371606 5700
    IW371609 5700, IW371615 5900, IW371617 6200, IW371610 11500, IW371611 11500, IW500705 7500, IW500710 7500
    IW358303 5300, IW358304 5300, IW358305 5300, IW390502 7200, IW510203 7500, IW500401 6300, IW500901 6500
    IW500912 6600, IW501001 7500, IW329301 5500, IW329303 5300, IW329304 5800, IW377709 3300, IW377714 3300
    IW377717 3300, IW378001 4600, IW378003 4700, IW388101 4700, IW388102 4700, IW389101 5500, IW387901 3800
    IW387903 3800, IW327001 2900, IW327006 3000, IW327009 2900, IW327010 3000, IW327011 2900, IW327016 3000
    IW328201 3900, IW328202 3900, IW328203 3900, IW328204 4100, IW356501 2600, IW356502 2600, IW356517 2800
    IW356518 2800, IW356519 2800, IW391007 2900, IW391009 2900, IW391027 3100, IW328901 9500, IW328902 9500
    IW328903 9800, IW328904 12000, IW329001 2900, IW329002 3000, IW376803 2900, IW379502 3500
    IW376804 3000, IW329003 3100, IW329004 3200, IW326801 3200, IW323904 3600, IW327004 3000, IW378004 4800
    IW503302 14500, IW323902 3600, IW376805 2900
  `),
} as const satisfies BrandData;
