import type { BrandData } from "./brand.ts";

export const omega = {
  name: "Omega",
  spellings: ["omega", "欧米茄", "歐米茄"],
  shapes: [
    { pattern: "(1|2|3|4|5)##[.]##[.]##[.]##[.]##[.]###", trust: "shape" },
    { pattern: "(1|2|3|4|5)##.##.##.##.##.###", trust: "shape" },
    { pattern: "(1|2|3|4|5)#############", trust: "shape" },
    { pattern: "(1|2|3|4|5|6|7)###.##[.##]", trust: "context" },
    { pattern: "(1|2)##.###[#]", trust: "context" },
  ],
  models: [
    {
      name: "Speedmaster",
      words: ["speedmaster", "speedy", "moonwatch", "speedmaster professional", "超霸"],
      references:
        "310.30.42.50.01.001 310.30.42.50.01.002 310.30.42.50.04.001 310.32.42.50.01.001 310.32.42.50.02.001 310.60.42.50.02.001 310.20.42.50.01.001 311.30.42.30.01.005 311.30.42.30.01.006 311.33.42.30.01.001 311.92.44.51.01.003 304.33.44.52.01.001 304.33.44.52.03.001 326.30.40.50.01.001 3570.50 3570.50.00 3590.50 3590.50.00 3573.50 3573.50.00 3510.50 3510.50.00 3513.50 145.012 145.022 105.012 105.003 2998",
    },
    {
      name: "Seamaster",
      words: ["seamaster", "seamaster 300", "seamaster diver", "seamaster 300m", "海马"],
      references:
        "210.30.42.20.01.001 210.30.42.20.03.001 210.30.42.20.04.001 210.30.42.20.10.001 210.90.42.20.01.001 210.22.42.20.01.004 212.30.41.20.01.002 212.30.41.20.01.003 212.30.41.20.03.001 2531.80 2531.80.00 2541.80 2254.50 2254.50.00 2220.80 2220.80.00 234.30.41.21.01.001",
    },
    {
      name: "Seamaster Aqua Terra",
      words: ["aqua terra", "aquaterra", "seamaster aqua terra"],
      references:
        "220.10.41.21.01.001 220.10.41.21.03.001 220.10.41.21.10.001 220.10.38.20.03.001 231.10.42.21.03.003 220.12.41.21.02.001",
    },
    {
      name: "Planet Ocean",
      words: ["planet ocean", "seamaster planet ocean"],
      references: "215.30.44.21.01.001 232.30.42.21.01.001 2201.50 2201.50.00 2200.50 2200.50.00",
    },
    {
      name: "Constellation",
      words: ["constellation"],
      references: "131.10.39.20.01.001 131.33.41.21.01.001 123.10.24.60.05.001",
    },
    {
      name: "De Ville",
      words: ["de ville", "deville"],
      references: "424.13.40.20.02.001 434.13.41.21.03.001",
    },
  ],
  nicknames: {
    snoopy: { name: "Snoopy", model: "Speedmaster" },
    "ed white": { name: "Ed White", model: "Speedmaster" },
    fois: { name: "FOIS", model: "Speedmaster" },
  },
} as const satisfies BrandData;

export const breguet = {
  name: "Breguet",
  spellings: ["breguet", "宝玑", "寶璣"],
  shapes: [{ pattern: "####(BA|BB|BR|PT|ST|TI|BH)[/??[/???]]", trust: "shape" }],
  models: [
    {
      name: "Classique",
      words: ["classique"],
      references: "5177 5157 7147 7137 7337 5277 3137 3130 5140 7787 5317 5327",
    },
    { name: "Marine", words: ["breguet marine"], references: "5517 5527 5547 5817 5827 5887 5847" },
    {
      name: "Tradition",
      words: ["breguet tradition"],
      references: "7027 7057 7097 7077 7037 7047",
    },
    {
      name: "Type XX",
      words: ["type xx", "type xxi", "type 20"],
      references: "3800 3810 3820 3880 2057 2067",
    },
    { name: "Reine de Naples", words: ["reine de naples"], references: "8918 8928 8908" },
  ],
} as const satisfies BrandData;

export const blancpain = {
  name: "Blancpain",
  spellings: ["blancpain", "宝珀", "寶珀"],
  shapes: [{ pattern: "####[@]-####[@]-##[@][@]", trust: "shape" }],
  models: [
    {
      name: "Fifty Fathoms",
      words: ["fifty fathoms", "50 fathoms", "五十噚"],
      references: "5015 5010 5000 5008 5200 5052 5085 2200",
    },
    { name: "Villeret", words: ["villeret"], references: "6651 6654 6656 6606 6127 6104 6661" },
    { name: "Air Command", words: ["air command"] },
    { name: "Leman", words: ["leman"], references: "2100 2885 2185" },
  ],
} as const satisfies BrandData;

export const longines = {
  name: "Longines",
  spellings: ["longines", "浪琴"],
  shapes: [{ pattern: "L#[.]###[.]#[.]##[.]#", trust: "shape" }],
  models: [
    { name: "Spirit", words: ["longines spirit"] },
    { name: "HydroConquest", words: ["hydroconquest"] },
    { name: "Master Collection", words: ["longines master"] },
  ],
} as const satisfies BrandData;
