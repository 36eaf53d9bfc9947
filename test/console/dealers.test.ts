/** The pages of dealers and of deals: what one dealer has on offer, whom the desk blocks, and whether buys made money. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import { formatAmount, toWhole } from "../../console/words/formats.ts";
import { sql } from "../../src/db/sql.ts";
import {
  ALL_BUYS,
  findBarriersEverywhere,
  inBrowser,
  listBuys,
  openPalette,
  signIn,
  startConsole,
} from "../support/console/console-browser.ts";
import { parseCsv } from "../support/files.ts";
import { addToken, until } from "../support/test-app.ts";

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/i;

test("dealers and deals", inBrowser, async (t) => {
  const service = await startConsole(t);
  const api = createAssayClient({ url: service.url, token: service.token });
  const [best] = await listBuys(api);
  const sender = best?.listing?.sender;
  assert.ok(sender?.contact_id !== undefined && sender.phone_number !== undefined);
  const { contact_id: contactId, display_name: name = "", phone_number: number } = sender;

  await t.test("all that one dealer has on offer below market is three keys away", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service);

    await openPalette(page);
    await page.keyboard.type(number);
    await page.locator(".palette-name").getByText(name, { exact: true }).first().click();
    await page.waitForURL(new RegExp(`/dealers/${contactId}$`));
    await page.getByRole("button", { name: "Below market only" }).click();
    const rows = page.locator(".dealer-main tbody tr");
    await rows.first().waitFor();

    const { items, prices = [] } = await api.searchListings({
      filters: { contact_ids: [contactId], side: ["for_sale"] },
      sort: "profit",
      include: ["price"],
      limit: 100,
    });
    const cheap = prices.filter(
      ({ headline }) => (headline?.profit_opportunity_eur_minor ?? 0) > 0,
    );
    assert.ok(items.length > 0 && cheap.length > 0);
    assert.equal(await rows.count(), cheap.length);
    const first = (await rows.first().textContent()) ?? "";
    const profit = toWhole(cheap[0]?.headline?.profit_opportunity_eur_minor ?? 0);
    assert.ok(first.includes(formatAmount({ minor: profit, currency: "EUR" })), first);
    const offer = cheap[0]?.price?.offer_up_to;
    assert.ok(offer !== undefined);
    assert.ok(first.includes(formatAmount({ minor: offer.shown_minor, currency: offer.currency })));
    assert.doesNotMatch(await page.locator("main").innerText(), UUID);
    assert.deepEqual(await findBarriersEverywhere(page), []);
  });

  await t.test("a note is saved, and found in the list of dealers", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/dealers/${contactId}`);
    await page.getByRole("button", { name: /note/ }).click();
    await page.getByRole("dialog").getByLabel("Note").fill("Pays on collection");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("The note is saved").waitFor();

    await page.goto(`${service.url}/dealers?q=${encodeURIComponent(name)}`);
    await page.locator("tbody tr").getByText("Pays on collection").first().waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), UUID);
    assert.deepEqual(await findBarriersEverywhere(page), []);
  });

  await t.test("a note that someone else wrote meanwhile is not overwritten unseen", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/dealers/${contactId}`);
    await page.getByRole("button", { name: /note/ }).click();
    await page.getByRole("dialog").getByLabel("Note").fill("Sends late");
    await api.changeContact({ contact_id: contactId, note: "Wants cash" });

    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    assert.equal((await api.getContact({ contact_id: contactId })).note, "Wants cash");
    await page.locator(".dealer-note").getByText("Wants cash").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();

    await page.locator(".dealer-note").getByText("Sends late").waitFor();
    await api.changeContact({ contact_id: contactId, note: "Pays on collection" });
  });

  await t.test("a blocked dealer is hidden from Buys, with a count that shows him", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/dealers/${contactId}`);
    await page.getByRole("button", { name: "Block" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Block" }).click();
    await page.getByText("Blocked: these watches").waitFor();

    await page.goto(`${service.url}${ALL_BUYS}`);
    await page.locator("tbody tr").first().waitFor();
    const row = page.locator(`tr[data-id="${best?.resource_id}"]`);
    assert.equal(await row.count(), 0);
    await page.getByRole("button", { name: /passed or blocked/ }).click();
    await row.waitFor();
    await page.goto(`${service.url}/dealers?blocked=true`);
    await page.locator("tbody tr").getByText(name, { exact: true }).first().click();
    await page.getByRole("button", { name: "Unblock" }).click();
    await until(async () => !(await api.getContact({ contact_id: contactId })).is_blocked);
  });

  await t.test("whether the buys of last month made money is one choice away", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await service.db.execute(sql`update deal set note = ${"x;=cmd|' /C calc'!A0"}`);
    await signIn(window, service, "/deals?state=bought");
    const asked = page.waitForResponse(/\/v2\/deals\/summary\?.*to_ms/);
    await page.getByLabel("Period").selectOption({ label: "Last month" });
    await page.waitForURL(/range=last_month/);
    const summary = (await (await asked).json()) as Awaited<ReturnType<typeof api.summarizeDeals>>;
    assert.ok(summary.sold_count > 0, "the demo sold something last month");
    const verdict = page.locator(".deals-verdict");
    const made = formatAmount({
      minor: Math.abs(toWhole(summary.realised_profit_eur_minor)),
      currency: "EUR",
    });
    const promised = formatAmount({
      minor: toWhole(summary.sold_predicted_profit_eur_minor),
      currency: "EUR",
    });
    await verdict.getByText(made).first().waitFor();

    assert.ok((await verdict.textContent())?.includes(`promised ${promised}`));
    assert.equal(await page.locator("tbody tr").count(), Math.min(100, summary.bought_count));
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    assert.equal((await file).suggestedFilename(), "deals.csv");
    const lines = parseCsv(readFileSync(await (await file).path(), "utf8"));
    const note = lines[0]?.indexOf("note") ?? -1;
    assert.equal(lines[1]?.[note], "x;'=cmd|' /C calc'!A0");
    assert.doesNotMatch(await page.locator("tbody").innerText(), UUID);
    assert.deepEqual(await findBarriersEverywhere(page), []);
  });

  await t.test("who was first is said, and what was typed stays", async (t) => {
    const [deal] = (await api.listDeals({ state: "bought", limit: 1 })).items;
    assert.ok(deal?.paid !== undefined);
    const anna = createAssayClient({ url: service.url, token: await addToken(service.db, {}) });
    const { name: first } = await anna.getMe({});
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, "/deals?state=bought&range=all");
    await page.getByRole("button", { name: /^Edit/ }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Other costs in euro").fill("120");
    let etag = "";
    await anna.getDeal(
      { listing_id: deal.listing_id },
      {
        onAnswer: (facts) => {
          etag = facts.etag ?? "";
        },
      },
    );
    await anna.decideDeal({
      listing_id: deal.listing_id,
      if_match: etag,
      state: "bought",
      paid: deal.paid,
    });

    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText(`${first} was first`).waitFor();
    assert.equal(await dialog.getByLabel("Other costs in euro").inputValue(), "€120");
    await dialog.getByRole("button", { name: "Save" }).click();
    await until(
      async () => (await api.getDeal({ listing_id: deal.listing_id })).cost_eur_minor === 12_000,
    );
    await dialog.waitFor({ state: "detached" });

    // Also a deal that is gone meanwhile is told, and can be saved again.
    await page.getByRole("button", { name: /^Edit/ }).first().click();
    await dialog.getByLabel("Other costs in euro").fill("130");
    await api.deleteDeal({ listing_id: deal.listing_id });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("took the decision back").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await api.getDeal({ listing_id: deal.listing_id })).cost_eur_minor, 13_000);
  });

  await t.test("a token that only looks has no deals, no notes and nothing to block", async (t) => {
    const token = await addToken(service.db, { role: "market" });
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, { url: service.url, token }, `/dealers/${contactId}`);
    await page.locator(".dealer-main tbody tr").first().waitFor();

    assert.equal(await page.getByRole("link", { name: "Deals", exact: true }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Block" }).count(), 0);
    assert.equal(await page.getByText("Pays on collection").count(), 0);
    await page.goto(`${service.url}/deals`);
    await page.getByText("Deals are for the desk.").waitFor();
  });
});
