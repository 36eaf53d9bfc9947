import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import {
  bestContext,
  findBarriersEverywhere,
  hasProfit,
  inBrowser,
  isTooWide,
  listRows,
  openPalette,
  recordWrites,
  selectedId,
  shareConsole,
  signIn,
} from "../support/console/console-browser.ts";
import { addToken, until } from "../support/test-app.ts";
import { postMessage } from "../support/waha.ts";

test("Buys, wherever and by whom it is looked at", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });

  await t.test("on a phone a row opens over the list, and going back closes it", async (t) => {
    const window = await service.open(t, { width: 390, height: 844 });
    const { page } = window;
    await signIn(window, service, "/?show=all");
    const row = page.locator("tbody tr").nth(2);
    await row.waitFor();
    assert.equal(await page.locator(".buy").isVisible(), false);

    await row.click();
    await page.locator(".ledger").waitFor();
    assert.equal(await row.isVisible(), false);
    assert.equal(await isTooWide(page), false);
    await page.goBack();
    await row.waitFor();
    await row.click();
    await page.getByRole("button", { name: "Back to the list" }).click();

    await row.waitFor();
    assert.equal(await isTooWide(page), false);
  });

  await t.test("presenter mode leaves no digit of profit or threshold", async (t) => {
    const row = (await listRows(api)).find(hasProfit);
    assert.ok(row !== undefined);
    const context = bestContext(row);
    const secrets = [
      context.profit_opportunity_eur_minor,
      context.baseline_average_eur_minor,
      context.minimum_profit_eur_minor,
    ].map((minor = 0) => `€${Math.floor(minor / 100).toLocaleString("en-GB")}`);
    const phone = row.listing?.sender.phone_number ?? "no phone";
    const path = `/?show=all&watch=${row.resource_id}`;
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, path);
    await page.locator(".ledger .gain").first().waitFor();
    const shown = await page.content();
    for (const secret of [...secrets, `wa.me/${phone}`]) assert.ok(shown.includes(secret), secret);

    await page.evaluate("localStorage.setItem('assay.presenter', 'true')");
    await page.reload();
    await page.locator(".ledger .hidden-amount").first().waitFor();
    await page.locator(".message").waitFor();

    const hidden = await page.content();
    for (const secret of [...secrets, phone]) assert.ok(!hidden.includes(secret), secret);
    const figures = page.locator("td[data-column=profit], tr[data-line]:not([data-line=ask]) td");
    assert.doesNotMatch((await figures.allTextContents()).join(" "), /\d/);
  });

  await t.test(
    "a read-only token sees no mark, and its key does nothing",

    async (t) => {
      const token = await addToken(service.db, { isReadOnly: true });
      const window = await service.open(t);
      const { page } = window;
      const sent = recordWrites(page);
      await signIn(window, { ...service, token }, "/?show=all");
      await page.locator(".ledger").waitFor();
      const id = await selectedId(page);

      await page.keyboard.press("e");
      await openPalette(page);
      await page.keyboard.type("mark all");
      await page.getByText("Search the market for").waitFor();

      assert.equal(await page.getByRole("option", { name: /Mark all/ }).count(), 0);
      assert.equal(await page.getByRole("button", { name: /^Seen/ }).count(), 0);
      assert.equal(await selectedId(page), id);
      assert.deepEqual(sent, []);
    },
  );

  await t.test("list and detail have no barrier in light, in dark and at 320 px", async (t) => {
    const row = (await listRows(api)).find(hasProfit);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/?show=all&watch=${row?.resource_id}`);
    await page.locator(".ledger tfoot .sub").waitFor();
    await page.locator(".message").waitFor();
    await page.locator(".posts li").first().waitFor();

    assert.deepEqual(await findBarriersEverywhere(page), []);
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
    await signIn(window, service, "/?show=all");
    const row = page.locator("tr[data-id]", { hasText: "€9,999,999" });
    await row.waitFor();
    assert.equal(await isTooWide(page), false);

    await row.click();
    await page.locator(".buy header bdi").waitFor();

    assert.equal(await page.locator(".buy header bdi").textContent(), name);
    assert.equal(await isTooWide(page), false);
  });
});
