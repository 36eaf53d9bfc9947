import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { tokenPrefix } from "../../src/people/token.ts";
import {
  ALL_BUYS,
  inBrowser,
  signIn,
  signInByHand,
  startConsole,
} from "../support/console/console-browser.ts";
import { countStreams, postAsk } from "../support/console/console-service.ts";
import { addToken, revokeAnyway, until } from "../support/test-app.ts";

test("the console while something is wrong", inBrowser, async (t) => {
  const service = await startConsole(t);

  await t.test(
    "a page that throws leaves the shell usable, and offers a reload",

    async (t) => {
      const window = await service.open(t);
      const { page, context, problems } = window;
      await signIn(window, service, "/alerts");
      // As a proxy does that answers in the place of the service.
      await context.route("**/v2/operations", (route) => route.fulfill({ json: {} }));

      await page.locator("a.status").click();
      await page.getByText("Something went wrong").waitFor();
      await page.getByRole("link", { name: "Alerts" }).click();
      await page.getByRole("heading", { name: "Alerts", exact: true }).waitFor();
      await page.goBack();
      await page.getByText("Something went wrong").waitFor();
      await context.unroute("**/v2/operations");
      await page.getByRole("button", { name: "Reload" }).click();

      await page.locator("tbody tr").first().waitFor();
      assert.notEqual(problems.length, 0, "the error is in the browser's log");
      problems.splice(0);
    },
  );

  await t.test(
    "a token that is revoked ends page and stream, and a new one leads back",
    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      const token = await addToken(service.db, {});
      await signIn(window, { url: service.url, token }, ALL_BUYS);
      await page.locator("[data-live=open]").waitFor();

      await revokeAnyway(service.db, tokenPrefix(token), Date.now());

      await page.getByText("You were signed out").waitFor();
      await until(async () => (await countStreams(service)) === 0);
      assert.equal(page.url(), `${service.url}${ALL_BUYS}`);
      await signInByHand(page, service.token);
      await page.locator("tbody tr").first().waitFor();
      await page.locator("[data-live=open]").waitFor();
      assert.equal(page.url(), `${service.url}${ALL_BUYS}`);
    },
  );

  await t.test("without its database the service says so, and the page recovers", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, "/settings");
    await page.getByText("this browser", { exact: true }).waitFor();

    await service.network.close();
    await page.getByRole("link", { name: "Buys" }).click();
    await page.getByText("Assay cannot reach its database").waitFor();
    await service.network.open();

    await page.locator(".buys-summary span").first().waitFor();
    await page.getByText("Assay cannot reach its database").waitFor({ state: "detached" });
  });

  await t.test(
    "a restart loses and doubles nothing, and the page recovers by itself",
    async (t) => {
      const window = await service.open(t);
      const { page, context } = window;
      await signIn(window, service, "/?since=all");
      const other = await context.newPage();
      await other.goto("/?since=all");
      for (const tab of [page, other]) {
        await tab.locator("[data-live=open]").waitFor();
        await tab.locator("tbody tr").first().waitFor();
      }
      await postAsk(service, 9_201);
      for (const tab of [page, other]) await tab.getByRole("button", { name: "1 new" }).waitFor();

      await service.stop();
      for (const tab of [page, other]) await tab.getByText("Reconnecting").waitFor();
      await service.start();
      // The stream may still be closed: then this match comes by the id of the last one.
      // Another dealer, because a new ask of the same one takes the place of the first.
      await postAsk(service, 9_202, { phone: "447700900656", lid: "199900000000656", name: "Zoe" });

      for (const tab of [page, other]) {
        await tab.locator("[data-live=open]").waitFor();
        await until(() => showsOnce(tab, ["€9,201", "€9,202"]));
      }
      assert.equal(await countStreams(service), 1);
    },
  );
});

/** Opens what waits behind the button, as a reader does. The list may be read again meanwhile, which takes the button away. */
async function showsOnce(page: Page, asks: readonly string[]): Promise<boolean> {
  const fresh = page.getByRole("button", { name: /^\d+ new$/ });
  if ((await fresh.count()) > 0) await fresh.click({ timeout: 1_000 }).catch(() => undefined);
  const counts = asks.map((ask) => page.locator("tr[data-id]").filter({ hasText: ask }).count());
  return (await Promise.all(counts)).every((count) => count === 1);
}
