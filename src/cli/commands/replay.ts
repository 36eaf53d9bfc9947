/** The commands that derive again: everything from raw events (replay), or listings from messages (reextract). */
import { parseArgs } from "node:util";
import { readerOf, requestReextraction } from "../../listings/extract-listings.ts";
import { finishQueued } from "../../pipeline/finish-queued.ts";
import { requestReplay } from "../../pipeline/replay.ts";
import { finishAlerts } from "../../pipeline/step-context.ts";
import { STEPS } from "../../pipeline/steps.ts";
import { dropRebuild, queueAllRefreshes } from "../../pricing/cells/schedule-store.ts";
import { type Command, startProgress, UsageError } from "../command.ts";
import { withSteps, withStore } from "../with-store.ts";

const REPLAY_HELP = `Rebuilds messages, occurrences, contacts, sessions and listings from the stored raw events. The results have the same
ids. Raw events and declarations do not change. A running service shares the work. Prices do not change until the replay
is complete.

Usage: assay replay [--from MS] [--with-alerts] [--demo]

  --from MS   replays only events received since then (milliseconds since 1970), and keeps everything else
  --with-alerts
              fires alerts for replayed messages; without it no alert fires
  --demo      uses the demo database

Example:
  assay replay
`;

export const replayCommand: Command = {
  summary: "rebuilds messages and listings from raw events",
  help: REPLAY_HELP,
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
      throw new UsageError("--from must be a number of milliseconds since 1970");
    }
    await withStore(terminal, { isDemo: values.demo }, async (call) => {
      const from = values.from === undefined ? {} : { fromMs: Number(values.from) };
      const alerting = values["with-alerts"] ? "always" : "never";
      const progress = startProgress(terminal, "processed");
      await withSteps(call, async (context) => {
        await finishAlerts(context, "fresh");
        const { eventCount, rebuildId } = await requestReplay(context.pool, { ...from, alerting });
        terminal.err.write(`${eventCount} events to replay\n`);
        await finishQueued(context, { steps: STEPS.slice(0, -1), onBatch: progress.add });
        // All that was queued is processed, even if newer messages keep the queues from ever being empty.
        if (rebuildId !== undefined) await dropRebuild(context.pool, rebuildId);
        // A configuration that lost all of its listings is not queued by any listing.
        await queueAllRefreshes(context.pool, context.clock.nowMs());
        await finishQueued(context, { onBatch: progress.add });
      });
      progress.finish();
    });
    return 0;
  },
};

const REEXTRACT_HELP = `Extracts listings again from messages that were extracted with another version or another catalogue. Listings keep their
ids; a listing that is no longer found is hidden. No alerts fire. You can run it while the service runs; they share the
work. If it is interrupted, the remaining messages stay queued, and a running service or the next call continues.

Usage: assay reextract [--all] [--demo]

  --all    includes messages that are up to date
  --demo   uses the demo database

Example:
  ASSAY_CATALOGUE=./my-houses.json assay reextract
`;

export const reextractCommand: Command = {
  summary: "extracts listings again after a change of version or catalogue",
  help: REEXTRACT_HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        all: { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
    });
    await withStore(terminal, { isDemo: values.demo }, (call) =>
      withSteps(call, async (context) => {
        const queueing = startProgress(terminal, "queued");
        const count = await requestReextraction(call.store.pool, {
          ...(values.all ? {} : { reader: readerOf(context.catalogue) }),
          onPage: queueing.add,
        });
        queueing.finish();
        const reading = startProgress(terminal, "processed");
        await finishQueued(context, { onBatch: reading.add });
        reading.finish();
        terminal.out.write(
          count === 0 ? "everything is up to date\n" : `${count} messages extracted again\n`,
        );
      }),
    );
    return 0;
  },
};
