import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { DAY_MS } from "../../../src/base/clock.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import type { Decision } from "../../../src/deals/deal.ts";
import { decideDeal } from "../../../src/deals/decide-deal.ts";
import { changeContactNote } from "../../../src/messages/contacts/contact-note-store.ts";
import { aLiveAlert } from "../../support/alerts.ts";
import { aTarget, send, startWebhookTarget } from "../../support/deliveries.ts";
import { process } from "../../support/drain.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { NOW_MS, until } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

const NOW_S = NOW_MS / 1000;
const ask = (euros: string) => `WTS Rolex 126610LN 2024 full set EUR ${euros}`;

/** Of all watches of this file. */
const PRICES = ["10,000", "9,701", "9,700", "9,000", "8,000"];

interface Desk {
  readonly pool: DatabasePool;
  post(rawId: string, text: string, phone?: string): Promise<void>;
  /** What was sent, as prices, once nothing is waiting. */
  sent(): Promise<readonly string[]>;
}

/** A webhook and a phone hear of every Rolex. */
async function openDesk(t: TestContext): Promise<Desk> {
  const { pool } = await borrowTestDatabase(t);
  const hook = await startWebhookTarget(t);
  const ntfy = await startWebhookTarget(t);
  await aTarget(pool, hook.url);
  await aTarget(pool, ntfy.url.replace("/hook", "/desk-x7Qp2"), { kind: "ntfy", secret: null });
  await aLiveAlert(pool, { brand: ["Rolex"] });
  await aLiveAlert(pool, { q: "full set" }, "message_alert");
  return {
    pool,
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
      const sender = send(t, pool);
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

async function decide(pool: DatabasePool, decision: Decision): Promise<void> {
  const [row] = await pool.query<{ id: string }>(sql`
    select id from listing order by message_timestamp_ms desc, id limit 1`);
  await pool.transaction((tx) =>
    decideDeal(tx, {
      listingId: row?.id ?? "",
      decision,
      author: { name: "Anna", nowMs: NOW_MS },
    }),
  );
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

  const sent = await desk.sent();

  assert.deepEqual(sent.toSorted(), [`listing 8000`, `message ${ask("8,000")} mint`]);
});
