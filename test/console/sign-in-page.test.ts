import assert from "node:assert/strict";
import { test } from "node:test";
import { findBarriers, inBrowser, isTooWide, startConsole } from "../support/console-browser.ts";

test("the sign-in page", inBrowser, async (t) => {
  const service = await startConsole(t);

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

  for (const options of [
    { colorScheme: "light", width: 1440 },
    { colorScheme: "dark", width: 1440 },
    { colorScheme: "light", width: 320 },
  ] as const) {
    await t.test(`has no barrier: ${options.colorScheme}, ${options.width} px`, async (t) => {
      const { page } = await service.open(t, options);
      await page.goto("/");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();

      assert.deepEqual(await findBarriers(page), []);
      assert.equal(await isTooWide(page), false);
    });
  }

  await t.test("an unknown path is no page of the console", async (t) => {
    const { page } = await service.open(t);

    const response = await page.goto("/nothing-here");

    assert.equal(response?.status(), 404);
    assert.match(response?.headers()["content-type"] ?? "", /json/);
  });
});
