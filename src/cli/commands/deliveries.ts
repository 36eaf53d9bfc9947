import { parseArgs } from "node:util";
import {
  DELIVERY_STATUSES,
  type DeliveryRow,
  type DeliveryStatus,
  listDeliveries,
  retryDeliveries,
} from "../../alerts/deliveries/delivery-store.ts";
import { isUuid } from "../../base/ids.ts";
import {
  type Command,
  formatTable,
  parseLimit,
  type Terminal,
  toMinute,
  UsageError,
} from "../command.ts";
import { cliAuthor, withStore } from "../with-store.ts";

const HELP = `Lists deliveries to webhook targets of all kinds, and retries deliveries that failed for good.

Usage:
  assay deliveries list [--status pending|delivered|dead] [--limit N] [--json] [--demo]
  assay deliveries retry ID… | --all-dead [--demo]

  --status     lists only deliveries with this status; without it all of them, newest first
  --limit N    how many to list, 1 to 10000; the default is 100
  --json       prints one JSON object per line
  --all-dead   retries every dead delivery
  --demo       uses the demo database

Assay tries a delivery ten times over three days; after that it is dead. A retry starts over with the same webhook-id,
and a running worker sends it. A target that is gone (410, or a Telegram chat that refused the bot) is tried again too.

Examples:
  assay deliveries list --status dead
  assay deliveries retry --all-dead
`;

const OPTIONS = {
  status: { type: "string" },
  limit: { type: "string", default: "100" },
  json: { type: "boolean", default: false },
  "all-dead": { type: "boolean", default: false },
  demo: { type: "boolean", default: false },
} as const;

export const deliveriesCommand: Command = {
  summary: "lists and retries deliveries to webhooks",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
    });
    const [verb, ...ids] = positionals;
    if (verb === "list" && ids.length === 0) await list(terminal, values);
    else if (verb === "retry") {
      await retry(terminal, { ids, isAllDead: values["all-dead"], isDemo: values.demo });
    } else throw new UsageError("expected one of: list, retry ID…, retry --all-dead");
    return 0;
  },
};

interface ListValues {
  readonly status?: string | undefined;
  readonly limit: string;
  readonly json: boolean;
  readonly demo: boolean;
}

async function list(terminal: Terminal, values: ListValues): Promise<void> {
  const status = parseStatus(values.status);
  const limit = parseLimit(values.limit);
  const rows = await withStore(terminal, { isDemo: values.demo }, ({ store }) =>
    listDeliveries(store.pool, { limit, ...(status === undefined ? {} : { status }) }),
  );
  if (values.json) {
    for (const row of rows) terminal.out.write(`${JSON.stringify(row)}\n`);
    return;
  }
  const head = [
    "STATUS",
    "TARGET",
    "KIND",
    "ALERT",
    "ATTEMPTS",
    "LAST RESULT",
    "NEXT",
    "CREATED",
    "ID",
  ];
  terminal.out.write(formatTable([head, ...rows.map(toCells)]));
}

function parseStatus(text: string | undefined): DeliveryStatus | undefined {
  const status = DELIVERY_STATUSES.find((known) => known === text);
  if (text !== undefined && status === undefined) {
    throw new UsageError(`--status must be one of ${DELIVERY_STATUSES.join(", ")}`);
  }
  return status;
}

function toCells(row: DeliveryRow): readonly string[] {
  return [
    row.status,
    row.target,
    row.kind,
    row.alert,
    String(row.attempt_count),
    row.last_result ?? "-",
    row.status === "pending" ? toMinute(row.next_attempt_at_ms) : "-",
    toMinute(row.created_at_ms),
    row.id,
  ];
}

async function retry(
  terminal: Terminal,
  options: {
    readonly ids: readonly string[];
    readonly isAllDead: boolean;
    readonly isDemo: boolean;
  },
): Promise<void> {
  const { ids, isAllDead } = options;
  if (isAllDead === ids.length > 0)
    throw new UsageError("name the deliveries to retry: either ID… or --all-dead");
  const wrong = ids.find((id) => !isUuid(id));
  if (wrong !== undefined) throw new UsageError(`not a delivery id: ${wrong}`);
  const count = await withStore(terminal, options, ({ store }) =>
    store.pool.transaction((tx) =>
      retryDeliveries(tx, isAllDead ? "all dead" : { ids }, cliAuthor()),
    ),
  );
  terminal.err.write(
    `${count} ${count === 1 ? "delivery" : "deliveries"} queued; a running worker sends ${count === 1 ? "it" : "them"}\n`,
  );
}
