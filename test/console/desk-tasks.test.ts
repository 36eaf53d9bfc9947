/** What a dealer does all day, as a script: how many keys it takes, and that every figure is the same everywhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Request } from "playwright-core";
import { type AssayClient, createAssayClient, type WatchMatch } from "../../client/assay-client.ts";
import { formatAmount, formatShare, toWhole } from "../../console/words/formats.ts";
import { toNotification } from "../../src/alerts/deliveries/notification.ts";
import { toMatchEvents } from "../../src/alerts/describe-matches.ts";
import { toMatchKey } from "../../src/alerts/match.ts";
import { findMatches } from "../../src/alerts/match-store.ts";
import { describeListings } from "../../src/api/v2/market/listing-body.ts";
import { showAmount } from "../../src/base/text.ts";
import {
  ALL_BUYS,
  inBrowser,
  listBuys,
  listRows,
  openPalette,
  selectedId,
  signIn,
  startConsole,
} from "../support/console/console-browser.ts";
import { shiftedClock } from "../support/console/shifted-clock.ts";
import { startWebhookTarget } from "../support/deliveries.ts";
import { addToken, until } from "../support/test-app.ts";
import { postMessage } from "../support/waha.ts";

const IDS = "[...document.querySelectorAll('tbody tr[data-id]')].map((row) => row.dataset.id)";
const MAIN_TEXT =
  "[...document.querySelectorAll('main, dialog')].map((part) => part.innerText).join(' ')";
const DEALER = { phone: "447700900654", lid: "199900000000654", name: "Nora Night" };
/** As the tests name their tokens. */
const TOKEN_NAME = /\btest [\da-f-]{36}/g;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/i;
const MAKERS_WORD = /\b(?:configurations?|profiles?|targets?|manifests?|shadow|members?|JSON)\b/i;
const PUBLIC_URL = "https://desk.example.org";
const COMMAND = /\bassay (?:apply|console|token|doctor|replay)\b|\bASSAY_[A-Z]+/;

/** Longer than a page needs to ask. */
const QUIET_MS = 1_000;

type Summary = Awaited<ReturnType<AssayClient["summarizeWatchMatches"]>>;

test("a dealer's day on Buys", inBrowser, async (t) => {
  const service = await startConsole(t, { environment: { ASSAY_PUBLIC_URL: PUBLIC_URL } });
  const api = createAssayClient({ url: service.url, token: service.token });
  // The demo's desk has decided about some of them already.
  const { items: known } = await api.listDeals({ limit: 200 });
  for (const { listing_id } of known) await api.deleteDeal({ listing_id });
  const press = async (page: Page, keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

  await t.test(
    "what came in since the last look stands there, best first, without a key",
    async (t) => {
      const token = await addToken(service.db, {});
      const person = createAssayClient({ url: service.url, token });
      const sinceMs = shiftedClock.nowMs();
      const again = (await listBuys(api))
        .filter(({ listing }) => listing?.price?.currency === "EUR")
        .filter(isFirstOfReference);
      for (const row of again.slice(0, 2)) await postMessage(service, toText(row), DEALER);
      await person.saveLastLooked({ at_ms: sinceMs });
      await until(
        async () => (await person.summarizeWatchMatches({ since_ms: sinceMs })).buy_count === 2,
      );
      const since = { since_ms: sinceMs, unseen_only: true, include_shadow: true };
      const window = await service.open(t);
      const { page } = window;
      // The new asks may still move the averages, so the figures are those that this page was told.
      const counted = page.waitForResponse(/\/matches\/summary\?.*since_ms/);
      const listed = page.waitForResponse(/\/v2\/alerts\/matches\?.*since_ms/);
      await signIn(window, { url: service.url, token });
      const summary = (await (await counted).json()) as Summary;
      const { items } = (await (await listed).json()) as { items: readonly WatchMatch[] };
      await page.locator("tbody tr").first().waitFor();
      const best = await person.listWatchMatches({ ...since, is_buy: true, sort: "profit" });
      const all = await person.summarizeWatchMatches({ unseen_only: true, include_shadow: true });
      assert.ok(all.buy_count > summary.buy_count, "there are buys from before");

      const ids = items.map(({ resource_id }) => resource_id);
      assert.deepEqual(await page.evaluate(IDS), ids);
      assert.deepEqual(
        ids,
        best.items.map(({ resource_id }) => resource_id),
      );
      const line = (await page.locator(".buys-summary").textContent()) ?? "";
      assert.ok(line.startsWith(`${summary.buy_count} buys since `), line);
      assert.ok(line.includes(`together ${euros(summary.profit_eur_minor)} below market`), line);
      const profit = summary.best?.price_engine.profit_opportunity_eur_minor ?? 0;
      assert.ok(line.includes(`, ${euros(profit)} below`), line);
      await page.reload();
      await page.locator("tbody tr").first().waitFor();
      assert.equal(
        (await page.evaluate<string[]>(IDS)).length,
        items.length,
        "a reload is the same visit",
      );
      await until(async () => ((await person.getMe({})).last_looked_at_ms ?? 0) > sinceMs);
      await page
        .getByRole("button", { name: `${all.buy_count - summary.buy_count} more from before` })
        .click();
      await until(
        async () => (await page.evaluate<string[]>(IDS)).length === Math.min(50, all.buy_count),
      );
    },
  );

  await t.test(
    "why it is a buy is one key away: the verdict, the nearest asks, the words",
    async (t) => {
      const [row] = await listBuys(api);
      assert.ok(row?.headline !== undefined && row.price?.offer_up_to !== undefined);
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, ALL_BUYS);
      await page.locator("tbody tr").first().waitFor();

      await press(page, ["Enter"]);
      await page.locator(".comparables tbody tr").first().waitFor();
      await page.locator(".message").waitFor();

      const verdict = (await page.locator(".pane .verdict").textContent()) ?? "";
      const profit = euros(row.headline.profit_opportunity_eur_minor ?? 0);
      assert.ok(verdict.includes(`${profit} below the average of`), verdict);
      const { shown_minor, currency } = row.price.offer_up_to;
      assert.ok(
        verdict.includes(`offer up to ${formatAmount({ minor: shown_minor, currency })}`),
        verdict,
      );
      const nearest = await page.locator(".comparables tbody tr").count();
      assert.ok(nearest > 0 && nearest <= 5);
    },
  );

  await t.test("two keys write to the dealer, with a text that names the watch", async (t) => {
    const row = (await listBuys(api)).find(
      ({ listing }) => listing?.sender.phone_number !== undefined,
    );
    assert.ok(row?.listing !== undefined);
    const window = await service.open(t);
    const { page, context } = window;
    await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
    await signIn(window, service, ALL_BUYS);
    await page.locator(`tr[data-id="${row.resource_id}"]`).waitFor();
    const at = (await page.evaluate<string[]>(IDS)).indexOf(row.resource_id);
    for (let step = 0; step < at; step += 1) await page.keyboard.press("j");

    const opened = context.waitForEvent("page");
    await press(page, ["Enter", "w"]);
    const chat = new URL((await opened).url());

    assert.equal(chat.origin + chat.pathname, `https://wa.me/${row.listing.sender.phone_number}`);
    assert.match(chat.searchParams.get("text") ?? "", new RegExp(row.listing.reference ?? ""));
    await until(async () => {
      const { items } = await api.listDeals({ state: "contacted", limit: 200 });
      return items.some(({ listing_id }) => listing_id === row.resource_id);
    });
    await page.locator(`tr[data-id="${row.resource_id}"]`).getByText("contacted").waitFor();
    await api.deleteDeal({ listing_id: row.resource_id });
  });

  await t.test("three are passed and one is taken back with four keys", async (t) => {
    const rows = (await listBuys(api)).slice(0, 3).map(({ resource_id }) => resource_id);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, ALL_BUYS);
    await page.locator("tbody tr").first().waitFor();
    const passed = page.locator("tr.is-passed");

    await press(page, ["p", "p", "p"]);
    await until(async () => (await passed.count()) === 3);
    await press(page, ["z"]);
    await until(async () => (await passed.count()) === 2);

    await until(async () => (await selectedId(page)) === rows[2]);
    const { items } = await api.listDeals({ state: "passed" });
    const ids = items.map(({ listing_id }) => listing_id);
    assert.deepEqual(
      rows.map((id) => ids.includes(id)),
      [true, true, false],
    );
    assert.deepEqual((await page.evaluate<string[]>(IDS)).slice(0, 3), rows, "no row moves");
    await press(page, ["Escape", "r"]);
    await until(async () => !(await page.evaluate<string[]>(IDS)).includes(rows[0] ?? ""));
    await page.getByRole("button", { name: /passed or blocked/ }).click();
    await until(async () => (await page.evaluate<string[]>(IDS)).includes(rows[0] ?? ""));
    for (const listing_id of rows.slice(0, 2)) await api.deleteDeal({ listing_id });
  });

  await t.test(
    "several rows are decided about at once, and one key takes all of it back",
    async (t) => {
      const rows = (await listBuys(api)).slice(0, 4).map(({ resource_id }) => resource_id);
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, ALL_BUYS);
      await page.locator("tbody tr").nth(3).waitFor();
      const decided = async (): Promise<readonly string[]> =>
        (await api.listDeals({ state: "shortlisted", limit: 200 })).items.map(
          ({ listing_id }) => listing_id,
        );

      await press(page, ["x", "x"]);
      await page.getByText("2 chosen").waitFor();
      await page
        .locator("tbody tr")
        .nth(3)
        .click({ modifiers: ["Shift"] });
      await page.getByText("4 chosen").waitFor();
      await press(page, ["s"]);
      await page.getByText("4 watches: shortlisted").waitFor();
      const after = await decided();
      assert.ok(rows.every((id) => after.includes(id)));
      await press(page, ["z"]);

      await until(async () => !(await decided()).some((id) => rows.includes(id)));
      assert.equal(await page.locator("tr.is-chosen").count(), 0);
    },
  );

  await t.test("what someone else decides stands in the row at once", async (t) => {
    const [row] = await listBuys(api);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, ALL_BUYS);
    await page.locator("[data-live=open]").waitFor();
    await page.locator("tbody tr").first().waitFor();

    await api.decideDeal({ listing_id: row?.resource_id ?? "", state: "contacted" });

    await page
      .locator(`tr[data-id="${row?.resource_id}"]`)
      .getByText(/^contacted/)
      .waitFor();
    await api.deleteDeal({ listing_id: row?.resource_id ?? "" });
  });

  await t.test(
    "what someone decides while the connection is lost stands there after it",
    async (t) => {
      const [row] = await listBuys(api);
      const listing_id = row?.resource_id ?? "";
      const window = await service.open(t);
      const { page, context } = window;
      // Then the stream is closed while the page is hidden.
      await context.addInitScript({ content: "delete globalThis.SharedWorker" });
      await signIn(window, service, ALL_BUYS);
      await page.locator("[data-live=open]").waitFor();
      await page.locator("tbody tr").first().waitFor();

      await hide(page, true);
      await page.locator("[data-live=off]").waitFor({ state: "attached" });
      await api.decideDeal({ listing_id, state: "contacted" });
      await hide(page, false);

      const mark = page.locator(`tr[data-id="${listing_id}"]`).getByText(/^contacted/);
      await mark.waitFor();
      await api.deleteDeal({ listing_id });
      await mark.waitFor({ state: "detached" });
    },
  );

  await t.test("no row goes away, and nothing typed, when the network is back", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, "/?since=all");
    await page.locator("tbody tr").first().waitFor();
    const before = await page.evaluate<string[]>(IDS);

    await press(page, ["Enter", "s"]);
    await page
      .locator("tbody tr")
      .first()
      .getByText(/^shortlisted/)
      .waitFor();
    await page.keyboard.press("n");
    await page.getByRole("dialog").getByRole("textbox").fill("ask for the card");
    // What is new is counted with `since_ms`.
    const isList = (request: Request): boolean => {
      const { pathname, searchParams } = new URL(request.url());
      return pathname === "/v2/alerts/matches" && !searchParams.has("since_ms");
    };
    const asked = page.waitForRequest(isList, { timeout: QUIET_MS }).then(
      () => true,
      () => false,
    );
    await page.evaluate("dispatchEvent(new Event('online'))");

    assert.equal(await asked, false);
    assert.deepEqual(await page.evaluate<string[]>(IDS), before);
    assert.equal(
      await page.getByRole("dialog").getByRole("textbox").inputValue(),
      "ask for the card",
    );
    await api.deleteDeal({ listing_id: before[0] ?? "" });
  });

  await t.test(
    "every match has the same figures on the page, in the API and in its notification",
    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      const shown = new Map<string, WatchMatch>();
      page.on("response", async (response) => {
        if (new URL(response.url()).pathname !== "/v2/alerts/matches" || !response.ok()) return;
        const { items } = (await response.json()) as { items: readonly WatchMatch[] };
        for (const row of items) shown.set(row.resource_id, row);
      });
      const tabs = [
        { path: ALL_BUYS, isBuy: true },
        { path: `${ALL_BUYS}&tab=other`, isBuy: false },
      ];
      let count = 0;
      for (const { path, isBuy } of tabs) {
        if (isBuy) await signIn(window, service, path);
        else await page.goto(path);
        await page.locator("tbody tr").first().waitFor();
        await showAll(page);
        for (const [id, cells] of Object.entries(await readCells(page))) {
          const row = shown.get(id);
          assert.ok(row !== undefined, id);
          assert.deepEqual(cells, figuresOf(row), id);
          assert.equal(row.no_buy_reason === undefined, isBuy, id);
          if (isBuy) assert.ok((row.headline?.profit_opportunity_eur_minor ?? 0) > 0, id);
          count += 1;
        }
      }
      const rows = [...shown.values()].filter(({ listing }) => listing !== undefined);
      assert.ok(count > 50 && rows.length >= count, `${count} of ${rows.length}`);

      for (let at = 0; at < rows.length; at += 100) {
        const some = rows.slice(at, at + 100);
        const { items } = await api.listPriceEngineMatches({
          listing_ids: some.map(({ resource_id }) => resource_id),
        });
        for (const { listing_id, headline } of items) {
          const row = shown.get(listing_id);
          assert.deepEqual(headline, row?.headline, "the price engine says the same");
        }
      }
      const keys = rows.flatMap(({ matches }) =>
        matches.map(({ match }) => toMatchKey({ ...match, resource: "watch_listing" })),
      );
      const events = await toMatchEvents(service.db, await findMatches(service.db, keys), {
        describeListings,
        nowMs: shiftedClock.nowMs(),
      });
      for (const row of rows) {
        const own = events.filter(({ data }) => data.match.resource_id === row.resource_id);
        const { title, text } = toNotification(own, undefined);
        for (const line of linesOf(row)) assert.ok(text.includes(line), `${line}: ${text}`);
        assert.equal(/offer up to/i.test(text), row.price?.is_buy === true, text);
        assert.doesNotMatch(title, UUID);
      }
    },
  );

  await t.test("a notification has the figures that its row had at the match", async (t) => {
    const phone = await startWebhookTarget(t);
    const target = await api.createWebhookTarget({
      name: "phone",
      kind: "ntfy",
      url: phone.url.replace("/hook", "/topic"),
    });
    const [row] = (await listBuys(api)).filter(
      ({ listing }) => listing?.price?.currency === "EUR" && listing.full_set_status.length > 0,
    );
    assert.ok(row !== undefined);
    const sender = { ...DEALER, phone: "447700900655", lid: "199900000000655", name: "Bea Bell" };
    await postMessage(service, toText(row), sender);
    const said = (): string => phone.received.map(({ body }) => body).join("\n\n");

    await until(() => said().includes("Bea Bell"));

    const match = (await listRows(api)).find(
      ({ listing }) => listing?.sender.display_name === "Bea Bell",
    );
    const headline = match?.matches.find((found) => found.headline !== undefined)?.headline;
    const profit = Number(headline?.["profit_opportunity_eur_minor"]);
    assert.ok(profit > 0);
    assert.ok(said().includes(`profit ${showAmount(profit)} EUR`), said());
    const offer = match?.price?.offer_up_to?.shown_minor ?? 0;
    const window = await service.open(t);
    await signIn(window, service, `${ALL_BUYS}&watch=${match?.resource_id}`);
    const verdict = window.page.locator(".pane .verdict");
    await verdict.getByText(formatAmount({ minor: offer, currency: "EUR" })).waitFor();

    // On a phone: the notification is one tap, WhatsApp the second.
    const [note] = phone.received.map(({ body }) => JSON.parse(body) as { click?: string });
    const link = new URL(note?.click ?? "");
    assert.equal(link.origin, PUBLIC_URL);
    const mobile = await service.open(t, { width: 390, height: 844 });
    await mobile.context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
    await signIn(mobile, service, link.pathname);
    await mobile.page
      .locator(".verdict")
      .getByText(formatAmount({ minor: offer, currency: "EUR" }))
      .waitFor();
    const opened = mobile.context.waitForEvent("page");
    await mobile.page.getByRole("link", { name: "WhatsApp" }).click();
    const chat = new URL((await opened).url());
    assert.equal(chat.pathname, `/${sender.phone}`);
    assert.match(chat.searchParams.get("text") ?? "", new RegExp(row.listing?.reference ?? "?"));
    await api.deleteWebhookTarget({ target_id: target.id });
  });

  await t.test("no id where a name exists, no command, and no word of the maker", async (t) => {
    const { items: wanted } = await api.searchListings({
      filters: { side: ["want_to_buy"] },
      limit: 1,
    });
    const [buy] = await listBuys(api);
    const window = await service.open(t);
    const { page } = window;
    const texts: string[] = [];
    const keep = async (): Promise<void> => {
      texts.push(await page.evaluate<string>(MAIN_TEXT));
    };
    await page.goto(service.url);
    await page.getByLabel("Token").waitFor();
    await keep();
    await signIn(window, service, ALL_BUYS);
    await page.locator("tbody tr").first().waitFor();

    await press(page, ["Enter"]);
    await page.locator(".comparables tbody tr").first().waitFor();
    await page.getByText("How it is calculated").click();
    await page.locator(".ledger tfoot .sub").waitFor();
    await keep();
    await page.getByRole("link", { name: /^Other matches/ }).click();
    await page.locator("tbody tr").first().waitFor();
    await keep();
    await openPalette(page);
    await page.keyboard.type("daytona");
    await page
      .getByRole("option", { name: /^References/ })
      .first()
      .waitFor();
    await keep();
    for (const id of [buy?.resource_id, wanted[0]?.id]) {
      await page.goto(`${service.url}/listings/${id}`);
      await page.locator(".read-fields").waitFor();
      await page.evaluate(
        "for (const each of document.querySelectorAll('details')) each.open = true",
      );
      await until(async () => (await page.locator(".loading").count()) === 0);
      await keep();
    }
    await page.goto(`${service.url}${ALL_BUYS}&watch=${buy?.resource_id}`);
    await page.locator(".pane .verdict").waitFor();
    await press(page, ["?"]);
    await page.getByRole("dialog").waitFor();
    await keep();

    assert.equal(texts.length, 7);
    for (const text of texts.map((each) => each.replaceAll(TOKEN_NAME, "Tom"))) {
      assert.doesNotMatch(text, UUID);
      assert.doesNotMatch(text, COMMAND);
      assert.doesNotMatch(text, MAKERS_WORD);
    }
  });
});

function isFirstOfReference(
  { listing }: WatchMatch,
  at: number,
  rows: readonly WatchMatch[],
): boolean {
  return rows.findIndex((row) => row.listing?.reference === listing?.reference) === at;
}

/** The same watch from another dealer, a little cheaper. */
function toText({ listing }: WatchMatch): string {
  const { brand, reference, year, dial_type = "", condition = "", price } = listing ?? {};
  const words = { NEW: "new", LIKE_NEW: "like new", USED: "used" }[condition];
  const euros = (price?.amount_minor ?? 0) / 100 - 100;
  return `${brand} ${reference} ${dial_type} ${year} full set ${words} ${euros} EUR`;
}

/** Asks for more rows until there are no more. */
async function showAll(page: Page): Promise<void> {
  const more = page.getByRole("button", { name: "Load more" });
  const count = async (): Promise<number> => (await page.evaluate<string[]>(IDS)).length;
  while ((await more.count()) > 0) {
    const before = await count();
    await more.click();
    await until(async () => (await count()) > before || (await more.count()) === 0);
  }
}

interface Figures {
  readonly ask: string;
  readonly landed: string;
  readonly market: string;
  readonly below: string;
  readonly share: string;
  readonly offer: string;
}

/** What the cells of each row say, by its id. */
function readCells(page: Page): Promise<Readonly<Record<string, Figures>>> {
  return page.evaluate<Record<string, Figures>>(`Object.fromEntries(
    [...document.querySelectorAll("tbody tr[data-id]")].filter((row) => row.querySelector(".watch")).map((row) => {
      const read = (column, part) =>
        row.querySelector("td[data-column=" + column + "]" + part)?.textContent ?? "";
      return [row.dataset.id, {
        ask: read("ask", " > .amount"),
        landed: read("landed", " > .amount"),
        market: read("market", " > .amount"),
        below: read("below", " > .amount"),
        share: read("below", " .sub > span:first-child"),
        offer: read("offer", " > .amount"),
      }];
    }))`);
}

/** The same from what the service says; empty where there is no figure. */
function figuresOf({ listing, headline, price }: WatchMatch): Figures {
  const { price: ask } = listing ?? {};
  const profit = headline?.profit_opportunity_eur_minor;
  const average = headline?.market_average_eur_minor;
  const { offer_up_to: offer } = price ?? {};
  return {
    ask: ask === undefined ? "" : formatAmount({ minor: ask.amount_minor, currency: ask.currency }),
    landed:
      price === undefined ? "" : formatAmount({ minor: price.landed_eur_minor, currency: "EUR" }),
    market: average === undefined ? "" : euros(average),
    below: profit === undefined ? "" : euros(profit),
    share: profit === undefined || average === undefined ? "" : formatShare(profit / average),
    offer:
      offer === undefined
        ? ""
        : formatAmount({ minor: offer.shown_minor, currency: offer.currency }),
  };
}

/** What the notification of a match says: the ask of now, the profit as it stood, and what to offer now. */
function linesOf({ listing, price, matches, offer_state }: WatchMatch): readonly string[] {
  const profits = matches.flatMap(({ headline }) => {
    const profit = headline?.["profit_opportunity_eur_minor"];
    return typeof profit === "number" ? [profit] : [];
  });
  const offer = price?.is_buy === true && offer_state !== "gone" ? price.offer_up_to : undefined;
  const show = (minor: number): string => showAmount(minor).replace(/\.00$/, "");
  return [
    ...(listing?.price === undefined
      ? []
      : [`${show(listing.price.amount_minor)} ${listing.price.currency}`]),
    ...(profits.length === 0 ? [] : [`profit ${show(Math.max(...profits))} EUR`]),
    ...(offer === undefined ? [] : [`Offer up to ${show(offer.shown_minor)} ${offer.currency}`]),
  ];
}

function euros(minor: number): string {
  return formatAmount({ minor: toWhole(minor), currency: "EUR" });
}

/** As if the reader went to another tab, or came back. */
function hide(page: Page, isHidden: boolean): Promise<unknown> {
  return page.evaluate(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"))`);
}
