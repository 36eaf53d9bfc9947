import type { BrandData } from "./brand.ts";

export const cartier = {
  name: "Cartier",
  spellings: ["cartier", "ct", "卡地亚", "卡地亞"],
  shapes: [
    {
      pattern:
        "W(SS|SB|SP|SR|ST|SC|SN|SD|SE|GS|GB|GP|GR|GT|GC|GN|GD|HS|HR|HT|HB|JT|JS|JB|JP|JC|JD|JR|JN|JG|2S|2B|2P|2T|2N|2C|3S|3B|4B|4P|4T|4S|6S|6P)@[~]####",
      trust: "shape",
    },
    { pattern: "W#####[#][#][(@#|@@|@)]", trust: "shape" },
    { pattern: "HPI#####", trust: "shape" },
    { pattern: "CR(W|HP)[@][@]#{4,7}", trust: "shape" },
    { pattern: "(WE|WF|WG|WT|WB|WL|WA|WD|WH)######[?]", trust: "shape" },
    { pattern: "####", trust: "context" },
  ],
  models: [
    {
      name: "Santos",
      words: ["santos", "santos de cartier", "santos medium", "santos large", "山度士"],
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
        "坦克",
      ],
      references:
        "WSTA0040 WSTA0041 WSTA0042 WSTA0051 WSTA0052 WSTA0056 WSTA0059 WSTA0060 WSTA0062 WSTA0065 WSTA0067 WSTA0074 WSTA0082 WSTA0083 WSTA0084 WSTA0085 WGTA0011 WGTA0023 WGTA0024 WGTA0058 WGTA0059 WJTA0037",
    },
    {
      name: "Ballon Bleu",
      words: ["ballon bleu", "balloon bleu", "ballon blue", "蓝气球"],
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
} as const satisfies BrandData;

export const vacheronConstantin = {
  name: "Vacheron Constantin",
  spellings: [
    "vacheron constantin",
    "vacheron",
    "vacheron constantine",
    "vc",
    "江诗丹顿",
    "江詩丹頓",
  ],
  shapes: [
    { pattern: "####@_/_###@[~?###]", trust: "shape" },
    { pattern: "#####_/_###@[~?###]", trust: "shape" },
    { pattern: "#####-###@[-?###]", trust: "shape" },
    {
      pattern: "####(V|E|U|H|S|T|K|F)",
      trust: "context",
    },
    { pattern: "#####", trust: "context" },
  ],
  models: [
    {
      name: "Overseas",
      words: ["overseas", "纵横四海"],
      references:
        "42040 42042 42050 42052 47040 47450 49150 4300V 4500V 4520V 4600V 5100V 5110V 5500V 5520V 6000V 6007V 2000V 2300V 2305V 2500V 4000V 7700V 7900V 7910V 7920V 1205V",
    },
    {
      name: "Historiques",
      words: ["historiques", "historiques 222", "vacheron 222"],
      references: "4200H 1100S 81180 82035 86122 37001",
    },
    {
      name: "Patrimony",
      words: ["patrimony"],
      references: "81160 81180 81530 85180 85515 86020 4110U 4010U 4100U 4115U 1110U 1410U",
    },
    {
      name: "Traditionnelle",
      words: ["traditionnelle", "traditionelle"],
      references: "82172 83570 87172 4000T 4010T 5000T 6000T 82572 43175 80172 88172",
    },
    { name: "Fiftysix", words: ["fiftysix", "fifty six"], references: "4000E 4400E 4600E" },
    { name: "Malte", words: ["malte"], references: "30130 82130 47112 42015" },
    { name: "Égérie", words: ["egerie"], references: "8005F 4605F" },
  ],
} as const satisfies BrandData;

export const iwc = {
  name: "IWC",
  spellings: ["iwc", "iwc schaffhausen", "万国", "萬國"],
  shapes: [
    { pattern: "IW_####[~##]", trust: "shape" },
    { pattern: "IW_######", trust: "shape" },
  ],
  models: [
    {
      name: "Portugieser",
      words: ["portugieser", "portuguese", "portugaise"],
      references:
        "IW3714 IW3716 IW3717 IW5001 IW5007 IW5032 IW5033 IW5034 IW5035 IW3583 IW3904 IW3905 IW5001 IW5007 IW5451 IW5102",
    },
    {
      name: "Big Pilot",
      words: ["big pilot"],
      references: "IW5004 IW5009 IW5010 IW3293 IW5026 IW5027",
    },
    {
      name: "Pilot",
      words: ["pilot chronograph", "pilots watch", "mark xviii", "mark xx", "top gun"],
      references: "IW3777 IW3779 IW3709 IW3253 IW3270 IW3282 IW3780 IW3891 IW3894 IW3881 IW3270",
    },
    {
      name: "Portofino",
      words: ["portofino"],
      references: "IW3565 IW3910 IW4592 IW3581 IW3574 IW3441",
    },
    {
      name: "Ingenieur",
      words: ["ingenieur"],
      references: "IW3227 IW3239 IW3289 IW3234 IW3580 IW3281",
    },
    { name: "Aquatimer", words: ["aquatimer"], references: "IW3290 IW3767 IW3768 IW3719 IW3795" },
    {
      name: "Da Vinci",
      words: ["da vinci"],
      references: "IW3750 IW3751 IW3921 IW3934 IW3581 IW4523",
    },
  ],
} as const satisfies BrandData;

export const panerai = {
  name: "Panerai",
  spellings: ["panerai", "officine panerai", "沛纳海", "沛納海"],
  shapes: [{ pattern: "PAM_~#{3,5}", trust: "shape" }],
  models: [
    {
      name: "Luminor Marina",
      words: ["luminor marina"],
      references:
        "PAM00001 PAM00111 PAM00104 PAM01312 PAM01313 PAM01499 PAM00351 PAM00359 PAM01661",
    },
    {
      name: "Luminor",
      words: ["luminor"],
      references:
        "PAM00000 PAM00002 PAM00005 PAM00112 PAM00372 PAM00773 PAM00914 PAM01084 PAM01086",
    },
    {
      name: "Luminor Due",
      words: ["luminor due"],
      references: "PAM00906 PAM00904 PAM01043 PAM01046 PAM01123",
    },
    {
      name: "Radiomir",
      words: ["radiomir"],
      references: "PAM00183 PAM00210 PAM00448 PAM00449 PAM00210 PAM00754 PAM00753",
    },
    {
      name: "Submersible",
      words: ["submersible"],
      references:
        "PAM00024 PAM00025 PAM00389 PAM00682 PAM00683 PAM00616 PAM00973 PAM00959 PAM00968",
    },
  ],
} as const satisfies BrandData;

export const jaegerLeCoultre = {
  name: "Jaeger-LeCoultre",
  spellings: [
    "jaeger lecoultre",
    "jaeger-lecoultre",
    "jaeger le coultre",
    "jaeger",
    "lecoultre",
    "jlc",
    "积家",
    "積家",
  ],
  shapes: [
    { pattern: "Q######?[?]", trust: "shape" },
    { pattern: "#######", trust: "context" },
    { pattern: "###@###[@]", trust: "context" },
    { pattern: "######@", trust: "context" },
    { pattern: "###[.]#[.]##[@]", trust: "context" },
  ],
  models: [
    {
      name: "Reverso",
      words: ["reverso", "翻转"],
      references:
        "Q3848420 Q3858520 Q3978480 Q397848J Q2438520 Q3828420 Q2458422 Q2788570 Q3958420 Q3988482 Q713842J Q713257J 2708110",
    },
    {
      name: "Master Ultra Thin",
      words: ["master ultra thin"],
      references: "Q1368420 Q1368430 Q1278420 Q1338421 Q1368480 Q1302520",
    },
    {
      name: "Master Control",
      words: ["master control"],
      references: "Q1548420 Q4018420 Q4138420 Q4148420 Q1548530 Q1558420",
    },
    {
      name: "Polaris",
      words: ["polaris"],
      references: "Q9008170 Q9068670 Q9028180 Q9068681 Q906868J Q9038180",
    },
    { name: "Rendez-Vous", words: ["rendez vous"], references: "Q3468421 Q3448421 Q3578480" },
    { name: "Memovox", words: ["memovox"] },
  ],
} as const satisfies BrandData;
