// Takes the pictures of the README: `npm run pictures`. Without ASSAY_DATA_DIR it loads a new demo; with it, it uses the demo that is
// there.
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { chromium } from "playwright-core";
import { findChromium } from "../console/console-browser.ts";
import { startAssay } from "../run-assay.ts";

/** With what the page shows last: figures arrive after the rows. */
const PICTURES = [
  { name: "buys", path: "/?only=buys", last: [/^\+€/] },
  { name: "market", path: "/market", last: [/\d listings$/, /% below$/] },
] as const;
const FOLDER = join("docs", "pictures");
const BYTES_MAX = 300_000;
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
  await page.getByRole("navigation").waitFor();
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, path, last } of PICTURES) {
    await page.goto(path);
    await page.locator("[data-live=open]").waitFor();
    await page.getByRole("row").nth(5).waitFor();
    for (const text of last) await page.getByText(text).first().waitFor();
    await page.locator(".loading").first().waitFor({ state: "hidden" });
    const file = join(FOLDER, `${name}.png`);
    await page.screenshot({ path: file });
    const { size } = statSync(file);
    if (size > BYTES_MAX) throw new Error(`${file} has ${size} bytes, more than ${BYTES_MAX}`);
    process.stdout.write(`${file} ${size} bytes\n`);
  }
} finally {
  for (const close of closers) await close();
  if (given === undefined) rmSync(dataDir, { recursive: true, force: true });
}
