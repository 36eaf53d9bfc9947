import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { createMetrics } from "../../../src/base/metrics.ts";
import { sql } from "../../../src/db/sql.ts";
import { startWorker } from "../../../src/pipeline/worker.ts";
import { process, stepContext } from "../../support/drain.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, type TestApp, until } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

const TEXT = "WTS 126610LN 2024 full set €12,500";
const TALK = "Watched a 126610LN sell for €12,500 at the auction yesterday, crazy";

test("PUT replaces the corrections and answers the listing as it is then; DELETE undoes them all", async (t) => {
  const own = await openCorrections(t);
  await startWork(t, own);
  const read = await own.call("GET", `/v2/market/listings/${own.id}`);

  const first = await own.repeat("PUT", {
    year: 2021,
    condition: null,
    full_set_status: ["WATCH_AND_CARD", "WATCH", "WATCH"],
    price: { amount_minor: 1_195_050, currency: "eur" },
    dial_type: " green ",
  });
  const again = await own.repeat("PUT", {
    year: 2021,
    condition: null,
    full_set_status: ["WATCH", "WATCH_AND_CARD"],
    price: { amount_minor: 1_195_050, currency: "EUR" },
    dial_type: "green",
  });
  const other = await own.repeat("PUT", { year: 2022 });
  const undone = await own.repeat("DELETE");
  const undoneAgain = await own.repeat("DELETE");

  assert.equal(first.status, 200, first.text);
  assert.equal(first.body.year, 2021);
  assert.equal(first.body.condition, undefined);
  assert.equal(first.body.dial_type, "green");
  assert.deepEqual(first.body.full_set_status, ["WATCH", "WATCH_AND_CARD"]);
  assert.deepEqual(first.body.price, { amount_minor: 1_195_050, currency: "EUR" });
  assert.equal(first.body.extraction.sources.year, "corrected");
  assert.deepEqual(again.body, first.body);
  assert.equal(other.body.year, 2022);
  assert.deepEqual(other.body.price, read.body.price);
  assert.deepEqual(withoutTimes(undone.body), withoutTimes(read.body));
  assert.deepEqual(undoneAgain.body, undone.body);
});

test("a listing that is none is answered as hidden, and an old id works", async (t) => {
  const own = await openCorrections(t, "lid");
  await process(own.db, [aMessageEvent({ rawId: "A2", addressing: "both", text: TEXT })]);
  await startWork(t, own);

  const hidden = await own.repeat("PUT", { is_listing: false });
  const back = await own.repeat("DELETE");

  assert.equal(hidden.status, 200, hidden.text);
  assert.notEqual(hidden.body.id, own.id);
  assert.equal(hidden.body.source.is_hidden, true);
  assert.equal(hidden.body.extraction.sources.is_listing, "corrected");
  assert.equal(back.body.source.is_hidden, false);
});

test("what was left out as talk is answered as shown once a person says that it is an offer", async (t) => {
  const own = await openCorrections(t, "both", TALK);
  await startWork(t, own);
  const left = await own.call("GET", `/v2/market/listings/${own.id}`);

  const said = await own.repeat("PUT", { is_listing: true, year: 2023 });
  const again = await own.repeat("PUT", { is_listing: true, year: 2023 });
  const reading = await own.call("GET", `/v2/market/listings/${own.id}/reading`);
  const back = await own.repeat("DELETE");

  assert.equal(left.body.source.is_hidden, true);
  assert.equal(said.status, 200, said.text);
  assert.deepEqual(
    [said.body.id, said.body.source.is_hidden, said.body.year],
    [own.id, false, 2023],
  );
  assert.equal(said.body.extraction.sources.is_listing, "corrected");
  assert.deepEqual(again.body, said.body);
  assert.deepEqual(reading.body.correction, {
    values: { is_listing: true, year: 2023 },
    cleared: [],
  });
  assert.equal(reading.body.left_out_reason, undefined);
  assert.deepEqual(withoutTimes(back.body), withoutTimes(left.body));
});

test("without a worker the answer is 503, and the correction is stored all the same", async (t) => {
  const own = await openCorrections(t);

  const answer = await own.send("PUT", { year: 2021 });
  await process(own.db, []);
  const after = await own.call("GET", `/v2/market/listings/${own.id}`);

  assert.deepEqual([answer.status, answer.body.error.code], [503, "overloaded"]);
  assert.match(answer.body.error.message, /the correction is stored/);
  assert.equal(after.body.year, 2021);
});

test("what is not valid is 400 with the name of the member, and nothing changes", async (t) => {
  const own = await openCorrections(t);
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /./],
    [{}, /./],
    [[], /./],
    [{ year: 20_211 }, /year/],
    [{ year: "2021" }, /year/],
    [{ year: 2021.5 }, /year/],
    [{ card_month: 13 }, /card_month/],
    [{ condition: "mint" }, /condition/],
    [{ side: null }, /side/],
    [{ full_set_status: [] }, /full_set_status/],
    [{ full_set_status: Array(5).fill("WATCH") }, /full_set_status/],
    [{ price: 8950 }, /price/],
    [{ price: { amount_minor: -1, currency: "EUR" } }, /price\.amount_minor/],
    [{ price: { amount_minor: 1e15, currency: "EUR" } }, /price\.amount_minor/],
    [{ price: { amount_minor: 1, currency: "EURO" } }, /price\.currency: "EURO" is not a currency/],
    [{ price: { amount_minor: 1, currency: "EUR", vat: 1 } }, /price\.vat/],
    [{ reference: "---" }, /reference/],
    [{ brand: "a\nb" }, /brand/],
    [{ brand: "a\u0000b" }, /brand/],
    [{ brand: "\uD83D" }, /brand/],
    [{ model: "x".repeat(101) }, /model/],
    [{ is_listing: null }, /is_listing/],
    [{ year: 2021, referense: "x" }, /referense/],
  ];

  for (const [body, message] of cases) {
    const answer = await own.send("PUT", body);
    const name = JSON.stringify(body);
    assert.deepEqual([answer.status, answer.body.error.code], [400, "invalid_payload"], name);
    assert.match(answer.body.error.message, message, name);
  }
  assert.deepEqual(await own.db.query(sql`select from correction`), []);
});

test("a correction needs the id of a listing that is still read, and a token that may write", async (t) => {
  const own = await openCorrections(t);
  const reader = `Bearer ${await addToken(own.db, { isReadOnly: true })}`;

  for (const method of ["PUT", "DELETE"] as const) {
    const body = method === "PUT" ? { year: 2021 } : undefined;
    const unknown = await own.send(method, body, { id: randomUUID() });
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, "listing_not_found"]);
    const malformed = await own.send(method, body, { id: "7" });
    assert.deepEqual([malformed.status, malformed.body.error.code], [400, "invalid_payload"]);
    assert.equal((await own.send(method, body, { authorization: reader })).status, 403);
    assert.equal((await own.send(method, body, { authorization: "" })).status, 401);
  }
  await own.db.execute(sql`update listing set reference_normalized = '126711CHNR'`);
  const outdated = await own.send("PUT", { year: 2021 });
  assert.equal(outdated.status, 404);
  assert.match(outdated.body.error.message, /assay reextract/);
  assert.deepEqual(await own.db.query(sql`select from correction`), []);
});

/** An app with one listing. */
async function openCorrections(
  t: TestContext,
  addressing: "lid" | "both" = "both",
  text: string = TEXT,
) {
  const own = await borrowTestApp(t);
  await process(own.db, [aMessageEvent({ rawId: "A1", addressing, text })]);
  const [row] = await own.db.query<{ id: string }>(sql`select id from listing`);
  const id = row?.id ?? "";
  const send = async (
    method: "PUT" | "DELETE",
    body?: unknown,
    options: { readonly id?: string; readonly authorization?: string } = {},
  ) => {
    const response = await own.app.inject({
      method,
      url: `/v2/market/listings/${options.id ?? id}/correction`,
      headers: {
        authorization: options.authorization ?? `Bearer ${own.token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: response.statusCode, text: response.body, body: JSON.parse(response.body) };
  };
  /** As a client does: a busy machine may not process the correction in time. */
  const repeat = async (method: "PUT" | "DELETE", body?: unknown) => {
    let answer = await send(method, body);
    await until(async () => {
      if (answer.status === 503) answer = await send(method, body);
      return answer.status !== 503;
    });
    return answer;
  };
  return { ...own, id, send, repeat };
}

async function startWork(
  t: TestContext,
  { db, feed }: Pick<TestApp, "db" | "feed">,
): Promise<void> {
  const context = await stepContext(db);
  const worker = startWorker({ ...context, feed, metrics: createMetrics() });
  t.after(async () => {
    await worker.stop();
    await context.close();
  });
}

function withoutTimes({ updated_at_ms: _, ...body }: Record<string, unknown>) {
  return body;
}
