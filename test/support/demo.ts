import type { TestContext } from "node:test";
import { loadDemo } from "../../src/demo/load-demo.ts";
import { sizeOf } from "../../src/demo/posts.ts";
import { stepContext } from "./drain.ts";
import { openTestApp, type TestApp } from "./test-app.ts";

/** Large enough that every member of every answer has a value somewhere, small enough to load in seconds. */
const SMALL_SIZE = sizeOf(1_200);

/** As the examples of the docs call it. */
export async function callWithBody(
  { app, token }: Pick<TestApp, "app" | "token">,
  call: {
    readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    readonly path: string;
    readonly body?: object;
  },
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await app.inject({
    method: call.method,
    url: call.path,
    headers: { authorization: `Bearer ${token}` },
    ...(call.body === undefined ? {} : { payload: call.body }),
  });
  return { status: response.statusCode, text: response.body };
}

/** The HTTP side over a small demo market, as it stands at the test's time. */
export async function openDemoApp(t: TestContext): Promise<TestApp> {
  const opened = await openTestApp(t, { environment: { ASSAY_RATE_LIMIT_PER_MINUTE: "0" } });
  const context = await stepContext(opened.db);
  await loadDemo(context, { size: SMALL_SIZE, say: () => undefined, strands: 1 });
  await context.close();
  return opened;
}
