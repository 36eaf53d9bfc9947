// How well the same photo is found again, and how often another photo is taken for it, on photos that the demo draws.
//   node --import tsx bench/looks.ts [PHOTOS]      default 40
// Same: a photo that was compressed, resized, or got a thin border. Different: other shots of the same model.

import sharp, { type Sharp } from "sharp";
import { toPhotoSvg } from "../src/demo/photos/draw-photos.ts";
import { DISTANCE_MAX, GRID, lookOf } from "../src/media/look.ts";
import { distanceOf } from "../test/support/media/pictures.ts";
import { readNumbers, round, runBenchmark } from "./support/runner.ts";

const [PHOTOS] = readNumbers(40);
const MODELS = [
  { brand: "Rolex", model: "Submariner Date", reference: "126610LN", dial_type: null },
  { brand: "Rolex", model: "Daytona", reference: "126500LN", dial_type: "white" },
  { brand: "Patek Philippe", model: "Nautilus", reference: "5711/1A-010", dial_type: "blue" },
  { brand: "Rolex", model: "Datejust 41", reference: "126334", dial_type: "blue" },
];

const CHANGES: Readonly<Record<string, (photo: Sharp) => Sharp>> = {
  compressed: (photo) => photo.jpeg({ quality: 35 }),
  resized: (photo) => photo.resize(400).jpeg({ quality: 75 }),
  bordered: (photo) =>
    photo.extend({ top: 8, bottom: 8, left: 8, right: 8, background: "#fff" }).jpeg(),
};

await runBenchmark("looks", async () => {
  const found = new Map(Object.keys(CHANGES).map((name) => [name, 0]));
  let pairCount = 0;
  let mistakenCount = 0;
  for (const facts of MODELS) {
    const looks: string[] = [];
    for (let at = 0; at < PHOTOS / MODELS.length; at += 1) {
      const svg = Buffer.from(toPhotoSvg(facts, `bench ${facts.reference} ${at}`));
      const photo = await sharp(svg).flatten().jpeg({ quality: 90 }).toBuffer();
      const look = await lookOfFile(photo);
      for (const [name, change] of Object.entries(CHANGES)) {
        const changed = await lookOfFile(await change(sharp(photo)).toBuffer());
        const isFound = distanceOf(look, changed) <= DISTANCE_MAX;
        found.set(name, (found.get(name) ?? 0) + (isFound ? 1 : 0));
      }
      for (const other of looks) {
        pairCount += 1;
        if (distanceOf(look, other) <= DISTANCE_MAX) mistakenCount += 1;
      }
      looks.push(look);
    }
  }
  const shares = [...found].map(([name, count]) => [`${name}_found`, round(count / PHOTOS)]);
  return {
    ...Object.fromEntries(shares),
    pairs_of_one_model: pairCount,
    taken_for_the_same: mistakenCount,
  };
});

async function lookOfFile(file: Buffer): Promise<string> {
  const side = { fit: "fill" } as const;
  return lookOf(await sharp(file).resize(GRID, GRID, side).greyscale().raw().toBuffer());
}
