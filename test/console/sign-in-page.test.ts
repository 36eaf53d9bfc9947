import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import { createConsoleCode } from "../../src/people/open-sessions.ts";
import { CODE_MAX_AGE_MS } from "../../src/people/token.ts";
import {
  findBarriersEverywhere,
  inBrowser,
  shareConsole,
  signIn,
  signInByHand,
} from "../support/console/console-browser.ts";
import { shiftedClock } from "../support/console/shifted-clock.ts";
import { addToken } from "../support/test-app.ts";

test("the sign-in page", inBrowser, async (t) => {
  const service = await shareConsole();

  await t.test("stands at the address that was asked for, and keeps it", async (t) => {
    const { page } = await service.open(t);

    const response = await page.goto("/market?q=submariner");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();

    assert.equal(response?.status(), 200);
    assert.equal(page.url(), `${service.url}/market?q=submariner`);
  });

  await t.test("takes the code out of the address, also if it does not work", async (t) => {
    const { page } = await service.open(t);

    await page.goto("/#open=no-such-code");
    await page.getByRole("alert").waitFor();

    assert.equal(page.url(), `${service.url}/`);
    assert.equal(await page.evaluate("history.length"), 2);
  });

  await t.test("says so if a token does not work, and stays usable", async (t) => {
    const { page } = await service.open(t);
    await page.goto("/");

    await page.getByLabel("Token").fill("assay_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByRole("alert").waitFor();
    assert.equal(await page.getByLabel("Token").inputValue(), "assay_wrong");
  });

  await t.test("the printed link opens Buys, works once and leaves no trace", async (t) => {
    const first = await service.open(t);
    const second = await service.open(t);

    await first.page.goto(service.link);
    await first.page.getByRole("heading", { name: "Buys" }).waitFor();
    await second.page.goto(service.link);
    await second.page.getByRole("alert").waitFor();
    // In the browser that used it, the link just opens the page.
    await first.page.goto("about:blank");
    await first.page.goto(service.link);
    await first.page.getByRole("heading", { name: "Buys" }).waitFor();

    for (const { page } of [first, second]) assert.equal(page.url(), `${service.url}/`);
    assert.equal(await first.page.getByRole("alert").count(), 0);
  });

  await t.test(
    "a link of another person asks before it signs in, and staying changes nothing",
    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      const anna = await addToken(service.db, { role: "desk" });
      const partner = await addToken(service.db, { role: "market" });
      const api = createAssayClient({ url: service.url, token: partner });
      const { name, token_id: id } = await api.getMe();
      const code = await createConsoleCode(
        service.db,
        { token: { id }, maxAgeMs: CODE_MAX_AGE_MS },
        { name: "test", nowMs: shiftedClock.nowMs() },
      );
      await signIn(window, { ...service, token: anna }, "/market");
      const former = (await createAssayClient({ url: service.url, token: anna }).getMe()).name;
      const open = () => page.evaluate(`location.hash = "#open=${code?.text}"`);
      const question = page.getByRole("dialog");

      await open();
      await question.getByText(`You are ${former}. Sign in as ${name} instead?`).waitFor();
      assert.deepEqual(await findBarriersEverywhere(page), []);
      await page.setViewportSize({ width: 1440, height: 900 });
      await question.getByRole("button", { name: `Stay ${former}` }).click();
      await question.waitFor({ state: "detached" });
      await page.reload();
      await page.getByText(former).first().waitFor();

      await page.goto(`${service.url}/alerts#open=${code?.text}`);
      await question.getByRole("button", { name: `Sign in as ${name}` }).click();
      await question.waitFor({ state: "detached" });
      await page.getByText(name).first().waitFor();
      assert.equal(page.url(), `${service.url}/alerts`);
    },
  );

  await t.test(
    "a session that ends leads to the sign-in, and back to the same place",
    async (t) => {
      const window = await service.open(t);
      const { page, context } = window;
      await signIn(window, service, "/market?brand=Rolex");
      await page.locator("tbody tr").first().waitFor();
      await context.clearCookies();

      // Whatever the page asks next shows it, here a search.
      await page.keyboard.press("/");
      await page.keyboard.type("gmt");
      await page.getByText("You were signed out").waitFor();
      await signInByHand(page, service.token);

      await page.locator("tbody tr").first().waitFor();
      assert.match(page.url(), /\/market\?brand=Rolex/);
    },
  );

  await t.test(
    "a service that cannot be reached is shown, and the page recovers by itself",
    async (t) => {
      const window = await service.open(t);
      const { page, context } = window;
      await signIn(window, service, "/settings");
      await page.getByRole("heading", { name: "Settings" }).waitFor();
      await context.route("**/v2/alerts/matches**", (route) => route.abort("connectionrefused"));

      await page.getByRole("link", { name: "Buys" }).click();
      await page.getByText("Assay cannot be reached").waitFor();
      await context.unroute("**/v2/alerts/matches**");

      await page.locator("tbody tr").first().waitFor();
    },
  );

  await t.test("has no barrier in light, in dark and at 320 px", async (t) => {
    const { page } = await service.open(t);
    await page.goto("/");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();

    assert.deepEqual(await findBarriersEverywhere(page), []);
  });

  await t.test("an unknown path is no page of the console", async (t) => {
    const { page } = await service.open(t);

    const response = await page.goto("/nothing-here");

    assert.equal(response?.status(), 404);
    assert.match(response?.headers()["content-type"] ?? "", /json/);
  });
});
