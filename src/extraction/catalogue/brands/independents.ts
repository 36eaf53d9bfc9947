import { type BrandData, usualPrices } from "../brand.ts";

export const chopard = {
  name: "Chopard",
  spellings: ["chopard", "choppard"],
  shapes: [
    { pattern: "######-####", trust: "shape" },
    { pattern: "##/####[/?{1,3}]", trust: "context" },
  ],
  models: [
    {
      name: "Alpine Eagle",
      words: ["alpine eagle"],
      references: "298600-3001 298600-3002 298601-3001 298601-3012 298609-3001 298617-3001",
    },
    { name: "L.U.C", words: ["l.u.c", "luc"] },
    {
      name: "Happy Sport",
      words: ["happy sport"],
      references: "278559-3003 278582-3002 278573-3012",
    },
    {
      name: "Mille Miglia",
      words: ["mille miglia"],
      references: "168511-3001 168571-3001 168589-3001",
    },
  ],
  usual: usualPrices(`
    298600-3001 9500, 298600-3002 9500, 168571-3001 4000, 168589-3001 4000, 278559-3003 4300
  `),
} as const satisfies BrandData;

export const ulysseNardin = {
  name: "Ulysse Nardin",
  spellings: ["ulysse nardin", "ulysse", "ulysee nardin", "ulyse nardin", "ulysses nardin"],
  shapes: [{ pattern: "(1|2|3|6|7|8)##[#]-##[#][@@][-#[@[@]]][/?{1,8}]", trust: "context" }],
  models: [
    { name: "Marine", words: ["ulysse nardin marine"], references: "1183-310 1183-122" },
    { name: "Freak", words: ["freak x", "ulysse freak"], references: "2303-270 2305-270" },
    { name: "Diver", words: ["ulysse nardin diver"], references: "8163-175 1183-170" },
  ],
  usual: usualPrices(`
    2303-270 17000, 2305-270 18000, 8163-175 6500
  `),
} as const satisfies BrandData;

export const parmigiani = {
  name: "Parmigiani Fleurier",
  spellings: ["parmigiani fleurier", "parmigiani"],
  shapes: [{ pattern: "PFC_###[-#######][-#{4,6}]", trust: "shape" }],
  models: [
    {
      name: "Tonda PF",
      words: ["tonda pf", "tonda"],
      references: "PFC914 PFC905 PFC804 PFC909 PFC931",
    },
    { name: "Kalpa", words: ["kalpa"], references: "PFC128 PFC193" },
  ],
  usual: usualPrices(`
    PFC914 17500, PFC905 20000
  `),
} as const satisfies BrandData;

export const girardPerregaux = {
  name: "Girard-Perregaux",
  spellings: [
    "girard perregaux",
    "gp",
    "girard-perregaux",
    "girard",
    "girard peregaux",
    "gerard perregaux",
    "girard perregeaux",
  ],
  shapes: [
    { pattern: "#####-##-####-??[?]", trust: "shape" },
    { pattern: "#####-##-###-####[?]", trust: "shape" },
    { pattern: "#####-##-###-##[@]", trust: "shape" },
    { pattern: "####-####", trust: "context" },
    { pattern: "(24|25|27|28|49|52|58|80|81|82|84|86|90|99)###[.#.##.####]", trust: "context" },
  ],
  models: [
    { name: "Laureato", words: ["laureato"], references: "81010 81020 80189 81005 81015" },
    { name: "1966", words: ["girard perregaux 1966", "gp 1966"], references: "49555 49525" },
  ],
} as const satisfies BrandData;

export const hMoser = {
  name: "H. Moser & Cie.",
  spellings: [
    "h. moser & cie",
    "h moser & cie",
    "h. moser",
    "h moser",
    "moser & cie",
    "moser",
    "moser and cie",
    "h moser and cie",
  ],
  shapes: [{ pattern: "(1|2|3|6|8)###-####", trust: "context" }],
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

/** Dealers name these watches by model and metal, because the brand has no reference that they would write. */
export const fpJourne = {
  name: "F.P.Journe",
  spellings: [
    "f.p.journe",
    "f.p. journe",
    "fp journe",
    "fpjourne",
    "fpj",
    "journe",
    "f p journe",
    "francois paul journe",
    "fp jorne",
  ],
  shapes: [],
  models: [
    {
      name: "Chronomètre Souverain",
      words: ["chronometre souverain", "journe cs", "fpj cs", "souverain", "fp journe cs"],
    },
    {
      name: "Chronomètre Bleu",
      words: [
        "chronometre bleu",
        "chronometer blue",
        "fpj bleu",
        "journe bleu",
        "chronometre blue",
      ],
    },
    { name: "Chronomètre à Résonance", words: ["resonance", "chronometre a resonance"] },
    { name: "Chronomètre Optimum", words: ["chronometre optimum", "optimum"] },
    { name: "Élégante", words: ["elegante", "elegante 48", "elegante 40"] },
    {
      name: "Octa",
      words: [
        "octa",
        "octa calendrier",
        "octa divine",
        "octa lune",
        "octa automatique",
        "octa reserve",
        "octa quantieme",
        "octa chronographe",
        "octa zodiaque",
        "octa uls",
        "octa sport",
        "octa perpetuelle",
        "automatique lune",
      ],
    },
    {
      name: "Tourbillon Souverain",
      words: [
        "tourbillon souverain",
        "vertical tourbillon",
        "vertical tourb",
        "tourbillon vertical",
      ],
    },
    { name: "Centigraphe", words: ["centigraphe", "centigraphe sport"] },
    { name: "Quantième Perpétuel", words: ["quantieme perpetuel", "quantieme perpetual"] },
    { name: "Sonnerie Souveraine", words: ["sonnerie souveraine"] },
    { name: "Répétition Souveraine", words: ["repetition souveraine"] },
    { name: "Vagabondage", words: ["vagabondage"] },
    { name: "Astronomic Souveraine", words: ["astronomic souveraine", "astronomic souverain"] },
    { name: "LineSport", words: ["linesport", "line sport"] },
    { name: "Chronomètre Furtif", words: ["furtif", "chronometre furtif"] },
  ],
} as const satisfies BrandData;

/** Independent makers of small series. Dealers name their watches by model. */
export const smallMakers: readonly BrandData[] = [
  {
    name: "Czapek",
    spellings: ["czapek", "czapek & cie", "czapek geneve", "czapeck"],
    shapes: [],
    models: [
      {
        name: "Antarctique",
        words: ["antarctique", "antarctique rattrapante", "passage de drake"],
      },
      { name: "Quai des Bergues", words: ["quai des bergues"] },
      { name: "Place Vendôme", words: ["czapek place vendome"] },
      { name: "Faubourg de Cracovie", words: ["faubourg de cracovie"] },
      { name: "Promenade", words: ["czapek promenade"] },
    ],
  },
  {
    name: "De Bethune",
    spellings: ["de bethune", "debethune", "de béthune"],
    // "DB 25" with a space can be a double box and an amount.
    shapes: [{ pattern: "DB##[@{1,5}]", trust: "context" }],
    models: [
      { name: "DB25", words: ["starry varius"], references: "DB25" },
      { name: "DB27", words: ["titan hawk"], references: "DB27" },
      { name: "DB28", references: "DB28" },
      { name: "DB29", references: "DB29" },
    ],
  },
  {
    name: "MB&F",
    spellings: ["mb&f", "mb & f", "mb and f", "mbandf", "maximilian busser", "max busser"],
    shapes: [],
    models: [
      {
        name: "Legacy Machine",
        words: [
          "legacy machine",
          "mb&f lm",
          "lm101",
          "lm perpetual",
          "lm sequential",
          "lm flying t",
        ],
      },
      { name: "Horological Machine", words: ["horological machine", "mb&f hm"] },
      { name: "M.A.D.1", words: ["m.a.d.1", "mad1", "m.a.d. 1", "m.a.d.2", "m.a.d. editions"] },
    ],
  },
  {
    name: "Nomos",
    spellings: ["nomos", "nomos glashutte", "nomos glashuette", "nomos glashütte"],
    shapes: [],
    models: [
      { name: "Tangente", words: ["tangente", "tangente neomatik", "tangomat"] },
      { name: "Club", words: ["nomos club", "club campus", "club sport neomatik"] },
      { name: "Ludwig", words: ["nomos ludwig", "ludwig neomatik"] },
      { name: "Orion", words: ["nomos orion", "orion neomatik"] },
      { name: "Metro", words: ["nomos metro", "metro neomatik"] },
      { name: "Zürich", words: ["nomos zurich", "zurich weltzeit"] },
      { name: "Ahoi", words: ["nomos ahoi", "ahoi neomatik"] },
      { name: "Tetra", words: ["nomos tetra"] },
      { name: "Autobahn", words: ["nomos autobahn"] },
    ],
  },
  {
    name: "Urwerk",
    spellings: ["urwerk"],
    // A space before the number would make "is ur 100 …" a watch.
    shapes: [{ pattern: "UR[-]###[@{1,4}]", trust: "shape" }],
    models: [
      { name: "UR-100", references: "UR-100" },
      { name: "UR-102", references: "UR-102" },
      { name: "UR-103", references: "UR-103" },
      { name: "UR-105", references: "UR-105" },
      { name: "UR-110", references: "UR-110" },
      { name: "UR-112", references: "UR-112" },
      { name: "UR-120", references: "UR-120" },
      { name: "UR-150", references: "UR-150" },
      { name: "UR-202", references: "UR-202" },
      { name: "UR-210", references: "UR-210" },
      { name: "UR-220", references: "UR-220" },
      { name: "UR-230", references: "UR-230" },
      { name: "EMC", words: ["urwerk emc"] },
    ],
  },
];
