import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createAssayClient } from "../../client/assay-client.ts";
import {
  type ConsoleService,
  findBarriers,
  findBarriersEverywhere,
  inBrowser,
  isTooWide,
  openPalette,
  shareConsole,
  signIn,
} from "../support/console/console-browser.ts";
import { parseCsv } from "../support/files.ts";
import { addToken, until } from "../support/test-app.ts";
import { aGroupEvent, aMessageEvent } from "../support/waha.ts";

const COUNT = "document.querySelectorAll('*').length";
const NODES_MAX = 2_500;
const AREA = "document.querySelector('[data-keep-scroll=market]')";
/** What every search begins with. */
const DEFAULTS = ["Remove Kind for sale", "Remove Last seen last 30 days"];
const EVERYTHING = "side=any&seen=any";
const FOCUSED_TEXT = "document.activeElement.textContent";
const FOCUSED_ROW = "document.activeElement?.closest('tr')?.dataset.at";

test("the market", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });
  const open = async (
    t: Parameters<ConsoleService["open"]>[0],
    path: string,
    options: { width?: number; height?: number; colorScheme?: "light" | "dark" } = {},
  ) => {
    // Wide enough for the controls beside the table.
    const window = await service.open(t, { width: 1680, ...options });
    await signIn(window, service, path);
    return window.page;
  };

  await t.test("facets narrow and widen; the address follows, and back leads back", async (t) => {
    const page = await open(t, "/market");
    await rowsOf(page).first().waitFor();
    const all = await countOf(page);

    await page.getByRole("checkbox", { name: "Rolex" }).check();
    await until(async () => (await countOf(page)) < all);
    const rolexes = await countOf(page);
    await page.getByRole("checkbox", { name: "Patek Philippe" }).check();
    await until(async () => (await countOf(page)) > rolexes);

    assert.equal(new URL(page.url()).search, "?brand=Rolex&brand=Patek+Philippe");
    assert.deepEqual(await chipsOf(page), [
      "Remove Brand Rolex",
      "Remove Brand Patek Philippe",
      ...DEFAULTS,
    ]);
    await page.goBack();
    await until(async () => (await countOf(page)) === rolexes);
    await page.getByRole("button", { name: "Remove Brand Rolex" }).click();
    await until(async () => (await countOf(page)) === all);
    assert.equal(new URL(page.url()).search, "");
    // The focus goes on to the next chip, and from the last one to the search.
    await page.getByRole("button", { name: "Remove Kind for sale" }).press("Enter");
    await until(async () => /Last seen/.test(await page.evaluate<string>(FOCUSED_TEXT)));
    await page.keyboard.press("Enter");
    await until(() => page.evaluate<boolean>("document.activeElement.type === 'search'"));
    await until(async () => (await countOf(page)) > all);
    assert.equal(new URL(page.url()).search, "?side=any&seen=any");
    const { total } = await api.searchListings({ limit: 1, include_total: true });
    assert.equal(await countOf(page), total);
  });

  await t.test("ranges, marks and JSON change the same filter", async (t) => {
    const page = await open(t, `/market?brand=Rolex&${EVERYTHING}`);
    await rowsOf(page).first().waitFor();

    await page.getByLabel("Price in EUR to").fill("12.500");
    await page.keyboard.press("Enter");
    await page.waitForURL(/price_lte=1250000/);
    await page.getByLabel("Year from").fill("2023");
    await page.keyboard.press("Enter");
    await page.getByLabel("Repeated asks").check();
    await page.getByText("For engineers: as JSON").click();
    const json = page.getByRole("textbox", { name: "Filter", exact: true });
    const filter = JSON.parse(await json.inputValue()) as object;
    await json.fill(JSON.stringify({ ...filter, phone_numbers: { exclude: ["852"] }, odd: 1 }));
    await page.getByRole("button", { name: "Apply" }).click();

    await page.getByText(/odd: unknown member/).waitFor();
    assert.deepEqual(filter, {
      brand: ["Rolex"],
      price: { lte: 12_500_00 },
      year: { gte: 2023 },
      include_duplicates: true,
    });
    assert.equal(
      new URL(page.url()).searchParams.get("more"),
      '{"phone_numbers":{"exclude":["852"]},"odd":1}',
    );
    await json.fill("{");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("This is not a JSON object.").waitFor();
  });

  await t.test("a malformed address says what is wrong and keeps the rest", async (t) => {
    const page = await open(t, "/market?brand=Rolex&price_lte=9k&brnad=Tudor&more={");

    const problem = page.getByRole("alert");
    await problem.getByText("price_lte=9k: must be a whole number").waitFor();
    await problem.getByText("brnad=Tudor: has no meaning here").waitFor();
    await problem.getByText("more={: must be a JSON object").waitFor();
    await rowsOf(page).first().waitFor();
    assert.deepEqual(await chipsOf(page), ["Remove Brand Rolex", ...DEFAULTS]);
    await page.getByRole("button", { name: "Remove them from the address" }).click();
    await problem.waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).search, "?brand=Rolex");
  });

  await t.test(
    "what the service refuses stands at the control that it is about",

    async (t) => {
      const page = await open(t, "/market?brand=Rolex&condition=MINT");

      const section = page.locator("details", {
        has: page.locator("summary", { hasText: "Condition" }),
      });
      await section
        .getByRole("alert")
        .getByText(/condition.*must be one of NEW, LIKE_NEW, USED/)
        .waitFor();
      await page.getByRole("button", { name: "Remove Condition MINT" }).click();
      await rowsOf(page).first().waitFor();
      assert.equal(await page.getByRole("alert").count(), 0);
    },
  );

  await t.test("the order and the columns are kept", async (t) => {
    const page = await open(t, `/market?brand=Rolex&${EVERYTHING}`);
    await rowsOf(page).first().waitFor();

    await page.getByLabel("Order").selectOption("price_asc");
    await page.getByText("Columns", { exact: true }).click();
    await page.getByRole("checkbox", { name: "Posts" }).check();
    await page.getByRole("checkbox", { name: "Dealer", exact: true }).uncheck();
    await page.getByRole("columnheader", { name: "Posts" }).waitFor();
    await page.reload();
    await rowsOf(page).nth(5).waitFor();

    const { items } = await api.searchListings({
      filters: { brand: ["Rolex"] },
      sort: "price_asc",
      limit: 6,
    });
    assert.deepEqual(
      await linksOf(page, 6),
      items.map(({ id }) => `/listings/${id}`),
    );
    assert.equal(await page.getByRole("columnheader", { name: "Dealer" }).count(), 0);
    await page.goto("/market");
    await page.getByRole("columnheader", { name: "Posts" }).waitFor();
  });

  await t.test(
    "each ask stands against its headline, or the row says why it does not",
    async (t) => {
      const page = await open(t, "/market?seen=any", { width: 1920 });
      await page.locator("td[data-column=below] .amount").first().waitFor();

      const { items, prices = [] } = await api.searchListings({
        filters: { side: ["for_sale"] },
        limit: 10,
        include: ["price"],
      });
      for (const at of items.keys()) {
        const { headline, price, reason } = prices[at] ?? {};
        const profit = headline?.profit_opportunity_eur_minor;
        const cell = (id: string) =>
          rowsOf(page).nth(at).locator(`td[data-column=${id}]`).textContent();
        assert.ok((await cell("below"))?.startsWith(profit === undefined ? "–" : inEuros(profit)));
        if (reason !== undefined) assert.match((await cell("market")) ?? "", /[a-z]/);
        assert.equal(await cell("landed"), inEuros(price?.landed_eur_minor));
      }
    },
  );

  await t.test("presenter mode leaves no digit of the comparison", async (t) => {
    const page = await open(t, "/market?columns=ask+market+below+offer+landed");
    await page.locator("td[data-column=below] .amount").first().waitFor();

    await openPalette(page);
    await page.keyboard.type("presenter");
    await page.keyboard.press("Enter");

    const cells = page.locator(
      "td:is([data-column=below], [data-column=offer], [data-column=landed])",
    );
    await until(async () => (await cells.locator(".amount").count()) === 0);
    assert.doesNotMatch((await cells.allTextContents()).join(" "), /\d/);
  });

  await t.test("best first, and only what is far enough below its market", async (t) => {
    const page = await open(t, "/market");
    await rowsOf(page).first().waitFor();

    await page.getByRole("button", { name: "Below market", exact: true }).click();
    await page.waitForURL(/sort=profit/);
    await page.getByLabel("Below market, at least in euro").fill("0.5k");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove Below market at least €500" }).waitFor();
    const { items } = await api.searchListings({
      filters: { side: ["for_sale"] },
      sort: "profit",
      minimum_profit_eur_minor: 500_00,
      limit: 5,
    });
    await until(async () => {
      const links = await linksOf(page, 5);
      return items.every(({ id }, at) => links[at] === `/listings/${id}`);
    });
    const head = page.locator("th[data-column=below]");
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    assert.match((await page.locator(".market-count").textContent()) ?? "", /asks? with a price/);

    // A file knows no such distance, and says so.
    const downloading = page.waitForEvent("download");
    await openMore(page, "Export as CSV");
    await downloading;
    await page.getByText(/also what is not at least €500 below market/).waitFor();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText(/goes with best first only/).waitFor();
    await page.waitForURL(/sort=price_asc/);
    assert.equal(await head.getAttribute("aria-sort"), null);
  });

  await t.test("few nodes, whatever was scrolled; rows keep their numbers", async (t) => {
    const page = await open(t, `/market?${EVERYTHING}`);
    await rowsOf(page).first().waitFor();
    const ids = new Set<string>();
    const walked: string[] = [];
    for await (const { id } of api.listings({})) {
      walked.push(id);
      if (walked.length === 400) break;
    }

    for (let at = 0; at < 400; at += 20) {
      await page.evaluate(`${AREA}.scrollTop = ${at} * 48`);
      const row = page.locator(`tr[data-at="${at + 5}"] a.watch`);
      await row.waitFor();
      ids.add((await row.getAttribute("href")) ?? "");
      assert.ok((await page.evaluate<number>(COUNT)) < NODES_MAX);
    }

    assert.deepEqual(
      [...ids],
      walked.filter((_, at) => at % 20 === 5).map((id) => `/listings/${id}`),
    );
    const total = await countOf(page);
    assert.equal(await page.getByRole("table").getAttribute("aria-rowcount"), String(total + 1));
    assert.equal(await page.locator('tr[data-at="385"]').getAttribute("aria-rowindex"), "387");

    // At rest, the document has the rows in their order, and a focused row still has the focus.
    const NUMBERS =
      "[...document.querySelectorAll('tbody tr')].map((row) => Number(row.dataset.at))";
    await page.locator('tr[data-at="385"] a.watch').focus();
    await page.evaluate(`${AREA}.scrollTop = 375 * 48`);
    await until(async () => {
      const numbers = await page.evaluate<number[]>(NUMBERS);
      return numbers.every((at, index) => at === 367 + index);
    });
    assert.equal(await page.evaluate(FOCUSED_ROW), "385");
    // The elements of a row that leaves show another one; that one must not have the focus.
    await page.evaluate(`${AREA}.scrollTop = 0`);
    await page.locator('tr[data-at="5"] a.watch').waitFor();
    assert.equal(await page.evaluate(FOCUSED_ROW), undefined);
  });

  await t.test("going back restores filter, rows and place, with the deals of now", async (t) => {
    const page = await open(t, "/market?side=for_sale");
    await rowsOf(page).first().waitFor();
    // The area can be scrolled only once it knows how many rows there are.
    await until(async () => {
      await page.evaluate(`${AREA}.scrollTop = 5000`);
      return (await page.locator('tr[data-at="110"] a.watch').count()) > 0;
    });
    await page.locator('tr[data-at="110"] a.watch').click();
    await page.locator(".pane .verdict").waitFor();
    await page.getByRole("link", { name: "Open its page" }).click();
    await page.waitForURL("**/listings/**");
    // Nothing on the market hears of this; the rows that were kept are read again.
    const listing_id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await api.decideDeal({ listing_id, state: "shortlisted" });

    await page.goBack();
    await page.locator(".pane .verdict").waitFor();
    await page.locator('tr[data-at="110"]').getByText("shortlisted").waitFor();
    await api.deleteDeal({ listing_id });
    await page.goBack();

    await page.locator('tr[data-at="110"] a.watch').waitFor();
    assert.equal(await page.evaluate(`${AREA}.scrollTop`), 5000);
    assert.equal(new URL(page.url()).searchParams.get("watch"), null);
  });

  await t.test("keys: / searches, j and k walk, Enter shows, and Enter again opens", async (t) => {
    const page = await open(t, "/market");
    await rowsOf(page).first().waitFor();

    await page.keyboard.press("/");
    await page.keyboard.type("submariner");
    await page.waitForURL("**/market?q=submariner");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove Model Submariner" }).waitFor();
    await rowsOf(page).first().waitFor();
    const current = page.locator("tr[aria-current]");
    for (const key of ["k", "j", "j", "k"]) await page.keyboard.press(key);
    await until(async () => (await current.getAttribute("data-at")) === "1");
    const href = (await current.locator("a.watch").getAttribute("href")) ?? "";
    await page.keyboard.press("Enter");
    await page.locator(".pane .verdict").waitFor();
    await page.keyboard.press("Enter");

    await page.waitForURL(`**${href}`);
  });

  await t.test(
    "the focus goes with the selection at once, so Enter opens the right row",
    async (t) => {
      const page = await open(t, "/market");
      await rowsOf(page).first().waitFor();

      const focused = await page.evaluate(`for (const key of ["j", "j", "k", "j"])
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      ${FOCUSED_ROW}`);

      assert.equal(focused, "1");
      assert.equal(await page.locator("tr[aria-current]").getAttribute("data-at"), "1");
      // The pane gives it back when it closes.
      await page.keyboard.press("Enter");
      await page.locator(".pane").getByRole("button", { name: "Back to the list" }).click();
      await until(async () => (await page.evaluate(FOCUSED_ROW)) === "1");
    },
  );

  await t.test("the export has the rows of the search", async (t) => {
    const page = await open(t, `/market?brand=Rolex&condition=NEW&sort=price_desc&${EVERYTHING}`);
    await rowsOf(page).first().waitFor();

    const downloading = page.waitForEvent("download");
    await openMore(page, "Export as CSV");
    const file = await (await downloading).path();

    const expected: string[] = [];
    const filters = { brand: ["Rolex"], condition: ["NEW"] } as const;
    for await (const { id } of api.listings({ filters, sort: "price_desc" })) expected.push(id);
    const [head, ...lines] = parseCsv(readFileSync(file, "utf8"));
    assert.equal(head?.[0], "id");
    assert.deepEqual(
      lines.map(([id]) => id),
      expected,
    );
  });

  await t.test("a view is saved, opened and updated", async (t) => {
    const page = await open(t, "/market?brand=Rolex&sort=price_asc");
    await rowsOf(page).first().waitFor();

    await page.getByText("Saved", { exact: true }).click();
    await page.getByRole("button", { name: "Save this search …" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Europe");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Cheap Rolex");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator("summary", { hasText: "Cheap Rolex" }).waitFor();
    await page.goto("/market");
    await page.getByText("Saved", { exact: true }).click();
    await page.getByRole("link", { name: "Cheap Rolex" }).click();
    await page.getByRole("button", { name: "Remove Brand Rolex" }).waitFor();
    assert.equal(await page.getByLabel("Order").inputValue(), "price_asc");
    await page.getByRole("checkbox", { name: "new", exact: true }).check();
    await page.locator("summary", { hasText: "changed" }).click();
    await page.getByRole("button", { name: "Update “Cheap Rolex”" }).click();

    await page.getByText("“Cheap Rolex” is updated").waitFor();
    const { items } = await api.listViews();
    const view = items.find(({ name }) => name === "Cheap Rolex");
    assert.deepEqual(view?.filters, { brand: ["Rolex"], condition: ["NEW"], side: ["for_sale"] });
    assert.equal(view?.sort, "price_asc");
  });

  await t.test("a filter becomes an alert", async (t) => {
    const page = await open(t, "/market?reference=126610LN&price_lte=900000");
    await rowsOf(page).first().or(page.locator(".state")).waitFor();

    await page.getByRole("link", { name: "Make this an alert" }).click();
    await page.getByText(/^\d+ in 30 days$/).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Cheap Submariner");
    await page.getByRole("button", { name: "Create the alert" }).click();

    await page.getByText("The alert “Cheap Submariner” is on").waitFor();
    const { items } = await api.listAlerts();
    const alert = items.find(({ name }) => name === "Cheap Submariner");
    assert.deepEqual(alert?.filters, {
      reference: ["126610LN"],
      price: { lte: 900_000 },
      side: ["for_sale"],
    });
    assert.equal(alert?.enabled, true);
  });

  await t.test("a search is copied as link, YAML and curl", async (t) => {
    const page = await open(t, "/market?brand=Rolex&words=it%27s");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);

    await openMore(page, "Copy as link, YAML or curl …");
    await page.getByRole("button", { name: "Copy Link" }).click();
    await page.getByText("Copied").waitFor();

    assert.equal(
      await page.evaluate("navigator.clipboard.readText()"),
      `${service.url}/market?words=it%27s&brand=Rolex`,
    );
    assert.match(await page.getByLabel("curl", { exact: true }).inputValue(), /"query":"it'\\''s"/);
    assert.match(await page.getByLabel("YAML for a file").inputValue(), /^views:\n {2}- name: /);
  });

  await t.test(
    "why a listing is not in: the parts that it misses are named",

    async (t) => {
      const { items } = await api.searchListings({
        filters: { brand: ["Rolex"], condition: ["USED"], side: ["for_sale"] },
        limit: 1,
      });
      const [listing] = items;
      assert.ok(listing?.reference);
      const page = await open(
        t,
        `/market?brand=Rolex&condition=NEW&reference=${listing.reference}&price_lte=1&${EVERYTHING}`,
      );

      await openMore(page, "Why is this one not in? …");
      await page
        .getByLabel("Listing", { exact: true })
        .fill(`${service.url}/listings/${listing.id}`);
      await page.getByRole("button", { name: "Look" }).click();

      await page.getByText("It misses 2 parts:").waitFor();
      await page.getByText(/Condition asks for new; the listing has used/).waitFor();
      await page.getByText(/Price asks for up to €0.01; the listing has /).waitFor();
      await page.getByRole("button", { name: "Drop Price" }).click();
      await openMore(page, "Why is this one not in? …");
      await page.getByLabel("Listing", { exact: true }).fill("nonsense");
      await page.getByRole("button", { name: "Look" }).click();
      await page.getByText("This is neither an id nor a link of a listing.").waitFor();
      await page.getByLabel("Listing", { exact: true }).fill(listing.id);
      await page.keyboard.press("Enter");
      await page.getByText("It misses one part:").waitFor();
      await page.getByRole("button", { name: "Drop Condition" }).click();
      await openMore(page, "Why is this one not in? …");
      await page.getByLabel("Listing", { exact: true }).fill(listing.id);
      await page.keyboard.press("Enter");
      await page.getByText("It is in: it fits every part of the filter.").waitFor();
    },
  );

  await t.test("an empty result says which part to remove", async (t) => {
    const page = await open(t, "/market?brand=Rolex&year=1890");

    await page.getByText("No listing fits this filter.").waitFor();
    await page.getByRole("button", { name: "Without Year 1890" }).click();

    await rowsOf(page).first().waitFor();
    assert.equal(new URL(page.url()).search, "?brand=Rolex");
  });

  await t.test(
    "a read-only token opens views and sees no control that writes",

    async (t) => {
      const token = await addToken(service.db, { isReadOnly: true });
      const window = await service.open(t);
      await signIn(window, { ...service, token }, "/market");
      const { page } = window;
      await rowsOf(page).first().waitFor();

      await page.getByText("Saved", { exact: true }).click();
      await page.getByRole("link", { name: "Hong Kong from" }).waitFor();
      assert.equal(await page.getByRole("button", { name: /Save/ }).count(), 0);
      await page.getByRole("link", { name: "Hong Kong from" }).click();
      await page
        .getByRole("button", { name: /Remove Country/ })
        .first()
        .waitFor();
      await page.locator("main summary", { hasText: "More" }).click();
      await page.getByRole("button", { name: "Export as CSV" }).waitFor();
      assert.equal(await page.getByRole("link", { name: /Make this an alert/ }).count(), 0);
    },
  );

  await t.test("hostile texts stay text and break no layout", async (t) => {
    const markup = '<img src=x onerror="window.isBroken=1">';
    const groupName = `${markup} \u202eevil ${"x".repeat(150)}`;
    await post(service, aGroupEvent({ name: groupName, atMs: Date.now() }));
    const text = `${markup} \u202e Rolex 126610LN 2024 new full set 123456789 JPY ${"w".repeat(60_000)}`;
    const atS = Math.floor(Date.now() / 1000);
    await post(service, aMessageEvent({ text, rawId: "3EB0HOSTILE", atS }));
    const find = () => api.searchListings({ filters: { group_names: [groupName] }, limit: 1 });
    await until(async () => (await find()).items.length > 0);

    const page = await open(
      t,
      `/market?${new URLSearchParams({ words: "onerror", group_name: groupName })}`,
    );
    await rowsOf(page).first().waitFor();

    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await isTooWide(page), false, `${width} px`);
    }
    assert.equal(await page.evaluate("window.isBroken"), undefined);
    assert.equal(await page.locator(".market img:not(.drawn-watch)").count(), 0);
  });

  await t.test("a new listing waits behind a button", async (t) => {
    const page = await open(t, "/market?reference=126610LN");
    await rowsOf(page).first().waitFor();
    const [first] = await linksOf(page, 1);

    const atS = Math.floor(Date.now() / 1000);
    const text = "Rolex 126610LN Submariner 2025 full set new 11111 EUR";
    await post(service, aMessageEvent({ text, rawId: "3EB0FRESH", atS }));

    await page.getByRole("button", { name: "1 new" }).waitFor();
    assert.deepEqual(await linksOf(page, 1), [first]);
    await page.getByRole("button", { name: "1 new" }).click();
    await rowsOf(page).first().getByText("€11,111").first().waitFor();
  });

  await t.test(
    "on a phone the controls are a sheet, and a row has age, dealer and euro",

    async (t) => {
      const page = await open(t, "/market", { width: 390, height: 844 });
      await rowsOf(page).first().waitFor();

      await page.getByRole("button", { name: "Filters (2)" }).click();
      await page.getByRole("dialog").getByRole("checkbox", { name: "Rolex" }).check();
      assert.deepEqual(await findBarriers(page), []);
      await page.getByRole("button", { name: "Show the listings" }).click();

      await page.getByRole("button", { name: "Filters (3)" }).waitFor();
      const { sender } =
        (await api.searchListings({ filters: { brand: ["Rolex"], side: ["for_sale"] }, limit: 1 }))
          .items[0] ?? {};
      const row = (await rowsOf(page).first().textContent()) ?? "";
      assert.match(row, /ago|now/);
      assert.ok(row.includes(sender?.display_name ?? ""), row);
      assert.equal(await page.getByRole("dialog").count(), 0);
      assert.equal(await isTooWide(page), false);
    },
  );

  await t.test("with a filter, menus and problems there is no barrier", async (t) => {
    const page = await open(t, "/market?brand=Rolex&condition=NEW&price_lte=9k");
    await rowsOf(page).first().waitFor();
    await page.getByText("Saved", { exact: true }).click();

    assert.deepEqual(await findBarriersEverywhere(page), []);
  });

  await t.test(
    "a service that is down is told, and the search goes on when it is back",

    async (t) => {
      const page = await open(t, "/market");
      await rowsOf(page).first().waitFor();

      await service.stop();
      await page.getByRole("checkbox", { name: "Rolex" }).check();
      await page.getByText("Assay cannot be reached").first().waitFor();
      await service.start();

      await rowsOf(page).first().waitFor();
      assert.deepEqual(await chipsOf(page), ["Remove Brand Rolex", ...DEFAULTS]);
    },
  );
});

/** Rows that have a listing. */
function rowsOf(page: Page) {
  return page.locator("tbody tr:has(a)");
}

async function linksOf(page: Page, count: number): Promise<readonly (string | null)[]> {
  const links = await rowsOf(page).locator("a.watch").all();
  return Promise.all(links.slice(0, count).map((link) => link.getAttribute("href")));
}

/** As the line above the table says, once it does. */
async function countOf(page: Page): Promise<number> {
  const line = page
    .locator(".market-count")
    .getByText(/^(?:about )?[\d,]+ (?:listings?|watche?s? for sale)$/);
  return Number((await line.textContent())?.replaceAll(/[^\d]/g, ""));
}

async function chipsOf(page: Page): Promise<readonly string[]> {
  const chips = page.getByRole("list", { name: "Chosen filters" }).locator(".chip");
  return (await chips.allTextContents()).map((text) => text.replace("×", ""));
}

async function openMore(page: Page, action: string): Promise<void> {
  await page.locator("main summary", { hasText: "More" }).click();
  await page.getByRole("button", { name: action }).click();
}

function inEuros(minor: number | undefined): string {
  if (minor === undefined) return "–";
  const euros = Math.round(minor / 100);
  return `${euros < 0 ? "−" : ""}€${Math.abs(euros).toLocaleString("en-GB")}`;
}

async function post({ url }: ConsoleService, event: object): Promise<void> {
  const response = await fetch(`${url}/v2/webhooks/waha`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(event),
  });
  assert.equal(response.ok, true, await response.text());
}
