import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssayClient } from "../../client/assay-client.ts";
import {
  findBarriers,
  inBrowser,
  signIn,
  startConsole,
  waitForAsk,
} from "../support/console/console-browser.ts";
import {
  aPicture,
  aPictureEvent,
  GATEWAY_KEY,
  openPictureGateway,
} from "../support/media/pictures.ts";
import { createGate, until } from "../support/test-app.ts";
import { postEvent, SENDER } from "../support/waha.ts";

const OTHER = { phone: "447700900777", lid: "199900000000777", name: "Bea Bell" };
/** The photo is there: the browser has read its pixels. */
const IS_SEEN = `[...document.querySelectorAll(".photos img")].some((image) => image.naturalWidth > 0)`;

test("photos", inBrowser, async (t) => {
  const gateway = await openPictureGateway(t);
  const service = await startConsole(t, {
    isEmpty: true,
    environment: {
      ASSAY_MEDIA: "on",
      ASSAY_WAHA_URL: gateway.url,
      ASSAY_WAHA_API_KEY: GATEWAY_KEY,
    },
  });
  const api = createAssayClient({ url: service.url, token: service.token });
  /** Posts a watch with the same photo, as the gateway does. */
  const post = async (rawId: string, sender: typeof SENDER, euros: number): Promise<string> => {
    gateway.files.set(
      `recv-hk-1/${rawId}.jpeg`,
      await aPicture(7, { width: 1_600, height: 1_200 }),
    );
    const atS = Math.floor(Date.now() / 1000);
    const text = `WTS Rolex 126610LN 2024 full set EUR ${euros}`;
    await postEvent(service, aPictureEvent({ rawId, text, atS, sender }));
    return waitForAsk(api, euros);
  };

  await t.test("a photo that the webhook brings is on the page of its watch", async (t) => {
    const id = await post("PHOTO1", SENDER, 12_501);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);

    await until(() => page.evaluate<boolean>(IS_SEEN));
    await page.getByText("1 photo", { exact: true }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.locator(".photos button").first().click();
    await page.locator(".gallery img").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".gallery").waitFor({ state: "detached" });

    await window.context.route("**/v2/media/**", (route) => route.fulfill({ status: 410 }));
    await page.reload();
    await page.getByText("1 photo cannot be shown").waitFor();
    assert.equal(await page.locator(".photos img").count(), 0);
  });

  await t.test("the page says where else the same photo was posted", async (t) => {
    const id = await post("PHOTO2", OTHER, 12_601);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);
    await until(() => page.evaluate<boolean>(IS_SEEN));
    await page.reload();

    const section = page.locator("section").filter({ hasText: "The same photo" });
    await section.getByText("€12,501").waitFor();
    await section.getByRole("link", { name: "Rolex 126610LN", exact: true }).waitFor();
  });

  await t.test("a row of the list gets the photo that came after it", async (t) => {
    await api.createAlert({ name: "Batman", filters: { reference: ["126710BLNR"] } });
    const released = createGate();
    gateway.files.set("recv-hk-1/PHOTO3.jpeg", (_, response) => {
      void released.opened.then(async () => response.writeHead(200).end(await aPicture(9)));
    });
    const text = "WTS Rolex 126710BLNR 2024 full set EUR 12701";
    const atS = Math.floor(Date.now() / 1000);
    await postEvent(service, aPictureEvent({ rawId: "PHOTO3", text, atS, sender: SENDER }));
    await waitForAsk(api, 12_701);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, "/?tab=other&show=all&since=all");
    const row = page.locator("tbody tr", { hasText: "126710BLNR" });
    await row.waitFor();
    assert.equal(await row.locator("img.photo").count(), 0);
    released.open();

    await row.locator("img.photo").waitFor();
  });

  await t.test("presenter mode shows no photo", async (t) => {
    const id = await waitForAsk(api, 12_601);
    const window = await service.open(t);
    const { page } = window;
    await signIn(window, service, `/listings/${id}`);
    await until(() => page.evaluate<boolean>(IS_SEEN));
    await page.evaluate(`localStorage.setItem("assay.presenter", "true")`);
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();

    assert.equal(await page.locator("img.photo").count(), 0);
  });
});
