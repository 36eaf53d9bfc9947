import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import { sql } from "../../src/db/sql.ts";
import { exportManifest } from "../../src/manifest/export-manifest.ts";
import {
  findBarriers,
  findBarriersEverywhere,
  inBrowser,
  signIn,
  startConsole,
} from "../support/console/console-browser.ts";
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
    await elsewhere.page.getByText("Your session has ended").waitFor();
    assert.equal(elsewhere.page.url(), `${service.url}/market?q=gmt`);
    await browsers.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  const main = await service.open(t);
  await signIn(main, service, "/settings");
  const { page } = main;
  const dialog = page.getByRole("dialog");

  await t.test(
    "a profile starts in shadow, says what going live means, and goes live",
    async () => {
      await page.getByRole("button", { name: "New profile" }).click();
      await dialog.getByLabel("Name").fill("Core <b>");
      await dialog.getByLabel("Minimum profit, EUR").fill("812.50");
      await dialog.getByRole("button", { name: "Create in shadow" }).click();
      await page.getByRole("button", { name: "Go live Core <b>" }).waitFor();
      const [created] = (await api.listProfiles({})).items;
      assert.equal(created?.status, "shadow");
      assert.equal(created?.minimum_profit_eur_minor, 81_250);
      assert.equal(created?.sets, "papers");

      await page.getByRole("button", { name: "Go live Core <b>" }).click();
      await dialog.getByText("is sent to the notification targets").waitFor();
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
    },
  );

  await t.test("what a manifest declares is shown and not edited", async () => {
    await service.db.execute(sql`update price_profile set managed_by = 'manifest'`);
    await page.reload();
    await page.getByText("edit the file and run “assay apply”").waitFor();

    assert.equal(await page.getByRole("button", { name: /Edit|Back to shadow/ }).count(), 0);
  });

  await t.test("presenter mode leaves no digit of the rules in the document", async () => {
    await page.getByLabel("Presenter mode").check();

    const text = (await page.getByRole("region", { name: "Profiles" }).textContent()) ?? "";
    assert.doesNotMatch(text, /812|813|150|7\.5|10 %/);
    await page.getByLabel("Presenter mode").uncheck();
  });

  await t.test("a group is found by its name, ignored, and read again by undoing it", async () => {
    const groupEvent = aGroupEvent({ name: "Hidden <i>Gems</i>", atMs: Date.now() });
    await postEvent(service, groupEvent);
    await until(async () => (await api.listGroups({})).items.length === 1);
    await page.reload();
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

  await t.test("a new token is shown once and works; a revoked one does not", async () => {
    await page.getByRole("button", { name: "New token" }).click();
    await dialog.getByLabel("What is it for?").fill("bookkeeping");
    await dialog.getByLabel("Until when?").selectOption("month");
    await dialog.getByRole("button", { name: "Create" }).click();
    const token = await dialog.getByLabel("Token").inputValue();
    const holder = createAssayClient({ url: service.url, token });
    const own = await holder.getMe();
    assert.deepEqual([own.name, own.role], ["bookkeeping", "market"]);
    await dialog.getByRole("button", { name: "Done" }).click();

    const table = page.getByRole("table", { name: "The tokens" });
    await table.getByText("this browser uses it").waitFor();
    assert.ok(!((await page.content()) ?? "").includes(token));
    await table.getByRole("button", { name: "Revoke bookkeeping" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await table.getByText("revoked").waitFor();
    await until(async () => (await ask(service.url, token)) === 401);
  });

  await t.test("the manifest is downloaded as the service writes it", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the manifest" }).click();

    const text = readFileSync(await (await download).path(), "utf8");
    assert.equal(text, (await exportManifest(service.db, { hasSecrets: false })).text);
  });

  await t.test(
    "a read-only token sees neither tokens nor browsers nor the manifest, and can sign out",

    async (t) => {
      const window = await service.open(t);
      const token = await addToken(service.db, { isReadOnly: true });
      await signIn(window, { url: service.url, token }, "/settings");
      const browsers = window.page.getByRole("region", { name: "Signed-in browsers" });
      await browsers.waitFor();

      assert.equal(await browsers.getByRole("listitem").count(), 0);
      for (const name of ["Tokens", "Manifest"]) {
        assert.equal(await window.page.getByRole("region", { name }).count(), 0, name);
      }
      await browsers.getByRole("button", { name: "Sign out" }).click();
      await window.page.getByRole("heading", { name: "Sign in" }).waitFor();
    },
  );

  await t.test("have no barrier", async () => {
    assert.deepEqual(await findBarriers(page), []);
  });

  await t.test("have no barrier in light, in dark and at 320 px", async () => {
    assert.deepEqual(await findBarriersEverywhere(page), []);
  });
});

async function ask(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/v2/me`, { headers })).status;
}
