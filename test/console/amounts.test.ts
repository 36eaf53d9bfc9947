import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { AssayError, createAssayClient, type Deal } from "../../client/assay-client.ts";
import {
  findBarriers,
  inBrowser,
  isTooWide,
  shareConsole,
  signIn,
} from "../support/console/console-browser.ts";
import { until } from "../support/test-app.ts";
import { aMessageEvent, postEvent } from "../support/waha.ts";

const PHONE = { width: 390, height: 844 };

test("amounts that people type", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });
  const atS = Math.floor(Date.now() / 1000);
  const text = "WTS Rolex 126718GRNR 2024 full set HKD 343,000";
  await postEvent(service, aMessageEvent({ rawId: "AMOUNT1", text, atS }));
  let id = "";
  await until(async () => {
    const filters = { reference: ["126718GRNR"] };
    const { items } = await api.searchListings({ filters, sort: "newest", limit: 20 });
    id = items.find(({ price }) => price?.amount_minor === 34_300_000)?.id ?? "";
    return id !== "";
  });
  const findDeal = async (): Promise<Deal | undefined> => {
    try {
      return await api.getDeal({ listing_id: id });
    } catch (error) {
      if (error instanceof AssayError && error.status === 404) return undefined;
      throw error;
    }
  };
  const understood = (page: Page, text: string | RegExp) =>
    page.locator(".amount-read", { hasText: text }).waitFor();
  const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();

  await t.test(
    "an offer is typed as dealers write it, and below it stands what was understood",
    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, `/listings/${id}`);
      await page.locator(".verdict").waitFor();

      await page.keyboard.press("o");
      for (const text of ["331k", "331.000", "33.1\u4E07", "331 000"]) {
        await page.getByLabel("Amount").fill(text);
        await understood(page, "HK$331,000, 3.5% below the ask");
      }
      assert.deepEqual(await findBarriers(page), []);
      await page.keyboard.press("Enter");
      await page.locator(".deal-line").getByText("offered").waitFor();

      assert.deepEqual((await findDeal())?.offer, { amount_minor: 33_100_000, currency: "HKD" });
      await api.deleteDeal({ listing_id: id });
    },
  );

  await t.test(
    "an amount far from the ask is asked about, and nothing is saved before the answer",
    async (t) => {
      const window = await service.open(t, PHONE);
      const { page } = window;
      await signIn(window, service, `/listings/${id}`);
      await page.locator(".verdict").waitFor();

      await page.keyboard.press("o");
      await page.getByLabel("Amount").fill("33.1k");
      await save(page);
      await page
        .getByRole("alert")
        .getByText("HK$33,100 is far from what this watch costs")
        .waitFor();
      const box = page.getByLabel("Yes, HK$33,100 is right");
      await understood(page, /HK\$33,100, 90\.\d% below the ask/);
      assert.equal(await findDeal(), undefined);
      assert.equal(await isTooWide(page), false);
      assert.deepEqual(await findBarriers(page), []);

      // Another amount is asked about again.
      await box.check();
      await page.getByLabel("Amount").fill("33.2k");
      await save(page);
      await page.getByRole("alert").getByText("HK$33,200 is far").waitFor();
      assert.equal(await findDeal(), undefined);
      await page.getByLabel("Yes, HK$33,200 is right").check();
      await save(page);
      await page.getByRole("dialog").waitFor({ state: "detached" });

      assert.equal((await findDeal())?.offer?.amount_minor, 3_320_000);
      await api.deleteDeal({ listing_id: id });
    },
  );

  await t.test(
    "what is no amount is said in words, and nothing is saved, nor without a connection",
    async (t) => {
      const window = await service.open(t);
      const { page, context } = window;
      await signIn(window, service, `/listings/${id}`);
      await page.locator(".verdict").waitFor();

      await page.keyboard.press("o");
      await page.getByLabel("Amount").fill("call me");
      await understood(page, "No amount was understood");
      assert.deepEqual(await findBarriers(page), []);
      await save(page);
      await page.getByRole("alert").getByText("No amount was understood").waitFor();
      await page.getByLabel("Amount").fill("330k-340k");
      await understood(page, "These are several amounts");
      await save(page);
      await page.getByRole("alert").getByText("These are several amounts").waitFor();
      await context.setOffline(true);
      await page.getByLabel("Amount").fill("332k");
      await save(page);
      await page.getByRole("alert").getByText("could not be reached").waitFor();
      await context.setOffline(false);
      assert.equal(await findDeal(), undefined);
      await save(page);
      await page.locator(".deal-line").getByText("offered").waitFor();

      assert.equal((await findDeal())?.offer?.amount_minor, 33_200_000);
      await api.deleteDeal({ listing_id: id });
    },
  );

  await t.test(
    "a sale and its costs are typed in the deal, each in a currency of its own",
    async (t) => {
      await api.decideDeal({
        listing_id: id,
        state: "bought",
        paid: { amount_minor: 34_000_000, currency: "HKD", at_ms: Date.now() },
      });
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, "/deals?state=bought&range=all");
      await page.getByRole("button", { name: "Edit Rolex 126718GRNR" }).first().click();
      const dialog = page.getByRole("dialog");
      assert.equal(await dialog.getByLabel("Paid", { exact: true }).inputValue(), "HK$340,000");

      await dialog.getByLabel("Sold for").fill("39.450");
      await understood(page, /\u20AC39,450, .* above the ask/);
      await dialog.getByLabel("Other costs in euro").fill("24.500");
      await understood(page, /\u20AC24,500, \d+% of the ask/);
      await save(page);
      await dialog.getByRole("alert").getByText("\u20AC24,500 is far").waitFor();
      await dialog.getByLabel("Other costs in euro").fill("245.50");
      await save(page);
      await dialog.waitFor({ state: "detached" });

      const deal = await findDeal();
      assert.equal(deal?.sold?.amount_minor, 3_945_000);
      assert.equal(deal?.sold?.currency, "EUR");
      assert.equal(deal?.cost_eur_minor, 24_550);
      assert.equal(deal?.paid?.amount_minor, 34_000_000);
      await api.deleteDeal({ listing_id: id });
    },
  );

  await t.test(
    "price filters read the same words, and say what they do not understand",
    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, "/market");
      await page.locator(".market-count").waitFor();

      const to = page.getByLabel("Price in EUR to");
      await page.getByRole("button", { name: "Filters" }).click();
      for (const text of ["18.000", "18k"]) {
        await to.fill(text);
        await to.press("Enter");
        await page.waitForURL(/price_lte=1800000(&|$)/);
        await until(async () => (await to.inputValue()) === "18,000");
        await to.fill("");
        await to.press("Enter");
        await page.waitForURL((url) => !url.search.includes("price_lte"));
      }
      await to.fill("cheap");
      await to.press("Enter");
      await page.locator(".range input:invalid").first().waitFor();
      assert.ok(!page.url().includes("price_lte"));
      await to.fill("hkd 140k");
      await to.press("Enter");
      await page.waitForURL(/price_lte=14000000(&|$)/);
      assert.ok(page.url().includes("price_currency=HKD"), page.url());
      const below = page.getByLabel("Below market, at least in euro");
      await below.fill("1.000");
      await below.press("Enter");
      await until(async () => (await below.inputValue()) === "1,000");
      await page
        .getByRole("button", { name: "Remove Below market at least \u20AC1,000" })
        .waitFor();
    },
  );
});
