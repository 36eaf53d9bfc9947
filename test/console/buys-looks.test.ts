import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import { formatAmount, toWhole } from "../../console/words/formats.ts";
import {
  ALL_BUYS,
  bestContext,
  findBarriersEverywhere,
  inBrowser,
  isTooWide,
  listBuys,
  listRows,
  openPalette,
  recordWrites,
  selectedId,
  shareConsole,
  signIn,
} from "../support/console/console-browser.ts";
import { addToken, until } from "../support/test-app.ts";
import { postMessage } from "../support/waha.ts";

const WIDE_DEALER = { phone: "85290000778", lid: "199900000000778", name: "Wide W. Watches" };
const WIDTHS = [320, 390, 640, 768, 1023, 1100, 1280, 1366, 1440, 1600, 1920] as const;
/** Amounts and references that are shown and do not fit into their cell, with what they say. */
const CUT = `[...document.querySelectorAll(".buys-list td .amount, .buys-list .watch > b")]
  .filter((part) => part.checkVisibility())
  .filter((part) => {
    const { left, right } = part.getBoundingClientRect();
    const cell = part.closest("td").getBoundingClientRect();
    return left < cell.left - 1 || right > cell.right + 1;
  })
  .map((part) => part.closest("td").dataset.column + " " + part.textContent)`;

test("Buys, wherever and by whom it is looked at", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });

  await t.test("on a phone a row opens over the list, and going back closes it", async (t) => {
    const window = await service.open(t, { width: 390, height: 844 });
    const { page } = window;
    await signIn(window, service, ALL_BUYS);
    const row = page.locator("tbody tr").nth(2);
    await row.waitFor();
    assert.equal(await page.locator(".pane").isVisible(), false);

    await row.click();
    await page.locator(".verdict").waitFor();
    assert.equal(await row.isVisible(), false);
    assert.equal(await isTooWide(page), false);
    await page.goBack();
    await row.waitFor();
    await row.click();
    await page.getByRole("button", { name: "Back to the list" }).click();

    await row.waitFor();
    assert.equal(await isTooWide(page), false);
  });

  await t.test("the ledger as it stood is the context of the match; now is now", async (t) => {
    const row = (await listBuys(api)).find(
      (buy) => bestContext(buy).profit_opportunity_eur_minor !== undefined,
    );
    assert.ok(row !== undefined);
    const context = bestContext(row);
    const { items } = await api.listListingPriceEngineMatches({ listing_id: row.resource_id });
    const now = items.find((item) => item.configuration_id === context.configuration_id);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `${ALL_BUYS}&watch=${row.resource_id}`);
    await page.getByText("How it is calculated").click();
    await page.locator(".ledger tfoot .sub").waitFor();

    const average = context.baseline_average_eur_minor ?? 0;
    const minimum = context.minimum_profit_eur_minor ?? 0;
    const expected = {
      ask: [context.original_ask_eur_minor, now?.original_ask_eur_minor],
      comparable: [context.comparable_ask_eur_minor, now?.comparable_ask_eur_minor],
      average: [average, now?.market_average_eur_minor],
      minimum: [minimum, now?.minimum_profit_eur_minor],
      most: [average - minimum, now?.maximum_eu_ask_eur_minor],
      profit: [context.profit_opportunity_eur_minor, now?.profit_opportunity_eur_minor],
    };
    for (const [line, amounts] of Object.entries(expected)) {
      const texts = amounts.map((minor) =>
        minor === undefined
          ? "–"
          : formatAmount({ minor: toWhole(minor), currency: "EUR", isSigned: line === "profit" }),
      );
      const shown = await page.locator(`tr[data-line=${line}] td`).allTextContents();
      assert.deepEqual(
        shown.map((text) => text.replace(/ changed$/, "")),
        texts,
        line,
      );
    }
  });

  await t.test("presenter mode leaves no digit of profit or threshold", async (t) => {
    const row = (await listBuys(api)).find(({ listing }) => listing?.sender.phone_number);
    assert.ok(row?.headline !== undefined && row.price?.offer_up_to !== undefined);
    const secrets = [
      row.headline.profit_opportunity_eur_minor,
      row.headline.market_average_eur_minor,
    ].map((minor = 0) => formatAmount({ minor: toWhole(minor), currency: "EUR" }));
    const { shown_minor: minor, currency } = row.price.offer_up_to;
    const phone = row.listing?.sender.phone_number ?? "no phone";
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `${ALL_BUYS}&watch=${row.resource_id}`);
    await page.locator(".verdict").waitFor();
    const shown = await page.content();
    const all = [...secrets, formatAmount({ minor, currency })];
    for (const secret of [...all, `wa.me/${phone}`]) assert.ok(shown.includes(secret), secret);

    await page.evaluate("localStorage.setItem('assay.presenter', 'true')");
    await page.reload();
    await page.locator(".verdict .hidden-amount").first().waitFor();
    await page.locator(".message").waitFor();
    await page.getByText("How it is calculated").click();
    await page.locator(".ledger .hidden-amount").first().waitFor();

    const hidden = await page.content();
    for (const secret of [...all, phone]) assert.ok(!hidden.includes(secret), secret);
    const figures = page.locator(
      "td[data-column=landed], td[data-column=below], td[data-column=offer], tr[data-line]:not([data-line=ask]) td, .buys-summary .hidden-amount",
    );
    assert.doesNotMatch((await figures.allTextContents()).join(" "), /\d/);
  });

  await t.test(
    "a token that only looks sees nothing to decide, and its keys do nothing",
    async (t) => {
      const token = await addToken(service.db, { isReadOnly: true });
      const window = await service.open(t);
      const { page } = window;
      const sent = recordWrites(page);
      await signIn(window, { ...service, token }, ALL_BUYS);
      await page.locator("tbody tr").first().waitFor();
      await page.keyboard.press("Enter");
      await page.locator(".verdict").waitFor();
      const id = await selectedId(page);

      for (const key of ["e", "x", "p", "s", "b", "o", "n"]) await page.keyboard.press(key);
      await openPalette(page);
      await page.keyboard.type("mark all");
      await page.getByText("Search the market for").waitFor();

      assert.equal(await page.getByRole("option", { name: /Mark all/ }).count(), 0);
      for (const name of [/^Seen/, /^Pass/, /^Shortlist/, /^Bought/]) {
        assert.equal(await page.locator(".pane").getByRole("button", { name }).count(), 0);
      }
      assert.equal(await page.locator("tbody input").count(), 0);
      assert.equal(await selectedId(page), id);
      assert.deepEqual(sent, []);
    },
  );

  await t.test("list and pane have no barrier in light, in dark and at 320 px", async (t) => {
    const [row] = await listBuys(api);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, ALL_BUYS);
    await page.locator("tbody tr").nth(3).waitFor();
    await page.keyboard.press("x");
    assert.deepEqual(await findBarriersEverywhere(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${ALL_BUYS}&watch=${row?.resource_id}`);
    await page.locator(".comparables tbody tr").first().waitFor();
    await page.locator(".message").waitFor();
    await page.locator(".posts li").first().waitFor();
    await page.getByText("How it is calculated").click();
    await page.locator(".ledger tfoot .sub").waitFor();

    assert.deepEqual(await findBarriersEverywhere(page), []);
  });

  await t.test("no amount and no reference is cut at any width", async (t) => {
    await api.createAlert({ name: "Wide", filters: { reference: ["126710BLNR"] } });
    await postMessage(service, "Rolex 126710BLNR 2024 full set used HKD 1,364,000", WIDE_DEALER);
    await until(async () =>
      (await listRows(api)).some(({ listing }) => listing?.price?.amount_minor === 136_400_000),
    );
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `${ALL_BUYS}&tab=other`);
    for (const path of [`${ALL_BUYS}&tab=other`, ALL_BUYS]) {
      await page.goto(path);
      await page.locator("tbody tr").nth(3).waitFor();
      for (const isOpen of [false, true]) {
        if (isOpen) await page.keyboard.press("Enter");
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await page.evaluate(CUT), [], `${path} ${width} ${isOpen}`);
          assert.equal(await isTooWide(page), false, String(width));
        }
      }
    }
  });

  await t.test("hostile names and amounts break neither list nor layout", async (t) => {
    const name = `<b onclick=boom()>\u202e${"W".repeat(170)}`;
    const sender = { phone: "447700900777", lid: "199900000000777", name };
    await api.createAlert({ name: `<i>${"A".repeat(100)}`, filters: { reference: ["126610LN"] } });
    await postMessage(service, "Rolex 126610LN 2024 full set used 9999999 EUR", sender);
    await until(async () =>
      (await listRows(api)).some((row) => row.listing?.sender.display_name === name),
    );
    const window = await service.open(t, { width: 390, height: 844 });
    const { page } = window;
    await signIn(window, service, `${ALL_BUYS}&tab=other`);
    const row = page.locator("tr[data-id]", { hasText: "€9,999,999" });
    await row.waitFor();
    assert.equal(await isTooWide(page), false);

    await row.click();
    await page.locator(".pane header bdi").waitFor();

    assert.equal(await page.locator(".pane header bdi").textContent(), name);
    assert.equal(await isTooWide(page), false);
  });
});
