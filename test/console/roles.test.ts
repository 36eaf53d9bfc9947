import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import { inBrowser, shareConsole, signIn } from "../support/console/console-browser.ts";
import { addToken, until } from "../support/test-app.ts";

const TABS = ["you", "phones", "prices", "groups", "notifications", "people", "data", "system"];

test("the console and the roles", inBrowser, async (t) => {
  const service = await shareConsole();
  const api = createAssayClient({ url: service.url, token: service.token });
  const target = await api.createWebhookTarget({
    name: "Phone of all",
    kind: "ntfy",
    url: "https://ntfy.sh/geheim",
  });
  t.after(() => api.deleteWebhookTarget({ target_id: target.id }));

  for (const role of ["market", "desk"] as const) {
    await t.test(`no page asks for what the ${role} may not read, or shows a topic`, async (t) => {
      const window = await service.open(t);
      const { page } = window;
      const refused: string[] = [];
      page.on("response", (response) => {
        if (response.status() === 403) refused.push(new URL(response.url()).pathname);
      });
      const [buy] = (await api.searchLiveFeed({ limit: 1 })).items;
      const [alert] = (await api.listAlerts()).items;
      const { id = "", reference = "", sender } = buy?.listing ?? {};
      const paths = ["/", "/market", "/references", `/references/${reference}`, `/listings/${id}`];
      paths.push("/dealers", `/dealers/${sender?.contact_id}`, "/deals", "/start");
      paths.push("/alerts", "/alerts?show=prices", `/alerts/${alert?.id}`);
      paths.push(...TABS.map((tab) => `/settings?show=${tab}`));
      await signIn(window, { ...service, token: await addToken(service.db, { role }) }, "/");

      for (const path of paths) {
        await page.goto(path);
        await page.locator("h1").first().waitFor({ state: "attached" });
        await until(async () => (await page.locator(".loading").count()) === 0);
        assert.ok(!(await page.content()).includes("geheim"), path);
        assert.deepEqual(refused, [], path);
      }
      const links = page.getByRole("link", { name: "Notifications", exact: true });
      assert.equal(await links.count(), role === "market" ? 0 : 1);
    });
  }

  await t.test(
    "the desk changes a notification and keeps the address that it sees cut",
    async (t) => {
      const window = await service.open(t);
      const { page } = window;
      const token = await addToken(service.db, { role: "desk" });
      const path = `/settings?show=notifications&target=${target.id}`;
      await signIn(window, { ...service, token }, path);

      await page.getByText("Only owners see all of it").waitFor();
      assert.equal(await page.getByLabel("Address").inputValue(), "https://ntfy.sh/…");
      await page.getByLabel("Name").fill("Phone of the desk");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("“Phone of the desk” is saved").waitFor();

      const stored = await api.getWebhookTarget({ target_id: target.id });
      assert.deepEqual([stored.name, stored.url], ["Phone of the desk", "https://ntfy.sh/geheim"]);
    },
  );
});
