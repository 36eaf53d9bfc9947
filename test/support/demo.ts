import type { TestContext } from "node:test";
import { loadDemo } from "../../src/demo/load-demo.ts";
import { sizeOf } from "../../src/demo/posts.ts";
import { stepContext } from "./drain.ts";
import { openTestApp, type TestApp } from "./test-app.ts";

/** Large enough that every member of every answer has a value somewhere, small enough to load in seconds. */
export const SMALL_SIZE = sizeOf(1_200);

/** The HTTP side over a small demo market, as it stands at the test's time. */
export async function openDemoApp(t: TestContext): Promise<TestApp> {
  const opened = await openTestApp(t, { environment: { ASSAY_RATE_LIMIT_PER_MINUTE: "0" } });
  const context = await stepContext(opened.db);
  await loadDemo(context, { size: SMALL_SIZE, say: () => undefined });
  await context.close();
  return opened;
}
