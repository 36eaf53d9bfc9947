import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { markListingsSeen } from "../../../src/alerts/match-store.ts";
import { DAY_MS } from "../../../src/base/clock.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import type { Decision } from "../../../src/deals/deal.ts";
import { decideDeal } from "../../../src/deals/decide-deal.ts";
import { saveRawEvents } from "../../../src/intake/raw-event-store.ts";
import { changeContactNote } from "../../../src/messages/contacts/contact-note-store.ts";
import { requestReplay } from "../../../src/pipeline/replay.ts";
import { aLiveAlert, listMiscounted } from "../../support/alerts.ts";
import { aTarget, send, startWebhookTarget } from "../../support/deliveries.ts";
import { drain, process, rawEvent, stepContext } from "../../support/drain.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { createTestClock, NOW_MS, type TestClock, until } from "../../support/test-app.ts";
import { aMessageEvent, aRevokeEvent } from "../../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const ask = (euros: string) => `WTS Rolex 126610LN 2024 full set EUR ${euros}`;

/** Of all watches of this file. */
const PRICES = ["10,000", "9,701", "9,700", "9,000", "8,000"];

interface Desk {
  readonly pool: DatabasePool;
  readonly clock: TestClock;
  post(rawId: string, text: string, phone?: string): Promise<void>;
  /** What was sent, as prices, once nothing is waiting. */
  sent(): Promise<readonly string[]>;
}

/** A webhook and a phone hear of every Rolex. */
async function openDesk(t: TestContext): Promise<Desk> {
  const { pool } = await borrowTestDatabase(t);
  const clock = createTestClock();
  const hook = await startWebhookTarget(t);
  const ntfy = await startWebhookTarget(t);
  await aTarget(pool, hook.url);
  await aTarget(pool, ntfy.url.replace("/hook", "/desk-x7Qp2"), { kind: "ntfy", secret: null });
  await aLiveAlert(pool, { brand: ["Rolex"] });
  await aLiveAlert(pool, { q: "full set" }, "message_alert");
  return {
    pool,
    clock,
    post: (rawId, text, phone = "447700900123") =>
      process(pool, [
        aMessageEvent({
          rawId,
          text,
          atS: NOW_S - 3_600 + Number(rawId.slice(1)),
          sender: { phone, lid: `1999${phone}`, name: "Someone" },
          addressing: "both",
        }),
      ]),
    sent: async () => {
      const sender = send(t, pool, { clock });
      await until(async () => {
        const rows = await pool.query(sql`select from webhook_delivery where status = 'pending'`);
        return rows.length === 0;
      });
      await sender.stop();
      const bodies = hook.received.map(({ body }) => JSON.parse(body).data);
      const sent = bodies.map(({ listing, message }) =>
        listing === undefined
          ? `message ${message.message_text}`
          : `listing ${listing.price.amount_minor / 100}`,
      );
      assert.deepEqual(
        PRICES.filter((euros) => ntfy.received.some(({ body }) => body.includes(euros))),
        PRICES.filter((euros) =>
          sent.some((one) => one.includes(euros) || one.endsWith(euros.replace(",", ""))),
        ),
        "a bundle has the watches that the webhook got, and no other",
      );
      return sent;
    },
  };
}

/** Returns the listing. */
async function decide(
  pool: DatabasePool,
  decision: Decision,
  nowMs = NOW_MS,
): Promise<readonly string[]> {
  const [row] = await pool.query<{ id: string }>(sql`
    select id from listing order by message_timestamp_ms desc, id limit 1`);
  await pool.transaction((tx) =>
    decideDeal(tx, {
      listingId: row?.id ?? "",
      decision,
      author: { name: "Anna", nowMs },
    }),
  );
  return [row?.id ?? ""];
}

test("a passed watch and its reposts notify nobody, and their matches are recorded", async (t) => {
  const desk = await openDesk(t);
  await desk.post("P1", ask("10,000"));
  await decide(desk.pool, { state: "passed", reason: "no_papers" });
  await desk.post("P2", ask("9,000"));

  const sent = await desk.sent();

  assert.deepEqual(
    sent.filter((one) => one.startsWith("listing")),
    [],
  );
  const matches = await desk.pool.query(
    sql`select from alert_match where resource = 'watch_listing'`,
  );
  assert.equal(matches.length, 2);
});

test("a watch that was too dear notifies again when its ask has fallen by 3 %", async (t) => {
  const desk = await openDesk(t);
  await desk.post("P1", ask("10,000"));
  await decide(desk.pool, { state: "passed", reason: "too_dear" });
  await desk.post("P2", ask("9,701"));
  await desk.post("P3", ask("9,700"));

  const sent = await desk.sent();

  assert.deepEqual(
    sent.filter((one) => one.startsWith("listing")),
    ["listing 9700"],
  );
});

test("a watch that is back at a price that was told before it was passed notifies again, once", async (t) => {
  const desk = await openDesk(t);
  await desk.post("P1", ask("9,700"));
  const author = { phone: "447700900123", lid: "1999447700900123", name: "Someone" };
  await process(desk.pool, [aRevokeEvent({ rawId: "P1", author, atS: NOW_S - 3_000 })]);
  await desk.post("P2", ask("10,000"));
  const first = await desk.sent();
  // Before the next posts.
  const decidedAtMs = NOW_MS - 3_597_500;
  await decide(desk.pool, { state: "passed", reason: "too_dear" }, decidedAtMs);
  await desk.pool.execute(sql`update alert_match set matched_at_ms = ${decidedAtMs - 1_000}`);

  desk.clock.advance(60_000);
  await desk.post("P3", `${ask("9,700")} again`);
  await process(desk.pool, [aRevokeEvent({ rawId: "P3", author, atS: NOW_S - 3_000 })]);
  await desk.post("P4", `${ask("9,700")} still here`);

  const watches = (sent: readonly string[]) => sent.filter((one) => one.startsWith("listing"));
  assert.deepEqual(watches(first).toSorted(), ["listing 10000", "listing 9700"]);
  assert.deepEqual(watches(await desk.sent()).slice(2), ["listing 9700"]);
});

test("a passed watch whose ask falls by a reply notifies once more, is new in the list, and never again", async (t) => {
  const desk = await openDesk(t);
  const { pool, clock } = desk;
  const work = async () => {
    const context = await stepContext(pool, clock);
    await drain(context);
    await context.close();
  };
  const say = async (rawId: string, text: string) => {
    const event = rawEvent(aReply(rawId, text, clock.nowMs() / 1000), {
      receivedAtMs: clock.nowMs(),
    });
    await saveRawEvents(pool, [event], "window");
    await work();
  };
  await desk.post("P1", ask("10,000"));
  const first = await desk.sent();
  clock.advance(60_000);
  await markListingsSeen(
    pool,
    await decide(pool, { state: "passed", reason: "too_dear" }),
    clock.nowMs(),
  );
  clock.advance(60_000);
  await say("R1", "now 9,710");
  const near = await desk.sent();
  clock.advance(60_000);
  await say("R2", "now 9,700");
  const fallen = await desk.sent();
  const matches = await listWatchMatches(pool);
  for (const text of ["now 9,900", "now 9,600"]) {
    clock.advance(60_000);
    await say(text, text);
  }
  await requestReplay(pool, { alerting: "window" });
  await work();

  const watches = (sent: readonly string[]) => sent.filter((one) => one.startsWith("listing"));
  assert.deepEqual(watches(first), ["listing 10000"]);
  assert.deepEqual(watches(near), ["listing 10000"]);
  assert.deepEqual(watches(fallen), ["listing 10000", "listing 9700"]);
  assert.deepEqual(matches, [{ matched_at_ms: clock.nowMs() - 120_000, seen_at_ms: null }]);
  assert.deepEqual(await desk.sent(), fallen, "a fall is told once");
  assert.deepEqual(await listWatchMatches(pool), matches);
  assert.deepEqual(await listMiscounted(pool), []);
});

function aReply(rawId: string, text: string, atS: number) {
  const sender = { phone: "447700900123", lid: "1999447700900123", name: "Someone" };
  return aMessageEvent({ rawId, text, atS, sender, addressing: "both", replyTo: "P1" });
}

async function listWatchMatches(pool: DatabasePool) {
  const rows = await pool.query(sql`
    select matched_at_ms, seen_at_ms from alert_match where resource = 'watch_listing'`);
  return [...rows];
}

test("a shortlisted watch notifies as any other", async (t) => {
  const desk = await openDesk(t);
  await desk.post("P1", ask("10,000"));
  await decide(desk.pool, { state: "shortlisted" });

  assert.ok((await desk.sent()).includes("listing 10000"));
});

test("a blocked dealer notifies nobody, neither with a watch nor with a message; others do", async (t) => {
  const desk = await openDesk(t);
  await desk.post("P1", ask("10,000"));
  await desk.post("P2", `${ask("8,000")} mint`, "85291234567");
  const [blocked] = await desk.pool.query<{ id: string }>(sql`
    select contact_id as id from contact_identifier where identifier = 'phone:447700900123'`);
  await desk.pool.transaction((tx) =>
    changeContactNote(tx, blocked?.id ?? "", {
      isBlocked: true,
      author: { name: "Anna", nowMs: NOW_MS - DAY_MS },
    }),
  );

  // Their ids are those from before contacts merged, until the matches have moved.
  await desk.pool.execute(sql`
    insert into message_alias (old_id, canonical_message_id)
    select gen_random_uuid(), id from canonical_message where contact_id = ${blocked?.id ?? ""}`);
  await desk.pool.execute(sql`
    update webhook_delivery as delivery set resource_id = alias.old_id
      from message_alias as alias where delivery.resource_id = alias.canonical_message_id`);
  await desk.pool.execute(sql`
    update alert_match as match set resource_id = alias.old_id
      from message_alias as alias where match.resource_id = alias.canonical_message_id`);

  const sent = await desk.sent();

  assert.deepEqual(sent.toSorted(), [`listing 8000`, `message ${ask("8,000")} mint`]);
});
