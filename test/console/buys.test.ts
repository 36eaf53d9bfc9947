import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createAssayClient } from "../../client/assay-client.ts";
import { formatAmount } from "../../console/words/formats.ts";
import {
  bestContext,
  hasProfit,
  inBrowser,
  listRows,
  recordWrites,
  selectedId,
  shareConsole,
  signIn,
} from "../support/console/console-browser.ts";
import { until } from "../support/test-app.ts";

const UNSEEN = "[...document.querySelectorAll('tr:has(.unseen)')].map((row) => row.dataset.id)";
test("Buys", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });
  const isSelected = (page: Page, id: string | undefined): Promise<void> =>
    until(async () => (await selectedId(page)) === id);

  await t.test("the list can be worked through with the keyboard alone", async (t) => {
    const rows = await listRows(api);
    const window = await service.open(t);
    const { page } = window;
    const sent = recordWrites(page);
    await signIn(window, service, "/?show=all");
    await isSelected(page, rows[0]?.resource_id);

    // Which rows are seen already depends on the hour.
    const at = rows.findIndex(({ seen_at_ms }, index) => index >= 2 && seen_at_ms === undefined);
    const row = rows[at];
    for (let step = 0; step <= at; step += 1) await page.keyboard.press("j");
    await page.keyboard.press("k");
    await isSelected(page, row?.resource_id);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/listings/${row?.listing?.id}`);
    await page.goBack();
    await isSelected(page, row?.resource_id);
    const unseen = await page.evaluate<string[]>(UNSEEN);
    assert.ok(unseen.includes(row?.resource_id ?? ""));
    // One after the other at once, because a mark waits for five seconds only.
    await page.keyboard.press("e");
    await page.keyboard.press("z");

    await isSelected(page, row?.resource_id);
    assert.deepEqual(await page.evaluate(UNSEEN), unseen);
    assert.deepEqual(sent, []);
  });

  await t.test("a mark is sent after its five seconds, for all alerts of the watch", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    const sent = recordWrites(page);
    await signIn(window, service);
    await page.locator("tbody .unseen").first().waitFor();
    const id = await selectedId(page);
    const [, next] = await page.evaluate<string[]>(UNSEEN);
    const count = await page.locator("tr[data-id]").count();

    await page.keyboard.press("e");
    await isSelected(page, next);
    assert.ok(!(await page.evaluate<string[]>(UNSEEN)).includes(id ?? ""));
    await until(() => sent.length > 0);

    assert.deepEqual(sent, ["POST /v2/alerts/matches/seen"]);
    await until(async () => {
      const row = (await listRows(api)).find(({ resource_id }) => resource_id === id);
      return row?.seen_at_ms !== undefined;
    });
    assert.equal(await page.locator("tr[data-id]").count(), count, "the row stays where it was");
    assert.match((await page.getByRole("button", { name: /^Unseen/ }).textContent()) ?? "", /\d/);
  });

  await t.test("a watch that an alert on a filter found is compared with the market", async (t) => {
    const rows = (await listRows(api)).slice(0, 50).filter((row) => !hasProfit(row));
    const listing_ids = rows.map(({ resource_id }) => resource_id);
    const { items } = await api.listPriceEngineMatches({ listing_ids });
    const found = items.find(({ items: [cell] }) => cell?.market_average_eur_minor !== undefined);
    assert.ok(found !== undefined);
    const window = await service.open(t);
    await signIn(window, service, "/?show=all");

    const cell = window.page.locator(`tr[data-id="${found.listing_id}"] [data-column=market]`);
    const minor = found.headline?.market_average_eur_minor;
    assert.ok(minor !== undefined);
    const average = formatAmount({ minor, currency: "EUR" });
    await until(async () => (await cell.textContent()) === average);
  });

  await t.test("the ledger as it stood is the context of the match; now is now", async (t) => {
    const row = (await listRows(api)).find(hasProfit);
    assert.ok(row !== undefined);
    const context = bestContext(row);
    const { items } = await api.listListingPriceEngineMatches({ listing_id: row.resource_id });
    const now = items.find((item) => item.configuration_id === context.configuration_id);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/?show=all&watch=${row.resource_id}`);
    await page.locator(".ledger tfoot .sub").waitFor();

    const figures = async (line: string): Promise<readonly string[]> =>
      (await page.locator(`tr[data-line=${line}] td`).allTextContents()).map((text) =>
        text.replace(/ changed$/, ""),
      );
    const average = context.baseline_average_eur_minor ?? 0;
    const minimum = context.minimum_profit_eur_minor ?? 0;
    const expected = {
      ask: [context.original_ask_eur_minor, now?.original_ask_eur_minor],
      markup: [context.hk_markup_eur_minor, now?.hk_markup_eur_minor],
      comparable: [context.comparable_ask_eur_minor, now?.comparable_ask_eur_minor],
      average: [average, now?.market_average_eur_minor],
      minimum: [minimum, now?.minimum_profit_eur_minor],
      most: [average - minimum, now?.maximum_eu_ask_eur_minor],
      profit: [context.profit_opportunity_eur_minor, now?.profit_opportunity_eur_minor],
    };
    const isPadded = Object.values(expected)
      .flat()
      .some((minor = 0) => minor % 100 !== 0);
    for (const [line, amounts] of Object.entries(expected)) {
      const texts = amounts.map((minor) =>
        minor === undefined
          ? "–"
          : formatAmount({
              minor,
              currency: "EUR",
              isExact: true,
              isPadded,
              isSigned: line === "profit",
            }),
      );
      assert.deepEqual(await figures(line), texts, line);
    }
  });

  await t.test("the words of the message are underlined beside the list", async (t) => {
    const row = (await listRows(api)).find(({ listing }) => listing?.reference !== undefined);
    const window = await service.open(t);
    await signIn(window, service, `/?show=all&watch=${row?.resource_id}`);

    const words = window.page.locator(".message mark[data-fields~=reference]");
    await words.first().waitFor();

    const reading = await api.getListingReading({ listing_id: row?.resource_id ?? "" });
    const spans = reading.fields.find(({ field }) => field === "reference")?.spans ?? [];
    const evidence = spans.map(({ start, end }) => reading.text.slice(start, end)).join("");
    assert.equal((await words.allTextContents()).join(""), evidence);
  });

  await t.test("filter and row are in the address, and survive a reload", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, "/?show=all");
    await page.locator("tbody tr").first().waitFor();

    await page.getByRole("button", { name: "Buys only" }).click();
    await page.waitForURL("**/?show=all&only=buys");
    await until(
      async () => (await page.locator("tr[data-id]:not(:has(.gain, .loss))").count()) === 0,
    );
    // The keys work on the rows of before until the new ones are there.
    const answered = page.waitForResponse(/\/v2\/alerts\/matches\?.*alert_id/);
    await page.getByLabel("Alert", { exact: true }).selectOption({ label: "Every buy" });
    await page.waitForURL(/alert=/);
    await answered;
    await page.keyboard.press("j");
    await page.waitForURL(/watch=/);
    const id = await selectedId(page);
    await page.reload();

    await isSelected(page, id);
    assert.equal(
      await page.getByRole("button", { name: "Buys only" }).getAttribute("aria-pressed"),
      "true",
    );
  });

  await t.test("more rows are loaded below, each once", async (t) => {
    const rows = await listRows(api);
    assert.ok(rows.length > 50, `the demo has ${rows.length} rows`);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, "/?show=all");
    await page.locator("tbody tr").nth(49).waitFor();

    await page.getByRole("button", { name: "Load more" }).click();
    await page.locator("tbody tr").nth(50).waitFor();

    const ids = await page.evaluate<string[]>(
      "[...document.querySelectorAll('tbody tr[data-id]')].map((row) => row.dataset.id)",
    );
    assert.deepEqual(
      ids,
      rows.slice(0, ids.length).map(({ resource_id }) => resource_id),
    );
  });
});
