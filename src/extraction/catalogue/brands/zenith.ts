import type { BrandData } from "../brand.ts";
import { usualPrices } from "../fact-lists.ts";

export const zenith = {
  name: "Zenith",
  spellings: ["zenith", "真力时", "真力時"],
  shapes: [
    { pattern: "(01|02|03|06).####.###[/##[.@###[#]]]", trust: "shape" },
    {
      pattern:
        "(03|11|16|18|22|24|27|30|32|40|45|49|51|65|95|96|97|98|99|10).#{3,4}[.]####[/_##[.@###[#]]]",
      trust: "shape",
    },
    {
      pattern:
        "(03|10|11|12|16|18|22|24|27|30|32|40|45|49|51|65|87|95|96|97|98|99).?###.#{3,4}[/_##[.@###[#]]]",
      trust: "shape",
    },
  ],
  models: [
    {
      name: "Chronomaster Sport",
      words: ["chronomaster sport"],
      references: "03.3100.3600 03.3102.3600 03.3103.3600 03.3107.3600 03.3109.3600",
    },
    {
      name: "Chronomaster",
      words: ["chronomaster", "chronomaster original", "el primero", "chronomaster revival"],
      references: "03.3200.3600 03.2040.400 03.2040.4061 03.3400.3610 03.A386.400",
    },
    {
      name: "Defy",
      words: ["defy", "defy skyline", "defy extreme", "defy 21"],
      references: "03.9300.3620 95.9000.9004 49.9000.9004 03.9400.670 97.9100.9004",
    },
    {
      name: "Pilot",
      words: ["zenith pilot"],
      references: "03.4000.3620 49.4000.3652 11.2430.3000",
    },
  ],
  usual: usualPrices(`
    03.3100.3600 6800, 03.3103.3600 7300, 03.3107.3600 6800, 03.3109.3600 6800, 03.3200.3600 6000, 03.2040.400 4000
    03.2040.4061 5200, 03.9300.3620 5600, 95.9000.9004 6800, 49.9000.9004 7000, 97.9100.9004 11500, 03.4000.3620 5300
    49.4000.3652 6300
  `),
} as const satisfies BrandData;
