import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { DAY_MS } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { aLiveAlert } from "../../support/alerts.ts";
import { process } from "../../support/drain.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, type TestApp } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

const NOW_S = NOW_MS / 1000;

/** Posts one watch of one dealer and returns its listing. */
async function post(
  app: TestApp,
  text: string,
  options: Partial<Parameters<typeof aMessageEvent>[0]> = {},
) {
  const rawId = options.rawId ?? `P${randomUUID().slice(0, 8)}`;
  await process(app.db, [aMessageEvent({ atS: NOW_S - 3_600, ...options, rawId, text })]);
  const [row] = await app.db.query<{ id: string }>(sql`
    select listing.id from listing
      join canonical_message as message on message.id = listing.canonical_message_id
     where message.text = ${text} order by listing.line limit 1`);
  assert.ok(row, `no listing in ${text}`);
  return row.id;
}

const TEXT = "WTS Rolex 126610LN 2024 full set EUR 10,000";

test("a decision is stored with the watch, and a second one needs the tag of the first", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app, TEXT);

  const first = await app.send("PUT", `/v2/deals/${id}`, {
    state: "shortlisted",
    note: "<b>nice</b> \u202e",
  });
  const blind = await app.send("PUT", `/v2/deals/${id}`, { state: "passed", reason: "too_dear" });
  const read = await app.call("GET", `/v2/deals/${id}`);
  const second = await app.send(
    "PUT",
    `/v2/deals/${id}`,
    { state: "offered", offer: { amount_minor: 950_000, currency: "eur" } },
    { "if-match": String(read.headers["etag"]) },
  );
  const stale = await app.send(
    "PUT",
    `/v2/deals/${id}`,
    { state: "passed" },
    { "if-match": String(read.headers["etag"]) },
  );

  assert.equal(first.status, 201, first.text);
  assert.equal(first.body.note, "<b>nice</b> \u202e");
  assert.equal(first.body.watch.reference, "126610LN");
  assert.deepEqual(first.body.watch.price, { amount_minor: 1_000_000, currency: "EUR" });
  assert.equal(blind.status, 412);
  assert.match(blind.body.error.message, /was first: shortlisted at 2026-11-15T12:00:00/);
  assert.equal(second.status, 200, second.text);
  assert.deepEqual(second.body.offer, { amount_minor: 950_000, currency: "EUR" });
  assert.equal(second.body.note, undefined);
  assert.equal(stale.status, 412);
});

test("the same decision sent again by the same person is answered as it stands; of another person it is refused", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app, TEXT);
  const other = { authorization: `Bearer ${await addToken(app.db, {})}` };

  const first = await app.send("PUT", `/v2/deals/${id}`, { state: "contacted" });
  const again = await app.send("PUT", `/v2/deals/${id}`, { state: "contacted" });
  const late = await app.send("PUT", `/v2/deals/${id}`, { state: "contacted" }, other);

  assert.equal(again.status, 200);
  assert.deepEqual(again.body, first.body);
  assert.equal(late.status, 412);
});

test("of two people who decide at once one wins, and the other learns who", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app, TEXT);
  const tokens = await Promise.all([1, 2, 3, 4].map(() => addToken(app.db, {})));

  const answers = await Promise.all(
    tokens.map((token) =>
      app.send(
        "PUT",
        `/v2/deals/${id}`,
        { state: "offered" },
        { authorization: `Bearer ${token}` },
      ),
    ),
  );

  const won = answers.filter(({ status }) => status === 201);
  assert.equal(won.length, 1, answers.map(({ text }) => text).join());
  for (const lost of answers.filter((answer) => answer !== won[0])) {
    assert.equal(lost.status, 412);
    assert.match(lost.body.error.message, new RegExp(`^${won[0]?.body.updated_by} was first`));
  }
});

test("bad decisions are refused with a sentence, and nothing is stored", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app, TEXT);
  const revoked = randomUUID();
  const amount = { amount_minor: 1, currency: "EUR", at_ms: NOW_MS };
  const bodies: readonly (readonly [object, RegExp])[] = [
    [{}, /state/],
    [{ state: "sold" }, /state/],
    [{ state: "bought", reason: "other" }, /reason: only a watch in the state passed/],
    [{ state: "passed", reason: "ugly" }, /reason/],
    [{ state: "passed", paid: amount }, /paid: only a watch in the state bought/],
    [{ state: "offered", cost_eur_minor: 5 }, /cost_eur_minor: only/],
    [{ state: "bought", sold: amount }, /sold: say first what was paid/],
    [
      { state: "bought", paid: { ...amount, at_ms: NOW_MS + 2 * DAY_MS } },
      /paid.at_ms: is in the future/,
    ],
    [
      { state: "bought", paid: { ...amount, currency: "XQZ" } },
      /paid.currency: XQZ is not a known currency/,
    ],
    [{ state: "bought", paid: { ...amount, amount_minor: -1 } }, /amount_minor/],
    [{ state: "bought", paid: { ...amount, amount_minor: 1e15 } }, /amount_minor/],
    [{ state: "offered", offer: { amount_minor: 1.5, currency: "EUR" } }, /amount_minor/],
    [{ state: "offered", note: "x".repeat(2_001) }, /note/],
    [{ state: "offered", note: "x".repeat(10_000) }, /note/],
    [{ state: "offered", note: "a\u0000b" }, /note: has a character/],
    [{ state: "offered", note: "\ud800" }, /note/],
    [{ state: "offered", assignee: revoked }, /assignee: there is no valid token/],
    [{ state: "offered", assignee: "anna" }, /assignee/],
    [{ state: "offered", rating: 5 }, /rating/],
  ];

  for (const [body, message] of bodies) {
    const answer = await app.send("PUT", `/v2/deals/${id}`, body);
    assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.text}`);
    assert.match(answer.body.error.message, message);
  }
  const unknown = await app.send("PUT", `/v2/deals/${randomUUID()}`, { state: "passed" });
  assert.equal(unknown.status, 404);
  assert.equal(unknown.body.error.code, "listing_not_found");
  assert.equal((await app.call("GET", `/v2/deals/${id}`)).body.error.code, "deal_not_found");
  assert.equal((await app.call("GET", "/v2/deals/1")).status, 400);
  assert.equal((await app.call("GET", "/v2/deals")).body.items.length, 0);
});

test("a note of 2,000 characters and an amount of nine digits are kept", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app, TEXT);
  const note = "🕰".repeat(2_000);
  const offer = { amount_minor: 99_999_999_900, currency: "JPY" };

  const put = await app.send("PUT", `/v2/deals/${id}`, { state: "offered", note, offer });

  assert.equal(put.status, 201, put.text);
  const { body } = await app.call("GET", `/v2/deals/${id}`);
  assert.equal(body.note, note);
  assert.deepEqual(body.offer, offer);
});

test("a deal is deleted, with If-Match only as it was read", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app, TEXT);
  await app.send("PUT", `/v2/deals/${id}`, { state: "offered" });

  const stale = await app.send("DELETE", `/v2/deals/${id}`, undefined, { "if-match": '"7-x"' });
  const done = await app.send("DELETE", `/v2/deals/${id}`);
  const again = await app.send("DELETE", `/v2/deals/${id}`);

  assert.equal(stale.status, 412);
  assert.equal(done.status, 204);
  assert.equal(again.status, 404);
});

test("deals are listed by state and assignee, the latest decision first, and each once over pages", async (t) => {
  const app = await borrowTestApp(t);
  const [me] = await app.db.query<{ id: string }>(sql`select id from api_token limit 1`);
  const ids: string[] = [];
  for (const [at, euros] of [9_000, 9_100, 9_200, 9_300, 9_400].entries()) {
    const id = await post(app, `WTS Rolex 12661${at}LN 2024 full set EUR ${euros}`);
    ids.unshift(id);
    app.clock.advance(1_000);
    const assignee = at % 2 === 0 ? { assignee: me?.id } : {};
    const put = await app.send("PUT", `/v2/deals/${id}`, {
      state: at < 3 ? "offered" : "passed",
      ...assignee,
    });
    assert.equal(put.status, 201, put.text);
  }

  const walked: string[] = [];
  let cursor = "";
  do {
    const { body } = await app.call("GET", `/v2/deals?limit=2${cursor}`);
    walked.push(...body.items.map((item: { listing_id: string }) => item.listing_id));
    cursor = body.next_cursor === undefined ? "" : `&cursor=${body.next_cursor}`;
  } while (cursor !== "");
  const offered = await app.call("GET", "/v2/deals?state=offered");
  const mine = await app.call("GET", `/v2/deals?assignee=${me?.id}&state=offered`);
  const bad = await app.call("GET", "/v2/deals?state=lost");
  const contactId = offered.body.items[0].watch.contact_id;
  const his = await app.call("GET", `/v2/deals?contact_id=${contactId}&limit=200`);
  const nobodys = await app.call("GET", `/v2/deals?contact_id=${me?.id}`);
  const lastMs = (await app.call("GET", "/v2/deals?limit=1")).body.items[0].updated_at_ms;
  const before = await app.call("GET", `/v2/deals?to_ms=${lastMs}`);
  const since = await app.call("GET", `/v2/deals?from_ms=${lastMs}`);

  assert.deepEqual(walked, ids);
  assert.equal(
    his.body.items.length,
    ids.length,
    "all are of one dealer, and by the last decision all are of today",
  );
  assert.deepEqual(nobodys.body.items, []);
  assert.equal(before.body.items.length, ids.length - 1);
  assert.equal(since.body.items.length, 1);
  assert.deepEqual(
    offered.body.items.map((item: { listing_id: string }) => item.listing_id),
    ids.slice(2),
  );
  assert.equal(mine.body.items.length, 2);
  assert.equal(bad.status, 400);
});

test("acting marks the matches of the watch as seen, also those of its other posts", async (t) => {
  const app = await borrowTestApp(t);
  await aLiveAlert(app.db, { brand: ["Rolex"], include_duplicates: true });
  const first = await post(app, TEXT);
  await post(app, `${TEXT} last price`, { atS: NOW_S - 1_800 });
  const other = await post(app, "WTS Rolex 126500LN 2024 full set EUR 20,000");

  await app.send("PUT", `/v2/deals/${first}`, { state: "shortlisted" });

  const rows = await app.db.query<{ listing_id: string; is_seen: boolean }>(sql`
    select listing_id, seen_at_ms is not null as is_seen from alert_match`);
  assert.equal(rows.length, 3);
  assert.deepEqual(
    rows.filter(({ is_seen }) => !is_seen).map((row) => row.listing_id),
    [other],
  );
});

test("realised and predicted profit equal a calculation by hand over the rates of the days", async (t) => {
  const app = await borrowTestApp(t);
  await app.db.execute(sql`
    insert into fx_rate (currency, day, kind, per_eur)
    values ('HKD', '2026-11-01', 'declared', 9.0501), ('HKD', '2026-11-10', 'declared', 8.9), ('USD', '2026-11-05', 'declared', 1.1)
    on conflict (currency, day, kind) do update set per_eur = excluded.per_eur`);
  const at = (day: number) => Date.UTC(2026, 10, day, 15);
  const deals = [
    // 80,000.00 HKD / 9.0501 = 8,839.6813… -> 8,839.68; 10,000.00 USD / 1.1 = 9,090.909… -> 9,090.91; cost 50.00.
    {
      paid: { amount_minor: 8_000_000, currency: "HKD", at_ms: at(3) },
      sold: { amount_minor: 1_000_000, currency: "USD", at_ms: at(12) },
      cost_eur_minor: 5_000,
    },
    // 80,000.00 HKD / 8.9 = 8,988.764… -> 8,988.76. Not sold.
    { paid: { amount_minor: 8_000_000, currency: "HKD", at_ms: at(10) } },
    // No rate of the dirham on that day.
    {
      paid: { amount_minor: 100, currency: "EUR", at_ms: at(10) },
      sold: { amount_minor: 100, currency: "MAD", at_ms: at(11) },
    },
    // Paid before the time that is asked for.
    { paid: { amount_minor: 77_700, currency: "EUR", at_ms: at(1) } },
  ];
  for (const [n, members] of deals.entries()) {
    const id = await post(app, `WTS Rolex 12661${n}LN 2024 full set EUR 9,000`);
    const put = await app.send("PUT", `/v2/deals/${id}`, { state: "bought", ...members });
    assert.equal(put.status, 201, put.text);
    if (n === 0) assert.equal(put.body.realised_profit_eur_minor, 909_091 - 883_968 - 5_000);
    if (n === 2) assert.equal(put.body.realised_profit_eur_minor, undefined);
  }
  await app.db.execute(sql`delete from fx_rate where currency = 'MAD'`);
  await app.db.execute(sql`
    update deal set predicted_profit_eur_minor = 30_000 where paid_currency = 'HKD' and sold_at_ms is not null`);

  const { status, body } = await app.call("GET", `/v2/deals/summary?from_ms=${at(2)}`);

  assert.equal(status, 200);
  assert.deepEqual(body, {
    by_state: { shortlisted: 0, contacted: 0, offered: 0, bought: 3, passed: 0 },
    bought_count: 3,
    paid_eur_minor: 883_968 + 898_876 + 100,
    predicted_profit_eur_minor: 30_000,
    sold_count: 2,
    realised_profit_eur_minor: 909_091 - 883_968 - 5_000,
    sold_predicted_profit_eur_minor: 30_000,
    without_rate_count: 1,
    without_prediction_count: 2,
  });
  assert.equal((await app.call("GET", "/v2/deals/summary?from_ms=5&to_ms=2")).status, 400);
});
