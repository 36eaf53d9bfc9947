import { parseArgs } from "node:util";
import { requestReplay } from "../pipeline/replay.ts";
import { drain } from "../pipeline/worker.ts";
import { queueAllRefreshes } from "../pricing/refresh-queue-store.ts";
import { type Command, UsageError } from "./command.ts";
import { startProgress } from "./progress.ts";
import { withSteps } from "./with-steps.ts";
import { withStore } from "./with-store.ts";

const HELP = `Rebuilds everything that is made of raw events: messages, occurrences, contacts, sessions. The result has the
same ids. What is declared, and raw events themselves, stay as they are. A running service shares the work; prices stay
as they were until the market is whole again.

Usage: assay replay [--from MS] [--with-alerts] [--demo]

  --from MS   reads again only what was received since then (milliseconds since 1970), on top of what is there
  --with-alerts
              alerts fire for what is read; without it none does
  --demo      the demo's database

Example:
  assay replay
`;

export const replayCommand: Command = {
  summary: "rebuilds what is made of raw events",
  help: HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        from: { type: "string" },
        "with-alerts": { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
    });
    if (values.from !== undefined && !/^\d{1,15}$/.test(values.from)) {
      throw new UsageError("--from needs milliseconds since 1970");
    }
    await withStore(terminal.environment, { isDemo: values.demo }, async (call) => {
      const { store } = call;
      const from = values.from === undefined ? {} : { fromMs: Number(values.from) };
      const alerting = values["with-alerts"] ? "always" : "never";
      const count = await requestReplay(store.pool, { ...from, alerting });
      terminal.err.write(`${count} events to read\n`);
      const progress = startProgress(terminal, "processed");
      await withSteps(call, async (context) => {
        await drain(context, { onBatch: progress.add });
        // A configuration that has lost all of its listings was touched by none of them.
        await queueAllRefreshes(context.pool, context.clock.nowMs());
        await drain(context, { onBatch: progress.add });
      });
      progress.finish();
    });
    return 0;
  },
};
