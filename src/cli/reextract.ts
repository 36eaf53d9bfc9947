import { parseArgs } from "node:util";
import { readerOf } from "../listings/extract-listings.ts";
import { requestReextraction } from "../listings/request-reextraction.ts";
import { drain } from "../pipeline/worker.ts";
import type { Command } from "./command.ts";
import { startProgress } from "./progress.ts";
import { withSteps } from "./with-steps.ts";
import { withStore } from "./with-store.ts";

const HELP = `Reads messages again whose listings were made by another version of the extraction or another catalogue. Listings keep
their ids; one that is no longer found is hidden. Nothing fires alerts. It works beside a running service, which shares
the work. When it is interrupted, the rest stays queued: a service goes on with it, and so does the next call.

Usage: assay reextract [--all] [--demo]

  --all    all messages, also those that are up to date
  --demo   the demo's database

Example:
  ASSAY_CATALOGUE=./my-houses.json assay reextract
`;

export const reextractCommand: Command = {
  summary: "reads messages again after a change of extraction or catalogue",
  help: HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        all: { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
    });
    await withStore(terminal.environment, { isDemo: values.demo }, (call) =>
      withSteps(call, async (context) => {
        const queueing = startProgress(terminal, "queued");
        const count = await requestReextraction(call.store.pool, {
          ...(values.all ? {} : { reader: readerOf(context.catalogue) }),
          onPage: queueing.add,
        });
        queueing.finish();
        const reading = startProgress(terminal, "processed");
        await drain(context, { onBatch: reading.add });
        reading.finish();
        terminal.out.write(
          count === 0 ? "everything is up to date\n" : `${count} messages read again\n`,
        );
      }),
    );
    return 0;
  },
};
