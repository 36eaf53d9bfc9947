import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { type AlertPreview, createAssayClient } from "../../client/assay-client.ts";
import { formatAmount, toWhole } from "../../console/words/formats.ts";
import {
  type ConsoleService,
  findBarriers,
  findBarriersEverywhere,
  inBrowser,
  isTooWide,
  shareConsole,
  signIn,
} from "../support/console/console-browser.ts";
import { postAsk } from "../support/console/console-service.ts";
import { startWebhookTarget } from "../support/deliveries.ts";
import { addToken, until } from "../support/test-app.ts";

const DAY = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

test("alerts", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });
  const { items: declared } = await api.listAlerts();
  const everyBuy = declared.find(({ name }) => name === "Every buy");
  const ofConfiguration = declared.find(({ is_system }) => is_system);
  assert.ok(everyBuy !== undefined && ofConfiguration !== undefined);
  const open = async (
    t: Parameters<ConsoleService["open"]>[0],
    path: string,
    options: { width?: number; height?: number; token?: string } = {},
  ) => {
    const window = await service.open(t, options);
    await signIn(window, { ...service, ...options }, path);
    return window.page;
  };
  const stateOf = async (id: string) =>
    (await api.listAlertStates()).items.find(({ alert_id }) => alert_id === id);

  await t.test("the list has what the service counts, and mutes in the row", async (t) => {
    const page = await open(t, "/alerts");
    const row = rowOf(page, "Every buy");
    await row.waitFor();

    const state = await stateOf(everyBuy.id);
    assert.equal(await cellOf(row, "unseen"), String(state?.unseen_count));
    assert.equal(await cellOf(row, "all"), String(state?.total_count));
    const total = sum(state?.days ?? []);
    assert.equal(await row.locator("[data-column=days] .num").textContent(), String(total));
    const bars = row.getByRole("img", { name: new RegExp(`^${total} matches in 30 days`) });
    assert.equal(await bars.locator("rect").count(), state?.days.length);
    await chooseMute(row, "For an hour");
    await row.getByText(/^Muted until \d\d:\d\d$/).waitFor();
    const mutedMs = ((await stateOf(everyBuy.id))?.muted_until_ms ?? 0) - Date.now();
    assert.ok(mutedMs > 50 * 60_000 && mutedMs <= 60 * 60_000, String(mutedMs));
    await chooseMute(row, "End the mute");
    await row.getByText("Mute", { exact: true }).waitFor();
    assert.equal((await stateOf(everyBuy.id))?.muted_until_ms, undefined);

    const before = state?.unseen_count ?? 0;
    await postAsk(service, 5_900);
    await until(async () => Number(await cellOf(row, "unseen")) === before + 1);
    // Rows keep their place while the page is open.
    const first = (await page.locator("tbody .alert-name").first().textContent()) ?? "";
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: first }).waitFor();
    await page.goBack();
    await row.waitFor();
    await page.keyboard.press("n");
    await page.getByRole("heading", { level: 1, name: "New alert" }).waitFor();
  });

  await t.test("the back-test shows the figures of the service, as one types", async (t) => {
    const page = await open(t, "/alerts/new?name=Submariners&reference=126610LN");
    const filters = { reference: ["126610LN"] };
    await assertFigures(page, await api.previewAlert({ filters }));

    await page.getByLabel("Price in EUR to").fill("12,000");
    await page.keyboard.press("Tab");
    const cheap = await api.previewAlert({ filters: { ...filters, price: { lte: 1_200_000 } } });
    await assertFigures(page, cheap);
    await page.getByLabel("Buys: asks below your threshold").check();
    const buys = await api.previewAlert({
      strategy: "price_engine",
      filters: { ...filters, price: { lte: 1_200_000 } },
    });
    await assertFigures(page, buys);

    const bars = page.getByRole("group", { name: "Matches per day" }).getByRole("img");
    await bars.first().focus();
    await page.keyboard.press("End");
    const last = buys.days.at(-1);
    const label = `${DAY.format(last?.day_start_ms)}: ${countOf(last?.match_count ?? 0)}`;
    const focused = await page.evaluate<string>("document.activeElement.ariaLabel");
    assert.ok(focused.startsWith(label), focused);
    assert.deepEqual(await findBarriers(page), []);
  });

  await t.test("an alert is created, changed, copied and deleted", async (t) => {
    const page = await open(t, "/alerts");
    await page.getByRole("link", { name: "New alert" }).click();
    await page.getByRole("checkbox", { name: "Rolex" }).check();
    await page.getByLabel("Name").fill("Every buy");
    await page.getByRole("button", { name: "Create the alert" }).click();
    await page.getByText("this name is already taken").waitFor();
    await page.getByLabel("Name").fill("Cheap Rolex");
    await page.getByRole("button", { name: "Create the alert" }).click();
    await page.getByRole("heading", { level: 1, name: "Cheap Rolex" }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const created = await api.getAlert({ alert_id: id });
    assert.deepEqual(created.filters, { brand: ["Rolex"] });

    // Elsewhere it gets another name, while it is edited here.
    await page.getByRole("checkbox", { name: "new", exact: true }).check();
    await page.getByText("Unsaved changes").waitFor();
    await api.changeAlert({ alert_id: id, name: "Cheap Rolex of ours" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("This alert was changed meanwhile").waitFor();
    await page.getByRole("button", { name: "Overwrite it with mine" }).click();
    await page.getByText("“Cheap Rolex” is saved").waitFor();
    const changed = await api.getAlert({ alert_id: id });
    assert.equal(changed.name, "Cheap Rolex");
    assert.deepEqual(changed.filters, { brand: ["Rolex"], condition: ["NEW"] });

    await page.getByLabel("Name").fill("Lost");
    await page.getByRole("link", { name: "Market" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
    assert.equal(await page.getByLabel("Name").inputValue(), "Lost");
    await page.goBack();
    await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
    await page.waitForURL(`**/alerts/${id}`);
    await page.getByRole("link", { name: "Copy" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { level: 1, name: "New alert" }).waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "Cheap Rolex (copy)");
    assert.deepEqual(await page.locator(".chosen .chip bdi").allTextContents(), ["Rolex", "new"]);

    await page.goto(`/alerts/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("“Cheap Rolex” is deleted").waitFor();
    await page.waitForURL("**/alerts");
    await assert.rejects(() => api.getAlert({ alert_id: id }), { code: "alert_not_found" });
  });

  await t.test("an alert on buys names its configurations", async (t) => {
    const [first] = (await api.listConfigurations({ q: "126710BLRO", limit: 1 })).items;
    const page = await open(t, "/alerts/new?name=Pepsi+buys&strategy=price_engine");
    await page.getByLabel("Find a price rule").fill("126710BLRO");
    await page.getByLabel(first?.configuration_label ?? "", { exact: true }).check();
    const filters = { configuration_ids: [first?.id] };
    await assertFigures(page, await api.previewAlert({ strategy: "price_engine", filters }));
    await page.getByRole("button", { name: "Create the alert" }).click();
    await page.getByRole("heading", { level: 1, name: "Pepsi buys" }).waitFor();

    const { items } = await api.listAlerts();
    const alert = items.find(({ name }) => name === "Pepsi buys");
    assert.deepEqual(alert?.filters, filters);
    assert.equal(alert?.strategy, "price_engine");
    await page.getByRole("button", { name: `Remove ${first?.configuration_label}` }).waitFor();
  });

  await t.test(
    "what is wrong stands at its field; what is ignored is told",

    async (t) => {
      const more = encodeURIComponent(JSON.stringify({ referense: ["x"] }));
      const page = await open(t, `/alerts/new?name=Odd&condition=MINT&more=${more}`);
      const section = page.locator("details", {
        has: page.locator("summary", { hasText: "Condition" }),
      });
      await section
        .getByRole("alert")
        .getByText(/must be one of NEW, LIKE_NEW, USED/)
        .waitFor();
      await page.getByRole("button", { name: "Remove Condition MINT" }).click();
      await page.getByText(/filters.referense: unknown member/).waitFor();
      await page.getByRole("button", { name: "Create the alert" }).click();
      await page.getByRole("heading", { level: 1, name: "Odd" }).waitFor();
      await page.getByText("Saved, with a warning:").waitFor();
    },
  );

  await t.test("an alert for the buys of three references is sent to my phone", async (t) => {
    const references = ["126610LN", "126710BLNR", "126500LN"];
    const phone = await api.createWebhookTarget({
      name: "My phone",
      kind: "ntfy",
      url: "https://ntfy.example/my-desk",
      alerts: [everyBuy.id],
    });
    const query = new URLSearchParams({ name: "Three that sell", strategy: "price_engine" });
    for (const reference of references) query.append("reference", reference);
    const page = await open(t, `/alerts/new?${query}`);
    const rules = page.locator(".alert-fields .pick-found li");
    await rules.first().waitFor();

    const found = (await rules.allTextContents()).join();
    for (const reference of references) assert.ok(found.includes(reference), found);
    const { profit_sum_eur_minor: sum = 0 } = await api.previewAlert({
      strategy: "price_engine",
      filters: { reference: references },
    });
    const money = formatAmount({ minor: toWhole(sum), currency: "EUR" });
    await page.locator(".back-test").getByText(money).waitFor();
    await page.getByLabel(/My phone/).check();
    await page.getByRole("button", { name: "Create the alert" }).click();
    await page.waitForURL(/\/alerts\/[\da-f]{8}-/);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { alerts = [] } = await api.getWebhookTarget({ target_id: phone.id });
    assert.deepEqual(alerts.toSorted(), [everyBuy.id, id].toSorted());
    await page.goto("/alerts");
    const row = page.locator("tbody tr").filter({ hasText: "Three that sell" });
    await row.getByText("My phone").waitFor();
    await page.getByRole("link", { name: "add phone" }).first().waitFor();

    // Elsewhere another alert is sent to the phone meanwhile: that choice stays.
    const other = (await api.listAlerts()).items.find(
      (each) => ![everyBuy.id, id].includes(each.id),
    );
    const chosen = [everyBuy.id, other?.id ?? ""];
    await page.goto(`/alerts/${id}`);
    await page.getByLabel(/My phone/).waitFor();
    await api.changeWebhookTarget({ target_id: phone.id, alerts: [...chosen, id] });
    const readAlerts = async () =>
      (await api.getWebhookTarget({ target_id: phone.id })).alerts?.toSorted();
    await page.getByLabel(/My phone/).click();
    await page.getByText("“Three that sell” is no longer sent to").waitFor();
    assert.deepEqual(await readAlerts(), chosen.toSorted());
    await page.getByLabel(/My phone/).click();
    await until(async () => (await readAlerts())?.includes(id) === true);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("“Three that sell” is deleted").waitFor();
    assert.deepEqual(await readAlerts(), chosen.toSorted());
    await api.deleteWebhookTarget({ target_id: phone.id });
  });

  await t.test("what a manifest or the price engine manages is not edited", async (t) => {
    const page = await open(t, `/alerts/${everyBuy.id}`);
    await page.getByText("This alert stands in a file").waitFor();
    assert.equal(await page.getByLabel("Name").count(), 0);
    assert.equal(await page.getByRole("button", { name: /Save|Delete|Turn off/ }).count(), 0);
    await page.getByRole("link", { name: "Edit my copy" }).waitFor();

    await page.goto(`/alerts/${ofConfiguration.id}`);
    await page.getByText("Assay made this alert for a price rule").waitFor();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("button", { name: "Turn on" }).waitFor();
    assert.equal((await api.getAlert({ alert_id: ofConfiguration.id })).enabled, false);
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("button", { name: "Turn off" }).waitFor();
  });

  await t.test("a target is created, tested, sent to and deleted", async (t) => {
    const state = { status: 500 };
    const receiver = await startWebhookTarget(t, (response) => {
      response.statusCode = state.status;
      response.end();
    });
    const page = await open(t, "/settings?show=notifications");
    await page.getByText("Nothing is sent anywhere yet.").waitFor();
    await page.getByRole("link", { name: "New notification" }).click();
    await page.getByLabel("Name").fill("desk");
    await page.getByLabel("Program").check();
    await page.getByLabel("Address").fill("nowhere");
    await page.getByRole("button", { name: "Make one" }).click();
    assert.match(await page.getByLabel("Secret").inputValue(), /^whsec_/);
    await page.getByRole("button", { name: "Create the notification" }).click();
    await page.getByRole("alert").getByText("must be an http or https address").waitFor();
    await page.getByLabel("Address").fill(receiver.url);
    await page.getByLabel("Quiet hours").check();
    await page.getByLabel("Quiet hours").uncheck();
    await page.getByLabel("Only these alerts").check();
    await page.getByLabel("Find an alert").fill("every buy");
    await page.getByLabel("Every buy").check();
    await page.getByRole("button", { name: "Create the notification" }).click();
    await page.getByRole("heading", { name: "desk" }).waitFor();
    const [target] = (await api.listWebhookTargets()).items;
    assert.deepEqual(target?.alerts, [everyBuy.id]);
    assert.equal(await page.getByLabel("Secret").inputValue(), "");

    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(/The test did not arrive: .*500/).waitFor();
    await postAsk(service, 5_800);
    const row = page.getByRole("region", { name: "Deliveries" }).locator("tbody tr").first();
    await row.getByText("waits").waitFor();
    state.status = 200;
    await row.getByRole("button", { name: "Retry" }).click();
    await until(async () => {
      const { items } = await api.listDeliveries({ target_id: target?.id ?? "" });
      return items[0]?.status === "delivered";
    });
    await page.reload();
    await row.getByText("delivered").waitFor();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(/The test arrived: .*200/).waitFor();

    // It is changed elsewhere while it is edited here.
    await page.getByLabel("Name").fill("lost");
    await api.changeWebhookTarget({ target_id: target?.id ?? "", name: "desk of ours" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("This notification was changed meanwhile").waitFor();
    await page.getByRole("button", { name: "Load what is stored" }).click();
    await page.getByRole("heading", { name: "desk of ours" }).waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "desk of ours");

    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Nothing is sent anywhere yet.").waitFor();
    assert.deepEqual((await api.listWebhookTargets()).items, []);
  });

  await t.test("a read-only token reads everything and finds no control that writes", async (t) => {
    const token = await addToken(service.db, { isReadOnly: true });
    const { id } = await api.createAlert({ name: "Read me", filters: { brand: ["Rolex"] } });
    const page = await open(t, "/alerts", { token });
    await rowOf(page, "Read me").waitFor();
    assert.equal(await page.locator("summary", { hasText: "Mute" }).count(), 0);
    assert.equal(await page.getByRole("link", { name: "New alert" }).count(), 0);

    await page.goto(`/alerts/${id}`);
    await page.getByText("You may look at alerts, and change none.").waitFor();
    await page
      .getByText(/in 30 days$/)
      .first()
      .waitFor();
    const writing = page.getByRole("button", { name: /Save|Delete|Copy|Turn/ });
    assert.equal(await writing.count(), 0);
    await api.deleteAlert({ alert_id: id });
  });

  await t.test("presenter mode leaves no profit among the examples", async (t) => {
    const page = await open(t, "/alerts/new?reference=126610LN&price_lte=1200000");
    const cells = page.locator(".examples td[data-column=below]");
    await cells.filter({ hasText: "€" }).first().waitFor();

    await page.evaluate("localStorage.setItem('assay.presenter', 'true')");
    await page.reload();

    await cells.filter({ hasText: "•••" }).first().waitFor();
    assert.doesNotMatch((await cells.allTextContents()).join(" "), /[€%]/);
    await page.getByText("up to €12,000").waitFor();
  });

  await t.test("there is no barrier in light, in dark and at 320 px", async (t) => {
    const name = `<img src=x onerror=alert(1)> ${"w".repeat(80)}`;
    const { id } = await api.createAlert({ name, filters: { q: "w".repeat(400) } });
    const { id: targetId } = await api.createWebhookTarget({
      name,
      kind: "email",
      to: "desk@example.org",
      alerts: ["Every buy"],
    });
    const target = `/settings?show=notifications&target=${targetId}`;
    for (const path of ["/alerts", "/alerts?show=prices", "/settings?show=notifications", target]) {
      const page = await open(t, path);
      await page.locator(".alerts tbody tr, .target-form").first().waitFor();
      assert.deepEqual(await findBarriersEverywhere(page), [], path);
    }
    for (const path of [`/alerts/${id}`, `/alerts/${ofConfiguration.id}`]) {
      const page = await open(t, path);
      await page
        .getByText(/in 30 days$/)
        .first()
        .waitFor();
      assert.deepEqual(await findBarriersEverywhere(page), [], path);
    }
    const phone = await open(t, `/alerts/${id}`, { width: 390, height: 844 });
    await phone
      .getByText(/in 30 days$/)
      .first()
      .waitFor();
    assert.equal(await isTooWide(phone), false);
    await api.deleteWebhookTarget({ target_id: targetId });
    await api.deleteAlert({ alert_id: id });
  });
});

function rowOf(page: Page, name: string) {
  return page.locator("tbody tr", { has: page.getByRole("link", { name, exact: true }) });
}

async function cellOf(row: ReturnType<typeof rowOf>, column: string): Promise<string> {
  const text = (await row.locator(`[data-column=${column}]`).textContent()) ?? "";
  return text.replaceAll(",", "").replace("–", "0");
}

async function chooseMute(row: ReturnType<typeof rowOf>, choice: string): Promise<void> {
  await row.locator("summary").click();
  await row.getByRole("button", { name: choice }).click();
}

/** Everything that the back-test shows is what the service says. */
async function assertFigures(page: Page, preview: AlertPreview): Promise<void> {
  const { total, is_exact, days, overlaps, items } = preview;
  const about = is_exact ? "" : "about ";
  const count = total.toLocaleString("en-GB");
  await page.getByText(`${about}${count} in 30 days`, { exact: true }).waitFor();
  await page.locator(".back-test:not(.is-stale)").waitFor();
  const [most] = overlaps;
  if (most !== undefined) {
    const headline = (await page.locator(".headline").textContent()) ?? "";
    const shared = most.shared_count.toLocaleString("en-GB");
    assert.ok(headline.endsWith(`${about}${shared} of them also in ${most.name}`), headline);
  }
  const table = page.locator(".day-chart tbody tr");
  const rows = await table.evaluateAll<string[][], HTMLTableRow>((trs) =>
    trs.map((tr) => [...tr.cells].map((cell) => cell.textContent ?? "")),
  );
  const shownDays = days.map(({ day_start_ms, match_count, price_basis }) => [
    DAY.format(day_start_ms),
    String(match_count),
    ...(price_basis === undefined ? [] : [price_basis === "current" ? "of now" : "of that day"]),
  ]);
  assert.deepEqual(rows, total === 0 ? [] : shownDays.toReversed());
  const links = await page.locator(".examples a.watch").all();
  assert.deepEqual(
    await Promise.all(links.map((link) => link.getAttribute("href"))),
    items.map(({ id }) => `/listings/${id}`),
  );
}

/** The tests are compiled without the types of a browser. */
interface HTMLTableRow {
  readonly cells: readonly { readonly textContent: string | null }[];
}

function sum(days: readonly { readonly match_count: number }[]): number {
  return days.reduce((total, { match_count }) => total + match_count, 0);
}

function countOf(count: number): string {
  return count === 1 ? "1 match" : `${count} matches`;
}
