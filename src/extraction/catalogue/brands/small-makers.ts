import type { BrandData } from "../brand.ts";

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
