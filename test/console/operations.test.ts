import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import {
  findBarriersEverywhere,
  inBrowser,
  shareConsole,
  signIn,
} from "../support/console/console-browser.ts";
import { aStatusEvent, postEvent, SESSION_A } from "../support/waha.ts";

const SESSION = { ...SESSION_A, name: "recv-eu-1" };

test("operations", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });
  const window = await service.open(t);
  const { page } = window;
  await signIn(window, service, "/operations");

  await t.test("count every step from message to match as the service does", async () => {
    const { steps } = await api.getOperations({});
    const table = page.getByRole("table", { name: "Every step from message to match" });
    await table.waitFor();

    const textsOf = (column: number) =>
      table.locator(`tbody td:nth-child(${column})`).allTextContents();
    const [names, done] = [await textsOf(1), await textsOf(2)];
    const matches = steps.find(({ step }) => step === "record matches")?.item_count ?? 0;
    assert.ok(matches > 0);
    assert.equal(names.length, steps.length + 1, "and the queue of notifications");
    const shown = done[names.indexOf("Matches")];
    assert.equal(shown, new Intl.NumberFormat("en-GB").format(matches));
  });

  await t.test("change with a session by themselves, and keep the reader's place", async () => {
    await page.goto("/settings?show=phones");
    const row = page.getByRole("row", { name: /Desk Europe/ });
    await row.getByText(/healthy|silent/).waitFor();
    await page.getByText("For engineers").click();

    const failed = aStatusEvent({ session: SESSION, status: "FAILED", atMs: Date.now() });
    await postEvent(service, failed);

    await row.getByText("down").waitFor();
    assert.equal(await page.locator("details.fold[open]").count(), 1);
    await page.goto("/operations");
    await page.getByText("A phone is silent or not linked.").waitFor();
  });

  await t.test("list what could not be processed with its reason", async () => {
    await postEvent(service, { event: "message.any", session: "recv-eu-1", payload: 7 });
    await page.getByRole("button", { name: "Read again" }).click();

    const table = page.getByRole("table", { name: /What could not be processed/ });
    await table.getByRole("row").nth(1).waitFor();
    const { items } = await api.listQuarantine({});
    assert.match((await table.textContent()) ?? "", new RegExp(items[0]?.id ?? "none"));
    await page
      .getByRole("region", { name: "Could not be processed" })
      .getByText("For engineers")
      .click();
    assert.ok(
      await page.getByRole("button", { name: "Copy assay quarantine", exact: true }).isVisible(),
    );
  });

  await t.test("hide phone numbers from others", async () => {
    await page.evaluate("localStorage.setItem('assay.presenter', 'true')");
    await page.goto("/settings?show=phones");
    await page.getByRole("row", { name: /Desk Europe/ }).waitFor();

    assert.doesNotMatch((await page.locator("main").textContent()) ?? "", /4477009/);
  });

  await t.test("say so when the service is away, and keep what was read", async () => {
    await page.goto("/operations");
    const figures = page.getByText("From message to match").first();
    await figures.waitFor();
    await service.stop();
    await page.getByRole("button", { name: "Read again" }).click();
    await page.getByText("could not be read again").waitFor();
    assert.ok(await figures.isVisible());

    await service.start();

    await page.getByText("could not be read again").waitFor({ state: "detached" });
  });

  await t.test("have no barrier in light, in dark and at 320 px", async () => {
    assert.deepEqual(await findBarriersEverywhere(page), []);
  });
});
