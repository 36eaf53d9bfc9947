import type { TestContext } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import { loadDemo } from "../../src/demo/load-demo.ts";
import { sizeOf } from "../../src/demo/posts.ts";
import { drain, stepContext } from "./drain.ts";
import { openTestApp, type TestApp } from "./test-app.ts";

/** Large enough that every member of every answer has a value somewhere, small enough to load in seconds. */
const SMALL_SIZE = sizeOf(1_200);

interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** As the examples of the docs call it. A correction is answered once a worker has read the message again. */
export async function callWithBody(demo: TestApp, call: Call): Promise<Answer> {
  if (!call.path.endsWith("/correction")) return send(demo, call);
  const context = await stepContext(demo.db);
  let isAnswered = false;
  const answer = send(demo, call).finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    await drain(context);
    await sleep(20);
  }
  await drain(context);
  await context.close();
  return answer;
}

async function send({ app, token }: TestApp, { method, path, body }: Call): Promise<Answer> {
  const response = await app.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: response.statusCode, text: response.body };
}

/** The HTTP side over a small demo market, as it stands at the test's time. */
export async function openDemoApp(t: TestContext): Promise<TestApp> {
  const opened = await openTestApp(t, {
    environment: {
      ASSAY_RATE_LIMIT_PER_MINUTE: "0",
      ASSAY_WAHA_UNSIGNED: "true",
      ASSAY_WEBHOOK_ALLOW_PRIVATE: "true",
    },
  });
  const context = await stepContext(opened.db);
  await loadDemo(context, { size: SMALL_SIZE, say: () => undefined, strands: 1 });
  await context.close();
  return opened;
}
