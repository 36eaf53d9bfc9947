// Takes the pictures of the README and of docs/console.md: `npm run pictures`. Without ASSAY_DATA_DIR it loads a new demo; with it, it uses the demo that is
// there.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { findChromium } from "../console/console-browser.ts";
import { startAssay } from "../run-assay.ts";

const ROW_WITH_PHOTO = "tbody tr:has(img.photo)";

/** How each page is brought to what its picture shows. Figures arrive after the rows. */
const PICTURES: readonly {
  readonly name: string;
  readonly show: (page: Page) => Promise<void>;
}[] = [
  {
    name: "buys",
    show: async (page) => {
      await openBuys(page);
      await page.locator(ROW_WITH_PHOTO).first().locator("td[data-column=ask]").click();
      await page.locator(".comparables tbody tr").first().waitFor();
    },
  },
  {
    name: "listing",
    show: async (page) => {
      await openBuys(page);
      // Messages from Hong Kong have flags, for which few servers have a font.
      const row = page.locator(ROW_WITH_PHOTO, { hasNotText: "HK" }).first();
      await row.locator("a.watch").press("Enter");
      await page.keyboard.press("Enter");
      await page.locator(".comparables tbody tr").first().waitFor();
      await page.locator(".read-fields").waitFor();
    },
  },
  {
    name: "market",
    show: async (page) => {
      await page.goto("/market?q=pepsi+under+18k&sort=profit");
      await page.getByRole("button", { name: "Remove Reference Pepsi" }).waitFor();
      await page.locator("tbody tr .gain").first().waitFor();
    },
  },
  {
    name: "reference",
    show: async (page) => {
      await page.goto("/references/126710BLRO?brand=Rolex");
      await page.getByText(/[▲▼]/).first().waitFor();
      await page.getByText("best ask").first().waitFor();
      await page.locator(".chart .dot").first().waitFor();
    },
  },
  {
    name: "alert",
    show: async (page) => {
      const references = "reference=126710BLRO&reference=126710BLNR";
      await page.goto(`/alerts/new?name=GMT+buys&strategy=price_engine&${references}`);
      await page.getByText("below market together").waitFor();
    },
  },
  {
    name: "deals",
    show: async (page) => {
      await page.goto("/deals?range=last_month");
      await page.locator(".deals-verdict").waitFor();
    },
  },
];
const PHOTO_ROWS_MIN = 8;
const ARE_IMAGES_THERE = "[...document.images].every((image) => image.complete)";
const FOLDER = join("docs", "pictures");
/** Pages with photos take more than those with drawings. */
const BYTES_MAX = 250_000;
const PATIENCE_MS = 60_000;

const executablePath = findChromium();
if (executablePath === undefined) throw new Error("no Chromium found; set ASSAY_CHROMIUM");
const given = process.env["ASSAY_DATA_DIR"];
const dataDir = given ?? mkdtempSync(join(tmpdir(), "assay-pictures-"));
const closers: (() => unknown)[] = [];
try {
  const environment = { ASSAY_DATA_DIR: dataDir };
  const after = (close: () => unknown): void => void closers.push(close);
  const { url, out } = await startAssay(
    { after: after as TestContext["after"] },
    ["serve", "--demo"],
    environment,
  );
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  closers.unshift(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, baseURL: url });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(/Open (http\S+)/.exec(out())?.[1] ?? "");
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, show } of PICTURES) {
    await show(page);
    await page.locator("[data-live=open]").waitFor();
    await page.waitForFunction("document.querySelector('.loading') === null");
    await page.waitForFunction(ARE_IMAGES_THERE);
    await page.mouse.move(0, 0);
    const file = join(FOLDER, `${name}.png`);
    // A palette is enough for a page, and a quarter of the bytes.
    const { size } = await sharp(await page.screenshot())
      .png({ palette: true })
      .toFile(file);
    if (size > BYTES_MAX) throw new Error(`${file} has ${size} bytes, more than ${BYTES_MAX}`);
    process.stdout.write(`${file} ${size} bytes\n`);
  }
} finally {
  for (const close of closers) await close();
  if (given === undefined) rmSync(dataDir, { recursive: true, force: true });
}

/** A new demo draws its photos while it is looked at. */
async function openBuys(page: Page): Promise<void> {
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; ) {
    await page.goto("/?show=all&since=all");
    await page.locator("tbody tr .gain").first().waitFor();
    if ((await page.locator(ROW_WITH_PHOTO).count()) >= PHOTO_ROWS_MIN) return;
  }
}
