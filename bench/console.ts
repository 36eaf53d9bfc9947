// The console in a real browser, on the demo. How long until the first rows of Buys; what a frame costs while 10,000 rows
// of Market are scrolled, and how many nodes the page has then; how often Buys renders at 50 events per second; how much
// memory 18,000 events leave.
//   node --import tsx bench/console.ts [ROWS] [EVENTS]      default 10,000 and 18,000
// Without ASSAY_DATA_DIR it loads a new demo, which takes a minute or two; with it, it uses the demo that is there. Build first.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { sleep } from "../src/base/clock.ts";
import { findChromium } from "../test/support/console/console-browser.ts";
import { openBrowser } from "../test/support/console/cookie-browser.ts";
import { type Relay, startRelay } from "./support/console-relay.ts";
import { makeFolder, quantile, readNumbers, round, runBenchmark, serve } from "./support/runner.ts";

const [ROWS, EVENTS] = readNumbers(10_000, 18_000);
const VISITS = 7;
const EVENTS_PER_SECOND = 50;
const SECONDS = 10;
const WINDOW_MS = 100;
const PATIENCE_MS = 120_000;
/** A market that has fewer rows ends earlier than asked for. */
const SCROLL_MAX_MS = 300_000;
const MEGABYTE = 1024 * 1024;

/** Five rows down, as a fast wheel does, then the frame that shows it. `rows` is how many rows lie above the lower edge. */
const SCROLL = `new Promise((settle) => {
  const area = document.querySelector("[data-keep-scroll=market]");
  const row = document.querySelector("tbody tr").getBoundingClientRect().height;
  area.scrollTop += 5 * row;
  requestAnimationFrame(() => requestAnimationFrame(() => settle({
    nodes: document.querySelectorAll("*").length,
    rows: Math.round((area.scrollTop + area.clientHeight) / row),
  })));
})`;

await runBenchmark("console", async (t) => {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("no Chromium found; set ASSAY_CHROMIUM");
  const dataDir = process.env["ASSAY_DATA_DIR"] ?? makeFolder(t);
  const service = await serve(t, { ASSAY_DATA_DIR: dataDir }, ["--demo", "--no-trickle"]);
  const token = readFileSync(join(dataDir, "demo-token"), "utf8").trim();
  const relay = await startRelay(service.url, token);
  t.after(() => relay.close());
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  t.after(() => browser.close());
  const open = (url: string) => openSignedIn(browser, { url, token });

  const firstRows = await timeFirstRows(() => open(service.url));
  const scrolled = await scrollMarket(await open(service.url));
  const live = await followEvents(await open(relay.url), relay);
  return { ...firstRows, ...scrolled, ...live };
});

/** A window of its own, so that nothing is cached. */
async function openSignedIn(
  browser: Browser,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<Page> {
  const client = openBrowser(url);
  await client.ask("POST", "/console/sessions", { body: { token } });
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url }));
  await context.addCookies(cookies);
  return context.newPage();
}

/** From the start of the navigation to the frame that shows the first row. */
async function timeFirstRows(open: () => Promise<Page>) {
  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const page = await open();
    await page.addInitScript({
      content: `globalThis.firstRows = new Promise((settle) =>
        new MutationObserver((_, observer) => {
          if (document.querySelector("tbody tr") === null) return;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => settle(performance.now())));
        }).observe(document, { childList: true, subtree: true }));`,
    });
    // A locator would load its own 300 kB of script into the page while the page itself still loads.
    const cdp = await page.context().newCDPSession(page);
    await page.goto("/?show=all&since=all", { waitUntil: "commit" });
    const { result } = await cdp.send("Runtime.evaluate", {
      expression: "globalThis.firstRows",
      awaitPromise: true,
    });
    times.push(Number(result.value));
    await page.context().close();
  }
  return {
    first_rows_ms: round(quantile(times, 0.5)),
    first_rows_max_ms: round(quantile(times, 1)),
  };
}

/** Scrolls frame by frame; rows that are not loaded yet are loaded on the way. */
async function scrollMarket(page: Page) {
  await page.goto("/market");
  await page.locator("tbody tr").first().waitFor();
  const cdp = await page.context().newCDPSession(page);
  // Processor time of the thread, so that other programs on the machine do not count.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const costs: number[] = [];
  let nodesMax = 0;
  let rows = 0;
  for (const deadlineMs = performance.now() + SCROLL_MAX_MS; rows < ROWS; ) {
    if (performance.now() > deadlineMs) break;
    const before = await busyMs(cdp);
    const state = await page.evaluate<{ nodes: number; rows: number }>(SCROLL);
    costs.push((await busyMs(cdp)) - before);
    nodesMax = Math.max(nodesMax, state.nodes);
    rows = state.rows;
  }
  await page.context().close();
  return {
    scrolled_rows: rows,
    frames: costs.length,
    frame_p50_ms: round(quantile(costs, 0.5)),
    frame_p95_ms: round(quantile(costs, 0.95)),
    nodes_max: nodesMax,
  };
}

/** Script, style and layout of the page's thread so far. */
async function busyMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const wanted = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];
  return metrics
    .filter(({ name }) => wanted.includes(name))
    .reduce((sum, { value }) => sum + value * 1_000, 0);
}

async function followEvents(page: Page, relay: Relay) {
  // A render is a batch of changes to the document; ages change by themselves, once a second at most.
  await page.addInitScript({
    content: `globalThis.renders = [];
      new MutationObserver((changes) => {
        const isAge = ({ target }) => target.parentElement?.closest(".age") != null;
        if (!changes.every(isAge)) globalThis.renders.push(performance.now());
      }).observe(document, { childList: true, subtree: true, characterData: true });`,
  });
  await page.goto("/?show=all&since=all");
  await page.locator("tbody tr").first().waitFor();
  await relay.followed();
  const cdp = await page.context().newCDPSession(page);
  // The first events fill caches that stay.
  await relay.send(EVENTS_PER_SECOND);
  await sleep(1_000);
  await page.evaluate("globalThis.renders.length = 0");
  for (let sent = 0; sent < EVENTS_PER_SECOND * SECONDS; sent += 1) {
    await relay.send(1);
    await sleep(1_000 / EVENTS_PER_SECOND);
  }
  const renders = await page.evaluate<readonly number[]>("globalThis.renders");
  const before = await heapBytes(cdp);
  for (let sent = 0; sent < EVENTS; sent += EVENTS_PER_SECOND) {
    await relay.send(Math.min(EVENTS_PER_SECOND, EVENTS - sent));
    await sleep(10);
  }
  await sleep(1_000);
  await page.evaluate("globalThis.renders.length = 0");
  const after = await heapBytes(cdp);
  return {
    events_per_second: EVENTS_PER_SECOND,
    renders_per_100_ms: round(renders.length / ((SECONDS * 1_000) / WINDOW_MS)),
    renders_per_100_ms_max: countMax(renders),
    events: EVENTS,
    heap_growth_mb: round((after - before) / MEGABYTE),
  };
}

async function heapBytes(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  return (await cdp.send("Runtime.getHeapUsage")).usedSize;
}

/** The most renders in any window. */
function countMax(times: readonly number[]): number {
  return Math.max(
    0,
    ...times.map((from) => times.filter((at) => at >= from && at < from + WINDOW_MS).length),
  );
}
