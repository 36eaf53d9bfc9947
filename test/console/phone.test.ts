import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import decodeQr from "qr/decode.js";
import { createAssayClient } from "../../client/assay-client.ts";
import {
  findBarriers,
  inBrowser,
  isTooWide,
  shareConsole,
  signIn,
  startConsole,
} from "../support/console/console-browser.ts";
import { until } from "../support/test-app.ts";

const PHONE = { width: 390, height: 844 };
const AWAY = "Assay cannot be reached. This page keeps trying.";
const IS_INSTALLED =
  "navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')";
/** Controls that a finger would miss, as far as they are shown. Links within a text are no targets. */
const SMALL_TARGETS = `[...document.querySelectorAll("main :is(button, .button, summary, select, input)")]
  .filter((control) => control.checkVisibility() && !control.matches(".word, .watch"))
  .filter((control) => control.getBoundingClientRect().height < 40)
  .map((control) => control.outerHTML)`;

/** Tables that end beyond the window and cannot be scrolled by themselves. */
const CUT_TABLES = `[...document.querySelectorAll("main table")]
  .filter((table) => table.checkVisibility() && table.closest(".wide-area") === null)
  .filter((table) => table.getBoundingClientRect().right > innerWidth)
  .map((table) => table.caption?.textContent)`;

test("the console on a phone", inBrowser, async (t) => {
  await t.test("what a finger presses on a listing is 40 px high", async (t) => {
    const service = await shareConsole();
    const api = createAssayClient({ url: service.url, token: service.token });
    const [buy] = (await api.searchLiveFeed({ limit: 1 })).items;
    const window = await service.open(t, PHONE);
    const { page } = window;
    await signIn(window, service, `/listings/${buy?.listing.id}`);
    await page.locator(".read-fields").waitFor();
    await page.evaluate(
      "for (const each of document.querySelectorAll('details')) each.open = true",
    );
    await until(async () => (await page.locator(".loading").count()) === 0);

    assert.deepEqual(await page.evaluate(SMALL_TARGETS), []);
    assert.equal(await isTooWide(page), false);
    assert.deepEqual(await page.evaluate(CUT_TABLES), []);
    assert.deepEqual(await findBarriers(page), []);
  });

  await t.test(
    "a page that is opened without a connection says so, and comes by itself",
    async (t) => {
      const service = await shareConsole();
      const window = await service.open(t);
      const { page, context } = window;
      await signIn(window, service, "/alerts");
      await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();

      await context.setOffline(true);
      await page.getByRole("link", { name: "Market" }).first().click();
      await page.getByText(AWAY).waitFor();
      await context.setOffline(false);

      await page.locator("[data-keep-scroll=market] tbody tr").first().waitFor();
    },
  );

  await t.test("after a new release a page that is opened loads the new one", async (t) => {
    const service = await shareConsole();
    const window = await service.open(t);
    const { page, context } = window;
    await signIn(window, service, "/alerts");
    await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
    let missedCount = 0;
    // The scripts of the old release are gone.
    await context.route("**/assets/market-page-*", async (route) => {
      missedCount += 1;
      if (missedCount === 1) await route.fulfill({ status: 404, body: "" });
      else await route.continue();
    });

    await page.getByRole("link", { name: "Market" }).first().click();

    await page.locator("[data-keep-scroll=market] tbody tr").first().waitFor();
    assert.ok(missedCount >= 2);
  });
});

test("an installed console", inBrowser, async (t) => {
  const service = await startConsole(t, {
    environment: { ASSAY_PUBLIC_URL: "http://desk.example.org" },
  });

  await t.test("opens while the service is away, and goes on when it is back", async (t) => {
    const api = createAssayClient({ url: service.url, token: service.token });
    const [buy] = (await api.searchLiveFeed({ limit: 1 })).items;
    const window = await service.open(t, { ...PHONE, isInstalled: true });
    const { page } = window;
    await signIn(window, service, "/alerts");
    await until(() => page.evaluate<boolean>(IS_INSTALLED));

    await service.stop();
    await page.goto(`/listings/${buy?.listing.id}`);
    await page.getByText(AWAY).waitFor();
    await service.start();

    await page.locator(".verdict").waitFor();
  });

  await t.test("keeps no data of the market on the device", async (t) => {
    const window = await service.open(t, { isInstalled: true });
    const { page } = window;
    await signIn(window, service, "/market");
    await page.locator("tbody tr").first().waitFor();
    await until(() => page.evaluate<boolean>(IS_INSTALLED));

    const kept = await page.evaluate<string[]>(`caches.keys()
      .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
      .then((lists) => lists.flat().map((request) => new URL(request.url).pathname))`);

    assert.ok(kept.length > 10);
    assert.deepEqual(
      kept.filter((path) => path !== "/" && !path.startsWith("/assets/")),
      [],
    );
  });

  await t.test("signs in another device by a QR code, once", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service);
    await openDevice(page);
    await page.locator(".qr path").waitFor();
    assert.deepEqual(await findBarriers(page), []);

    const link = new URL(await readQr(page));
    assert.equal(link.origin, "http://desk.example.org");
    const other = await service.open(t, PHONE);
    await other.page.goto(`${service.url}/${link.hash}`);
    await other.page.getByRole("navigation", { name: "Pages" }).waitFor();
    const third = await service.open(t, PHONE);
    await third.page.goto(`${service.url}/${link.hash}`);

    await third.page.getByText("This link was used before").waitFor();
  });

  await t.test("shows no code where others see the screen", async (t) => {
    const window = await service.open(t);
    const { page, context } = window;
    await context.addInitScript({ content: "localStorage.setItem('assay.presenter', 'true')" });
    await signIn(window, service);

    await openDevice(page);
    await page.getByText("Presenter mode is on: others may see").waitFor();

    assert.equal(await page.locator(".qr").count(), 0);
  });
});

test("without an address for other devices the page says so", inBrowser, async (t) => {
  const service = await shareConsole();
  const window = await service.open(t);
  await signIn(window, service);

  await openDevice(window.page);

  await window.page.getByText("does not know an address").waitFor();
  assert.equal(await window.page.getByText("ASSAY_PUBLIC_URL").isVisible(), false);
});

async function openDevice(page: Page): Promise<void> {
  await page.locator("summary", { hasText: "You:" }).first().click();
  await page.getByRole("button", { name: "Sign in another device" }).click();
  await page.getByRole("dialog", { name: "Sign in another device" }).waitFor();
}

/** What a camera would read: the modules as they are drawn, four pixels each. */
async function readQr(page: Page): Promise<string> {
  const drawing = await page.locator(".qr path").getAttribute("d");
  const size = Number((await page.locator(".qr").getAttribute("viewBox"))?.split(" ")[2]);
  const scale = 4;
  const width = size * scale;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y] of drawing?.matchAll(/M(\d+) (\d+)h1v1h-1z/g) ?? []) {
    for (let at = 0; at < scale * scale; at += 1) {
      const column = Number(x) * scale + (at % scale);
      const row = Number(y) * scale + Math.floor(at / scale);
      data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
    }
  }
  return decodeQr({ width, height: width, data });
}
