import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import { formatAmount } from "../../console/words/formats.ts";
import {
  ALL_BUYS,
  findBarriers,
  inBrowser,
  isTooWide,
  openPalette,
  shareConsole,
  signIn,
  signInByHand,
} from "../support/console/console-browser.ts";
import { shiftedClock } from "../support/console/shifted-clock.ts";
import { until } from "../support/test-app.ts";

const THEME = "document.documentElement.dataset.theme ?? 'system'";
const GROUND = "getComputedStyle(document.body).backgroundColor";
const LABELS = `[...document.querySelectorAll(".nav > *")]
  .filter((item) => item.checkVisibility())
  .map((item) => item.querySelector(".nav-label").textContent)`;
/** Of a row. */
const ROW_HEIGHT = 48;
const FOCUSED = "document.activeElement.tagName";

const NAV_PAGES = ["Buys", "Market", "References", "Dealers", "Deals", "Alerts", "Settings"];

test("the console's shell", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });

  await t.test("a token opens the page that was asked for, with rows of the demo", async (t) => {
    const window = await service.open(t);

    await window.page.goto(ALL_BUYS);
    await signInByHand(window.page, service.token);

    await window.page.getByRole("row").nth(5).waitFor();
    assert.equal(window.page.url(), `${service.url}${ALL_BUYS}`);
    assert.match(await window.page.title(), /Buys · Assay$/);
    const cookies = await window.page.evaluate("document.cookie");
    assert.equal(cookies, "", "no script can read the session");
  });

  await t.test(
    "the count of unseen buys stands in the title and the navigation of every page",

    async (t) => {
      const window = await service.open(t);
      await signIn(window, service, "/settings");

      const { buy_count } = await api.summarizeWatchMatches({
        unseen_only: true,
        include_shadow: true,
      });
      assert.ok(buy_count > 0);
      await until(async () => (await window.page.title()).startsWith(`(${buy_count}) Settings`));
      const name = `Buys ${buy_count} unseen buys`;
      await window.page.getByRole("link", { name }).waitFor();
    },
  );

  await t.test("links change the page without a reload; back leads back", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service);
    await page.evaluate("window.isSamePage = true");

    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();

    assert.equal(page.url(), `${service.url}/settings`);
    assert.equal(await page.evaluate("window.isSamePage"), true);
    await until(async () => (await page.evaluate(FOCUSED)) === "H1");
    assert.equal(
      await page.getByRole("link", { name: "Settings" }).getAttribute("aria-current"),
      "page",
    );
    await page.goBack();
    await page.getByRole("heading", { name: "Buys" }).waitFor();
    assert.equal(page.url(), `${service.url}/`);
  });

  await t.test("going back restores where the reader was in the list", async (t) => {
    const window = await service.open(t, { height: 400 });
    const { page } = window;
    await signIn(window, service, ALL_BUYS);
    await page.getByRole("row").nth(20).waitFor();
    const offset = "document.querySelector('[data-keep-scroll=buys]')?.scrollTop";
    await page.evaluate("document.querySelector('[data-keep-scroll=buys]').scrollTop = 500");

    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.goBack();
    await page.getByRole("row").nth(20).waitFor();

    // What stands above the rows may come later, and the browser then keeps the rows where they are.
    await until(async () => Math.abs(Number(await page.evaluate(offset)) - 500) < ROW_HEIGHT);
  });

  await t.test(
    "a chosen theme holds at once, after a reload and in other tabs",

    async (t) => {
      const window = await service.open(t, { colorScheme: "light" });
      const { page, context } = window;
      await signIn(window, service, "/settings");
      const other = await context.newPage();
      await other.goto("/settings");
      const light = await page.evaluate(GROUND);

      await page.getByLabel("Dark").check();

      assert.notEqual(await page.evaluate(GROUND), light);
      await until(async () => (await other.evaluate(THEME)) === "dark");
      await page.reload();
      assert.equal(await page.evaluate(THEME), "dark");
      await page.getByLabel("System").check();
      assert.equal(await page.evaluate(GROUND), light);
    },
  );

  await t.test("the palette works with the keyboard alone", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service);

    await openPalette(page);
    await page.keyboard.type("sett");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await openPalette(page);
    await page.keyboard.type("theme: da");
    await page.keyboard.press("Enter");
    await until(async () => (await page.evaluate(THEME)) === "dark");
    await openPalette(page);
    await page.keyboard.type("6541 hulk & co");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");

    await page.waitForURL("**/market?**");
    assert.equal(new URL(page.url()).searchParams.get("q"), "6541 hulk & co");
    await openPalette(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  await t.test(
    "the palette finds references, dealers and alerts, and none that is not there",
    async (t) => {
      const found = await api.findAnything({ q: "126500" });
      const [reference] = found.references;
      const dealer = found.listings.find(({ sender }) => sender.display_name !== undefined)?.sender;
      assert.ok(reference !== undefined && dealer !== undefined);
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, "/settings");
      const options = page.getByRole("dialog").getByRole("option");

      await openPalette(page);
      // Other tests post meanwhile, so the figure is the one that this page was told.
      const answered = page.waitForResponse(/\/v2\/search\?q=126500$/);
      await page.keyboard.type("126500");
      const told = (await (await answered).json()) as typeof found;
      const minor = told.references[0]?.median_price_eur_minor ?? Number.NaN;
      const median = formatAmount({ minor, currency: "EUR" });
      await options.first().getByText(`median ${median}`).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/references/${reference.reference}?brand=${reference.brand}`);
      await openPalette(page);
      await page.keyboard.type("12650099");
      await page.getByText("Searching").waitFor({ state: "detached" });
      assert.deepEqual(await options.locator(".palette-name").allTextContents(), [
        "Search the market for “12650099”",
      ]);
      await page
        .getByRole("dialog")
        .getByRole("combobox")
        .fill(dealer.display_name ?? "");
      await options.filter({ hasText: "Dealers" }).first().click();
      await page.waitForURL(/\/dealers\/[\da-f-]+$/);
      await openPalette(page);
      await page.keyboard.type("every bu");
      await options.filter({ hasText: "Every buy" }).first().click();
      await page.waitForURL("**/alerts/*");
    },
  );

  await t.test("the bar says which phone is silent, and leads to it", async (t) => {
    const { items } = await api.listSessions({});
    const state = { hongKong: "stale" };
    const fourHoursAgoMs = shiftedClock.nowMs() - 4 * 3_600_000;
    const window = await service.open(t);
    const { page } = window;
    // Other tests post, so which phone is silent is not left to the demo.
    await page.route("**/v2/sessions", (route) => {
      const phones = items.map((phone) =>
        phone.gateway_name === "recv-hk-1"
          ? { ...phone, health_state: state.hongKong, last_message_at_ms: fourHoursAgoMs }
          : { ...phone, health_state: "healthy" },
      );
      return route.fulfill({ json: { items: phones } });
    });
    await signIn(window, service, "/alerts");

    await page.getByRole("link", { name: "Desk Hong Kong silent for 4 h" }).click();
    await page.getByRole("heading", { name: "Settings: Phones" }).waitFor();
    await page.getByRole("cell", { name: "silent", exact: true }).waitFor();
    assert.equal(await page.locator(".status:not(.is-off)").count(), 0);
    state.hongKong = "healthy";
    await page.reload();

    await page
      .locator(".status:not(.is-off)", { hasText: /^(Phone|\d+ phones) healthy$/ })
      .waitFor();
  });

  await t.test(
    "the navigation is a column, a rail or five items, and never too wide",
    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      const width = "document.querySelector('.nav').getBoundingClientRect().width";
      await signIn(window, service, "/settings");
      const shown = (): Promise<readonly string[]> => page.evaluate(LABELS);

      assert.deepEqual(await shown(), NAV_PAGES);
      await page.setViewportSize({ width: 768, height: 900 });
      assert.equal(await page.evaluate(width), 48);
      assert.deepEqual(await shown(), NAV_PAGES);
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 844 });
        assert.deepEqual((await shown()).toSorted(), [
          "Alerts",
          "Buys",
          "Market",
          "More",
          "Search",
        ]);
        assert.equal(await isTooWide(page), false);
      }
      await page.getByText("More", { exact: true }).click();
      await page.locator(".nav").getByRole("link", { name: "References" }).click();
      await page.waitForURL("**/references");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("dialog").getByRole("combobox").waitFor();
    },
  );

  await t.test(
    "single keys work outside of fields, and can be turned off",

    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service);

      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await page.getByRole("dialog").getByRole("checkbox").uncheck();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await openPalette(page);

      assert.equal(await page.getByRole("dialog", { name: "Keys" }).count(), 0);
    },
  );

  await t.test(
    "presenter mode leaves no digit of profit and no phone number in the document",

    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, ALL_BUYS);
      await page.getByRole("row").nth(5).waitFor();
      assert.notEqual(await page.locator(".gain").count(), 0);

      await openPalette(page);
      await page.keyboard.type("presenter");
      await page.keyboard.press("Enter");

      await until(async () => (await page.locator(".gain").count()) === 0);
      const columns = page.locator(
        "td[data-column=landed], td[data-column=market] > :first-child, td[data-column=below], td[data-column=offer], .buys-summary .hidden-amount, .phone",
      );
      assert.doesNotMatch((await columns.allTextContents()).join(" "), /\d/);
    },
  );

  await t.test(
    "marking all as seen can be undone with a key, and is sent otherwise",

    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, "/?since=all");
      const unseen = page.locator("tbody .unseen");
      await unseen.first().waitFor();
      const count = await unseen.count();
      const markAll = async (): Promise<void> => {
        await openPalette(page);
        await page.keyboard.type("mark all");
        await page.keyboard.press("Enter");
        await page.getByText(/watch(?:es)? marked as seen/).waitFor();
        await until(async () => (await unseen.count()) === 0);
      };
      const sent: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (request.method() !== "GET" && pathname !== "/v2/me/last-looked") sent.push(pathname);
      });

      await markAll();
      await page.keyboard.press("z");
      await until(async () => (await unseen.count()) === count);
      assert.deepEqual(sent, []);
      await markAll();
      await until(() => sent.length > 0);

      assert.deepEqual(sent, ["/v2/alerts/matches/seen"]);
    },
  );

  await t.test("signing out leads to the sign-in at the same address, in all tabs", async (t) => {
    const window = await service.open(t);
    const { page, context } = window;
    await signIn(window, service, "/settings");
    const other = await context.newPage();
    await other.goto("/market?q=gmt");
    await other.getByRole("navigation", { name: "Pages" }).waitFor();

    await page.getByRole("button", { name: "Sign out", exact: true }).click();

    await page.getByLabel("Token").waitFor();
    await other.getByLabel("Token").waitFor();
    assert.equal(other.url(), `${service.url}/market?q=gmt`);
    await signInByHand(other, service.token);
    await other.getByRole("heading", { name: "Market" }).waitFor();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  });

  await t.test("palette and keys have no barrier", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service);

    await openPalette(page);
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
  });
});
