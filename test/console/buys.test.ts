import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createAssayClient, type WatchMatch } from "../../client/assay-client.ts";
import { formatAmount } from "../../console/parts/format-amount.ts";
import {
  findBarriersInAllLooks,
  inBrowser,
  isTooWide,
  openPalette,
  signIn,
  startConsole,
} from "../support/console-browser.ts";
import { postMessage } from "../support/post-message.ts";
import { until } from "../support/test-app.ts";

const OFFER = "Rolex 126610LN Submariner 2024 full set used";
/** The id of the row that is shown beside the list. */
const SELECTED = `document.querySelector("tr[aria-selected=true]")?.dataset.id`;
const UNSEEN = "[...document.querySelectorAll('tr:has(.unseen)')].map((row) => row.dataset.id)";
/** Records what the browser would show. */
const RECORD_NOTIFICATIONS = `globalThis.shown = [];
  globalThis.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { shown.push({ title, body }); }
    close() {}
  };`;
const HIDE = `Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));`;

test("Buys", inBrowser, async (t) => {
  const service = await startConsole(t);
  const api = createAssayClient({ url: service.url, token: service.token });
  const listRows = async (): Promise<readonly WatchMatch[]> =>
    (await api.listWatchMatches({ include_shadow: true, limit: 200 })).items;
  const selectedId = (page: Page) => page.evaluate<string | undefined>(SELECTED);
  const isSelected = (page: Page, id: string | undefined): Promise<void> =>
    until(async () => (await selectedId(page)) === id);

  await t.test("the list can be worked through with the keyboard alone", async (t) => {
    const rows = await listRows();
    const window = await service.open(t);
    const { page } = window;
    const sent = recordWrites(page);
    await signIn(window, service, "/?show=all");
    await isSelected(page, rows[0]?.resource_id);

    for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
    await isSelected(page, rows[2]?.resource_id);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/listings/${rows[2]?.listing?.id}`);
    await page.goBack();
    await isSelected(page, rows[2]?.resource_id);
    const unseen = await page.evaluate<string[]>(UNSEEN);
    await page.keyboard.press("e");
    await isSelected(page, rows[3]?.resource_id);
    assert.deepEqual(
      await page.evaluate(UNSEEN),
      unseen.filter((id) => id !== rows[2]?.resource_id),
    );
    await page.keyboard.press("z");

    await isSelected(page, rows[2]?.resource_id);
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
    const count = await page.locator("tbody tr").count();

    await page.keyboard.press("e");
    await until(() => sent.length > 0);

    assert.deepEqual(sent, ["POST /v2/alerts/matches/seen"]);
    await until(async () => {
      const row = (await listRows()).find(({ resource_id }) => resource_id === id);
      return row?.seen_at_ms !== undefined;
    });
    assert.equal(await page.locator("tbody tr").count(), count, "the row stays where it was");
    assert.match((await page.getByRole("button", { name: /^Unseen/ }).textContent()) ?? "", /\d/);
  });

  await t.test("the ledger as it stood is the context of the match; now is now", async (t) => {
    const row = (await listRows()).find(hasProfit);
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
    const row = (await listRows()).find(({ listing }) => listing?.reference !== undefined);
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
    await until(async () => (await page.locator("tbody tr:not(:has(.gain, .loss))").count()) === 0);
    await page.getByLabel("Alert", { exact: true }).selectOption({ label: "Every buy" });
    await page.waitForURL(/alert=/);
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
    const rows = await listRows();
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
    const row = (await listRows()).find(hasProfit);
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

  await t.test("a read-only token sees no mark, and its key does nothing", async (t) => {
    const { token } = await api.createToken({ name: "reader", is_read_only: true });
    const window = await service.open(t);
    const { page } = window;
    const sent = recordWrites(page);
    await signIn(window, { token }, "/?show=all");
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
  });

  await t.test("hostile names and amounts break neither list nor layout", async (t) => {
    const name = `<b onclick=boom()>\u202e${"W".repeat(170)}`;
    const sender = { phone: "447700900777", lid: "199900000000777", name };
    await api.createAlert({ name: `<i>${"A".repeat(100)}`, filters: { reference: ["126610LN"] } });
    await postMessage(service, `${OFFER} 9999999 EUR`, sender);
    await until(async () =>
      (await listRows()).some((row) => row.listing?.sender.display_name === name),
    );
    const window = await service.open(t, { width: 390, height: 844 });
    const { page } = window;
    await signIn(window, service, "/?show=all");
    const row = page.locator("tr", { hasText: "€9,999,999" });
    await row.waitFor();
    assert.equal(await isTooWide(page), false);

    await row.click();
    await page.locator(".buy header bdi").waitFor();

    assert.equal(await page.locator(".buy header bdi").textContent(), name);
    assert.equal(await isTooWide(page), false);
  });

  await t.test("notifications come on request, together, and only while hidden", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await window.context.addInitScript({ content: RECORD_NOTIFICATIONS });
    await signIn(window, service, "/settings");
    await page.getByText("Live", { exact: true }).waitFor();
    const shown = () => page.evaluate<{ title: string; body: string }[]>("shown");

    await page.getByLabel("Notifications of the browser").click();
    await until(() => page.getByLabel("Notifications of the browser").isChecked());
    await postMessage(service, `${OFFER} 8901 EUR`);
    await until(async () =>
      (await listRows()).some((row) => row.listing?.price_eur_minor === 890100),
    );
    assert.deepEqual(await shown(), []);
    await page.evaluate(HIDE);
    await postMessage(service, `${OFFER} 8902 EUR`);
    await until(async () => (await shown()).length > 0);
    assert.equal((await shown())[0]?.title, "Rolex 126610LN, €8,902");
    await postMessage(service, `${OFFER} 8903 EUR`);

    await until(async () => (await shown()).at(-1)?.title === "2 new matches");
    assert.match((await shown()).at(-1)?.body ?? "", /^Rolex 126610LN, €8,903/);
  });

  await t.test("list and detail have no barrier in light, in dark and at 320 px", async (t) => {
    const row = (await listRows()).find(hasProfit);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/?show=all&watch=${row?.resource_id}`);
    await page.locator(".ledger tfoot .sub").waitFor();
    await page.locator(".message").waitFor();
    await page.locator(".posts li").first().waitFor();

    assert.deepEqual(await findBarriersInAllLooks(page), []);
  });
});

function hasProfit({ matches }: WatchMatch): boolean {
  return matches.some(
    ({ match }) => match.match_context.profit_opportunity_eur_minor !== undefined,
  );
}

/** Of the match with the highest profit. */
function bestContext({ matches }: WatchMatch) {
  const contexts = matches.map(({ match }) => match.match_context);
  const profits = contexts.map((context) => context.profit_opportunity_eur_minor ?? -1);
  return contexts[profits.indexOf(Math.max(...profits))] ?? {};
}

/** What the page sends that is not a read. */
function recordWrites(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET" && pathname.startsWith("/v2/")) {
      sent.push(`${request.method()} ${pathname}`);
    }
  });
  return sent;
}
