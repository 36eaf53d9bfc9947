import type { BrandData } from "../brand.ts";

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
