/**
 * Whatever comes in which order, a dealer hears of each watch once, with the watch, and of an erased person nothing is left.
 *
 * A history is a list of operations: webhooks, fetches from a gateway, edits whose events are lost or not, pairs of a LID and a
 * number, the name of the group, single batches of single steps, two workers at once, replays, an erasure, corrections, targets that fail, and senders.
 * At its end everything arrives that has not arrived yet, and all work is done. The model says what must be there then; it knows
 * the posts and nothing of how they came.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { newMemory, syncOnce } from "../../src/messages/sync/sync-gateway.ts";
import { changeShippedRates } from "../../src/pipeline/change-rates.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { eraseSetAsideItems } from "../../src/pipeline/set-aside-store.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { runErasure } from "../../src/privacy/erase-persons.ts";
import { aLiveAlert, aSavedFilter, listMiscounted } from "../support/alerts.ts";
import {
  aTarget,
  LEASE,
  send,
  startWebhookTarget,
  type WebhookTarget,
} from "../support/deliveries.ts";
import { drain, rawEvent, stepContext } from "../support/drain.ts";
import { aListed, aPull, emptyAll, findTraces, LENA, MARC, WORDS } from "../support/erasure.ts";
import { correct } from "../support/listings.ts";
import { aConfiguration } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS, type TestClock, until } from "../support/test-app.ts";
import {
  aGroupEvent,
  aMessageEvent,
  anEditEvent,
  openWahaGateway,
  SESSION_A,
  SESSION_B,
  type WahaGateway,
} from "../support/waha.ts";

/** A run takes about a second. */
const RUNS = globalThis.process.env["ASSAY_TEST_LONG"] === "1" ? 100 : 5;
const NOW_S = NOW_MS / 1000;
/** Lists an edited message with the time of the edit. */
const NOWEB = { ...SESSION_A, engine: "NOWEB" } as const;
const SESSIONS = [NOWEB, SESSION_B] as const;
const NORA = { phone: "85291234560", lid: "199900000000260", name: "Nora T." };
/** Of the group. It comes before or after its messages. */
const NAME = "Dealers HK";

interface Post {
  readonly rawId: string;
  readonly dealer: typeof LENA;
  readonly reference: string;
  readonly isYoung: boolean;
  readonly text: string;
  readonly edited: string;
}

/** The first two have the same text. Lena's words are in what only she wrote. Nora asked more for P3 the day before. */
const POSTS: readonly Post[] = [
  aPost("P0", LENA, "126610LN"),
  aPost("P1", MARC, "126610LN"),
  aPost("P2", LENA, "126500LN"),
  aPost("P3", NORA, "126710BLRO"),
  aPost("P4", LENA, "126334"),
  aPost("P5", MARC, "124060"),
  { ...aPost("P6", NORA, "126613LB"), isYoung: false },
  { ...aPost("P7", NORA, "126710BLRO", 10_000), isYoung: false },
];

function postOf(rawId: string): Post {
  const found = POSTS.find((one) => one.rawId === rawId);
  assert.ok(found);
  return found;
}

function aPost(rawId: string, dealer: typeof LENA, reference: string, euros = 9_500): Post {
  const words = dealer === LENA && rawId !== "P0" ? ` ${WORDS}` : "";
  const ask = (euros: number) => `WTS Rolex ${reference} 2024 full set EUR ${euros}${words}`;
  return { rawId, dealer, reference, isYoung: true, text: ask(euros), edited: ask(9_300) };
}

const post = fc.constantFrom(...POSTS);
const isBeside = fc.boolean();
const operation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("webhook" as const),
      post,
      session: fc.constantFrom(...SESSIONS),
      addressing: fc.constantFrom("lid", "phone", "both" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("pull" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("edit" as const), post, isLost: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("pair" as const),
      dealer: fc.constantFrom(LENA, MARC, NORA),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("name" as const) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("step" as const),
      step: fc.nat(STEPS.length - 1),
      lane: fc.constantFrom("fresh", "backlog" as const),
      batchMax: fc.constantFrom(1, 2, 500),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("work" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("replay" as const), isBeside }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("erase" as const), isBeside }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("correct" as const), post }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send" as const), isBeside }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("target" as const),
      status: fc.constantFrom(200, 500),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** The edit of a post comes first. A replay begins, and the post arrives before the edit is read again. */
const EDIT_REPLAYED_AFTER_POST: Operation[] = [
  { kind: "pair", dealer: MARC },
  { kind: "edit", post: postOf("P1"), isLost: false },
  { kind: "work" },
  { kind: "replay", isBeside: false },
  { kind: "webhook", post: postOf("P1"), session: NOWEB, addressing: "lid" },
  { kind: "work" },
];

/** A post comes with the hidden id of its dealer only. A replay begins before it is matched, and knows the dealer's number first. */
const PAIRED_BEFORE_POST_IN_REPLAY: Operation[] = [
  { kind: "pair", dealer: LENA },
  { kind: "webhook", post: postOf("P2"), session: NOWEB, addressing: "lid" },
  { kind: "step", step: 0, lane: "fresh", batchMax: 500 },
  { kind: "replay", isBeside: false },
  { kind: "work" },
];

/** Two contacts prove to be one dealer. A replay begins before the matches have moved. */
const MERGED_BEFORE_REPLAY: Operation[] = [
  { kind: "webhook", post: postOf("P0"), session: SESSION_B, addressing: "lid" },
  { kind: "work" },
  { kind: "webhook", post: postOf("P0"), session: NOWEB, addressing: "both" },
  { kind: "step", step: 0, lane: "fresh", batchMax: 500 },
  { kind: "replay", isBeside: false },
  { kind: "work" },
];

test("whatever comes in which order, each watch is told once and whole, and of an erased person nothing is left", async (t) => {
  const counts = { matches: 0, requests: 0, erased: 0, replays: 0 };
  const desk = await openDesk(t);
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 60 }), async (operations) => {
      await reset(desk);
      for (const one of operations) await run(desk, one);
      await finish(desk);
      await compare(desk, counts);
    }),
    // Without shrinking, which would take minutes. The seed of a failure repeats it.
    {
      numRuns: RUNS,
      endOnFailure: true,
      examples: [
        [EDIT_REPLAYED_AFTER_POST],
        [PAIRED_BEFORE_POST_IN_REPLAY],
        [MERGED_BEFORE_REPLAY],
      ],
    },
  );
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.matches > 0 && counts.requests > 0);
});

interface Desk {
  readonly t: TestContext;
  readonly pool: DatabasePool;
  readonly clock: TestClock;
  readonly gateway: WahaGateway;
  readonly hook: WebhookTarget;
  readonly ntfy: WebhookTarget;
  readonly state: {
    status: number;
    /** How many requests had come when the erasure was done. */
    erasedAt: { hook: number; ntfy: number } | undefined;
    isLenaPaired: boolean;
    replays: number;
  };
  readonly answers: Map<WebhookTarget, number[]>;
  readonly edited: Set<Post>;
  readonly correctedTexts: Set<string>;
}

async function openDesk(t: TestContext): Promise<Desk> {
  const { pool } = await borrowTestDatabase(t);
  const state = newState();
  const answers = new Map<WebhookTarget, number[]>();
  const startTarget = async () => {
    const target = await startWebhookTarget(t, (response) => {
      answers.get(target)?.push(state.status);
      response.statusCode = state.status;
      response.end();
    });
    return target;
  };
  return {
    t,
    pool,
    clock: createTestClock(),
    gateway: await openWahaGateway(t, NOWEB),
    hook: await startTarget(),
    ntfy: await startTarget(),
    state,
    answers,
    edited: new Set(),
    correctedTexts: new Set(),
  };
}

function newState(): Desk["state"] {
  return { status: 200, erasedAt: undefined, isLenaPaired: false, replays: 0 };
}

/** An empty market with its alerts and targets. All posts are at the gateway, and none has arrived. */
async function reset(desk: Desk): Promise<void> {
  const { pool, clock, gateway, hook, ntfy } = desk;
  await emptyAll(pool);
  clock.set(NOW_MS);
  Object.assign(desk.state, newState());
  desk.edited.clear();
  desk.correctedTexts.clear();
  for (const target of [hook, ntfy]) {
    target.received.length = 0;
    desk.answers.set(target, []);
  }
  gateway.messages.length = 0;
  // The name of the group comes by an event.
  gateway.groups = [];
  // From now on nothing is missed.
  await pull(desk);
  for (const one of POSTS) gateway.messages.push(listed(one, one.text, sentAtS(one)));
  await aTarget(pool, hook.url);
  await aTarget(pool, ntfy.url.replace("/hook", "/desk-x7Qp2"), { kind: "ntfy", secret: null });
  for (const filters of [{}, { country_codes: { include: ["44"] } }, { group_names: [NAME] }]) {
    await aLiveAlert(pool, { ...filters, brand: ["Rolex"] });
    await aLiveAlert(pool, { ...filters, q: "full set" }, "message_alert");
  }
  await aLiveAlert(pool, { price_drop_bps: { gte: 500 } });
  await aSavedFilter(pool, "view_eu", randomUUID());
  const configuration = await aConfiguration(pool);
  await aSavedFilter(pool, "configuration", configuration, {
    side: ["for_sale"],
    brand: ["Rolex"],
  });
  await changeShippedRates(pool);
}

function sentAtS({ isYoung }: Post): number {
  return isYoung ? NOW_S - 60 : NOW_S - 30 * 3600;
}

function listed({ rawId, dealer }: Post, text: string, atS: number) {
  return aMessageEvent({ session: NOWEB, rawId, sender: dealer, text, atS, addressing: "both" })
    .payload;
}

async function run(desk: Desk, one: Operation): Promise<void> {
  desk.clock.advance(20_000);
  switch (one.kind) {
    case "webhook":
      return receive(desk, hookOf(one));
    case "pull":
      return pull(desk);
    case "edit":
      return edit(desk, one);
    case "pair":
      return pair(desk, one.dealer);
    case "name":
      return receive(desk, aGroupEvent({ session: NOWEB, name: NAME, atMs: NOW_MS }));
    case "step":
      return withContext(desk, async (context) => {
        await STEPS[one.step]?.run(context, { batchMax: one.batchMax, lane: one.lane });
      });
    case "work":
      await Promise.all([work(desk), work(desk)]);
      return;
    case "replay":
      desk.state.replays += 1;
      return beside(desk, one.isBeside, async () => {
        await requestReplay(desk.pool, { alerting: "never" });
      });
    case "erase":
      return beside(desk, one.isBeside, () => erase(desk));
    case "correct":
      return correctPost(desk, one.post);
    case "send":
      return beside(desk, one.isBeside, () => sendDue(desk));
    case "target":
      desk.state.status = one.status;
      return;
  }
}

function hookOf(one: Extract<Operation, { kind: "webhook" }>) {
  const { session, addressing } = one;
  const { rawId, dealer, text } = one.post;
  return aMessageEvent({
    session,
    rawId,
    sender: dealer,
    text,
    addressing,
    atS: sentAtS(one.post),
  });
}

async function receive({ pool, clock }: Desk, body: unknown): Promise<void> {
  await saveRawEvents(pool, [rawEvent(body, { receivedAtMs: clock.nowMs() })], "window");
}

/** Another process each time, which fetches at once. */
async function pull({ pool, clock, gateway }: Desk): Promise<void> {
  await syncOnce({ pool, client: gateway.client, clock, log: createLogger("silent") }, newMemory());
}

async function edit(
  desk: Desk,
  { post: of, isLost }: Extract<Operation, { kind: "edit" }>,
): Promise<void> {
  if (desk.edited.has(of) || !of.isYoung) return;
  desk.edited.add(of);
  const at = POSTS.indexOf(of);
  const atS = NOW_S + at;
  desk.gateway.messages[at] = listed(of, of.edited, atS);
  if (isLost) return;
  await receive(
    desk,
    anEditEvent({
      session: NOWEB,
      rawId: of.rawId,
      author: of.dealer,
      addressing: "both",
      text: of.edited,
      atS,
    }),
  );
}

async function pair(desk: Desk, dealer: typeof LENA): Promise<void> {
  if (dealer === LENA) desk.state.isLenaPaired = true;
  const body = { ...aPull("lids", [aListed(dealer)]), at_ms: desk.clock.nowMs() };
  const event = rawEvent(body, { origin: "pull", receivedAtMs: desk.clock.nowMs() });
  await saveRawEvents(desk.pool, [event], "never");
}

async function correctPost({ pool, correctedTexts }: Desk, { dealer, text }: Post) {
  const [found] = await pool.query<{ id: string }>(sql`
    select listing.id
      from listing
      join canonical_message as message on message.id = listing.canonical_message_id
      join contact on contact.id = listing.contact_id
     where message.text = ${text} and contact.phone_number = ${dealer.phone} and not listing.is_hidden`);
  if (found === undefined) return;
  const price = { amount_minor: 777_700, currency: "EUR" };
  const { kind } = await correct(pool, found.id, { price });
  if (kind === "saved") correctedTexts.add(text);
}

async function erase(desk: Desk): Promise<void> {
  const [hers, his] = POSTS;
  // The correction of her text stays only if someone else has posted it.
  if (hers !== undefined && his !== undefined && !(await isPosted(desk, his, his.text)))
    desk.correctedTexts.delete(hers.text);
  await withContext(desk, async (context) => {
    await runErasure(
      { ...context, eraseSetAside: eraseSetAsideItems },
      { identifier: `phone:${LENA.phone}`, author: { name: "test", nowMs: NOW_MS } },
      () => undefined,
    );
  });
  // What is sent at this moment was claimed before.
  const { hook, ntfy } = desk;
  if (desk.state.isLenaPaired && desk.state.erasedAt === undefined)
    desk.state.erasedAt = { hook: hook.received.length, ntfy: ntfy.received.length };
}

/** True if the post has arrived with this text. */
async function isPosted({ pool }: Desk, { rawId }: Post, text: string): Promise<boolean> {
  const rows = await pool.query<{ body: string }>(sql`
    select convert_from(body, 'UTF8') as body from raw_event where body is not null`);
  return rows
    .map(({ body }) => JSON.parse(body))
    .flatMap(({ payload, data }) => (Array.isArray(data) ? data : [payload]))
    .filter((item) => String(item?.id).includes(`_${rawId}_`))
    .some(({ body }) => body === text);
}

async function work(desk: Desk): Promise<void> {
  await withContext(desk, (context) => drain(context));
}

async function withContext(
  { pool, clock }: Desk,
  run: (context: Awaited<ReturnType<typeof stepContext>>) => Promise<void>,
): Promise<void> {
  const context = await stepContext(pool, clock);
  try {
    await run(context);
  } finally {
    await context.close();
  }
}

async function beside(desk: Desk, isBeside: boolean, run: () => Promise<void>): Promise<void> {
  await Promise.all([run(), isBeside ? work(desk) : undefined]);
}

/**
 * Sends what is due, and waits until every attempt has ended. An attempt under way is due when its lease ends. A retry may be due
 * in the same second: it was due then before this sender began.
 */
async function sendDue({ t, pool, clock }: Desk): Promise<void> {
  const retries = await pool.query<{ key: string }>(sql`
    select id || ' ' || next_attempt_at_ms as key from webhook_delivery where status = 'pending'`);
  const keys = retries.map(({ key }) => key);
  const sender = send(t, pool, { clock });
  await until(async () => {
    const nowMs = clock.nowMs();
    const rows = await pool.query(sql`
      select from webhook_delivery as delivery
        join webhook_target as target on target.id = delivery.target_id
       where delivery.status = 'pending'
         and ((delivery.next_attempt_at_ms between ${nowMs + LEASE.leastMs} and ${nowMs + LEASE.mostMs}
               and delivery.id || ' ' || delivery.next_attempt_at_ms <> all(${keys}::text[]))
              or (delivery.next_attempt_at_ms <= ${nowMs} and target.next_send_at_ms <= ${nowMs}
                  and not exists (select from match_anchor where resource_id = delivery.resource_id)))`);
    return rows.length === 0;
  });
  await sender.stop();
}

/** Everything arrives that has not arrived, all work is done, and all that is due is sent. */
async function finish(desk: Desk): Promise<void> {
  for (const dealer of [LENA, MARC, NORA]) await pair(desk, dealer);
  await run(desk, { kind: "name" });
  for (const one of POSTS) {
    const webhook = { kind: "webhook", post: one, session: NOWEB, addressing: "both" } as const;
    await receive(desk, hookOf(webhook));
  }
  await pull(desk);
  await work(desk);
  desk.state.status = 200;
  // Longer than all retries take.
  for (let day = 0; day < 3; day += 1) {
    desk.clock.advance(DAY_MS + HOUR_MS + MINUTE_MS);
    await sendDue(desk);
  }
}

async function compare(
  desk: Desk,
  counts: { matches: number; requests: number; erased: number; replays: number },
): Promise<void> {
  const { pool, state } = desk;
  const isErased = (await pool.query(sql`select from erasure_key`)).length > 0;
  const present = POSTS.filter(({ dealer }) => !isErased || dealer !== LENA);
  const rows = await listMatches(pool);
  const matches = rows.map(({ alert, phone, text }) => `${alert} ${phone} ${text}`);

  assert.equal(new Set(matches).size, matches.length, "each match once");
  // A person may have said that she did not ask more.
  const hasFallen = !desk.correctedTexts.has(postOf("P7").text);
  const expected = present
    .flatMap((one) => matchesOf(one, desk.edited.has(one)))
    .filter((match) => hasFallen || !match.startsWith("fallen"));
  const missing = expected.filter((match) => !matches.includes(match));
  assert.deepEqual(missing, [], "every young post is matched as it is now");
  const allowed = present.flatMap((one) => [
    ...matchesOf(one, false),
    ...matchesOf(one, desk.edited.has(one)),
  ]);
  assert.deepEqual(
    matches.filter((match) => !allowed.includes(match)),
    [],
    "nothing else is matched",
  );
  assert.deepEqual(await listMiscounted(pool), []);
  await compareMembers(pool);

  const pending = await pool.query(sql`
    select status, last_result from webhook_delivery where status <> 'delivered'`);
  assert.deepEqual([...pending], [], "everything is delivered");
  assert.equal((await pool.query(sql`select from webhook_delivery`)).length, rows.length * 2);
  compareRequests(desk, rows);
  if (isErased) assert.deepEqual(await findTraces(pool, [LENA.phone, LENA.lid, WORDS]), []);
  await compareCorrections(desk, present);
  await compareFresh(desk, present);
  counts.matches += rows.length;
  counts.requests += desk.hook.received.length + desk.ntfy.received.length;
  counts.erased += isErased ? 1 : 0;
  counts.replays += state.replays;
}

/** The members are the visible listings, each with its cell and its ask. */
async function compareMembers(pool: DatabasePool): Promise<void> {
  const members = await pool.query(sql`
    select listing_id as id, source_market, year, condition_bucket, price_eur_minor from listing_model order by 1`);
  const listings = await pool.query(sql`
    select id, 'EU' as source_market, year, lower(condition) as condition_bucket, price_eur_minor
      from listing
     where brand = 'Rolex' and side = 'for_sale' and not is_hidden and not is_revoked
     order by 1`);
  assert.ok(members.length > 0);
  assert.deepEqual(members, listings);
}

const ALERTS = [
  "fallen listings",
  ...["all listings", "uk listings", "named listings"],
  ...["all messages", "uk messages", "named messages"],
];

/** As `listMatches` names them. */
function matchesOf(one: Post, isEdited: boolean): readonly string[] {
  const { rawId, dealer, text, edited, isYoung } = one;
  if (!isYoung) return [];
  return ALERTS.filter((alert) => !alert.startsWith("uk") || dealer.phone.startsWith("44"))
    .filter((alert) => !alert.startsWith("fallen") || rawId === "P3")
    .map((alert) => `${alert} ${dealer.phone} ${isEdited ? edited : text}`);
}

interface FoundMatch {
  readonly alert: string;
  readonly phone: string;
  readonly text: string;
  readonly resource_id: string;
}

function listMatches(pool: DatabasePool): Promise<readonly FoundMatch[]> {
  return pool.query<FoundMatch>(sql`
    select case when alert.filters ? 'price_drop_bps' then 'fallen' when alert.filters ? 'country_codes' then 'uk' when alert.filters ? 'group_names' then 'named'
                else 'all' end
             || case when match.resource = 'message' then ' messages' else ' listings' end as alert,
           contact.phone_number as phone, message.text, match.resource_id
      from alert_match as match
      join alert on alert.id = match.alert_id
      join canonical_message as message on message.id = match.canonical_message_id
      join contact on contact.id = message.contact_id
      left join listing on listing.id = match.listing_id
     where match.resource = 'message' or listing.canonical_message_id = message.id
     order by 1, 2, 3`);
}

/** Every request that was answered with 200 has its watches, and of an erased person nothing is sent after the erasure. */
function compareRequests(desk: Desk, rows: readonly FoundMatch[]): void {
  const { hook, ntfy, answers, state } = desk;
  const bodies = hook.received.map(({ body }) => JSON.parse(body));
  for (const { data } of bodies) {
    const about = data.listing ?? data.message;
    assert.match(JSON.stringify(about ?? {}), /WTS Rolex/, "a webhook has its watch");
  }
  const delivered = bodies.filter((_, at) => answers.get(hook)?.[at] === 200);
  const keys = delivered.map(({ data }) => `${data.alert.id} ${data.match.resource_id}`);
  assert.equal(new Set(keys).size, keys.length, "a webhook is delivered once");
  assert.ok(keys.length >= rows.length, "every match is delivered");
  for (const { body } of ntfy.received) {
    assert.doesNotMatch(body, /A message\\n/, "a notification has its watch");
  }
  if (state.erasedAt === undefined) return;
  const later = [
    ...hook.received.slice(state.erasedAt.hook),
    ...ntfy.received.slice(state.erasedAt.ntfy),
  ];
  for (const { body } of later) {
    assert.ok(!body.includes(LENA.phone) && !body.includes(WORDS), "nothing of hers is sent");
  }
}

async function compareCorrections(
  { pool, correctedTexts }: Desk,
  present: readonly Post[],
): Promise<void> {
  const texts = new Set(present.map(({ text }) => text));
  const kept = [...correctedTexts].filter((text) => texts.has(text));
  const rows = await pool.query<{ text: string; price: number }>(sql`
    select message.text, listing.price_amount_minor as price
      from listing join canonical_message as message on message.id = listing.canonical_message_id`);
  for (const { text, price } of rows) {
    assert.equal(price === 777_700, kept.includes(text), `the price of ${text}`);
  }
  assert.equal((await pool.query(sql`select from correction`)).length, kept.length);
}

/** A listing of a young post may still fire an alert on buys. */
async function compareFresh({ pool, edited }: Desk, present: readonly Post[]): Promise<void> {
  const fresh = await pool.query<{ text: string }>(sql`
    select message.text
      from fresh_listing as fresh
      join listing on listing.id = fresh.listing_id
      join canonical_message as message on message.id = listing.canonical_message_id`);
  const texts = new Set(fresh.map(({ text }) => text));
  const young = present.filter((one) => one.isYoung);
  const missing = young.filter((one) => !texts.has(edited.has(one) ? one.edited : one.text));
  assert.deepEqual(missing, [], "every young listing is fresh");
}
