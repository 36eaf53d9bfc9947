// Draws the icons of the console from `console/icon.svg`: `npm run icons`. They are kept in the tree, because a build has no browser.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "../console/console-browser.ts";

interface Icon {
  readonly name: string;
  readonly size: number;
  /** The share of the width that the drawing takes. Systems cut a full-bleed icon into their own shape. */
  readonly share: number;
}

const ICONS: readonly Icon[] = [
  { name: "icon-32", size: 32, share: 1 },
  { name: "icon-192", size: 192, share: 1 },
  { name: "icon-512", size: 512, share: 1 },
  { name: "maskable-512", size: 512, share: 0.8 },
  { name: "touch-180", size: 180, share: 0.9 },
];
const GROUND = "#0b6b57";

const executablePath = findChromium();
if (executablePath === undefined) throw new Error("no Chromium found; set ASSAY_CHROMIUM");
const drawing = `data:image/svg+xml;base64,${readFileSync("console/icon.svg").toString("base64")}`;
const folder = join("console", "icons");
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const { name, size, share } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>
    body { margin: 0; height: 100vh; display: grid; place-items: center; background: ${share < 1 ? GROUND : "none"} }
    img { width: ${share * 100}% }
  </style><img src="${drawing}">`);
  await page.waitForFunction("document.images[0].complete");
  writeFileSync(join(folder, `${name}.png`), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
