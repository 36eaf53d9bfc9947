import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { inBrowser, signIn, startConsole } from "../support/console/console-browser.ts";

const SEEN = "/v2/alerts/matches/seen";

test("a browser with pages of several origins", inBrowser, async (t) => {
  const [service, other] = await Promise.all([
    startConsole(t, { isEmpty: true }),
    startConsole(t, { isEmpty: true }),
  ]);

  await t.test("two Assays on two ports keep both sessions", async (t) => {
    const window = await service.open(t, { origins: [other.url] });
    await signIn(window, service, "/settings");
    await signIn(window, other, "/settings");

    for (const { url } of [service, other]) {
      await window.page.goto(`${url}/settings`);
      await window.page.getByText("this browser", { exact: true }).waitFor();
    }
    assert.equal((await window.context.cookies()).length, 2);
  });

  await t.test(
    "the page of the API keeps no token where the console's scripts could read it",
    async (t) => {
      const { page } = await service.open(t);
      await page.goto("/docs");
      await page.getByRole("button", { name: "Authorize" }).click();
      await page.getByLabel("auth-bearer-value").fill("assay_typed-token");
      await page.getByRole("button", { name: "Apply credentials" }).click();
      await page.getByRole("button", { name: "Remove authorization" }).waitFor();

      assert.equal(
        await page.evaluate("JSON.stringify([localStorage, sessionStorage])"),
        "[{},{}]",
      );
    },
  );

  await t.test("a form and a fetch of another port are refused", async (t) => {
    const origin = await servePage(t, `<form method="post" action="${service.url}${SEEN}"></form>`);
    const window = await service.open(t, { origins: [origin] });
    const { page } = window;
    await signIn(window, service, "/settings");
    await page.goto(origin);
    const fetched = (how: object) =>
      page.evaluate<string>(
        `fetch("${service.url}/v2/alerts", ${JSON.stringify(how)}).then(() => "read", () => "refused")`,
      );

    assert.equal(await fetched({ credentials: "include" }), "refused");
    assert.equal(await fetched({ credentials: "include", mode: "no-cors" }), "refused");
    const navigation = page.waitForResponse((response) => response.url().endsWith(SEEN));
    await page.evaluate("document.forms[0].submit()");
    const answer = await navigation;
    const { cookie } = await answer.request().allHeaders();
    assert.equal(answer.status(), 403);
    assert.match(cookie ?? "", /^assay_/, "ports are one site, so the cookie was sent");
  });
});

/** A page without any policy, as an attacker would write it. */
async function servePage(t: TestContext, html: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>x</title>${html}`);
  });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
