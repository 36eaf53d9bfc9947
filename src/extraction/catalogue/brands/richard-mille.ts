import { type BrandData, launchYears, usualPrices } from "../brand.ts";

export const richardMille = {
  name: "Richard Mille",
  spellings: [
    "richard mille",
    "richardmille",
    "rm",
    "r.m",
    "richard mile",
    "richard millie",
    "richard mill",
  ],
  shapes: [
    { pattern: "RM_~(##-##|##_##|UP-01|UP01|0##|##)", trust: "shape" },
    { pattern: "RM_~#-##", trust: "shape" },
    {
      pattern:
        "(07|10|11|12|14|16|17|19|20|21|22|23|26|27|28|29|30|31|32|33|35|36|37|38|39|40|43|47|50|51|52|53|55|56|58|59|60|61|62|63|64|65|66|67|68|69|70|71|72|74|75)-##",
      trust: "context",
    },
    {
      pattern:
        "(002|003|004|005|006|007|008|009|010|011|012|014|016|017|018|019|020|021|022|023|025|026|027|028|029|030|031|032|033|035|036|037|038|039|050|051|052|053|055|056|057|058|059|060|061|062|063|067|068|069|070|088)",
      trust: "context",
    },
  ],
  prefix: "RM",
  /** Numbers that could also be a day and a month (17-01) are listed with the prefix, so that they count only with it. */
  models: [
    { name: "RM 002", references: "002 RM02-01" },
    { name: "RM 003", references: "003 RM03-01" },
    { name: "RM 005", references: "005" },
    { name: "RM 006", references: "006" },
    { name: "RM 07", references: "007 07-01 07-02 RM07-03 07-04" },
    { name: "RM 010", references: "010" },
    { name: "RM 011", references: "011 11-01 11-02 11-03 11-04 11-05" },
    { name: "RM 016", references: "016 16-01 16-02" },
    { name: "RM 17", references: "017 RM17-01 RM17-02" },
    { name: "RM 19", references: "019 RM19-01 RM19-02" },
    { name: "RM 21", references: "021 RM21-01 RM21-02" },
    { name: "RM 22", references: "022 RM22-01" },
    { name: "RM 023", references: "023" },
    { name: "RM 025", references: "025 RM25-01" },
    { name: "RM 26", references: "026 RM26-01 RM26-02" },
    { name: "RM 027", references: "027 27-01 27-02 27-03 27-04 27-05" },
    { name: "RM 028", references: "028" },
    { name: "RM 029", references: "029" },
    { name: "RM 030", references: "030 30-01" },
    { name: "RM 032", references: "032 32-01" },
    { name: "RM 033", references: "033 33-01 33-02 RM33-03" },
    { name: "RM 035", references: "035 35-01 35-02 35-03" },
    { name: "RM 036", references: "036" },
    { name: "RM 037", references: "037 37-01" },
    { name: "RM 038", references: "038 38-01 38-02" },
    { name: "RM 039", references: "039 39-01" },
    { name: "RM 40", references: "40-01" },
    { name: "RM 43", references: "43-01" },
    { name: "RM 50", references: "050 50-01 50-02 50-03 50-04" },
    { name: "RM 51", references: "051 51-01 51-02" },
    { name: "RM 52", references: "052 52-01 52-05 52-06" },
    { name: "RM 53", references: "053 53-01 53-02" },
    { name: "RM 055", references: "055" },
    { name: "RM 56", references: "056 56-01 56-02" },
    { name: "RM 60", references: "60-01" },
    { name: "RM 61", references: "061 61-01" },
    { name: "RM 62", references: "62-01" },
    { name: "RM 63", references: "063 63-01 63-02" },
    { name: "RM 64", references: "64-01" },
    { name: "RM 65", references: "65-01" },
    { name: "RM 66", references: "RM66" },
    { name: "RM 67", references: "67-01 67-02" },
    { name: "RM 68", references: "68-01" },
    { name: "RM 69", references: "069" },
    { name: "RM 70", references: "70-01" },
    { name: "RM 71", references: "71-01 71-02" },
    { name: "RM 72", references: "72-01" },
    { name: "RM 74", references: "74-01 74-02" },
    { name: "RM 75", references: "75-01" },
    { name: "RM 88", references: "RM88 RM088" },
    { name: "RM UP-01", references: "RMUP-01" },
  ],
  nicknames: {
    "felipe massa": { name: "Felipe Massa", model: "RM 011" },
    "bubba watson": { name: "Bubba Watson", references: "055 038" },
    "yohan blake": { name: "Yohan Blake", references: "061" },
    pinturault: { name: "Pinturault", model: "RM 67" },
    "van niekerk": { name: "Van Niekerk", model: "RM 67" },
    "baby nadal": { name: "Baby Nadal", model: "RM 035", references: "035" },
  },
  launched: launchYears(`
    2007 011, 2010 027, 2011 030 035, 2014 07-01, 2016 11-03 67-01, 2017 67-02, 2020 65-01 72-01, 2021 35-03
    2022 RMUP-01
  `),
  usual: usualPrices(`
    005 55000, 010 105000, 011 155000, 016 66000, 023 75000, 028 95000, 029 112000, 030 140000, 032 135000, 033 52000
    035 150000, 037 210000, 055 165000, 07-01 190000, 07-02 240000, 07-04 230000, 11-02 190000, 11-03 245000
    11-04 320000, 11-05 270000, 16-01 110000, 16-02 172000, RM17-01 300000, RM17-02 280000, 27-03 1100000
    30-01 280000, 35-01 230000, 35-02 230000, 35-03 340000, 37-01 220000, 60-01 110000, 61-01 150000, 63-02 175000
    65-01 315000, 67-01 168000, 67-02 315000, 72-01 260000
  `),
} as const satisfies BrandData;
