import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Browser, listen, openSignedIn } from "../../support/console/cookie-browser.ts";
import { addToken, openTestApp, until } from "../../support/test-app.ts";

test("browsers of one token leave streams for other tokens, and the end of a session ends only its own", async (t) => {
  const own = await openTestApp(t);
  const url = await listen(t, own);
  const browsers = [];
  for (let count = 0; count < 6; count += 1) browsers.push(await openSignedIn(own, url));
  const openCount = async () => {
    const { text } = await own.call("GET", "/metrics");
    return Number(/^assay_event_streams (\d+)/m.exec(text)?.[1]);
  };

  for (const browser of browsers.slice(0, 5)) {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => follow(t, url, browser)));
    assert.deepEqual(new Set(statuses.map(({ status }) => status)), new Set([200]));
  }
  const refused = await follow(t, url, browsers[5]);
  const other = await follow(t, url, { authorization: `Bearer ${own.token}` });
  const message = ((await refused.json()) as { error: { message: string } }).error.message;
  await browsers[0]?.ask("DELETE", "/console/session");
  await until(async () => (await openCount()) === 81);
  const again = await follow(t, url, browsers[5]);

  assert.equal(refused.status, 429);
  assert.match(message, /^this token has 100 streams open here, /);
  assert.deepEqual([other.status, again.status], [200, 200]);
  assert.equal(await openCount(), 82);
});

test("exports of one token that are not read leave places for other tokens", async (t) => {
  const own = await openTestApp(t);
  const url = await listen(t, own);
  const partner = await addToken(own.db, { isReadOnly: true });
  const ask = (token: string) =>
    fetch(`${url}/v2/market/listings/export`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
    });

  // Every export waits for the lock, so the first answer is a refusal.
  const { first, owner } = await own.db.transaction(async (tx) => {
    await tx.script("lock table listing in access exclusive mode");
    const refused = await Promise.race(Array.from({ length: 9 }, () => ask(partner)));
    return { first: refused, owner: ask(own.token) };
  });

  assert.equal(first.status, 429);
  const { error } = (await first.json()) as { error: { message: string } };
  assert.match(error.message, /^this token has 8 exports open here/);
  assert.equal((await owner).status, 200);
});

/** Opens a stream with the cookies of a browser or other headers, and does not read it. */
async function follow(
  t: TestContext,
  url: string,
  client: Browser | Readonly<Record<string, string>> | undefined,
): Promise<Response> {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const { cookies } = client as Partial<Browser>;
  const cookie = [...(cookies ?? [])].map((pair) => pair.join("=")).join("; ");
  const headers = cookies === undefined ? (client as Record<string, string>) : { cookie };
  let response: Response | undefined;
  // A machine that is busy with other tests may refuse requests.
  await until(async () => {
    response = await fetch(`${url}/v2/events`, { headers, signal: stop.signal });
    return response.status !== 503;
  });
  assert.ok(response !== undefined);
  return response;
}
