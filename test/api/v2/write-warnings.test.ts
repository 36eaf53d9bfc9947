import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { groupIdOf } from "../../../src/messages/message.ts";
import { applyTexts } from "../../support/manifest.ts";
import { aGroup, aListing } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import type { Answer, TestApp } from "../../support/test-app.ts";

const CONFIGURATIONS = "/v2/market/price-engine/configurations";

test("a write warns of what is allowed and probably not meant, as apply does", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, "profiles: [{name: p}]");

  const alert = await own.send("POST", "/v2/alerts", {
    name: "a",
    filters: {
      brand: ["Rolex", "Omegga"],
      reference: ["126610LN", "NOSUCH1"],
      price: { lte: 7500, currency: "xyz" },
      year: { gte: 2024, lte: 2020, min: 1 },
      referense: [],
    },
  });
  const configuration = await own.send("POST", CONFIGURATIONS, {
    profile: "p",
    brand: "Rollex",
    reference: "NOSUCH7",
  });

  assert.equal(alert.status, 201);
  assert.deepEqual(warningsOf(alert), [
    'filters.brand[1]: neither the catalogue nor a listing has "Omegga"; did you mean "Omega"?',
    "filters.price.currency: no exchange rate of XYZ is known; see fx_rates",
    "filters.price.lte: is 75.00 only: amounts are in minor units, such as cents",
    'filters.reference[1]: neither the catalogue nor a listing has "NOSUCH1"',
    'filters.referense: unknown member, ignored; did you mean "reference"?',
    "filters.year.min: unknown member, ignored",
    "filters.year: gte is above lte, so nothing matches",
  ]);
  assert.deepEqual(warningsOf(configuration), [
    'brand: neither the catalogue nor a listing has "Rollex"; did you mean "Rolex"?',
    'reference: neither the catalogue nor a listing has "NOSUCH7"',
  ]);
});

test("a change warns too, and words of the market are known", async (t) => {
  const own = await borrowTestApp(t);
  await aListing(own.db, { brand: "Nobrand", brand_folded: "nobrand" });
  const id = groupIdOf("1@g.us");
  await aGroup(own.db, { id, gateway_group_id: "1@g.us" });
  const view = await own.send("POST", "/v2/views", { name: "v", filters: { brand: ["Nobrand"] } });

  const changed = await own.send("PATCH", `/v2/views/${view.body.id}`, {
    filters: { brand: ["Nobrant"] },
  });
  const grouped = await own.send("PATCH", `/v2/groups/${id}`, { default_currency: "QQQ" });

  assert.deepEqual(warningsOf(view), []);
  assert.deepEqual(warningsOf(changed), [
    'filters.brand[0]: neither the catalogue nor a listing has "Nobrant"',
  ]);
  assert.deepEqual(warningsOf(grouped), [
    "default_currency: no exchange rate of QQQ is known; see fx_rates",
  ]);
});

test("a target to which nothing will be sent is written with a warning that names the setting", async (t) => {
  const own = await borrowTestApp(t);
  const secret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
  const post = (body: object) => own.send("POST", "/v2/webhook-targets", body);

  const plain = await post({ name: "a", url: "http://example.org/hook", secret });
  const inside = await post({ name: "b", url: "https://10.0.0.1/hook", secret });
  const local = await post({ name: "c", url: "https://localhost/hook", secret });
  const mail = await post({ name: "d", kind: "email", to: "me@example.org" });
  const fine = await post({ name: "e", kind: "ntfy", url: "https://ntfy.sh/topic" });

  assert.deepEqual(
    [plain, inside, local, mail, fine].map((answer) => [answer.status, warningsOf(answer).join()]),
    [
      [201, "url: nothing will be sent there: plain HTTP refused; see ASSAY_WEBHOOK_ALLOW_PRIVATE"],
      [
        201,
        "url: nothing will be sent there: private address refused; see ASSAY_WEBHOOK_ALLOW_PRIVATE",
      ],
      [
        201,
        "url: nothing will be sent there: private address refused; see ASSAY_WEBHOOK_ALLOW_PRIVATE",
      ],
      [201, "to: nothing will be sent there: no mail server; see ASSAY_SMTP_URL"],
      [201, ""],
    ],
  );
});

test("strict refuses what a write would warn of, and then nothing is written", async (t) => {
  const own = await borrowTestApp(t);
  const strict = async (filters: object) => {
    const answer = await own.send("POST", "/v2/alerts?strict=true", { name: "a", filters });
    return [answer.status, answer.body.error?.message];
  };

  assert.deepEqual(await strict({ brand: ["Omegga"] }), [
    400,
    'filters.brand[0]: neither the catalogue nor a listing has "Omegga"; did you mean "Omega"?',
  ]);
  assert.deepEqual(await strict({ year: { min: 3 } }), [400, "filters.year.min: unknown member"]);
  assert.equal((await strict({ price: { lte: 7500 } }))[0], 400);
  const target = { name: "m", kind: "email", to: "me@example.org" };
  assert.equal((await own.send("POST", "/v2/webhook-targets?strict=true", target)).status, 400);
  assert.deepEqual(await own.db.query(sql`select from alert`), []);
  assert.deepEqual(await own.db.query(sql`select from webhook_target`), []);
  assert.deepEqual((await strict({ brand: ["Omega"] }))[0], 201);
});

test("warnings fit into a header of 2,000 bytes, and the rest is counted", async (t) => {
  const own = await borrowTestApp(t);
  const names = Array.from({ length: 90 }, (_, at) => `${at}${"価".repeat(500)}`);

  const made = await createView(own, Object.fromEntries(names.map((name) => [name, 1])));
  const words = await createView(own, {
    reference: Array.from({ length: 200 }, (_, at) => `NOSUCH${at}`),
  });

  for (const answer of [made, words]) {
    const header = String(answer.headers["x-assay-warnings"]);
    assert.equal(answer.status, 201);
    assert.ok(header.length < 2_100, `${header.length} bytes`);
  }
  const shown = warningsOf(made);
  assert.equal(shown.at(-1), `and ${90 - (shown.length - 1)} more`);
});

let viewCount = 0;

function createView(own: TestApp, filters: object): Promise<Answer> {
  viewCount += 1;
  return own.send("POST", "/v2/views", { name: `view ${viewCount}`, filters });
}

/** The decoded warnings in the order of their text, with the rest last. */
function warningsOf({ headers }: Answer): readonly string[] {
  const header = headers["x-assay-warnings"];
  if (header === undefined) return [];
  const all = String(header).split("; ").map(decodeURIComponent);
  return all.toSorted((left, right) => (left < right ? -1 : 1)).toSorted(lastIsRest);
}

function lastIsRest(left: string, right: string): number {
  return Number(left.startsWith("and ")) - Number(right.startsWith("and "));
}
