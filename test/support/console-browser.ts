/**
 * The console in a real browser, on the real service with a small demo.
 *
 * Every page is watched: a request to another origin is refused, and at the end of its test it fails if there was one, if the
 * browser reported a breach of the Content-Security-Policy, or if a script threw.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium } from "./chromium.ts";
import { aDataDir, startAssay } from "./run-assay.ts";

/** Hands options to `test`: without a browser the test is skipped, and says so. */
export const inBrowser = {
  skip: findChromium() === undefined && "no Chromium found; install one or set ASSAY_CHROMIUM",
};

export interface ConsoleService {
  readonly url: string;
  readonly token: string;
  /** Signs a browser in, once. */
  readonly link: string;
  /** A window of its own, with storage and cookies of its own. */
  open(t: TestContext, options?: WindowOptions): Promise<Window>;
}

interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What is wrong so far; empty at the end of every test. */
  readonly problems: string[];
}

interface WindowOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const MESSAGES = 1_200;
/** The machine may be busy; what a test waits for is a state, not a time. */
const PATIENCE_MS = 30_000;
const BREACH = "assay-csp-breach";
/** Scripts of the page are texts, because the tests are compiled without the types of a browser. */
const TELL_BREACHES = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("${BREACH}", event.violatedDirective, event.blockedURI));`;

export async function startConsole(t: Pick<TestContext, "after">): Promise<ConsoleService> {
  const dataDir = aDataDir(t);
  const service = await startAssay(t, ["serve", "--demo", "--no-trickle"], {
    ASSAY_DATA_DIR: dataDir,
    ASSAY_DEMO_MESSAGES: String(MESSAGES),
  });
  const token = readFileSync(join(dataDir, "demo-token"), "utf8").trim();
  const browser = await chromium.launch({
    executablePath: findChromium() ?? "",
    args: FLAGS,
    timeout: PATIENCE_MS,
  });
  t.after(() => browser.close());
  return {
    url: service.url,
    token,
    link: /Open (http\S+)/.exec(service.out())?.[1] ?? "",
    open: (test, options) => openWindow(test, { browser, url: service.url }, options),
  };
}

async function openWindow(
  t: TestContext,
  { browser, url }: { readonly browser: Browser; readonly url: string },
  { width = 1440, height = 900, colorScheme = "light" }: WindowOptions = {},
): Promise<Window> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme,
    viewport: { width, height },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  await context.route(
    (asked) => asked.origin !== url,
    async (route) => {
      problems.push(`asked for ${route.request().url()}`);
      await route.abort();
    },
  );
  await context.addInitScript({ content: TELL_BREACHES });
  context.on("console", (message) => {
    if (message.text().startsWith(BREACH)) problems.push(message.text());
  });
  context.on("weberror", (error) => problems.push(String(error.error())));
  t.after(async () => {
    await context.close();
    assert.deepEqual(problems, []);
  });
  return { page: await context.newPage(), context, problems };
}

/** Signs in as a person without a link does: by pasting the token. */
export async function signIn(
  { page }: Window,
  { token }: Pick<ConsoleService, "token">,
  path = "/",
) {
  await page.goto(path);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
}

/** True if the page is wider than its window. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
}

/** Opens the palette with the keyboard. */
export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").waitFor();
}

/** What axe-core finds in light, in dark and on a narrow screen, and whether the page is then too wide. */
export async function findBarriersInAllLooks(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { colorScheme, width } of [
    { colorScheme: "light", width: 1440 },
    { colorScheme: "dark", width: 1440 },
    { colorScheme: "light", width: 320 },
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const barriers = await findBarriers(page);
    found.push(...barriers.map((barrier) => `${colorScheme}, ${width} px: ${barrier}`));
    if (await isTooWide(page)) found.push(`${colorScheme}, ${width} px: too wide`);
  }
  return found;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What axe-core finds on the page. It runs through the debugger, so the page's policy does not apply to it. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResult>("axe.run()");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ""}`),
  );
}
