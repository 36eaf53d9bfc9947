import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { createAssayClient } from "../../client/assay-client.ts";
import {
  findBarriersEverywhere,
  inBrowser,
  signIn,
  startConsole,
} from "../support/console/console-browser.ts";
import { until } from "../support/test-app.ts";
import { newMessage, postEvent } from "../support/waha.ts";

const KEY = "a key of the gateway";
const TABS_MAX = 120;

/** Goes to the control with the Tab key and presses Enter: no pointer is used. */
async function press(page: Page, control: Locator, key = "Enter"): Promise<void> {
  await control.waitFor();
  const focused = control.and(page.locator(":focus"));
  for (let count = 0; count < TABS_MAX; count += 1) {
    if ((await focused.count()) > 0) {
      await page.keyboard.press(key);
      return;
    }
    await page.keyboard.press("Tab");
  }
  assert.fail(`the Tab key does not reach ${control}`);
}

const ask = (euros: number, dealer: number) =>
  newMessage(`Rolex 126610LN Submariner 2024 full set used ${euros} EUR`, {
    phone: `4477009003${String(dealer).padStart(2, "0")}`,
    lid: `1999000000003${String(dealer).padStart(2, "0")}`,
    name: `Dealer ${dealer}`,
  });

test("the first steps", inBrowser, async (t) => {
  const environment = { ASSAY_WAHA_HMAC_KEY: KEY, ASSAY_WAHA_UNSIGNED: "false" };
  const service = await startConsole(t, { isEmpty: true, environment });
  const api = createAssayClient({ url: service.url, token: service.token });
  const window = await service.open(t);
  const { page } = window;
  await signIn(window, service, "/");
  const button = (name: string | RegExp): Locator => page.getByRole("button", { name });
  const stepOf = (name: RegExp): Locator => page.getByRole("button", { name, expanded: true });

  await t.test("lead by keyboard alone from an empty store to a buy", async () => {
    await press(page, page.getByRole("link", { name: "First steps" }));
    await page.getByText("Waiting for the first message").waitFor();
    await page.getByText("events: must be signed with ASSAY_WAHA_HMAC_KEY").waitFor();

    for (const [at, euros] of [10_000, 10_200, 10_400].entries()) {
      await postEvent(service, ask(euros, at), KEY);
    }
    await stepOf(/^2\. /).waitFor();
    assert.match((await button(/^1\. /).textContent()) ?? "", /1 phone is linked.*done/);

    await press(page, button("Create both"));
    await stepOf(/^3\. /).waitFor();
    await press(page, button("Watch 1 reference"));
    await stepOf(/^4\. /).waitFor();
    await press(page, button("Report every buy"));
    await stepOf(/^5\. /).waitFor();
    await press(page, button("Skip this step"));
    await stepOf(/^6\. /).waitFor();
    assert.equal((await api.listProfiles({})).items[0]?.status, "shadow");
    await press(page, button("Go live Core"));
    await page.getByText("Watches that are already there send nothing").waitFor();
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Go live" }));
    await page.getByText("Assay is set up.").waitFor();
    await page.getByText(/^Skipped: Choose where buys are sent/).waitFor();
    await press(page, page.getByRole("link", { name: "Go to Buys" }));
    await page.getByText("Nothing new to buy.").waitFor();

    const [configuration] = (await api.listConfigurations({})).items;
    await until(async () => {
      const cells = await api.getConfigurationCells({ id: configuration?.id ?? "" });
      return JSON.stringify(cells).includes('"available"');
    });
    await postEvent(service, ask(8_000, 9), KEY);

    const table = page.getByRole("table", { name: "Watches that matched" });
    const row = table.getByRole("row", { name: /126610LN/ });
    await row.waitFor();
    assert.match((await row.textContent()) ?? "", /€8,000/);
    assert.doesNotMatch((await row.textContent()) ?? "", /not sent/);
    await page.keyboard.press("Enter");
    await page.getByText(/below the average of/).waitFor();
  });

  await t.test("know from the service what is done, and show what was skipped", async () => {
    await page.goto("/start");
    await page.getByText("Assay is set up.").waitFor();
    const states = await page.locator(".step .tag").allTextContents();
    assert.deepEqual(states, ["done", "done", "done", "done", "skipped", "done"]);

    await press(page, button(/^5\. /));
    await press(page, button("Do it after all"));

    await page.getByText("Assay is set up.").waitFor({ state: "detached" });
    await page.getByLabel("Address of the topic").fill("not an address");
    await press(page, button("Add and send a test"));
    await page.getByRole("alert").waitFor();
  });

  await t.test("have no barrier in light, in dark and at 320 px", async () => {
    await press(page, button(/^1\. /));
    assert.deepEqual(await findBarriersEverywhere(page), []);
  });
});
