import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createAssayClient, type ListingReading } from "../../client/assay-client.ts";
import { formatAmount } from "../../console/words/formats.ts";
import {
  findBarriers,
  findBarriersEverywhere,
  inBrowser,
  isTooWide,
  shareConsole,
  signIn,
  waitForAsk,
} from "../support/console/console-browser.ts";
import { addToken, until } from "../support/test-app.ts";
import { aMessageEvent, postEvent, postMessage } from "../support/waha.ts";

const LOOKED_AT_MAX = process.env["ASSAY_TEST_LONG"] === "1" ? Number.POSITIVE_INFINITY : 4;
const OFFER = "Rolex 126610LN Submariner 2024 full set used";
/** Of whom no other test has an ask. */
const COLLEAGUE = { phone: "447700900655", lid: "199900000000655", name: "Cora Colleague" };
const FOCUSED_FIELD =
  "document.activeElement.dataset.field ?? document.activeElement.dataset.fields";
/** The pieces of the message as they are in the document. */
const PIECES = `[...document.querySelector(".message").childNodes].map((node) => ({
  text: node.textContent, fields: (node.dataset?.fields ?? "").split(" ").filter(Boolean) }))`;

test("the page of a listing", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });
  const openListing = async (page: Page, id: string): Promise<void> => {
    await page.goto(`/listings/${id}`);
    await page.locator(".message").waitFor();
  };
  /** What was read is closed where nothing is unsure. */
  const openFields = async (page: Page): Promise<void> => {
    await page.locator(".read-fields").waitFor();
    await page.evaluate("document.querySelector('.read-fields').open = true");
    await page.locator(".fields").first().waitFor();
  };
  /** Posts a text, and waits for the listing at this price. */
  const postListing = async (text: string, price: number): Promise<string> => {
    await postMessage(service, text);
    return waitForAsk(api, price);
  };

  await t.test("the underlined words are the evidence of each value", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, "/settings");
    let lookedAtCount = 0;

    for await (const { id } of api.listings({ sort: "newest" })) {
      if (lookedAtCount >= LOOKED_AT_MAX) break;
      lookedAtCount += 1;
      const reading = await api.getListingReading({ listing_id: id });
      await openListing(page, id);
      const pieces = await page.evaluate<Piece[]>(PIECES);

      assert.equal(pieces.map(({ text }) => text).join(""), reading.text);
      assert.deepEqual(unitsOf(pieces), evidenceOf(reading), reading.text);
    }
    assert.ok(lookedAtCount >= 4);
  });

  await t.test("words and fields lead to each other with the keyboard", async (t) => {
    const id = await postListing(`${OFFER} 9200 EUR`, 9_200);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);
    const year = page.getByRole("button", { name: "Year: show the words" });
    await openFields(page);

    await year.focus();
    await page.locator(".word.is-active", { hasText: "2024" }).waitFor();
    await page.keyboard.press("Enter");
    await until(async () => (await page.evaluate(FOCUSED_FIELD)) === "year");
    assert.equal(
      await page.locator("tr.is-active").textContent(),
      "Year2024its own wordsCorrect Year",
    );
    await page.keyboard.press("Enter");

    await until(() => page.evaluate<boolean>("document.activeElement.matches('button')"));
    assert.equal(await page.evaluate(FOCUSED_FIELD), "year");
  });

  await t.test("the lines about other watches are dimmed", async (t) => {
    const id = await postListing(`${OFFER} 9210 EUR\nRolex 126710BLRO 2023 used 17211 EUR`, 9_210);
    const window = await service.open(t);
    await signIn(window, service, `/listings/${id}`);

    const dimmed = window.page.locator(".message-other");
    await dimmed.waitFor();

    assert.deepEqual(await dimmed.allTextContents(), ["Rolex 126710BLRO 2023 used 17211 EUR"]);
    assert.deepEqual(await findBarriers(window.page), []);
  });

  await t.test(
    "what was left out as talk is shown once a person says that it is an offer",
    async (t) => {
      await postMessage(
        service,
        "Watched a 126610LN sell for €9,215 at the auction yesterday, crazy",
      );
      let id = "";
      await until(async () => {
        const { items } = await api.listMessages({ left_out: true });
        id = items.find(({ text }) => text?.includes("9,215"))?.left_out_listing_ids?.[0] ?? "";
        return id !== "";
      });
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, `/listings/${id}`);
      await page.getByText("Left out: not an offer").waitFor();

      await page.getByRole("button", { name: "This is an offer" }).click();
      await page.getByText("Left out: not an offer").waitFor({ state: "detached" });

      assert.equal((await api.getListing({ listing_id: id })).source.is_hidden, false);
      await page.getByText("corrected", { exact: true }).first().waitFor();
    },
  );

  await t.test("a value that was refused stands there with the reason", async (t) => {
    const year = String(new Date().getFullYear() + 5);
    const id = await postListing(`Rolex 126610LN ${year} full set used 9300 EUR`, 9_300);
    const window = await service.open(t);
    await signIn(window, service, `/listings/${id}`);

    const refused = window.page.getByRole("row", { name: /The date is in the future/ });
    await refused.waitFor();

    assert.ok((await refused.textContent())?.startsWith(`Year${year}`));
    await window.page.locator(".word.hue-refused", { hasText: year }).waitFor();
  });

  await t.test(
    "replies of the dealer stand below the message, with what they changed",
    async (t) => {
      const atS = Math.floor(Date.now() / 1000) - 60;
      const post = (rawId: string, text: string, replyTo?: string) =>
        postEvent(service, aMessageEvent({ rawId, text, atS: atS + Number(rawId), replyTo }));
      await post("01", `${OFFER} 9350 EUR`);
      await post("02", "now 9,150", "01");
      await post("03", "thanks all", "01");
      const id = await waitForAsk(api, 9_150);
      const window = await service.open(t);
      const { page } = window;
      await signIn(window, service, `/listings/${id}`);
      await page.getByText("Price by reply").waitFor();
      await post("04", "SOLD", "01");
      await until(async () => (await api.getListing({ listing_id: id })).source.is_hidden);
      await page.reload();
      const replies = page.locator(".replies li");
      await replies.first().waitFor();

      const withoutDay = /, [^,]+?(?=SOLD$|thanks all$|now 9,150$)/;
      const shown = (await replies.allTextContents()).map((text) => text.replace(withoutDay, ": "));
      assert.deepEqual(shown, [
        "Sold by reply: SOLD",
        "Neither a price nor sold: thanks all",
        "Price by reply: now 9,150",
      ]);
      await page.getByText("changed by a reply").waitFor();
      await page.getByRole("row", { name: /in a reply/ }).waitFor();
      assert.deepEqual(await findBarriers(page), []);
      assert.equal(await isTooWide(page), false);
    },
  );

  await t.test("a correction holds, can be added to, and can be undone", async (t) => {
    const id = await postListing(`${OFFER} 9400 EUR`, 9_400);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);
    await openFields(page);
    const correct = async (): Promise<void> => {
      await page.getByRole("button", { name: "Correct c", exact: true }).click();
      await page.getByLabel("Condition", { exact: true }).waitFor();
    };

    await correct();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Nothing is changed yet").waitFor();
    await page.getByRole("spinbutton", { name: "Year" }).fill("2021");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /^Year 2021/ }).waitFor();
    await correct();
    await page.getByLabel("Condition", { exact: true }).selectOption({ label: "new" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /^Condition new/ }).waitFor();

    const { correction } = await api.getListingReading({ listing_id: id });
    assert.deepEqual(correction, { values: { year: 2021, condition: "NEW" }, cleared: [] });
    await page.getByText("corrected", { exact: true }).waitFor();
    await correct();
    await page.getByRole("button", { name: "Undo the corrections" }).click();
    await page.getByRole("button", { name: "Year: show the words" }).waitFor();
    assert.equal((await api.getListing({ listing_id: id })).year, 2024);
  });

  await t.test("one field is corrected where it stands, taken back, and undone", async (t) => {
    const id = await postListing(`${OFFER} 9700 EUR`, 9_700);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);
    await openFields(page);
    const fields = page.getByRole("table", { name: "What was read" });
    const year = fields.getByRole("row", { name: /^Year/ });
    const heldOf = async () => (await api.getListingReading({ listing_id: id })).correction?.values;

    await fields.getByRole("button", { name: "Correct Year" }).press("Enter");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("2019");
    await page.keyboard.press("Enter");
    await year.getByText("2019").waitFor();
    await year.getByText("the text says").waitFor();
    await page.getByRole("button", { name: "Dial", exact: true }).click();
    await fields.getByLabel("Dial").fill("black");
    await fields.getByRole("button", { name: "Save" }).click();
    await fields.getByRole("button", { name: "Take back Dial" }).waitFor();
    assert.deepEqual(await heldOf(), { year: 2019, dial_type: "black" });

    await fields.getByRole("button", { name: "Take back Year" }).click();
    await fields.getByRole("button", { name: "Take back Year" }).waitFor({ state: "detached" });
    assert.deepEqual(await heldOf(), { dial_type: "black" });
    await page.locator("h1").focus();
    await page.keyboard.press("z");
    await year.getByText("2019").waitFor();
    assert.deepEqual(await heldOf(), { year: 2019, dial_type: "black" });
  });

  await t.test("what a colleague corrects meanwhile stays", async (t) => {
    await postMessage(service, `${OFFER} 12611 EUR`, COLLEAGUE);
    const id = await waitForAsk(api, 12_611);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);
    await openFields(page);
    const fields = page.getByRole("table", { name: "What was read" });
    const save = fields.getByRole("button", { name: "Save" });
    const heldOf = async () => (await api.getListingReading({ listing_id: id })).correction?.values;

    await page.getByRole("button", { name: "Dial", exact: true }).click();
    await api.correctListing({ listing_id: id, year: 2018 });
    await fields.getByLabel("Dial").fill("black");
    await save.click();
    await fields.getByRole("button", { name: "Take back Dial" }).waitFor();
    assert.deepEqual(await heldOf(), { year: 2018, dial_type: "black" });
    await fields.getByRole("button", { name: "Correct Dial" }).click();
    await api.correctListing({ listing_id: id, year: 2018, dial_type: "blue" });
    await fields.getByLabel("Dial").fill("green");
    await save.click();
    await fields.getByRole("alert").getByText("Someone has corrected this meanwhile").waitFor();
    assert.deepEqual(await heldOf(), { year: 2018, dial_type: "blue" });
    assert.equal(await fields.getByLabel("Dial").inputValue(), "green");
    await until(async () => {
      if ((await save.count()) > 0) await save.click();
      return (await heldOf())?.["dial_type"] === "green";
    });

    assert.deepEqual(await heldOf(), { year: 2018, dial_type: "green" });
  });

  await t.test("what is no listing is hidden, and says so", async (t) => {
    const id = await postListing(`${OFFER} 9500 EUR`, 9_500);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);

    await page.getByRole("button", { name: "Correct c", exact: true }).click();
    await page.getByRole("button", { name: "This is no listing" }).click();
    await page.getByText("no listing, says a person").waitFor();

    assert.equal((await api.getListing({ listing_id: id })).source.is_hidden, true);
  });

  await t.test("a read-only token sees no button that writes", async (t) => {
    const [listing] = (await api.searchListings({ limit: 1 })).items;
    const token = await addToken(service.db, { isReadOnly: true });
    const window = await service.open(t);

    await signIn(window, { ...service, token }, `/listings/${listing?.id}`);

    const { page } = window;
    await openFields(page);
    await page.getByRole("heading", { name: "Also from this dealer" }).waitFor();
    await page.locator(".verdict").waitFor();
    const actions = page.getByRole("group", { name: "What to do with it" });
    assert.equal(await actions.getByRole("button").count(), 0);
    assert.equal(await page.getByRole("button", { name: /Correct/ }).count(), 0);
    assert.equal(await page.getByRole("heading", { name: "What the desk did" }).count(), 0);
  });

  await t.test("an unknown listing and a wrong address say so", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, "/listings/00000000-0000-4000-8000-000000000000");

    await page.getByText("There is no such listing.").waitFor();
    await page.goto("/listings/126610LN");
    await page.getByText("There is no such listing.").waitFor();

    assert.deepEqual(await findBarriers(page), []);
  });

  await t.test("presenter mode leaves no threshold, profit or phone number", async (t) => {
    const buy = (await api.searchLiveFeed({ limit: 1 })).items[0];
    assert.ok(buy !== undefined);
    const { price_engine: engine, listing } = buy;
    const { shown_minor: minor = 0, currency = "" } = buy.price?.offer_up_to ?? {};
    const secrets = [
      ...[engine.market_average_eur_minor, engine.profit_opportunity_eur_minor].map(
        (minor = 0) => `€${Math.round(minor / 100).toLocaleString("en-GB")}`,
      ),
      formatAmount({ minor, currency }),
    ];
    const phone = listing.sender.phone_number ?? "no phone";
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${listing.id}`);
    await page.locator(".gain").first().waitFor();
    const shown = await page.content();
    for (const secret of [...secrets, phone]) assert.ok(shown.includes(secret), secret);

    await page.evaluate("localStorage.setItem('assay.presenter', 'true')");
    await openListing(page, listing.id);
    await page.locator(".hidden-amount").first().waitFor();
    await openMemberships(page);
    await page.getByRole("heading", { name: "Alerts", exact: true }).waitFor();

    const hidden = await page.content();
    for (const secret of [...secrets, phone]) assert.ok(!hidden.includes(secret), secret);
    assert.equal(await page.locator(".gain, a[href*='wa.me']").count(), 0);
  });

  await t.test("whatever a dealer writes stays text and inside of its box", async (t) => {
    const long = Array.from({ length: 4_000 }, (_, at) => `line ${at}`).join("\n");
    const texts = [
      `<img src=x onerror="boom()"> <b>${OFFER}</b> 8801 EUR <script>boom()</script>`,
      `\u202e${OFFER} 8802 EUR\u202c \u2066\u05e9\u05dc\u05d5\u05dd\u2069 \u200b\u200d\ufeff`,
      `${OFFER} 8803 EUR Z${"\u0300\u0301\u0302\u0323".repeat(200)}algo`,
      `${OFFER} 8804 EUR ${"x".repeat(65_000)}`,
      `${OFFER} 8805 EUR\n${long}`,
      `${OFFER} 9999999 EUR`,
    ];
    const prices = [8_801, 8_802, 8_803, 8_804, 8_805, 9_999_999];
    const window = await service.open(t, { width: 390, height: 844 });
    const { page } = window;
    await signIn(window, service, "/settings");

    for (const [at, text] of texts.entries()) {
      const id = await postListing(text, prices[at] ?? 0);
      const reading = await api.getListingReading({ listing_id: id });
      await openListing(page, id);
      const showAll = page.getByRole("button", { name: /Show the whole message/ });
      assert.equal(await showAll.count(), text.length > 2_000 ? 1 : 0);
      if (text.length > 2_000) await showAll.click();

      assert.equal(await page.locator(".message").textContent(), reading.text);
      assert.equal(await page.locator(".message :is(img, b, script)").count(), 0);
      assert.equal(await isTooWide(page), false, text.slice(0, 40));
    }
  });

  await t.test("the page has no barrier in light, in dark and at 320 px", async (t) => {
    const [buy] = (await api.searchLiveFeed({ limit: 1 })).items;
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${buy?.listing.id}`);
    await page.locator(".post-grid").waitFor();
    await openMemberships(page);
    await openFields(page);
    await page.getByRole("heading", { name: "Saved searches", exact: true }).waitFor();
    await until(async () => (await page.locator(".loading").count()) === 0);

    assert.deepEqual(await findBarriersEverywhere(page), []);
  });
});

interface Piece {
  readonly text: string;
  readonly fields: readonly string[];
}

type Units = Readonly<Record<string, readonly number[]>>;

/** The units of the text by the field that is underlined there. */
function unitsOf(pieces: readonly Piece[]): Units {
  const units: Record<string, number[]> = {};
  let start = 0;
  for (const { text, fields } of pieces) {
    for (const field of fields) {
      const ofField = units[field] ?? [];
      for (let at = start; at < start + text.length; at += 1) ofField.push(at);
      units[field] = ofField;
    }
    start += text.length;
  }
  return units;
}

function evidenceOf({ fields, left_out }: ListingReading): Units {
  const named = [
    ...fields,
    ...left_out.map(({ field, spans }, at) => ({ field: `refused-${at}-${field}`, spans })),
  ];
  const units: Record<string, number[]> = {};
  for (const { field, spans } of named) {
    const all = new Set(units[field]);
    for (const { start, end } of spans) for (let at = start; at < end; at += 1) all.add(at);
    if (all.size > 0) units[field] = [...all].toSorted((left, right) => left - right);
  }
  return units;
}

/** By key: on a busy machine the sections above may still come in, and a click would land on what moved there. */
async function openMemberships(page: Page): Promise<void> {
  const summary = page.locator("summary", { hasText: "What it is in, and what it just misses" });
  await summary.press("Enter");
}
