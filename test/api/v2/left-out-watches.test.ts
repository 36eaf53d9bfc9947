import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { aLiveAlert } from "../../support/alerts.ts";
import { process } from "../../support/drain.ts";
import { aPricedMarket } from "../../support/pricing.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, type TestApp } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const KENJI = { phone: "447700900123", lid: "199900000000201", name: "Kenji M." };
const MEI = { phone: "85291234567", lid: "199900000000301", name: "Mei" };
const ask = (reference: string, euros: string) =>
  `WTS Rolex ${reference} 2024 full set EUR ${euros}`;

interface Row {
  readonly resource_id: string;
  readonly is_blocked?: boolean;
  readonly deal?: { state: string; price_drop?: object };
  readonly listing: { price: { amount_minor: number } };
}

async function matchesOf(app: TestApp, query = "", headers?: Record<string, string>) {
  const { status, body } = await app.call("GET", `/v2/alerts/matches${query}`, headers);
  assert.equal(status, 200, JSON.stringify(body));
  const rows = body.items as readonly Row[];
  return {
    rows,
    euros: rows.map(({ listing }) => listing.price.amount_minor / 100).toSorted((a, b) => a - b),
    hidden: body.hidden_count as number,
    unseen: body.unseen_count as number,
  };
}

async function post(app: TestApp, rawId: string, sender: typeof KENJI, text: string) {
  const atS = NOW_S - 3_600 + Number(rawId.slice(1));
  await process(app.db, [aMessageEvent({ rawId, sender, text, atS, addressing: "both" })]);
  const [row] = await app.db.query<{ id: string }>(sql`
    select listing.id from listing
      join canonical_message as message on message.id = listing.canonical_message_id
     where message.text = ${text}`);
  return row?.id ?? "";
}

test("passed watches and their reposts are left out of the matches, with a count that shows them", async (t) => {
  const app = await borrowTestApp(t);
  await aLiveAlert(app.db, { brand: ["Rolex"], include_duplicates: true });
  const first = await post(app, "P1", KENJI, ask("126610LN", "10,000"));
  await post(app, "P2", KENJI, ask("126500LN", "20,000"));
  await app.send("PUT", `/v2/deals/${first}`, { state: "passed", reason: "too_dear" });
  await post(app, "P3", KENJI, `${ask("126610LN", "10,000")} last one`);

  const shown = await matchesOf(app);
  const all = await matchesOf(app, "?include_hidden=true");

  assert.deepEqual(shown.euros, [20_000]);
  assert.equal(shown.hidden, 2);
  assert.equal(shown.unseen, 1);
  assert.deepEqual(all.euros, [10_000, 10_000, 20_000]);
  assert.equal(all.hidden, 0);
  assert.deepEqual(
    all.rows.flatMap(({ deal }) => deal?.state ?? []),
    ["passed", "passed"],
  );

  // Three per cent less: the watch is back.
  await post(app, "P4", KENJI, ask("126610LN", "9,700"));
  const back = await matchesOf(app);
  assert.deepEqual(back.euros, [9_700, 20_000]);
  const row = back.rows.find(({ listing }) => listing.price.amount_minor === 970_000);
  assert.deepEqual(row?.deal?.price_drop, {
    from: { amount_minor: 1_000_000, currency: "EUR" },
    since_ms: NOW_MS,
    bps: 300,
  });

  const etag = (await app.call("GET", `/v2/deals/${first}`)).headers["etag"];
  await app.send(
    "PUT",
    `/v2/deals/${first}`,
    { state: "shortlisted" },
    { "if-match": String(etag) },
  );
  assert.equal((await matchesOf(app)).hidden, 0);
});

test("the watches of a blocked dealer are left out, and the summary counts without them", async (t) => {
  const app = await borrowTestApp(t);
  await aLiveAlert(app.db, { brand: ["Rolex"] });
  await post(app, "P1", KENJI, ask("126610LN", "10,000"));
  await post(app, "P2", MEI, ask("126500LN", "20,000"));
  const [kenji] = await app.db.query<{ id: string }>(sql`
    select contact_id as id from contact_identifier where identifier = ${`phone:${KENJI.phone}`}`);

  const before = await app.call("GET", "/v2/alerts/matches/summary");
  await app.send("PATCH", `/v2/contacts/${kenji?.id}`, { is_blocked: true });
  const shown = await matchesOf(app);
  const all = await matchesOf(app, "?include_hidden=true");
  const after = await app.call("GET", "/v2/alerts/matches/summary");

  assert.deepEqual(shown.euros, [20_000]);
  assert.equal(shown.hidden, 1);
  assert.deepEqual(all.rows.map(({ is_blocked }) => is_blocked).toSorted(), [false, true]);
  assert.deepEqual([before.body.match_count, before.body.hidden_count], [2, 0]);
  assert.deepEqual([after.body.match_count, after.body.hidden_count], [1, 1]);
});

test("the live feed leaves out what was passed, on this page, with a count that shows it", async (t) => {
  const app = await borrowTestApp(t);
  // Asks of 11,000 and 9,000 euros.
  const { listingId } = await aPricedMarket(app);
  const read = async (body: object) => {
    const { body: page } = await app.send("POST", "/v2/market/live-feed/search", body);
    const items = page.items as readonly { listing: { id: string }; deal?: { state: string } }[];
    return [items.map(({ listing, deal }) => [listing.id, deal?.state]), page.hidden_count];
  };

  const before = await read({});
  await app.send("PUT", `/v2/deals/${listingId}`, { state: "passed", reason: "no_papers" });
  // An answer is kept for a second.
  app.clock.advance(1_001);

  assert.deepEqual(before, [[[listingId, undefined]], 0]);
  assert.deepEqual(await read({}), [[], 1]);
  assert.deepEqual(await read({ include_hidden: true }), [[[listingId, "passed"]], 0]);
});

test("a market token learns from no list, count or stream which watches were passed; blocks hold for it too", async (t) => {
  const app = await borrowTestApp(t);
  await aLiveAlert(app.db, { brand: ["Rolex"], include_duplicates: true });
  const token = await addToken(app.db, { role: "market" });
  const market = { authorization: `Bearer ${token}` };
  const { listingId } = await aPricedMarket(app);
  const passed = await post(app, "P1", KENJI, ask("126610LN", "10,000"));
  await post(app, "P2", MEI, ask("126500LN", "20,000"));
  const read = async () => {
    app.clock.advance(1_001);
    const lists = [];
    for (const query of ["", "?include_hidden=true", "?sort=profit"]) {
      const { rows, hidden } = await matchesOf(app, query, market);
      lists.push([rows.map(({ resource_id }) => resource_id), hidden]);
      const summary = await app.call("GET", `/v2/alerts/matches/summary${query}`, market);
      lists.push(summary.body.match_count, summary.body.hidden_count);
    }
    for (const body of [{}, { include_hidden: true }, { sort: "profit" }]) {
      const feed = await app.send("POST", "/v2/market/live-feed/search", body, market);
      lists.push(
        feed.body.items.map(({ listing }: Row & { listing: { id: string } }) => listing.id),
      );
      lists.push(feed.body.hidden_count);
    }
    return lists;
  };

  const before = await read();
  for (const id of [passed, listingId]) {
    await app.send("PUT", `/v2/deals/${id}`, { state: "passed", reason: "too_dear" });
  }
  const after = await read();

  assert.ok(JSON.stringify(before).includes(passed) && JSON.stringify(before).includes(listingId));
  assert.deepEqual(after, before);
  assert.equal((await matchesOf(app)).hidden, 2);

  const { rows } = await matchesOf(app, "", market);
  const contactId = (await app.call("GET", `/v2/market/listings/${passed}`)).body.sender.contact_id;
  await app.send("PATCH", `/v2/contacts/${contactId}`, { is_blocked: true });
  const blocked = await matchesOf(app, "", market);
  assert.deepEqual([rows.length - blocked.rows.length, blocked.hidden], [1, 1]);
});

test("a market token sees the same rows without deals and notes, also where an answer is kept", async (t) => {
  const app = await borrowTestApp(t);
  await aLiveAlert(app.db, { brand: ["Rolex"] });
  const id = await post(app, "P1", KENJI, ask("126610LN", "10,000"));
  await app.send("PUT", `/v2/deals/${id}`, { state: "offered", note: "secret plan" });
  const contactId = (await app.call("GET", `/v2/market/listings/${id}`)).body.sender.contact_id;
  await app.send("PATCH", `/v2/contacts/${contactId}`, { note: "secret word" });
  const market = { authorization: `Bearer ${await addToken(app.db, { role: "market" })}` };
  const desk = { authorization: `Bearer ${await addToken(app.db, { role: "desk" })}` };
  const search = { include: ["price"] };

  const reads = [
    ["GET", "/v2/alerts/matches", undefined],
    ["GET", "/v2/alerts/matches", undefined],
    ["GET", "/v2/contacts", undefined],
    ["GET", `/v2/contacts/${contactId}`, undefined],
    ["POST", "/v2/market/listings/search", search],
    ["POST", "/v2/market/price-engine/matches", { listing_ids: [id] }],
    ["POST", "/v2/market/live-feed/search", {}],
  ] as const;
  for (const [method, path, body] of reads) {
    const read = (headers: Record<string, string>) =>
      method === "GET" ? app.call("GET", path, headers) : app.send("POST", path, body, headers);
    const [full, bare] = [await read(desk), await read(market)];
    assert.equal(full.status, 200, full.text);
    assert.equal(bare.status, 200, bare.text);
    assert.doesNotMatch(bare.text, /secret|offered/, path);
    if (path !== "/v2/market/live-feed/search") assert.match(full.text, /secret/, path);
  }
  const writes = [
    await app.call("GET", "/v2/deals", market),
    await app.call("GET", "/v2/deals/summary", market),
    await app.call("GET", `/v2/deals/${id}`, market),
    await app.send("PUT", `/v2/deals/${id}`, { state: "passed" }, market),
    await app.send("DELETE", `/v2/deals/${id}`, undefined, market),
    await app.send("PATCH", `/v2/contacts/${contactId}`, { is_blocked: true }, market),
  ];
  for (const { status, body } of writes) {
    assert.equal(status, 403);
    assert.match(body.error.message, /needs the role desk/);
  }
});

test("what people decide is in the activity, with who and from what to what", async (t) => {
  const app = await borrowTestApp(t);
  const id = await post(app, "P1", KENJI, ask("126610LN", "10,000"));
  await app.send("PUT", `/v2/deals/${id}`, { state: "shortlisted" });
  const etag = String((await app.call("GET", `/v2/deals/${id}`)).headers["etag"]);
  await app.send(
    "PUT",
    `/v2/deals/${id}`,
    { state: "passed", reason: "gone" },
    { "if-match": etag },
  );
  await app.send("DELETE", `/v2/deals/${id}`);

  const { body } = await app.call("GET", `/v2/activity?object_kind=deal&object_id=${id}`);

  assert.deepEqual(
    body.items.map((item: { action: string; changes: object }) => [item.action, item.changes]),
    [
      [
        "deleted",
        [
          { member: "state", before: "passed" },
          { member: "reason", before: "gone" },
        ],
      ],
      [
        "changed",
        [
          { member: "state", before: "shortlisted", after: "passed" },
          { member: "reason", after: "gone" },
        ],
      ],
      ["created", [{ member: "state", after: "shortlisted" }]],
    ],
  );
});
