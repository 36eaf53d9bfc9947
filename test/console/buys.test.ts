import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createAssayClient } from "../../client/assay-client.ts";
import {
  ALL_BUYS,
  inBrowser,
  listBuys,
  listRows,
  recordWrites,
  selectedId,
  shareConsole,
  signIn,
} from "../support/console/console-browser.ts";
import { until } from "../support/test-app.ts";

const UNSEEN = "[...document.querySelectorAll('tr:has(.unseen)')].map((row) => row.dataset.id)";
const IDS = "[...document.querySelectorAll('tbody tr[data-id]')].map((row) => row.dataset.id)";

test("Buys", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });
  const isSelected = (page: Page, id: string | undefined): Promise<void> =>
    until(async () => (await selectedId(page)) === id);
  const showsRows = (page: Page, ids: readonly string[]): Promise<void> =>
    until(async () => {
      const shown = await page.evaluate<string[]>(IDS);
      return JSON.stringify(shown) === JSON.stringify(ids.slice(0, Math.max(1, shown.length)));
    });

  await t.test("the list can be worked through with the keyboard alone", async (t) => {
    const rows = await listBuys(api);
    const window = await service.open(t);
    const { page } = window;
    const sent = recordWrites(page);
    await signIn(window, service, ALL_BUYS);
    await isSelected(page, rows[0]?.resource_id);

    // Which rows are seen already depends on the hour.
    const at = rows.findIndex(({ seen_at_ms }, index) => index >= 2 && seen_at_ms === undefined);
    const row = rows[at];
    for (let step = 0; step <= at; step += 1) await page.keyboard.press("j");
    await page.keyboard.press("k");
    await isSelected(page, row?.resource_id);
    assert.equal(await page.locator(".pane").count(), 0, "no row is open yet");
    await page.keyboard.press("Enter");
    await page.locator(".pane .verdict").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/listings/${row?.listing?.id}`);
    await page.goBack();
    await isSelected(page, row?.resource_id);
    await page.locator(".pane .verdict").waitFor();
    const unseen = await page.evaluate<string[]>(UNSEEN);
    assert.ok(unseen.includes(row?.resource_id ?? ""));
    // One after the other at once, because a mark waits for five seconds only.
    await page.keyboard.press("e");
    await page.keyboard.press("z");
    await isSelected(page, row?.resource_id);
    assert.deepEqual(await page.evaluate(UNSEEN), unseen);
    await page.keyboard.press("Escape");

    await until(async () => (await page.locator(".pane").count()) === 0);
    assert.deepEqual(sent, []);
  });

  await t.test("a mark is sent after its five seconds, for all alerts of the watch", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    const sent = recordWrites(page);
    await signIn(window, service, "/?since=all");
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
  });

  await t.test(
    "what matched and is no buy stands under the other tab, with the reason",
    async (t) => {
      const query = { include_shadow: true, is_buy: false, limit: 50 } as const;
      const { items } = await api.listWatchMatches(query);
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, ALL_BUYS);

      await page.getByRole("link", { name: /^Other matches/ }).click();
      await showsRows(
        page,
        items.map(({ resource_id }) => resource_id),
      );
      const first = items.find(({ no_buy_reason }) => no_buy_reason === "above_maximum");
      const row = page.locator(`tr[data-id="${first?.resource_id}"]`);
      assert.equal(await row.locator(".mark-reason").textContent(), "too dear");

      assert.equal(await page.locator(".gain").count(), 0, "colour is for buys only");
    },
  );

  await t.test("columns order the rows, by the service or here, and say so", async (t) => {
    const buys = await listBuys(api);
    const asks = buys.toSorted(
      (left, right) => (left.listing?.price_eur_minor ?? 0) - (right.listing?.price_eur_minor ?? 0),
    );
    const byShare = await api.listWatchMatches({
      include_shadow: true,
      is_buy: true,
      sort: "profit_bps",
    });
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, ALL_BUYS);
    const idsOf = (rows: typeof buys): readonly string[] => rows.map((row) => row.resource_id);
    const sorted = (name: string) =>
      page.getByRole("columnheader", { name }).getAttribute("aria-sort");
    await showsRows(page, idsOf(buys));
    assert.equal(await sorted("Below market"), "descending");

    await page.getByRole("button", { name: "Below market in per cent" }).click();
    await showsRows(page, idsOf(byShare.items));
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await showsRows(page, idsOf(asks));
    assert.equal(await sorted("Ask"), "ascending");
    assert.equal(await sorted("Below market"), null);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/sort=-ask/);
    await until(async () => {
      const [dearest] = await page.evaluate<string[]>(IDS);
      return dearest === asks.at(-1)?.resource_id;
    });
    await page.reload();
    await page.locator("tbody tr").first().waitFor();
    assert.equal(await sorted("Ask"), "descending");
  });

  await t.test(
    "unseen or all, and the columns, are remembered; filter and row are in the address",
    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, "/?since=all");
      const show = (name: string) => page.getByRole("button", { name, exact: true });
      await page.locator("tbody tr").first().waitFor();
      assert.equal(await show("Unseen").getAttribute("aria-pressed"), "true");

      await show("All").click();
      await page.waitForURL(/show=all/);
      await page.getByText("Columns", { exact: true }).click();
      await page.getByLabel("Landed").uncheck();
      assert.equal(await page.getByRole("columnheader", { name: "Landed" }).count(), 0);
      await page.getByRole("link", { name: "Market", exact: true }).click();
      await page.getByRole("heading", { name: "Market" }).waitFor();
      await page.getByRole("link", { name: /^Buys/ }).first().click();
      await until(async () => (await show("All").getAttribute("aria-pressed")) === "true");
      assert.equal(await page.getByRole("columnheader", { name: "Landed" }).count(), 0);
      await page.goto("/?since=all&show=all");
      await page.locator("tbody tr").first().waitFor();
      const answered = page.waitForResponse(/\/v2\/alerts\/matches\?.*alert_id/);
      await page.getByLabel("Alert", { exact: true }).selectOption({ label: "Every buy" });
      await page.waitForURL(/alert=/);
      await answered;
      await page.locator("tbody tr").nth(1).click();
      await page.waitForURL(/watch=/);
      const id = await selectedId(page);
      await page.reload();

      await isSelected(page, id);
      await page.locator(".pane .verdict").waitFor();
    },
  );

  await t.test("the words of the message are underlined in the pane", async (t) => {
    const row = (await listBuys(api)).find(({ listing }) => listing?.reference !== undefined);
    const window = await service.open(t);
    await signIn(window, service, `${ALL_BUYS}&watch=${row?.resource_id}`);

    const words = window.page.locator(".message mark[data-fields~=reference]");
    await words.first().waitFor();

    const reading = await api.getListingReading({ listing_id: row?.resource_id ?? "" });
    const spans = reading.fields.find(({ field }) => field === "reference")?.spans ?? [];
    const evidence = spans.map(({ start, end }) => reading.text.slice(start, end)).join("");
    assert.equal((await words.allTextContents()).join(""), evidence);
  });

  await t.test("more rows are loaded below, each once", async (t) => {
    const { items: rows } = await api.listWatchMatches({
      include_shadow: true,
      is_buy: false,
      limit: 200,
    });
    assert.ok(rows.length > 50, `the demo has ${rows.length} rows`);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `${ALL_BUYS}&tab=other`);
    await page.locator("tbody tr").nth(49).waitFor();

    await page.getByRole("button", { name: "Load more" }).click();
    await page.locator("tbody tr").nth(50).waitFor();

    const ids = await page.evaluate<string[]>(IDS);
    assert.deepEqual(
      ids,
      rows.slice(0, ids.length).map(({ resource_id }) => resource_id),
    );
  });
});
