import { parseArgs } from "node:util";
import { readerOf, requestReextraction } from "../../listings/extract-listings.ts";
import { finishQueued } from "../../pipeline/finish-queued.ts";
import type { Command } from "../command.ts";
import { startProgress } from "../progress.ts";
import { withSteps } from "../with-steps.ts";
import { withStore } from "../with-store.ts";

const HELP = `Extracts listings again from messages that were extracted with another version or another catalogue. Listings keep their
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
  help: HELP,
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
