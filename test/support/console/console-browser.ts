/**
 * The console in a real browser, on the real service with a small demo.
 *
 * Every page is watched: a request to another origin is refused, and at the end of its test it fails if there was one, if the
 * browser reported a breach of the Content-Security-Policy, or if a script threw.
 */
import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { AssayClient, MatchContext, WatchMatch } from "../../../client/assay-client.ts";
import { until } from "../test-app.ts";
import { type Lifetime, untilLastTest } from "../test-database.ts";
import { type DemoService, type DemoServiceOptions, startDemoService } from "./console-service.ts";
import { openBrowser } from "./cookie-browser.ts";
import { SHIFT_SCRIPT } from "./shifted-clock.ts";

/** The headless shell first: the same engine without the windows, which take two thirds of the processor time of a test. */
const NAMES = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
];

/** Hands options to `test`: without a browser the test is skipped, and says so. */
export const inBrowser = {
  skip: findChromium() === undefined && "no Chromium found; install one or set ASSAY_CHROMIUM",
};

export interface ConsoleService extends DemoService {
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
  /** Other origins that the window may ask. */
  readonly origins?: readonly string[];
  /** True if the console may install what it needs offline. Otherwise every request is one of the page, which a test can change. */
  readonly isInstalled?: boolean;
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The machine may be busy; what a test waits for is a state, not a time. */
const PATIENCE_MS = 30_000;

const BREACH = "assay-csp-breach";

/** Scripts of the page are texts, because the tests are compiled without the types of a browser. */
const TELL_BREACHES = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("${BREACH}", event.violatedDirective, event.blockedURI));`;

/** A service for this test alone. */
export async function startConsole(
  t: Lifetime,
  options: DemoServiceOptions = {},
): Promise<ConsoleService> {
  const [service, browser] = await Promise.all([startDemoService(t, options), launchBrowser()]);
  return { ...service, open: (test, window) => openWindow(test, { browser, service }, window) };
}

let shared: Promise<ConsoleService> | undefined;

/**
 * One service for all files of the process that ask for it, because a start takes seconds. Its market is the demo and what the files before have posted,
 * marked or corrected; none of them takes a part of the demo away.
 */
export function shareConsole(): Promise<ConsoleService> {
  shared ??= startConsole(untilLastTest);
  return shared;
}

let launched: Promise<Browser> | undefined;

/** One for all files of the process: a window has everything of its own. */
function launchBrowser(): Promise<Browser> {
  if (launched === undefined) {
    const executablePath = findChromium() ?? "";
    launched = chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE_MS });
    untilLastTest.after(async () => (await launched)?.close());
  }
  return launched;
}

async function openWindow(
  t: TestContext,
  { browser, service: { url } }: { readonly browser: Browser; readonly service: DemoService },
  options: WindowOptions = {},
): Promise<Window> {
  const { width = 1440, height = 900, colorScheme = "light", origins = [] } = options;
  const context = await browser.newContext({
    baseURL: url,
    colorScheme,
    viewport: { width, height },
    serviceWorkers: options.isInstalled === true ? "allow" : "block",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  await context.route(
    ({ origin }) => origin !== url && !origins.includes(origin),
    async (route) => {
      problems.push(`asked for ${route.request().url()}`);
      await route.abort();
    },
  );
  await context.addInitScript({ content: SHIFT_SCRIPT + TELL_BREACHES });
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

/** Opens the page in a window that has a session of its own already, which is faster than the sign-in page. */
export async function signIn(
  { page, context }: Window,
  { url, token }: Pick<DemoService, "url" | "token">,
  path = "/",
): Promise<void> {
  const browser = openBrowser(url);
  const { status } = await browser.ask("POST", "/console/sessions", {
    body: { token },
    headers: { origin: url },
  });
  assert.equal(status, 201);
  const cookies = [...browser.cookies].map(([name, value]) => ({ name, value }));
  await context.addCookies(
    cookies.map((cookie) => ({ ...cookie, url, httpOnly: true, sameSite: "Strict" as const })),
  );
  await page.goto(`${url}${path}`);
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
}

/** Signs in as a person without a link does: by pasting the token. */
export async function signInByHand(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
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

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Rows are alike, and each costs the time of a whole small page. */
const ROWS_MAX = 12;

/**
 * What axe-core finds on the page. It runs through the debugger, so the page's policy does not apply to it. With `only`, it
 * checks nothing but this rule.
 */
export async function findBarriers(page: Page, only?: string): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe.source);
  const what = JSON.stringify({ exclude: [`tbody tr:nth-child(n + ${ROWS_MAX + 1})`] });
  const how = JSON.stringify({
    // The details of what is right would take most of the time.
    resultTypes: ["violations"],
    ...(only === undefined ? {} : { runOnly: [only] }),
  });
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${what}, ${how})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ""}`),
  );
}

/**
 * What axe-core finds in light, in dark and on a narrow phone, and whether the page is too wide there. Of a theme, only the
 * contrast can differ.
 */
export async function findBarriersEverywhere(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  const look = async (where: string, only?: string): Promise<void> => {
    found.push(...(await findBarriers(page, only)).map((barrier) => `${where}: ${barrier}`));
    if (await isTooWide(page)) found.push(`${where}: wider than its window`);
  };
  await page.emulateMedia({ colorScheme: "light" });
  await look("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await look("dark", "color-contrast");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 320, height: 900 });
  await look("320 px");
  return found;
}

/** `ASSAY_CHROMIUM`, or else the first browser in PATH that Playwright can drive. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = environment["ASSAY_CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const folders = (environment["PATH"] ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The address of Buys with everything of 30 days, whatever was seen and whenever someone looked. */
export const ALL_BUYS = "/?show=all&since=all";

/** All matches, those that were seen included, the latest first. */
export async function listRows(api: AssayClient): Promise<readonly WatchMatch[]> {
  return (await api.listWatchMatches({ include_shadow: true, limit: 200 })).items;
}

/** The rows of `ALL_BUYS`. */
export async function listBuys(api: AssayClient): Promise<readonly WatchMatch[]> {
  const query = { include_shadow: true, is_buy: true, sort: "profit", limit: 200 } as const;
  return (await api.listWatchMatches(query)).items;
}

/** Of the match with the highest profit. */
export function bestContext({ matches }: WatchMatch): MatchContext {
  const contexts = matches.map(({ match }) => match.match_context);
  const profits = contexts.map((context) => context.profit_opportunity_eur_minor ?? -1);
  return contexts[profits.indexOf(Math.max(...profits))] ?? {};
}

/** What the page sends that is not a read. The market has no writes, and looking is none. */
export function recordWrites(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const isRead =
      request.method() === "GET" ||
      pathname.startsWith("/v2/market/") ||
      pathname === "/v2/me/last-looked";
    if (!isRead && pathname.startsWith("/v2/")) {
      sent.push(`${request.method()} ${pathname}`);
    }
  });
  return sent;
}

/** The id of the row that is shown beside the list. */
export function selectedId(page: Page): Promise<string | undefined> {
  return page.evaluate('document.querySelector("tr[aria-selected=true]")?.dataset.id');
}

/** Waits for the listing at this ask in euros, which no other one has. Returns its id. */
export async function waitForAsk(api: AssayClient, euros: number): Promise<string> {
  const filters = { price: { gte: euros * 100, lte: euros * 100 } };
  let id: string | undefined;
  await until(async () => {
    id = (await api.searchListings({ filters, sort: "newest" })).items[0]?.id;
    return id !== undefined;
  });
  return id ?? "";
}
