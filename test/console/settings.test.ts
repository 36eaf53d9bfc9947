import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import { sql } from "../../src/db/sql.ts";
import { exportManifest } from "../../src/manifest/export-manifest.ts";
import {
  findBarriersEverywhere,
  inBrowser,
  signIn,
  startConsole,
} from "../support/console/console-browser.ts";
import { openBrowser } from "../support/console/cookie-browser.ts";
import { addToken, until } from "../support/test-app.ts";
import { aGroupEvent, postEvent } from "../support/waha.ts";

test("the settings", inBrowser, async (t) => {
  const service = await startConsole(t, { isEmpty: true });
  const api = createAssayClient({ url: service.url, token: service.token });

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
    await elsewhere.page.getByText("You were signed out").waitFor();
    assert.equal(elsewhere.page.url(), `${service.url}/market?q=gmt`);
    await browsers.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  const main = await service.open(t);
  await signIn(main, service, "/settings?show=prices");
  const { page } = main;
  const dialog = page.getByRole("dialog");

  await t.test("desk rules start in trial, say what going live means, and go live", async () => {
    await page.getByRole("button", { name: "New rules" }).click();
    await dialog.getByLabel("Name").fill("Core <b>");
    await dialog.getByLabel("Minimum profit, EUR").fill("812.50");
    await dialog.getByRole("button", { name: "Create in trial" }).click();
    await page.getByRole("button", { name: "Go live Core <b>" }).waitFor();
    const [created] = (await api.listProfiles({})).items;
    assert.equal(created?.status, "shadow");
    assert.equal(created?.minimum_profit_eur_minor, 81_250);
    assert.equal(created?.sets, "papers");

    await page.getByRole("button", { name: "Go live Core <b>" }).click();
    await dialog.getByText("is sent to your phone").waitFor();
    await dialog.getByRole("button", { name: "Go live" }).click();
    await page.getByText("Core <b> is live").waitFor();

    assert.equal((await api.listProfiles({})).items[0]?.status, "live");
    await page.getByRole("button", { name: "Edit Core <b>" }).click();
    await dialog.getByLabel("Hong Kong mark-up, %").fill("7.5");
    await dialog.getByLabel("Compared with").selectOption({ label: "Any set" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("7.5%").waitFor();
    const [changed] = (await api.listProfiles({})).items;
    const asChanged = { status: "live", sets: "any", hk_markup: changed?.hk_markup };
    assert.deepEqual(changed, { ...created, ...asChanged });
    assert.deepEqual(changed?.hk_markup, { rate_bps: 750, fixed_eur_minor: 15_000 });

    // Elsewhere the same rules are changed: that is not replaced unseen.
    await page.getByRole("button", { name: "Edit Core <b>" }).click();
    await dialog.getByLabel("Minimum profit, EUR").fill("900");
    await api.changeProfile({ id: created?.id ?? "", minimum_profit_eur_minor: 70_000 });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("changed meanwhile").waitFor();
    assert.equal((await api.listProfiles({})).items[0]?.minimum_profit_eur_minor, 70_000);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await api.listProfiles({})).items[0]?.minimum_profit_eur_minor, 90_000);
  });

  await t.test("what stands in a file is shown and not edited", async () => {
    await service.db.execute(sql`update price_profile set managed_by = 'manifest'`);
    await page.reload();
    await page.getByText("These rules stand in a file").waitFor();

    assert.equal(await page.getByRole("button", { name: /Edit|Back to trial/ }).count(), 0);
  });

  await t.test("presenter mode leaves no digit of the rules in the document", async () => {
    await page.goto("/settings");
    await page.getByLabel("Presenter mode").check();
    await page.goto("/settings?show=prices");
    await page.getByRole("button", { name: /New rules/ }).waitFor({ state: "detached" });

    const text = (await page.getByRole("region", { name: "Desk rules" }).textContent()) ?? "";
    assert.doesNotMatch(text, /812|813|150|7\.5|10%/);
    await page.goto("/settings");
    await page.getByLabel("Presenter mode").uncheck();
  });

  await t.test("a group is found by its name, ignored, and read again by undoing it", async () => {
    const groupEvent = aGroupEvent({ name: "Hidden <i>Gems</i>", atMs: Date.now() });
    await postEvent(service, groupEvent);
    await until(async () => (await api.listGroups({})).items.length === 1);
    await page.goto("/settings?show=groups");
    await page.getByLabel("Find a group").fill("gems");
    const row = page.getByRole("row", { name: /Hidden <i>Gems/ });
    await row.getByRole("button", { name: "Ignore" }).click();
    await row.getByText("ignored").waitFor();
    assert.equal((await api.listGroups({})).items[0]?.is_ignored, true);

    await page.getByRole("button", { name: "Undo" }).click();
    await row.getByText("ignored").waitFor({ state: "detached" });
    assert.equal((await api.listGroups({})).items[0]?.is_ignored, false);
    await row.getByLabel("Currency of").selectOption("HKD");
    await until(async () => (await api.listGroups({})).items[0]?.default_currency === "HKD");
    await page.getByLabel("Find a group").fill("nothing like it");
    await page.getByText("No group has this name.").waitFor();
  });

  await t.test("a new key is shown once and works; a revoked one does not", async () => {
    await page.goto("/settings?show=people");
    await page.getByRole("button", { name: "Add a person or program" }).click();
    await dialog.getByLabel("Who is it for?").fill("bookkeeping");
    await dialog.getByLabel("Until when?").selectOption("month");
    await dialog.getByRole("button", { name: "Add" }).click();
    const token = await dialog.getByLabel("Key").inputValue();
    const holder = createAssayClient({ url: service.url, token });
    const own = await holder.getMe();
    assert.deepEqual([own.name, own.role], ["bookkeeping", "market"]);
    await dialog.getByRole("button", { name: "Done" }).click();

    const table = page.getByRole("table", { name: "People and programs" });
    await table.getByText("this browser uses it").waitFor();
    assert.ok(!((await page.content()) ?? "").includes(token));
    await table.getByRole("button", { name: "Revoke bookkeeping" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await table.getByText("revoked").waitFor();
    await until(async () => (await ask(service.url, token)) === 401);
  });

  await t.test("a token of the desk decides, and is offered nothing that owners do", async (t) => {
    await page.getByRole("button", { name: "Add a person or program" }).click();
    await dialog.getByLabel("Who is it for?").fill("Anna");
    await dialog.getByLabel("What may they do?").selectOption("desk");
    await dialog.getByRole("button", { name: "Add" }).click();
    const token = await dialog.getByLabel("Key").inputValue();
    await dialog.getByRole("button", { name: "Done" }).click();

    const window = await service.open(t);
    await signIn(window, { url: service.url, token }, "/settings?show=people");
    const table = window.page.getByRole("table", { name: "People and programs" });
    await table.getByText("Anna", { exact: true }).waitFor();
    const owners =
      /^(?:New rules|Edit |Go live|Back to trial|Ignore\b|Add a person|Change|Revoke|End)/;
    assert.equal(await window.page.getByRole("button", { name: owners }).count(), 0);
    await window.page.getByRole("link", { name: "Deals", exact: true }).click();
    await window.page.getByLabel("Period").waitFor();
    const anna = createAssayClient({ url: service.url, token });
    await assert.rejects(anna.createToken({ name: "more", role: "market" }), /owner/);
    await page.getByRole("button", { name: "Revoke Anna" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await until(async () => (await ask(service.url, token)) === 401);
  });

  await t.test("what was set up is downloaded as the service writes it", async () => {
    await page.goto("/settings?show=data");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the file" }).click();

    const text = readFileSync(await (await download).path(), "utf8");
    assert.equal(text, (await exportManifest(service.db, { hasSecrets: false })).text);
  });

  await t.test(
    "who only looks sees no people and no data, and the own browsers, which can be ended",
    async (t) => {
      const [window, elsewhere] = [await service.open(t), await service.open(t)];
      const token = await addToken(service.db, { isReadOnly: true });
      await signIn(window, { url: service.url, token }, "/settings");
      const browsers = window.page.getByRole("region", { name: "Signed-in browsers" });
      await browsers.getByText("No other browser is signed in.").waitFor();

      assert.equal(await browsers.getByRole("listitem").count(), 1);
      for (const name of ["People", "Data", "Notifications"]) {
        assert.equal(await window.page.getByRole("link", { name }).count(), 0, name);
      }
      await signIn(elsewhere, { url: service.url, token }, "/market");
      await window.page.reload();
      await browsers.getByRole("button", { name: "Sign out my other browsers" }).click();
      const question = window.page.getByRole("dialog");
      await question.getByRole("button", { name: "Sign out my other browsers" }).click();
      await browsers.getByText("No other browser is signed in.").waitFor();
      await elsewhere.page.getByText("You were signed out").waitFor();
      await browsers.getByRole("button", { name: "Sign out" }).click();
      await window.page.getByRole("heading", { name: "Sign in" }).waitFor();
    },
  );

  await t.test(
    "a browser ends with those that were signed in from it, if one says so",
    async (t) => {
      const [first, second] = [await service.open(t), openBrowser(service.url)];
      const token = await addToken(service.db, { role: "desk" });
      await signIn(first, { url: service.url, token }, "/settings");
      const [session] = await service.db.query<{ id: string }>(sql`
      select id from console_session order by created_at_ms desc, id limit 1`);
      const signedIn = await second.ask("POST", "/console/sessions", { body: { token } });
      assert.equal(signedIn.status, 201);
      await service.db.execute(sql`
      update console_session set made_by_session_ids = array[${session?.id}::uuid]
       where id <> ${session?.id} and token_id = (select token_id from console_session where id = ${session?.id})`);
      await first.page.reload();

      await first.page
        .getByRole("region", { name: "Signed-in browsers" })
        .getByRole("button", { name: "Sign out", exact: true })
        .click();
      const question = first.page.getByRole("dialog");
      await question.getByText("And the browser that was signed in from it").waitFor();
      assert.deepEqual(await findBarriersEverywhere(first.page), []);
      await question.getByRole("checkbox").check();
      await question.getByRole("button", { name: "Sign out" }).click();

      await first.page.getByRole("heading", { name: "Sign in" }).waitFor();
      await until(async () => (await second.ask("GET", "/v2/me")).status === 401);
    },
  );

  await t.test(
    "a key can get another role and another text; both are in what was done",
    async () => {
      const { id, token: old } = await api.createToken({ name: "Ben", role: "market" });
      await page.goto("/settings?show=people");
      await page.getByRole("button", { name: "Change Ben" }).click();
      await dialog.getByLabel("What may they do?").selectOption("desk");
      await dialog.getByRole("button", { name: "Change" }).click();
      await page.getByText("Ben: Desk").waitFor();
      const { items } = await api.listTokens({});
      assert.equal(items.find((token) => token.id === id)?.role, "desk");

      await page.getByRole("button", { name: "Change Ben" }).click();
      await dialog.getByRole("button", { name: "Replace the key" }).click();
      const text = await dialog.getByLabel("Key").inputValue();
      await dialog.getByRole("button", { name: "Done" }).click();
      assert.equal(await ask(service.url, text), 200);
      await until(async () => (await ask(service.url, old)) === 401);

      await page.getByLabel("About what").selectOption({ label: "People" });
      const done = page.getByRole("list", { name: "Who changed what" });
      await done.getByText("replaced the key of Ben").waitFor();
      await done.getByText("may: looks only → desk").waitFor();
    },
  );

  await t.test("have no barrier in light, in dark and at 320 px, on any tab", async () => {
    for (const tab of ["you", "phones", "prices", "groups", "people", "data", "system"]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`/settings?show=${tab}`);
      await page.locator(".loading").first().waitFor({ state: "detached" });
      await page.locator("h2").first().waitFor();
      assert.deepEqual(await findBarriersEverywhere(page), [], tab);
    }
  });
});

async function ask(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/v2/me`, { headers })).status;
}
