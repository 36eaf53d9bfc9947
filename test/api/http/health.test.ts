import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestApp } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

test("a service whose store has a full disk is not ready until the store takes an event again", async (t) => {
  const { app, db } = await openTestApp(t, { environment: { ASSAY_WAHA_UNSIGNED: "true" } });
  const post = async (rawId: string) => {
    const response = await app.inject({
      method: "POST",
      url: "/v2/webhooks/waha",
      headers: { "content-type": "application/json" },
      payload: JSON.stringify(aMessageEvent({ rawId })),
    });
    return response.statusCode;
  };
  const ready = () => app.inject("/health/ready");
  const before = await ready();
  // What the server reports when it cannot make a file longer.
  await db.script(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger refused before insert on raw_event for each statement execute function refuse()`);

  const refused = await post("A1");
  const full = await ready();
  await db.script("drop trigger refused on raw_event");
  const stored = await post("A2");
  const after = await ready();

  assert.deepEqual([before.statusCode, refused, stored], [200, 503, 202]);
  assert.equal(full.statusCode, 503);
  assert.equal(full.json().checks.intake, "refused");
  assert.equal(full.json().checks.store, "ok");
  assert.equal(after.statusCode, 200);
  assert.deepEqual(Object.keys(after.json().primary), ["host", "hosts", "timeline"]);
});
