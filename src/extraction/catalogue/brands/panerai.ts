import { type BrandData, usualPrices } from "../brand.ts";

export const panerai = {
  name: "Panerai",
  spellings: ["panerai", "officine panerai", "pannerai", "panerei", "panarai"],
  shapes: [{ pattern: "PAM_~#{2,5}", trust: "shape" }],
  models: [
    {
      name: "Luminor Marina",
      words: ["luminor marina"],
      references: withShortForms(
        "PAM00001 PAM00111 PAM00104 PAM01312 PAM01313 PAM01499 PAM00351 PAM00359 PAM01661 PAM00312 PAM00523 PAM00562",
      ),
    },
    {
      name: "Luminor",
      words: ["luminor"],
      references: withShortForms(
        "PAM00000 PAM00002 PAM00005 PAM00112 PAM00372 PAM00773 PAM00914 PAM01084 PAM01086",
      ),
    },
    {
      name: "Luminor Due",
      words: ["luminor due"],
      references: withShortForms("PAM00906 PAM00904 PAM01043 PAM01046 PAM01123"),
    },
    {
      name: "Radiomir",
      words: ["radiomir"],
      references: withShortForms(
        "PAM00183 PAM00210 PAM00448 PAM00449 PAM00754 PAM00753 PAM00337 PAM00384",
      ),
    },
    {
      name: "Submersible",
      words: ["submersible"],
      references: withShortForms(
        "PAM00024 PAM00025 PAM00389 PAM00682 PAM00683 PAM00616 PAM00973 PAM00959 PAM00968 PAM01305 PAM01074 PAM01287",
      ),
    },
  ],
  nicknames: {
    bronzo: { name: "Bronzo", model: "Submersible" },
    carbotech: { name: "Carbotech" },
  },
  usual: usualPrices(
    withShortForms(`
    PAM00000 3300, PAM00002 3000, PAM00005 3000, PAM00024 3700, PAM00025 4300, PAM00104 3100, PAM00111 3300, PAM00112 3200
    PAM00183 3300, PAM00210 2900, PAM00312 4000, PAM00351 4200, PAM00359 3600, PAM00372 5300, PAM00389 4700
    PAM00523 3500, PAM00562 4000, PAM00616 7500, PAM00682 5200, PAM00683 5200, PAM00753 3400, PAM00754 3400
    PAM00773 3800, PAM00904 3900, PAM00906 3700, PAM00914 3400, PAM00959 6200, PAM00968 8200, PAM00973 6200
    PAM01043 4000, PAM01046 4000, PAM01084 4000, PAM01086 3500, PAM01123 5000, PAM01287 6000, PAM01305 5700
    PAM01312 4500, PAM01313 4500, PAM01499 4400, PAM01661 6500
    `),
  ),
} as const satisfies BrandData;

/** Dealers leave out zeros: PAM01312 is also PAM1312. Adds the short form after each number, with its price if it has one. */
function withShortForms(text: string): string {
  return text.replace(/PAM(\d{5})( \d{1,6})?/g, (long, number: string, euros = "") => {
    const short = `PAM${number.replace(/^00?/, "")}${euros}`;
    return euros === "" ? `${long} ${short}` : `${long}, ${short}`;
  });
}
