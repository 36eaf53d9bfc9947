import assert from "node:assert/strict";
import { test } from "node:test";
import type { APIResponse, Page } from "playwright-core";
import { AssayError, createAssayClient, type Deal } from "../../client/assay-client.ts";
import { formatAmount } from "../../console/words/formats.ts";
import {
  findBarriers,
  inBrowser,
  isTooWide,
  shareConsole,
  signIn,
  waitForAsk,
} from "../support/console/console-browser.ts";
import { addToken, until } from "../support/test-app.ts";
import { aMessageEvent, postEvent } from "../support/waha.ts";

/** A filter of 30 days begins at a full hour. */
const OFFER_AGE_MAX_MS = 31 * 86_400_000;
const PHONE = { width: 390, height: 844 };
/** Where the chat would open. The window may not ask another origin, and the test needs the address only. */
const CATCH_CHATS = `addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='https://wa.me/']");
  if (link === null || link === undefined) return;
  event.preventDefault();
  (globalThis.chats ??= []).push(link.href);
});`;

const COMPARABLE_IDS = `[...document.querySelectorAll(".comparables tbody a[href^='/listings/']")]
  .map((link) => link.pathname.split("/").at(-1))`;

test("a listing as a place to decide", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });
  const findDeal = async (listing_id: string): Promise<Deal | undefined> => {
    try {
      return await api.getDeal({ listing_id });
    } catch (error) {
      if (error instanceof AssayError && error.status === 404) return undefined;
      throw error;
    }
  };
  const stateOf = async (id: string) => (await findDeal(id))?.state;
  /** A buy about which nothing was decided yet, nor about an earlier post of it. */
  const findBuy = async (at = 0) => {
    const { items } = await api.searchLiveFeed({ sort: "profit", limit: 100 });
    const buys = items.filter(({ price, deal }) => price?.is_buy === true && deal === undefined);
    const buy = buys[at];
    assert.ok(buy !== undefined, "the demo has buys");
    return buy;
  };
  const toast = (page: Page, text: RegExp) => page.locator(".toast", { hasText: text });

  await t.test(
    "the verdict has the figures of the service, and the asks that prove it",
    async (t) => {
      const buy = await findBuy();
      const { listing, price, price_engine: engine } = buy;
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, `/listings/${listing.id}`);
      const verdict = page.locator(".verdict");
      await verdict.waitFor();
      const offer = price?.offer_up_to;
      const below = formatAmount({
        minor: Math.round((engine.profit_opportunity_eur_minor ?? 0) / 100) * 100,
        currency: "EUR",
      });
      const limit = formatAmount({
        minor: offer?.shown_minor ?? 0,
        currency: offer?.currency ?? "",
      });

      const said = (await verdict.textContent()) ?? "";
      assert.ok(said.includes(`${below} below the average of`), said);
      assert.ok(said.includes(limit), `${said} has ${limit}`);
      const rows = page
        .getByRole("table", { name: /^The five asks of others/ })
        .locator("tbody tr");
      await rows.first().waitFor();
      const { items } = await api.getPopulation({
        id: engine.configuration_id,
        year: engine.year,
        condition_bucket: engine.condition_bucket as "new",
      });
      const ids = await page.evaluate<string[]>(COMPARABLE_IDS);
      assert.ok(ids.length > 0 && ids.length <= 5);
      assert.ok(!ids.includes(listing.id));
      for (const id of ids)
        assert.ok(
          items.some(({ listing_id }) => listing_id === id),
          id,
        );
    },
  );

  await t.test("a watch is decided about by keys, and each decision can be undone", async (t) => {
    const { listing } = await findBuy();
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${listing.id}`);
    await page.locator(".verdict").waitFor();
    const line = page.locator(".deal-line");

    await page.keyboard.press("s");
    await line.getByText("shortlisted").waitFor();
    await page.keyboard.press("p");
    await line.getByText("passed").waitFor();
    assert.equal((await findDeal(listing.id))?.reason, "other");
    await page.keyboard.press("z");
    await line.getByText("shortlisted").waitFor();
    await page.keyboard.press("z");
    await line.waitFor({ state: "detached" });
    assert.equal(await stateOf(listing.id), undefined);

    await page.keyboard.press("n");
    await page.getByRole("dialog").getByRole("textbox").fill("ask for the card");
    await page.getByRole("button", { name: "Save" }).click();
    await line.getByText("ask for the card").waitFor();
    // A key that comes while a dialog closes belongs to the dialog.
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("o");
    const { amount_minor: asked = 0, currency } = listing.price ?? {};
    const thousands = Math.floor(asked / 100_000) - 1;
    await page.getByLabel("Amount").fill(`${thousands}k`);
    await page.getByRole("button", { name: "Save" }).click();
    await line.getByText("offered").waitFor();
    const offered = await findDeal(listing.id);
    assert.deepEqual(offered?.offer, { amount_minor: thousands * 100_000, currency });
    assert.equal(offered?.note, "ask for the card", "what a decision does not change stays");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("Shift+P");
    await page.locator(".pass-dialog").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("4");
    await line.getByText("passed").waitFor();
    assert.equal((await findDeal(listing.id))?.reason, "no_papers");
    await line.getByLabel("Why pass?").selectOption({ label: "too dear" });
    await until(async () => (await findDeal(listing.id))?.reason === "too_dear");

    const activity = page.locator(".activity li");
    await activity
      .first()
      .getByText(/too dear/)
      .waitFor();
    assert.ok((await activity.count()) >= 6);
    assert.deepEqual(await findBarriers(page), []);
    await api.deleteDeal({ listing_id: listing.id });
  });

  await t.test("an answer that is older than one's own decision is no conflict", async (t) => {
    const { listing } = await findBuy();
    const window = await service.open(t);
    const { page, context } = window;
    let first: Promise<APIResponse> | undefined;
    await context.route("**/v2/market/price-engine/matches**", async (route) => {
      first ??= route.fetch();
      await route.fulfill({ response: await first });
    });
    await signIn(window, service, `/listings/${listing.id}`);
    await page.locator(".verdict").waitFor();
    await page.keyboard.press("s");
    await until(async () => (await stateOf(listing.id)) === "shortlisted");

    // The page reads again after the event, and the answer has no deal yet.
    await page.locator(".deal-line").waitFor();
    await page.locator(".deal-line").waitFor({ state: "detached" });
    await page.keyboard.press("p");

    await until(async () => (await stateOf(listing.id)) === "passed");
    await api.deleteDeal({ listing_id: listing.id });
  });

  await t.test("a bought watch keeps what was paid, and when", async (t) => {
    const { listing } = await findBuy();
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${listing.id}`);
    await page.locator(".verdict").waitFor();

    await page.keyboard.press("b");
    const { amount_minor: minor = 0, currency = "" } = listing.price ?? {};
    const ask = formatAmount({ minor, currency, isExact: true });
    assert.equal(await page.getByLabel("Amount").inputValue(), ask);
    await page.getByLabel("Other costs in euro").fill("120");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".deal-line").getByText("bought").waitFor();

    const deal = await findDeal(listing.id);
    assert.equal(deal?.paid?.amount_minor, listing.price?.amount_minor);
    assert.equal(deal?.paid?.currency, listing.price?.currency);
    assert.equal(deal?.cost_eur_minor, 12_000);
    await api.deleteDeal({ listing_id: listing.id });
  });

  await t.test("a repost that is bought at another ask is bought there", async (t) => {
    const post = async (rawId: string, euros: number, atS: number): Promise<string> => {
      const text = `WTS Rolex 126718GRNR 2024 full set EUR ${euros}`;
      await postEvent(service, aMessageEvent({ rawId, text, atS }));
      return waitForAsk(api, euros);
    };
    const nowS = Math.floor(Date.now() / 1000);
    const first = await post("REPOST1", 41_113, nowS - 60);
    await api.decideDeal({ listing_id: first, state: "shortlisted" });
    const repost = await post("REPOST2", 40_913, nowS - 5);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${repost}`);
    await page.locator(".deal-line").getByText("shortlisted").waitFor();

    await page.keyboard.press("b");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".deal-line").getByText("bought").waitFor();

    assert.equal((await findDeal(repost))?.paid?.amount_minor, 4_091_300);
    assert.equal(await stateOf(first), "shortlisted");
    for (const listing_id of [first, repost]) await api.deleteDeal({ listing_id });
  });

  await t.test("who comes second is told who was first, and can decide otherwise", async (t) => {
    const { listing } = await findBuy();
    const token = await addToken(service.db, { role: "desk" });
    const mei = createAssayClient({ url: service.url, token });
    const window = await service.open(t);
    const { page, context } = window;
    // The page must not hear of it by itself.
    await context.route("**/v2/events**", (route) => route.abort());
    await signIn(window, service, `/listings/${listing.id}`);
    await page.locator(".verdict").waitFor();
    await mei.decideDeal({ listing_id: listing.id, state: "contacted" });

    await page.keyboard.press("p");
    await toast(page, /test .* was first: contacted/).waitFor();
    await page.locator(".deal-line").getByText("contacted").waitFor();
    assert.equal(await stateOf(listing.id), "contacted");
    await page.keyboard.press("p");
    await page.locator(".deal-line").getByText("passed").waitFor();

    assert.equal(await stateOf(listing.id), "passed");
    await api.deleteDeal({ listing_id: listing.id });
  });

  await t.test("what someone else decides is there at once", async (t) => {
    const { listing } = await findBuy();
    const window = await service.open(t);
    await signIn(window, service, `/listings/${listing.id}`);
    await window.page.locator(".verdict").waitFor();

    await until(async () => {
      await api.decideDeal({ listing_id: listing.id, state: "shortlisted" });
      return (await window.page.locator(".deal-line").count()) > 0;
    });

    await api.deleteDeal({ listing_id: listing.id });
    await window.page.locator(".deal-line").waitFor({ state: "detached" });
  });

  await t.test("a dialog decides on what its reader saw, and keeps its text", async (t) => {
    const { listing } = await findBuy();
    const token = await addToken(service.db, { role: "desk" });
    const mei = createAssayClient({ url: service.url, token });
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${listing.id}`);
    await page.locator("[data-live=open]").waitFor();
    await page.locator(".verdict").waitFor();
    const dialog = page.getByRole("dialog");
    await page.keyboard.press("n");
    // Neither its padding nor a selection that ends beside it closes it.
    const box = await dialog.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 4, (box?.y ?? 0) + 4];
    await page.mouse.click(x, y);
    await dialog.getByRole("textbox").hover();
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    await dialog.getByRole("textbox").fill("ask for the card");

    await mei.decideDeal({ listing_id: listing.id, state: "contacted", note: "wants cash" });
    await page.locator(".deal-line").getByText("wants cash").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/was first: contacted/)
      .waitFor();
    assert.equal(await dialog.getByRole("textbox").inputValue(), "ask for the card");
    assert.equal((await findDeal(listing.id))?.note, "wants cash");
    // What was typed is not lost by a click beside it.
    await page.mouse.click(5, 5);
    await dialog.getByRole("button", { name: "Save" }).click();

    await page.locator(".deal-line").getByText("ask for the card").waitFor();
    assert.equal(await stateOf(listing.id), "contacted");
    await api.deleteDeal({ listing_id: listing.id });
  });

  await t.test(
    "from the link of a notification to the chat it is one tap on a phone",
    async (t) => {
      const { listing } = await findBuy();
      const window = await service.open(t, PHONE);
      const { page, context } = window;
      await context.addInitScript({ content: CATCH_CHATS });
      // The first tap: the link that the notification has.
      await signIn(window, service, `/listings/${listing.id}`);
      await page.locator(".verdict").waitFor();
      const bar = page.locator(".actions-main");
      for (const part of [page.locator(".verdict"), bar]) {
        const box = await part.boundingBox();
        assert.ok(box !== null && box.y >= 0 && box.y + box.height <= PHONE.height, String(box?.y));
      }
      for (const control of await page.locator(".actions-main .button").all()) {
        const box = await control.boundingBox();
        assert.ok(box !== null && box.height >= 40 && box.width >= 40);
      }
      assert.equal(await isTooWide(page), false);

      await bar.getByRole("link", { name: "WhatsApp" }).click();

      const [chat = ""] = await page.evaluate<string[]>("chats");
      const url = new URL(chat);
      assert.equal(url.pathname, `/${listing.sender.phone_number}`);
      const text = url.searchParams.get("text") ?? "";
      assert.ok(text.includes(listing.reference ?? "?"), text);
      await until(async () => (await stateOf(listing.id)) === "contacted");
      await api.deleteDeal({ listing_id: listing.id });
    },
  );

  await t.test("w opens the prepared message, and marks the watch as contacted", async (t) => {
    const { listing } = await findBuy();
    const window = await service.open(t);
    const { page, context } = window;
    await context.addInitScript({ content: CATCH_CHATS });
    await signIn(window, service, `/listings/${listing.id}`);
    await page.locator(".verdict").waitFor();

    await page.keyboard.press("w");

    await page.locator(".deal-line").getByText("contacted").waitFor();
    assert.equal((await page.evaluate<string[]>("chats")).length, 1);
    await page.keyboard.press("z");
    await page.locator(".deal-line").waitFor({ state: "detached" });
  });

  await t.test("the keys ] and [ lead through the best buys, and u leads back", async (t) => {
    const { items } = await api.listWatchMatches({ is_buy: true, sort: "profit", limit: 100 });
    const [first, second] = items.flatMap(({ listing }) => listing?.id ?? []);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${first}`);
    await page.getByRole("button", { name: /^Next/ }).waitFor();

    await page.keyboard.press("]");
    await page.waitForURL(`**/listings/${second}`);
    await page.getByRole("button", { name: /^Previous/ }).waitFor();
    await page.keyboard.press("[");
    await page.waitForURL(`**/listings/${first}`);
    await page.keyboard.press("u");

    await page.waitForURL(/\/(?:\?.*)?$/);
  });

  await t.test(
    "a listing from the market leads on in the order of the market, and back to it",
    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, "/market?reference=126610LN");
      const links = page.locator("[data-keep-scroll=market] tbody a.watch");
      await links.nth(1).waitFor();
      const [first, second] = await Promise.all(
        [0, 1].map((at) => links.nth(at).getAttribute("href")),
      );

      await links.first().click();
      await page.getByRole("link", { name: "Open its page" }).click();
      await page.waitForURL(`**${first}`);
      await page.getByRole("button", { name: /^Next/ }).waitFor();
      await page.keyboard.press("]");
      await page.waitForURL(`**${second}`);
      await page.keyboard.press("Escape");

      await page.waitForURL(/\/market\?reference=126610LN/);
    },
  );

  await t.test("the other watches of a message are links with their own distance", async (t) => {
    const text = [
      "Rolex 126610LN Submariner 2024 full set used 9100 EUR",
      "Rolex 126710BLRO GMT 2023 full set used 17300 EUR",
      "Rolex 124060 Submariner 2022 full set used 9931 EUR",
    ].join("\n");
    await postEvent(
      service,
      aMessageEvent({ rawId: "3EB0AA03", text, atS: Math.floor(Date.now() / 1000) }),
    );
    const id = await waitForAsk(api, 9_931);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);
    const others = page.getByRole("region", { name: "2 other watches in this message" });
    await others.waitFor();

    await others
      .getByRole("row", { name: /126610LN/ })
      .getByText(/€/)
      .first()
      .waitFor();
    await others.getByRole("link", { name: "Rolex 126710BLRO" }).click();

    await page.getByRole("heading", { name: "Rolex 126710BLRO", level: 1 }).waitFor();
  });

  await t.test("a lower ask than before stands in the head", async (t) => {
    const atS = Math.floor(Date.now() / 1000) - 20 * 86_400;
    const sender = { phone: "4915500000777", lid: "199900000000777", name: "Ada K." };
    const ask = (euros: number) => `Rolex 126334 Datejust 2021 blue full set used ${euros} EUR`;
    await postEvent(service, aMessageEvent({ rawId: "3EB0AA01", text: ask(10_000), atS, sender }));
    await postEvent(
      service,
      aMessageEvent({ rawId: "3EB0AA02", text: ask(8_503), atS: atS + 19 * 86_400, sender }),
    );
    const id = await waitForAsk(api, 8_503);
    await until(async () => (await api.getPriceHistory({ listing_id: id })).items.length === 2);
    const window = await service.open(t);
    await signIn(window, service, `/listings/${id}`);
    const move = window.page.locator(".price-move");
    await move.waitFor();

    assert.match((await move.textContent()) ?? "", /↓ .*15% since \d+ \w+ from €10,000/);
  });

  await t.test(
    "a correction offers what the market knows, and a reference brings its model",
    async (t) => {
      const { listing } = await findBuy();
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, `/listings/${listing.id}?do=correct`);
      const dialog = page.getByRole("dialog");
      const reference = dialog.getByLabel("Reference", { exact: true });
      await reference.waitFor();
      const offered = (label: string) =>
        page.evaluate<string[]>(`[...document.querySelector("dialog")
        .querySelector("#" + CSS.escape([...document.querySelectorAll("dialog label")]
          .find((each) => each.textContent === ${JSON.stringify(label)}).htmlFor)).list.options]
        .map((option) => option.value)`);

      await reference.fill("126710BL");
      await until(async () => (await offered("Reference")).includes("126710BLRO"));
      await reference.fill("126710BLRO");
      assert.equal(await dialog.getByLabel("Model").inputValue(), "GMT-Master II");
      await dialog.getByLabel("Brand").focus();
      await until(async () => (await offered("Brand")).includes("Rolex"));
      await dialog.getByLabel("Currency").focus();
      await until(async () => (await offered("Currency")).includes("HKD"));

      assert.equal(page.url(), `${service.url}/listings/${listing.id}`);
      assert.deepEqual(await findBarriers(page), []);
    },
  );

  await t.test("what someone looks for shows who has it", async (t) => {
    const text = "WTB Rolex 126610LN 2024 full set, paying 8123 EUR";
    await postEvent(
      service,
      aMessageEvent({ rawId: "3EB0AA04", text, atS: Math.floor(Date.now() / 1000) }),
    );
    let id = "";
    await until(async () => {
      const filters = { side: ["want_to_buy" as const], reference: ["126610LN"] };
      const { items } = await api.searchListings({ filters, sort: "newest" });
      id = items.find(({ price }) => price?.amount_minor === 812_300)?.id ?? "";
      return id !== "";
    });
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);

    const offers = page
      .getByRole("table", { name: /^Offers of the reference/ })
      .locator("tbody tr");
    await offers.first().waitFor();

    await page.getByText("Someone looks for this watch").waitFor();
    for (const link of await offers.locator("a.watch").all()) {
      const [listing_id = ""] = ((await link.getAttribute("href")) ?? "").split("/").slice(-1);
      const offer = await api.getListing({ listing_id });
      assert.equal(offer.reference, "126610LN");
      assert.ok(offer.source.last_seen_at_ms > Date.now() - OFFER_AGE_MAX_MS);
    }
    assert.equal(await page.getByRole("button", { name: /^Bought/ }).count(), 0);
    const chat = await page.getByRole("link", { name: /^WhatsApp/ }).getAttribute("href");
    assert.match(decodeURIComponent(chat ?? ""), /still looking for this watch: Rolex 126610LN/);
  });
});
