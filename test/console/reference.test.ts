import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createAssayClient } from "../../client/assay-client.ts";
import { formatAmount } from "../../console/words/formats.ts";
import { maximumHkAsk } from "../../src/pricing/thresholds.ts";
import {
  findBarriers,
  findBarriersEverywhere,
  inBrowser,
  openPalette,
  shareConsole,
  signIn,
} from "../support/console/console-browser.ts";
import { parseCsv } from "../support/files.ts";
import { addToken, until } from "../support/test-app.ts";
import { postMessage } from "../support/waha.ts";

const REFERENCE = "126610LN";
const FOCUSED = "document.activeElement.dataset.ask";
const NAMES = { new: "new", like_new: "like new", used: "used" } as const;
/** What a reader or a screen reader gets of the page: texts, and attributes that hold texts. */
const SHOWN = `[document.body.innerText, ...[...document.querySelectorAll("*")].flatMap((element) =>
  ["aria-label", "title", "value"].map((name) => element.getAttribute(name) ?? ""))].join("\\n")`;

test("references", inBrowser, async (t) => {
  const service = await shareConsole();
  const { url, token } = service;
  const api = createAssayClient({ url, token });
  const euros = (minor = 0): string => formatAmount({ minor, currency: "EUR" });
  /** The configuration of the reference as such, and its cell with the most asks. */
  const findCell = async () => {
    const { items } = await api.listConfigurations({ reference: REFERENCE });
    const id = items.find(({ filters }) => Object.keys(filters).length === 0)?.id ?? "";
    const cells = (await api.getConfigurationCells({ id })).items;
    const cell = cells.toSorted((left, right) => right.listing_count - left.listing_count)[0];
    assert.ok(cell !== undefined);
    const bucket = cell.condition_bucket as keyof typeof NAMES;
    return { id, cells, cell, bucket, where: { id, year: cell.year, condition_bucket: bucket } };
  };
  const dots = (page: Page) => page.locator(".chart .dot");

  await t.test(
    "list and palette lead to a reference with the keyboard alone, known or not",
    async (t) => {
      const { items } = await api.searchReferences({ limit: 50 });
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, "/references");
      await page.locator("tbody tr").first().waitFor();

      const shown = await page.locator("td[data-column=reference] a").allTextContents();
      assert.deepEqual(
        shown,
        items.map(({ reference }) => reference),
      );
      const first = page.locator("tbody tr").first();
      assert.equal(
        await first.locator("[data-column=median]").textContent(),
        euros(items[0]?.median_price_eur_minor),
      );
      await page.keyboard.press("/");
      // A reader who pauses after a word still has the space after it.
      await page.keyboard.type("submariner ");
      await page.waitForURL(/q=submariner/);
      await page.keyboard.type("126610");
      await page.waitForURL(/q=submariner\+126610/);
      await until(async () => {
        const found = await page.locator("td[data-column=reference] a").allTextContents();
        return found.length > 0 && found.every((reference) => reference.startsWith("126610"));
      });
      await page.keyboard.press("Enter");
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/references\/126610/);
      await page.getByRole("heading", { level: 1, name: /^126610/ }).waitFor();

      await openPalette(page);
      await page.keyboard.type("126610lv");
      await page.getByRole("option", { name: /^References Rolex 126610LV/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/references/126610LV?brand=Rolex");
      await page.goto("/references/99%2FZZ-01");
      await page.getByText("Nothing is known about this reference").waitFor();
      await page.reload();
      await page.getByRole("link", { name: "Search the market" }).waitFor();
    },
  );

  await t.test("the figures of a reference are those of its cells", async (t) => {
    const { id, cells, cell } = await findCell();
    const { profile_id } = (await api.getConfigurationCells({ id })).configuration;
    const { hk_markup } = await api.getProfile({ id: profile_id });
    const markup = {
      rateBps: hk_markup?.rate_bps ?? 0,
      fixedEurMinor: hk_markup?.fixed_eur_minor ?? 0,
    };
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/references/${REFERENCE.toLowerCase()}`);
    await page.locator(".matrix [aria-current]").waitFor();
    await page.getByText("desk rules Core").waitFor();
    // What is on offer is read beside the prices.
    await page
      .locator("[data-cell]", { hasText: /best ask|none on offer/ })
      .first()
      .waitFor();

    for (const { year, condition_bucket, ...prices } of cells) {
      const text = await page.locator(`[data-cell="${year}-${condition_bucket}"]`).textContent();
      const count = prices.listing_count === 1 ? "1 ask" : `${prices.listing_count} asks`;
      const most = prices.maximum_buy_eur_minor;
      const expected =
        most === undefined
          ? prices.listing_count === 0
            ? "no ask"
            : `${count}, too few`
          : `EU ${euros(most)}HK ${euros(maximumHkAsk(most, markup))}avg ${euros(prices.market_average_eur_minor)}${count}`;
      assert.ok(text?.startsWith(expected), `${text} for ${expected}`);
    }
    const chosen = await page.locator(".matrix [aria-current]").getAttribute("data-cell");
    assert.equal(chosen, `${cell.year}-${cell.condition_bucket}`);
    const next = cells[cells.indexOf(cell) + 1];
    await page.keyboard.press("j");
    await page.waitForURL(new RegExp(`year=${next?.year}&condition=${next?.condition_bucket}`));
    await page.reload();
    const heading = `${next?.year}, ${NAMES[next?.condition_bucket as keyof typeof NAMES]}`;
    await page.getByRole("heading", { name: heading }).waitFor();
  });

  await t.test("every ask is a dot that says why it counts, for keys and in a table", async (t) => {
    const { where, cell, bucket } = await findCell();
    const { items } = await api.getPopulation(where);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/references/${REFERENCE}`);
    await dots(page).first().waitFor();

    const roles = await page.evaluate<string[][]>(
      `[...document.querySelectorAll(".chart .dot")].map((dot) => [dot.dataset.ask, dot.dataset.role])`,
    );
    assert.deepEqual(
      Object.fromEntries(roles),
      Object.fromEntries(items.map(({ listing_id, role }) => [listing_id, role])),
    );
    assert.equal(await page.locator(".chart .dot[tabindex='0']").count(), 1);
    const byTime = items.toSorted((left, right) => left.last_seen_at_ms - right.last_seen_at_ms);
    await page.locator(".chart .dot[tabindex='0']").focus();
    await page.keyboard.press("Home");
    assert.equal(await page.evaluate(FOCUSED), byTime[0]?.listing_id);
    await page.keyboard.press("ArrowRight");
    const id = await page.evaluate<string>(FOCUSED);
    const ask = items.find(({ listing_id }) => listing_id === id);
    assert.equal(ask?.last_seen_at_ms, byTime[1]?.last_seen_at_ms);
    const label = await page.locator(".chart .dot:focus").getAttribute("aria-label");
    assert.ok(label?.startsWith(euros(ask?.original_ask_eur_minor)), label ?? "");
    assert.match(label ?? "", / ago, (?:counted|far off|suspect|asked again|too old): /);
    await page.locator(".readout", { hasText: euros(ask?.original_ask_eur_minor) }).waitFor();

    await page.getByText("The same as tables").click();
    assert.equal(
      await page
        .getByRole("table", { name: /Every ask/ })
        .locator("tbody tr")
        .count(),
      items.length,
    );
    assert.deepEqual(await findBarriers(page), []);
    const save = async (entry: string): Promise<string> => {
      await page.getByText("Save", { exact: true }).click();
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: entry }).click();
      const download = await downloading;
      assert.ok(download.suggestedFilename().startsWith(`${REFERENCE}-${cell.year}-${bucket}`));
      return readFileSync(await download.path(), "utf8");
    };
    const [, ...lines] = parseCsv(await save("Asks as CSV"));
    assert.deepEqual(
      lines.map(([listingId, , , , , role]) => [listingId, role]),
      items.map(({ listing_id, role }) => [listing_id, role]),
    );
    const svg = await save("Picture as SVG");
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.match(svg, /stroke="rgb\(/);
    assert.doesNotMatch(svg, /style=|class=|href=/);

    await page.locator(`.chart [data-ask="${id}"]`).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/listings/${id}`);
    await page.getByRole("link", { name: `Prices of ${REFERENCE}` }).click();
    await page.waitForURL(/\/references\//);
  });

  await t.test(
    "what was worked out afterwards looks different from what was recorded",
    async (t) => {
      const { cell, bucket } = await findCell();
      const { id } = await api.createConfiguration({
        profile: "Core",
        brand: "Rolex",
        reference: REFERENCE,
        configuration_key: "test:made-now",
        filters: { years: [cell.year] },
      });
      await until(async () => (await api.getConfigurationCells({ id })).items.length > 0);
      const where = { id, year: cell.year, condition_bucket: bucket };
      const [first] = (await api.getCellHistory(where)).items;
      const { items } = await api.getBackcast(where);
      const before = items.filter(
        (point) => point.calculated_at_ms < (first?.calculated_at_ms ?? 0),
      );
      const window = await service.open(t);
      const { page } = window;
      const path = `/references/${REFERENCE}?price=${id}&year=${cell.year}&condition=${bucket}`;
      await signIn(window, service, path);
      await dots(page).first().waitFor();

      const lineOf = (basis: string) =>
        page.locator(`.chart .is-${basis} .price-average`).getAttribute("d");
      assert.match((await lineOf("backcast")) ?? "", /^M/);
      assert.match((await lineOf("recorded")) ?? "", /^M/);
      assert.equal(await page.locator(".chart .chart-past").count(), 1);
      await page.getByText("The same as tables").click();
      const rows = page.getByRole("table", { name: /How the price moved/ }).locator("tbody tr");
      assert.equal(await rows.filter({ hasText: "worked out afterwards" }).count(), before.length);
      assert.equal(await rows.filter({ hasText: "recorded" }).count(), 1);
    },
  );

  await t.test("the chart marks the day on which other sets were compared", async (t) => {
    const { cell, bucket } = await findCell();
    const declared = { profile: "Core", brand: "Rolex", reference: REFERENCE };
    const { id } = await api.createConfiguration({ ...declared, configuration_key: "test:sets" });
    await until(async () => (await api.getConfigurationCells({ id })).items.length > 0);
    await api.changeConfiguration({ id, sets: "complete" });
    await until(async () => !(await api.getConfigurationCells({ id })).configuration.is_stale);
    const window = await service.open(t);
    const { page } = window;
    const path = `/references/${REFERENCE}?price=${id}&year=${cell.year}&condition=${bucket}`;
    await signIn(window, service, path);
    await dots(page).first().waitFor();

    assert.equal(await page.locator(".chart .chart-mark").count(), 1);
    await page.locator("p", { hasText: /^Prices: full sets only since/ }).waitFor();
  });

  await t.test("presenter mode leaves no digit of a threshold in the document", async (t) => {
    const { where, cells } = await findCell();
    const { items } = await api.getPopulation(where);
    const asked = new Set(items.map((ask) => euros(ask.original_ask_eur_minor)));
    const secrets = [
      ...cells.flatMap((cell) => [
        cell.market_average_eur_minor,
        cell.maximum_buy_eur_minor,
        cell.consumer_min_eur_minor,
        cell.consumer_max_eur_minor,
      ]),
      ...items.map((ask) => ask.comparable_ask_eur_minor),
    ]
      .filter((minor) => minor !== undefined)
      .map(euros)
      .filter((amount) => !asked.has(amount));
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/references/${REFERENCE}`);
    await dots(page).first().waitFor();
    await page.getByText("The same as tables").click();
    const before = await page.evaluate<string>(SHOWN);
    assert.ok(secrets.some((amount) => before.includes(amount)));

    await openPalette(page);
    await page.keyboard.type("presenter");
    await page.keyboard.press("Enter");
    await page.getByText("Presenter mode is on").waitFor();

    const after = await page.evaluate<string>(SHOWN);
    assert.deepEqual(
      secrets.filter((amount) => after.includes(amount)),
      [],
    );
    assert.doesNotMatch(await page.locator(".chart-axis").first().innerHTML(), /€/);
    assert.equal(await page.getByText("Save", { exact: true }).count(), 0);
  });

  await t.test("a reference is watched with the prices that its preview has shown", async (t) => {
    const asks = [3_400_000, 3_420_000, 3_440_000, 3_460_000];
    const ask = async (price: number, at: number): Promise<void> => {
      const phone = `3933312345${at}0`;
      const sender = { phone, lid: `${phone}7`, name: `<b>Dealer</b> ${at}` };
      await postMessage(service, `Patek Philippe 6300G-010 2023 used ${price} EUR`, sender);
    };
    for (const [at, price] of asks.entries()) await ask(price, at);
    await until(async () => {
      const filters = { reference: ["6300G-010"] };
      return (await api.searchReferences({ filters })).items[0]?.for_sale_count === asks.length;
    });
    // What is priced belongs to owners, as the rules do.
    const desk = await service.open(t);
    const deskToken = await addToken(service.db, { role: "desk" });
    const path = "/references/6300G-010";
    await signIn(desk, { url, token: deskToken }, path);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, path);

    for (const each of [desk.page, page]) {
      await each.locator(".matrix-cell", { hasText: "avg €3,430,000" }).waitFor();
    }
    const watch = { name: "Watch this reference" };
    assert.equal(await desk.page.getByRole("button", watch).count(), 0);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", watch).click();

    // Both windows hear of it; the cells fill when they are calculated.
    for (const each of [page, desk.page]) {
      await each.locator("a.matrix-cell", { hasText: "€3,430,000" }).waitFor();
      await dots(each).nth(3).waitFor();
    }
    assert.equal(await page.locator(".is-counted[data-ask]").count(), asks.length);
    // A new ask joins the others, and the focus stays where it is.
    await dots(page).nth(1).focus();
    const focusedId = await page.evaluate(FOCUSED);
    await ask(3_410_000, 7);
    await dots(page).nth(4).waitFor();
    await page.locator("a.matrix-cell", { hasText: "5 asks" }).waitFor();
    assert.equal(await page.evaluate(FOCUSED), focusedId);
    await page.getByRole("button", { name: "Stop watching" }).waitFor();
    assert.equal(await desk.page.getByRole("button", { name: "Stop watching" }).count(), 0);
    const [made] = (await api.listConfigurations({ reference: "6300G010" })).items;
    assert.equal((await api.getConfiguration({ id: made?.id ?? "" })).managed_by, "api");
  });

  await t.test(
    "what is no longer watched can be undone, and is deleted otherwise",

    async (t) => {
      const { id } = await api.createConfiguration({
        profile: "Core",
        brand: "Tudor",
        reference: "79360Q",
      });
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, "/references/79360Q");
      const stop = page.getByRole("button", { name: "Stop watching" });

      await stop.click();
      await page.getByText("No longer watched").waitFor();
      await page.keyboard.press("z");
      await until(async () => (await page.getByText("No longer watched").count()) === 0);
      assert.equal((await api.getConfiguration({ id })).managed_by, "api");
      await stop.click();

      await page.getByText("Nothing is known about this reference").waitFor();
      await assert.rejects(api.getConfiguration({ id }), { status: 404 });
    },
  );

  for (const path of ["/references", `/references/${REFERENCE}`]) {
    await t.test(`${path} has no barrier anywhere`, async (t) => {
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, path);
      await page.locator("tbody tr").first().waitFor();
      if (path !== "/references") await dots(page).first().waitFor();

      assert.deepEqual(await findBarriersEverywhere(page), []);
    });
  }

  await t.test("without its service the page says so, and recovers", async (t) => {
    const { cells, cell } = await findCell();
    const next = cells[cells.indexOf(cell) + 1];
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/references/${REFERENCE}`);
    await dots(page).first().waitFor();

    await service.stop();
    await page.keyboard.press("j");
    await page.getByText("Assay cannot be reached").first().waitFor();
    await service.start();

    await page
      .locator(`[data-cell="${next?.year}-${next?.condition_bucket}"][aria-current]`)
      .waitFor();
    await dots(page).first().waitFor();
    await until(async () => (await page.getByText("Assay cannot be reached").count()) === 0);
  });
});
