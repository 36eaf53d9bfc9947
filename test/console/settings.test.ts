import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findBarriersEverywhere,
  inBrowser,
  signIn,
  startConsole,
} from "../support/console-browser.ts";
import { addToken } from "../support/test-app.ts";

test("the settings", inBrowser, async (t) => {
  const service = await startConsole(t, { isEmpty: true });

  await t.test("list all browsers that are signed in, and end the others", async (t) => {
    const [window, elsewhere] = [await service.open(t), await service.open(t)];
    await signIn(elsewhere, service, "/market?q=gmt");
    await signIn(window, service, "/settings");
    const { page } = window;
    const browsers = page.getByRole("region", { name: "Signed-in browsers" }).getByRole("listitem");
    await browsers.nth(1).waitFor();
    assert.equal(await browsers.count(), 2);
    assert.match((await browsers.first().textContent()) ?? "", /on Linux.*this browser/);

    await browsers.getByRole("button", { name: "End" }).click();

    await page.getByText("was signed out").waitFor();
    await browsers.nth(1).waitFor({ state: "detached" });
    await elsewhere.page.getByText("Your session has ended").waitFor();
    assert.equal(elsewhere.page.url(), `${service.url}/market?q=gmt`);
    await browsers.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  await t.test("a read-only token sees the browsers and can only sign out", async (t) => {
    const [window, other] = [await service.open(t), await service.open(t)];
    const token = await addToken(service.db, { isReadOnly: true });
    await signIn(other, service, "/settings");
    await signIn(window, { url: service.url, token }, "/settings");
    const browsers = window.page.getByRole("listitem");
    await browsers.nth(1).waitFor();

    assert.equal(await window.page.getByRole("button", { name: "End" }).count(), 0);
    assert.match((await browsers.first().textContent()) ?? "", /read only/);
    await window.page.getByRole("button", { name: "Sign out" }).click();
    await window.page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  await t.test("have no barrier in light, in dark and at 320 px", async (t) => {
    const window = await service.open(t);
    await signIn(window, service, "/settings");
    await window.page.getByRole("listitem").first().waitFor();

    assert.deepEqual(await findBarriersEverywhere(window.page), []);
  });
});
