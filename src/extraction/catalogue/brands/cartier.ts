import { type BrandData, usualPrices } from "../brand.ts";

export const cartier = {
  name: "Cartier",
  spellings: ["cartier", "ct", "catier"],
  shapes: [
    {
      pattern:
        "W(SS|SB|SP|SR|ST|SC|SN|SD|SE|GS|GB|GP|GR|GT|GC|GN|GD|HS|HR|HT|HB|JT|JS|JB|JP|JC|JD|JR|JN|JG|2S|2B|2P|2T|2N|2C|3S|3B|4B|4P|4T|4S|6S|6P)@[~]####",
      trust: "shape",
    },
    { pattern: "W#####[#][#][(@#|@@|@)]", trust: "shape" },
    { pattern: "HPI#####", trust: "shape" },
    { pattern: "CR(W|HP)[@][@][@]#{4,7}", trust: "shape" },
    { pattern: "(WE|WF|WG|WT|WB|WL|WA|WD|WH)######[?]", trust: "shape" },
    { pattern: "####", trust: "context" },
  ],
  models: [
    { name: "Rotonde", words: ["rotonde de cartier", "rotonde"] },
    { name: "Roadster", words: ["cartier roadster"] },
    { name: "Cloche", words: ["cloche de cartier", "cartier cloche"] },
    { name: "Coussin", words: ["coussin de cartier"] },
    { name: "Tonneau", words: ["cartier tonneau"] },
    {
      name: "Santos",
      words: ["santos", "santos de cartier", "santos medium", "santos large", "santos galbee"],
      references:
        "WSSA0009 WSSA0010 WSSA0018 WSSA0029 WSSA0030 WSSA0037 WSSA0048 WSSA0061 WSSA0062 WSSA0063 WSSA0089 WSSA0013 W2SA0006 W2SA0007 W2SA0009 W2SA0011 W2SA0016 W2SA0017 W2SA0030 WGSA0007 WGSA0028 WGSA0029 WHSA0015 WHSA0007 WSSA0006 WSSA0039 WSSA0046 WGSA0021 WGSA0019 WGSA0023",
    },
    {
      name: "Santos-Dumont",
      words: ["santos dumont"],
      references:
        "WSSA0022 WSSA0023 WSSA0032 WSSA0046 W2SA0012 W2SA0025 W2SA0027 WGSA0027 WGSA0032 WGSA0054",
    },
    {
      name: "Santos 100",
      words: ["santos 100"],
      references: "W20073X8 W20090X8 W20106X8 W20107X7 W20122U2 WSSA0006",
    },
    {
      name: "Tank",
      words: [
        "tank",
        "tank must",
        "tank solo",
        "tank americaine",
        "tank francaise",
        "tank louis cartier",
        "tank louis",
        "tank cintree",
        "tank anglaise",
        "tank asymetrique",
        "tank chinoise",
        "tank basculante",
        "tank normale",
        "tank mc",
      ],
      references:
        "WSTA0040 WSTA0041 WSTA0042 WSTA0051 WSTA0052 WSTA0056 WSTA0059 WSTA0060 WSTA0062 WSTA0065 WSTA0067 WSTA0074 WSTA0082 WSTA0083 WSTA0084 WSTA0085 WGTA0010 WGTA0011 WGTA0023 WGTA0024 WGTA0058 WGTA0059 WJTA0037",
    },
    {
      name: "Ballon Bleu",
      words: ["ballon bleu", "balloon bleu", "ballon blue"],
      references:
        "W69011Z4 W69012Z4 W69016Z4 W69017Z4 W6920046 W6920084 W6920071 WSBB0030 WSBB0039 WSBB0040 WSBB0044 WSBB0046 WSBB0048 WSBB0049 WSBB0061 WSBB0062 W3BB0007 W2BB0023 W2BB0028",
    },
    {
      name: "Panthère",
      words: ["panthere", "panther", "panthère de cartier"],
      references:
        "WSPN0006 WSPN0007 WSPN0012 WSPN0013 WGPN0008 WGPN0009 W2PN0006 W2PN0007 W4PN0007 WJPN0008 HPI01607",
    },
    { name: "Crash", words: ["crash"], references: "WGCH0006" },
    {
      name: "Pasha",
      words: ["pasha"],
      references: "WSPA0009 WSPA0010 WSPA0013 WSPA0018 WSPA0026 WSPA0038 WGPA0007",
    },
    {
      name: "Baignoire",
      words: ["baignoire"],
      references: "WGBA0021 WGBA0022 WJBA0042 WJBA0043 WGBA0009",
    },
    { name: "Tortue", words: ["tortue"], references: "WGTO0008 WGTO0009" },
    {
      name: "Drive",
      words: ["drive de cartier"],
      references: "WSNM0004 WSNM0008 WSNM0009 WSNM0011 WGNM0003",
    },
    {
      name: "Calibre",
      words: ["calibre de cartier"],
      references: "W7100015 W7100016 W7100037 W7100041 W7100056 W7100057",
    },
    {
      name: "Ronde",
      words: ["ronde", "ronde solo"],
      references: "W6701004 W6700255 W6701005 WSRN0012 WSRN0030 WSRN0031 WSRN0032",
    },
    { name: "Clé", words: ["cle de cartier"], references: "WSCL0006 WSCL0007 WSCL0018" },
  ],
  usual: usualPrices(`
    WSSA0009 5900, WSSA0010 5500, WSSA0018 6800, WSSA0029 6200, WSSA0030 7000, WSSA0037 7000, WSSA0039 7500
    WSSA0061 6300, WSSA0062 7300, WSSA0063 7200, W2SA0009 9800, W2SA0016 10000, W2SA0030 10800, WHSA0015 21000
    WSSA0022 4000, WSSA0023 3700, WSSA0032 4300, W20073X8 4000, W20106X8 3500
    WSTA0040 3400, WSTA0041 2800, WSTA0042 2500, WSTA0051 3000, WSTA0052 3300, WSTA0065 4000, WSTA0067 5000
    WSTA0074 4600, WGTA0010 8800, WGTA0011 11000
    W69011Z4 3400, W69012Z4 3200, W69016Z4 3000, W6920046 3400, W6920071 3300, W6920084 3000, WSBB0039 4200
    WSBB0040 4500, WSBB0044 4300, WSBB0046 4300, WSBB0048 4500, WSBB0049 4700, W2BB0023 6300
    WSPN0006 3600, WSPN0007 4100, W2PN0006 6700, W2PN0007 8000, W4PN0007 7200, WGPN0008 19500, WGPN0009 23500
    WSPA0009 5800, WSPA0010 5400, WSPA0013 5200, WSPA0018 7800, WSNM0004 3800, W7100016 4200, W7100037 3700
    W7100056 4600, W6701004 2000, W6700255 1900
    W2SA0006 8500, W2SA0007 8200, W2SA0011 6300, WSSA0046 4700, WSSA0048 6500, W7100015 4000, W7100041 4500
    W7100057 4800, W6701005 2000, WSRN0012 1900, WSRN0030 2900, WSRN0031 2800, WSRN0032 2900, WSCL0006 3000
    WSCL0007 2900, WSCL0018 3300, WSNM0008 3700, WSNM0009 4700
  `),
} as const satisfies BrandData;
