import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, shareConsole, signIn } from "../support/console/console-browser.ts";
import { countStreams, postAsk } from "../support/console/console-service.ts";
import { until } from "../support/test-app.ts";

test("the console hears of matches", inBrowser, async (t) => {
  const service = await shareConsole();

  await t.test("a match appears in two tabs, over one stream, behind a button", async (t) => {
    const window = await service.open(t);
    const { page, context } = window;
    await signIn(window, service, "/?since=all");
    const other = await context.newPage();
    await other.goto("/?since=all");
    for (const tab of [page, other]) {
      await tab.locator("[data-live=open]").waitFor();
      await tab.locator("tbody tr").first().waitFor();
    }
    const firstRow = await page.locator("tbody tr").first().textContent();

    await postAsk(service, 9_000);

    for (const tab of [page, other]) await tab.getByRole("button", { name: "1 new" }).waitFor();
    assert.equal(await countStreams(service), 1);
    assert.equal(watchOf(await page.locator("tbody tr").first().textContent()), watchOf(firstRow));
    await page.getByRole("button", { name: "1 new" }).click();
    await page.locator("tr[data-id]").getByText("€9,000", { exact: true }).first().waitFor();
    assert.match(await page.title(), /^\(\d+\) Buys/);
  });

  await t.test("the stream ends with the last tab", async (t) => {
    const window = await service.open(t);
    await signIn(window, service);
    await window.page.locator("[data-live=open]").waitFor();

    await window.page.goto("/docs");

    await until(async () => (await countStreams(service)) === 0);
  });

  await t.test("without SharedWorker a visible tab has a stream of its own", async (t) => {
    const window = await service.open(t);
    await window.context.addInitScript({ content: "delete globalThis.SharedWorker" });

    await signIn(window, service, "/?since=all");
    await window.page.locator("[data-live=open]").waitFor();
    await window.page.locator("tbody tr").first().waitFor();
    await postAsk(service, 9_100);

    await window.page.getByRole("button", { name: "1 new" }).waitFor();
  });
});

/** Up to the ask: its market price arrives later, and its age changes. */
function watchOf(row: string | null): string {
  return /^.*?€[\d,]+/.exec(row ?? "")?.[0] ?? "";
}
