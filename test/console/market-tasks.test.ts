/** What a dealer asks the market and a reference, as a script. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createAssayClient } from "../../client/assay-client.ts";
import { formatAmount } from "../../console/words/formats.ts";
import { maximumHkAsk } from "../../src/pricing/thresholds.ts";
import {
  findBarriersEverywhere,
  inBrowser,
  signIn,
  startConsole,
} from "../support/console/console-browser.ts";
import { until } from "../support/test-app.ts";
import { postMessage } from "../support/waha.ts";

const ROWS = ".market-area tbody tr:has(a)";
const BUYER = { phone: "447700900711", lid: "199900000000711", name: "Wanda W." };
const SELLER = { phone: "447700900712", lid: "199900000000712", name: "Selma S." };

test("a dealer's questions to the market", inBrowser, async (t) => {
  const service = await startConsole(t);
  const api = createAssayClient({ url: service.url, token: service.token });
  const open = async (t: Parameters<typeof service.open>[0], path: string): Promise<Page> => {
    const window = await service.open(t);
    await signIn(window, service, path);
    return window.page;
  };
  const euros = (minor = 0): string => formatAmount({ minor, currency: "EUR" });

  await t.test(
    "all 126500LN under 24,000, cheapest first, and what to do with the first",
    async (t) => {
      const page = await open(t, "/market");
      await page.locator(ROWS).first().waitFor();

      await page.keyboard.press("/");
      await page.keyboard.type("126500LN under 24k");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Remove Reference 126500LN" }).waitFor();
      await page.getByRole("button", { name: "Remove Price up to €24,000" }).waitFor();
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.waitForURL(/sort=price_asc/);

      const filters = {
        reference: ["126500LN"],
        price: { lte: 24_000_00, currency: "EUR" },
        side: ["for_sale" as const],
        last_seen_at_ms: { gte: Date.now() - 30 * 86_400_000 },
      };
      const { items, total } = await api.searchListings({
        filters,
        sort: "price_asc",
        include_total: true,
      });
      assert.ok(items.length > 3 && items.every(({ reference }) => reference === "126500LN"));
      const links = `[...document.querySelectorAll("${ROWS} a.watch")].map((link) => link.getAttribute("href"))`;
      await until(async () => {
        const shown = await page.evaluate<string[]>(links);
        return items.slice(0, 3).every(({ id }, at) => shown[at] === `/listings/${id}`);
      });
      await page.locator(".market-count", { hasText: `${total} watches for sale` }).waitFor();

      await page.keyboard.press("j");
      await page.keyboard.press("s");
      await page.locator(".pane .deal-line", { hasText: "shortlisted" }).waitFor();
      await page.locator("tr[aria-current]").getByText("shortlisted").waitFor();
      const first = items[0]?.id ?? "";
      assert.equal((await api.getDeal({ listing_id: first })).state, "shortlisted");
      assert.deepEqual(await findBarriersEverywhere(page), []);
      await page.keyboard.press("Escape");
      await until(async () => (await page.locator(".pane").count()) === 0);

      await page.getByRole("button", { name: "Remove Price up to €24,000" }).click();
      await page.waitForURL(/q=126500LN&/);
    },
  );

  await t.test("nothing fits: each chip says how many there would be without it", async (t) => {
    const page = await open(t, "/market?q=126500LN&price_lte=10000");

    await page.getByText("No listing fits this filter.").waitFor();
    const offer = page.locator(".suggestions li", { hasText: "Without Price up to €100" });
    await offer.getByText(/\d+ listings/).waitFor();
    assert.deepEqual(await findBarriersEverywhere(page), []);
    await offer.getByRole("button").click();
    await page.locator(ROWS).first().waitFor();
  });

  await t.test("a dealer in the filter has a name", async (t) => {
    const { items } = await api.searchListings({ filters: { side: ["for_sale"] }, limit: 1 });
    const { contact_id = "", display_name = "" } = items[0]?.sender ?? {};
    const page = await open(t, `/market?contact=${contact_id}`);

    await page.getByRole("button", { name: `Remove Dealer ${display_name}` }).waitFor();
  });

  await t.test("what a 126710BLRO is worth in Hong Kong, and what may be offered", async (t) => {
    const { items } = await api.listConfigurations({ reference: "126710BLRO" });
    const [rule] = items.toSorted(
      (left, right) => Object.keys(left.filters).length - Object.keys(right.filters).length,
    );
    assert.ok(rule !== undefined);
    const { items: cells } = await api.getConfigurationCells({ id: rule.id });
    const [cell] = cells
      .filter(({ maximum_buy_eur_minor }) => maximum_buy_eur_minor !== undefined)
      .toSorted((left, right) => right.listing_count - left.listing_count);
    assert.ok(cell !== undefined);
    const { hk_markup } = await api.getProfile({ id: rule.profile_id });
    const most = maximumHkAsk(cell.maximum_buy_eur_minor ?? 0, {
      rateBps: hk_markup?.rate_bps ?? 0,
      fixedEurMinor: hk_markup?.fixed_eur_minor ?? 0,
    });
    const page = await open(
      t,
      `/references/126710BLRO?price=${rule.id}&year=${cell.year}&condition=${cell.condition_bucket}`,
    );
    await page.locator(".matrix [aria-current]", { hasText: `HK ${euros(most)}` }).waitFor();
    await page.locator(".cell-figures", { hasText: euros(most) }).waitFor();

    await page.getByRole("button", { name: "Hong Kong", exact: true }).click();
    await page.waitForURL(/where=HK/);
    const { items: asks } = await api.getPopulation({
      id: rule.id,
      year: cell.year,
      condition_bucket: cell.condition_bucket as "new",
    });
    const inHongKong = asks.filter(({ source_market }) => source_market === "HK");
    await until(async () => (await page.locator(".chart .dot").count()) === inHongKong.length);
    await page.getByRole("button", { name: "30 days", exact: true }).click();
    await page.waitForURL(/range=30/);
    await page.locator(".counted", { hasText: /count/ }).waitFor();
    assert.deepEqual(await findBarriersEverywhere(page), []);
  });

  await t.test(
    "a buy leads to its own cell, where it is marked, ringed and on offer",
    async (t) => {
      const { items } = await api.listWatchMatches({
        is_buy: true,
        sort: "profit",
        include_shadow: true,
        limit: 50,
      });
      const row = items.find(({ headline }) => headline !== undefined);
      assert.ok(row?.listing !== undefined && row.headline !== undefined);
      const page = await open(t, `/listings/${row.listing.id}`);

      await page.getByRole("link", { name: `Prices of ${row.listing.reference}` }).click();
      await page.waitForURL(new RegExp(`ask=${row.listing.id}`));
      const { year, condition_bucket } = row.headline;
      await page.locator(`[data-cell="${year}-${condition_bucket}"][aria-current]`).waitFor();
      const dot = page.locator(`.chart [data-ask="${row.listing.id}"].is-own.is-buy`);
      await dot.waitFor({ state: "attached" });
      const offer = page.locator(".offers tr[aria-current]");
      await offer.getByText("Buy", { exact: true }).waitFor();
      assert.equal(
        await offer.locator("a.watch").getAttribute("href"),
        `/listings/${row.listing.id}`,
      );
      await page.locator(".past-buys tbody tr").first().waitFor();
    },
  );

  await t.test("one press alerts on every buy of a reference, and can be undone", async (t) => {
    const page = await open(t, "/references/126710BLRO");

    await page.getByRole("button", { name: "Alert me" }).click();
    await page.getByRole("link", { name: "The alert is on" }).waitFor();
    const made = async () =>
      (await api.listAlerts({})).items.find(({ name }) => name === "Rolex 126710BLRO: buys");
    assert.equal((await made())?.strategy, "price_engine");
    await page.keyboard.press("z");
    await page.getByRole("button", { name: "Alert me" }).waitFor();
    assert.equal(await made(), undefined);
  });

  await t.test("who wants a 126000 green, and who offers one", async (t) => {
    await postMessage(service, "WTB Rolex 126000 green dial full set", BUYER);
    await postMessage(service, "Rolex 126000 green 2024 used full set 7123 EUR", SELLER);
    const filters = { reference: ["126000"], dial_type: ["green"] };
    await until(async () => {
      const find = (side: "for_sale" | "want_to_buy", price = {}) =>
        api.searchListings({ filters: { ...filters, ...price, side: [side] }, limit: 5 });
      const [wanted, offered] = await Promise.all([
        find("want_to_buy"),
        find("for_sale", { price: { gte: 7123_00, lte: 7123_00 } }),
      ]);
      return (
        offered.items.length > 0 &&
        wanted.items.some(({ sender }) => sender.display_name === BUYER.name)
      );
    });
    const page = await open(t, "/market?q=126000+green");
    await page.locator(ROWS).first().waitFor();

    await page.getByRole("link", { name: "Wanted", exact: true }).click();
    const row = page.locator(ROWS, { hasText: BUYER.name });
    await row.waitFor();
    assert.equal(await page.getByRole("columnheader", { name: "Below market" }).count(), 0);
    assert.deepEqual(await findBarriersEverywhere(page), []);
    await row.getByRole("link", { name: "Who offers it? Rolex 126000" }).click();
    await page.locator(ROWS, { hasText: SELLER.name }).waitFor();

    await page.goto("/references/126000");
    const post = page.locator(".wanted tbody tr", { hasText: BUYER.name });
    await post.getByRole("link", { name: /offers? from/ }).waitFor();
    await post.locator("a.watch").click();
    await page
      .locator("section", { hasText: "Who offers it now" })
      .getByText(SELLER.name)
      .waitFor();
  });
});
