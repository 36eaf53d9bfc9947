import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type AnswerFacts, AssayError, createAssayClient } from "../../client/assay-client.ts";
import { openTestApp } from "../support/test-app.ts";

test("a walk over any list with a cursor returns every item once", async (t) => {
  const client = await openClient(t);
  for (let at = 0; at < 105; at += 1) {
    await client.createView({ name: `view ${String(at).padStart(3, "0")}`, filters: {} });
  }

  const names: string[] = [];
  for await (const view of client.each("listViews")) names.push(view.name);

  assert.deepEqual(
    names,
    Array.from({ length: 105 }, (_, at) => `view ${String(at).padStart(3, "0")}`),
  );
});

test("a caller learns the tag and the warnings of a write, and can make the next one conditional", async (t) => {
  const client = await openClient(t);
  const facts: AnswerFacts[] = [];
  const onAnswer = (answer: AnswerFacts) => facts.push(answer);

  const view = await client.createView(
    { name: "Zürich", filters: { referense: ["1"] } },
    { onAnswer },
  );
  const [created] = facts;
  assert.equal(created?.status, 201);
  assert.match(created?.warnings.join() ?? "", /filters\.referense/);
  assert.ok(created?.etag !== undefined && created.requestId !== undefined);

  const changed = await client.changeView(
    { view_id: view.id, name: "Genf", if_match: created.etag },
    { onAnswer },
  );
  assert.equal(changed.name, "Genf");

  await assert.rejects(
    client.deleteView({ view_id: view.id, if_match: created.etag }),
    (error) => error instanceof AssayError && error.status === 412,
  );
  await client.deleteView({ view_id: view.id, if_match: facts[1]?.etag ?? "" });
});

async function openClient(t: TestContext) {
  const { app, token } = await openTestApp(t, {
    environment: { ASSAY_RATE_LIMIT_PER_MINUTE: "0" },
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return createAssayClient({ url, token });
}
