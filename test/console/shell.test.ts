import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findBarriers,
  inBrowser,
  openPalette,
  shareConsole,
  signIn,
  signInByHand,
} from "../support/console/console-browser.ts";
import { until } from "../support/test-app.ts";

const THEME = "document.documentElement.dataset.theme ?? 'system'";
const GROUND = "getComputedStyle(document.body).backgroundColor";
const FOCUSED = "document.activeElement.tagName";

test("the console's shell", inBrowser, async (t) => {
  const service = await shareConsole();

  await t.test("a token opens the page that was asked for, with rows of the demo", async (t) => {
    const window = await service.open(t);

    await window.page.goto("/?show=all");
    await signInByHand(window.page, service.token);

    await window.page.getByRole("row").nth(5).waitFor();
    assert.equal(window.page.url(), `${service.url}/?show=all`);
    assert.match(await window.page.title(), /Buys · Assay$/);
    const cookies = await window.page.evaluate("document.cookie");
    assert.equal(cookies, "", "no script can read the session");
  });

  await t.test(
    "the unread count stands in the title and the navigation of every page",

    async (t) => {
      const window = await service.open(t);
      await signIn(window, service, "/settings");

      await until(async () => /^\(\d+\) Settings/.test(await window.page.title()));
      const name = /^Buys \d+ unread$/;
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
    await signIn(window, service, "/?show=all");
    await page.getByRole("row").nth(20).waitFor();
    const offset = "document.querySelector('[data-keep-scroll=buys]')?.scrollTop";
    await page.evaluate("document.querySelector('[data-keep-scroll=buys]').scrollTop = 500");

    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.goBack();

    await until(async () => (await page.evaluate(offset)) === 500);
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
      await page.getByLabel("As the system").check();
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
      await signIn(window, service, "/?show=all");
      await page.getByRole("row").nth(5).waitFor();
      assert.notEqual(await page.locator(".gain").count(), 0);

      await openPalette(page);
      await page.keyboard.type("presenter");
      await page.keyboard.press("Enter");

      await until(async () => (await page.locator(".gain").count()) === 0);
      const columns = page.locator("td[data-column=market], td[data-column=profit], .phone");
      assert.doesNotMatch((await columns.allTextContents()).join(" "), /\d/);
    },
  );

  await t.test(
    "marking all as seen can be undone with a key, and is sent otherwise",

    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service);
      const unseen = page.locator("tbody .unseen");
      await unseen.first().waitFor();
      const count = await unseen.count();
      const markAll = async (): Promise<void> => {
        await openPalette(page);
        await page.keyboard.type("mark all");
        await page.keyboard.press("Enter");
        await page.getByText("All marked as seen").waitFor();
        await until(async () => (await unseen.count()) === 0);
      };
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.method() !== "GET") sent.push(request.url());
      });

      await markAll();
      await page.keyboard.press("z");
      await until(async () => (await unseen.count()) === count);
      assert.deepEqual(sent, []);
      await markAll();
      await until(() => sent.length > 0);

      assert.deepEqual(sent, [`${service.url}/v2/alerts/matches/seen`]);
    },
  );

  await t.test("signing out leads to the sign-in at the same address, in all tabs", async (t) => {
    const window = await service.open(t);
    const { page, context } = window;
    await signIn(window, service, "/settings");
    const other = await context.newPage();
    await other.goto("/market?q=gmt");
    await other.getByRole("navigation").waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();

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
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
  });
});
