import type { BrandData } from "../brand.ts";

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
