import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, shareConsole, signIn } from "../support/console/console-browser.ts";
import { postAsk } from "../support/console/console-service.ts";
import { until } from "../support/test-app.ts";

/** Records what the browser would show. */
const RECORD_NOTIFICATIONS = `globalThis.shown = [];
  globalThis.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { shown.push({ title, body }); }
    close() {}
  };`;
const HIDE = `Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));`;

test("notifications of the browser", inBrowser, async (t) => {
  const service = await shareConsole();

  await t.test("notifications come on request, together, and only while hidden", async (t) => {
    const window = await service.open(t);
    const { page } = window;
    await window.context.addInitScript({ content: RECORD_NOTIFICATIONS });
    await signIn(window, service, "/settings");
    await page.locator("[data-live=open]").waitFor();
    const shown = () => page.evaluate<{ title: string; body: string }[]>("shown");
    const said = async (): Promise<string> => {
      const { title, body } = (await shown()).at(-1) ?? { title: "", body: "" };
      return `${title}\n${body}`;
    };

    await page.getByRole("checkbox", { name: "Notifications of the browser" }).focus();
    await page.keyboard.press("Space");
    await until(() =>
      page.getByRole("checkbox", { name: "Notifications of the browser" }).isChecked(),
    );
    await page.goto("/?since=all");
    await page.locator("[data-live=open]").waitFor();
    await page.locator("tbody tr").first().waitFor();
    await postAsk(service, 8_901);
    await page.getByRole("button", { name: "1 new" }).waitFor();
    assert.deepEqual(await shown(), []);
    await page.evaluate(HIDE);
    await postAsk(service, 8_902);
    // The price engine may match the first watch only now; then both are named.
    await until(async () => (await said()).includes("Rolex 126610LN, €8,902"));
    await postAsk(service, 8_903);

    await until(async () => (await said()).includes("Rolex 126610LN, €8,903"));
    assert.match(await said(), /^[23] new matches\n/);
    assert.match(await said(), /Rolex 126610LN, €8,902/);
  });
});
