import { parseArgs } from "node:util";
import { decideWatch } from "../../alerts/decide-watch.ts";
import { AppError, OperatorError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import { isStorableText } from "../../base/text.ts";
import type { Database, DatabasePool } from "../../db/database.ts";
import {
  type Amount,
  type DatedAmount,
  DEAL_STATES,
  type Deal,
  type DealState,
  type Decision,
  NOTE_MAX,
  PASS_REASONS,
} from "../../deals/deal.ts";
import { type DealQuery, findDeal, listDeals, summarizeDeals } from "../../deals/deal-store.ts";
import { deleteDeal } from "../../deals/decide-deal.ts";
import { listTokens } from "../../people/token-store.ts";
import { parseAmount } from "../amount-words.ts";
import { type Command, formatTable, parseLimit, toLine, toMinute, UsageError } from "../command.ts";
import { cliAuthor, withStore } from "../with-store.ts";

const HELP = `Lists what was decided about watches, decides, and sums up what deals made.

Usage:
  assay deals list [--state STATE] [--assignee WHO] [--limit N] [--json] [--demo]
  assay deals show LISTING_ID [--json] [--demo]
  assay deals summary [--from DAY] [--to DAY] [--assignee WHO] [--json] [--demo]
  assay deals set LISTING_ID STATE [--reason REASON] [--note TEXT] [--offer AMOUNT] [--paid AMOUNT@DAY]
                  [--sold AMOUNT@DAY] [--cost EUROS] [--assignee WHO] [--json] [--demo]
  assay deals delete LISTING_ID [--demo]

  STATE        ${DEAL_STATES.join(", ")}
  --reason     of passed: ${PASS_REASONS.join(", ")}
  --note       up to ${NOTE_MAX} characters; an empty text removes it
  --offer      what was offered, as dealers write it: 11500EUR, 138k HKD, 13.8\u4e07 HKD
  --paid       what was paid, and on which day: 98000HKD@2026-11-10
  --sold       what it was sold for
  --cost       all other costs, in euros
  --assignee   who works on it: the name or id of a token; with set, an empty text removes it
  --from, --to days of the summary, such as 2026-11-01; the last one is included
  --limit N    how many to list, 1 to 10000; the default is 100
  --json       prints JSON, in a list one object per line
  --demo       uses the demo database

What set does not name stays as it is. The day of a deal in the summary is the day on which the watch was paid.

Examples:
  assay deals set 6f9c0d0a-4a55-5a1c-9d6b-0f3f6f0c2b11 passed --reason too_dear
  assay deals summary --from 2026-10-01 --to 2026-10-31
`;

const OPTIONS = {
  state: { type: "string" },
  limit: { type: "string", default: "100" },
  from: { type: "string" },
  to: { type: "string" },
  reason: { type: "string" },
  note: { type: "string" },
  offer: { type: "string" },
  paid: { type: "string" },
  sold: { type: "string" },
  cost: { type: "string" },
  assignee: { type: "string" },
  json: { type: "boolean", default: false },
  demo: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
}

export const dealsCommand: Command = {
  summary: "lists and decides what becomes of watches, and sums up what deals made",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parse(args);
    const [verb, id, state] = positionals;
    const run = chooseVerb({ verb, id, state, count: positionals.length }, values);
    const warn = (line: string): void => void terminal.err.write(`warning: ${line}\n`);
    const text = await withStore(terminal, { isDemo: values.demo }, ({ store }) =>
      run(store.pool, warn),
    );
    terminal.out.write(text);
    return 0;
  },
};

interface Words {
  readonly verb: string | undefined;
  readonly id: string | undefined;
  readonly state: string | undefined;
  readonly count: number;
}

/** All arguments are read before the store is opened. */
function chooseVerb({ verb, id, state, count }: Words, values: Values) {
  if (verb === "list" && count === 1) {
    const state = values.state === undefined ? undefined : toState(values.state);
    const limit = parseLimit(values.limit);
    return async (db: DatabasePool) => {
      const assignee = await findAssignee(db, values.assignee);
      return list(db, { state, assignee }, { limit, isJson: values.json });
    };
  }
  if (verb === "summary" && count === 1) {
    const fromMs = values.from === undefined ? undefined : toDayMs(values.from);
    const toMs = values.to === undefined ? undefined : toDayMs(values.to) + DAY_END_MS;
    return async (db: DatabasePool) => {
      const assignee = await findAssignee(db, values.assignee);
      return summarize(db, { fromMs, toMs, assignee }, values.json);
    };
  }
  if (verb === "show" && count === 2) {
    const listingId = toListingId(id);
    return (db: DatabasePool) => show(db, listingId, values.json);
  }
  if (verb === "set" && count === 3) {
    const listingId = toListingId(id);
    const change = toChange(toState(state ?? ""), values);
    return async (db: DatabasePool, warn: (line: string) => void) => {
      const assignee = await findAssignee(db, values.assignee);
      const { text, warnings } = await set(db, { listingId, change, assignee }, values);
      for (const line of warnings) warn(line);
      return text;
    };
  }
  if (verb === "delete" && count === 2) {
    const listingId = toListingId(id);
    return (db: DatabasePool) => remove(db, listingId);
  }
  throw new UsageError(
    "expected one of: list, show LISTING_ID, summary, set LISTING_ID STATE, delete LISTING_ID",
  );
}

/** The id of the token that is named. An id that no token has is kept: a revoked one may still have deals. */
async function findAssignee(db: Database, text: string | undefined): Promise<string | undefined> {
  if (text === undefined || text === "") return undefined;
  const named = (await listTokens(db)).filter(({ name }) => name === text);
  const found = named.find(({ revoked_at_ms }) => revoked_at_ms === null) ?? named[0];
  if (found !== undefined) return found.id;
  if (isUuid(text)) return text.toLowerCase();
  throw new OperatorError(`--assignee: there is no token with the name "${text}"`);
}

const DAY_END_MS = 86_400_000;

function toListingId(id: string | undefined): string {
  if (id !== undefined && isUuid(id)) return id.toLowerCase();
  throw new UsageError("name a listing by its id");
}

function toState(text: string): DealState {
  const state = DEAL_STATES.find((known) => known === text);
  if (state === undefined) throw new UsageError(`the state is one of ${DEAL_STATES.join(", ")}`);
  return state;
}

function toDayMs(text: string): number {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(atMs)) throw new UsageError(`"${text}" is not a day such as 2026-11-10`);
  return atMs;
}

function toDatedAmount(name: string, text: string): DatedAmount {
  const [amount = "", day = "", ...rest] = text.split("@");
  if (day === "" || rest.length > 0) {
    throw new UsageError(`"${text}" is not an amount with its day, such as 98000HKD@2026-11-10`);
  }
  return { ...parseAmount(amount, { name, kind: "watch" }), at_ms: toDayMs(day) };
}

function toCost(text: string): number {
  const { amount_minor, currency } = parseAmount(text, {
    name: "--cost",
    kind: "other",
    currency: "EUR",
  });
  if (currency !== "EUR") throw new UsageError(`--cost: "${text}" is not in euros`);
  return amount_minor;
}

function toChange(state: DealState, values: Values): Decision {
  const { note, offer, paid, sold, cost } = values;
  const reason = PASS_REASONS.find((known) => known === values.reason);
  if (values.reason !== undefined && reason === undefined) {
    throw new UsageError(`--reason must be one of ${PASS_REASONS.join(", ")}`);
  }
  if (note !== undefined && ([...note].length > NOTE_MAX || !isStorableText(note))) {
    throw new UsageError(`--note must be a text of at most ${NOTE_MAX} characters`);
  }
  return {
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(note === undefined ? {} : { note }),
    ...(offer === undefined
      ? {}
      : { offer: parseAmount(offer, { name: "--offer", kind: "watch" }) }),
    ...(paid === undefined ? {} : { paid: toDatedAmount("--paid", paid) }),
    ...(sold === undefined ? {} : { sold: toDatedAmount("--sold", sold) }),
    ...(cost === undefined ? {} : { cost_eur_minor: toCost(cost) }),
  };
}

async function list(
  db: Database,
  query: DealQuery,
  { limit, isJson }: { readonly limit: number; readonly isJson: boolean },
): Promise<string> {
  const { items } = await listDeals(db, query, { limit });
  if (isJson) return items.map((deal) => `${JSON.stringify(deal)}\n`).join("");
  if (items.length === 0) return "no deals\n";
  const head = ["STATE", "WATCH", "ASKED", "PAID", "SOLD", "BY", "AT", "LISTING"];
  return formatTable([head, ...items.map(toCells)]);
}

function toCells(deal: Deal): readonly string[] {
  const { watch, detached_reason } = deal;
  const name = [watch.brand, watch.reference ?? watch.model].filter((word) => word !== undefined);
  return [
    deal.reason === undefined ? deal.state : `${deal.state} (${deal.reason})`,
    `${name.join(" ") || "unknown"}${detached_reason === undefined ? "" : ` [${detached_reason}]`}`,
    describeAmount(deal.asked),
    describeAmount(deal.paid),
    describeAmount(deal.sold),
    deal.updated_by ?? "",
    toMinute(deal.updated_at_ms),
    deal.listing_id,
  ];
}

function describeAmount(amount: Amount | undefined): string {
  return amount === undefined ? "" : `${(amount.amount_minor / 100).toFixed(2)} ${amount.currency}`;
}

async function show(db: Database, listingId: string, isJson: boolean): Promise<string> {
  const deal = await findDeal(db, listingId);
  if (deal === undefined) throw new OperatorError("nothing was decided about this listing");
  return toText(deal, isJson);
}

function toText(deal: Deal, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(deal)}\n`;
  const note = deal.note === undefined ? "" : `note: ${toLine(deal.note)}\n`;
  return `${formatTable([toCells(deal)])}${note}`;
}

async function summarize(db: Database, query: DealQuery, isJson: boolean): Promise<string> {
  const summary = await summarizeDeals(db, query);
  if (isJson) return `${JSON.stringify(summary)}\n`;
  const euros = (minor: number) => `${(minor / 100).toFixed(2)} EUR`;
  return formatTable([
    ...Object.entries(summary.by_state).map(([state, count]) => [state, String(count)]),
    ["paid", euros(summary.paid_eur_minor)],
    ["predicted profit", euros(summary.predicted_profit_eur_minor)],
    ["sold", String(summary.sold_count)],
    ["realised profit", euros(summary.realised_profit_eur_minor)],
    ["predicted of the sold", euros(summary.sold_predicted_profit_eur_minor)],
    ["without a rate", String(summary.without_rate_count)],
    ["without a prediction", String(summary.without_prediction_count)],
  ]);
}

interface Setting {
  readonly listingId: string;
  readonly change: Decision;
  readonly assignee: string | undefined;
}

async function set(
  pool: DatabasePool,
  { listingId, change, assignee }: Setting,
  { json: isJson, assignee: named }: Pick<Values, "json" | "assignee">,
): Promise<{ readonly text: string; readonly warnings: readonly string[] }> {
  const known = await findDeal(pool, listingId);
  const { assignee: former, ...kept } = keptOf(known, change.state);
  const person = named === undefined ? former : assignee;
  const decision = {
    ...kept,
    ...(person === undefined ? {} : { assignee: person }),
    ...change,
  };
  const { note, ...rest } = decision;
  try {
    const { deal, warnings } = await decideWatch(pool, {
      listingId,
      decision: note ? decision : rest,
      author: cliAuthor(),
      ...(known === undefined
        ? {}
        : { isExpected: (version: number) => version === known.version }),
    });
    return { text: toText(deal, isJson), warnings };
  } catch (error) {
    throw error instanceof AppError ? new OperatorError(error.message, error) : error;
  }
}

async function remove(pool: DatabasePool, listingId: string): Promise<string> {
  try {
    const deal = await pool.transaction((tx) => deleteDeal(tx, { listingId, author: cliAuthor() }));
    return `deleted: ${toText(deal, false)}`;
  } catch (error) {
    throw error instanceof AppError ? new OperatorError(error.message, error) : error;
  }
}

/** What a deal keeps in another state. */
function keptOf(deal: Deal | undefined, state: DealState): Partial<Decision> {
  if (deal === undefined) return {};
  const { note, offer, assignee, reason, paid, sold, cost_eur_minor } = deal;
  return {
    ...(note === undefined ? {} : { note }),
    ...(offer === undefined ? {} : { offer }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(state !== "passed" || reason === undefined ? {} : { reason }),
    ...(state !== "bought" || paid === undefined ? {} : { paid }),
    ...(state !== "bought" || sold === undefined ? {} : { sold }),
    ...(state !== "bought" || cost_eur_minor === undefined ? {} : { cost_eur_minor }),
  };
}
