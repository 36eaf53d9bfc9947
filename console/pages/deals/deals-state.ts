/** Which deals are shown. The address has it: state, period, person and dealer. */
import type { Deal } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { query, setQuery } from "../../router.ts";
import { useLoad, usePages } from "../../state/load.ts";
import { DAY_MS } from "../../words/formats.ts";

export const STATES = ["shortlisted", "contacted", "offered", "bought", "passed"] as const;
export const RANGES = ["month", "last_month", "quarter", "year", "all"] as const;
export type DealState = (typeof STATES)[number];
export type Range = (typeof RANGES)[number];

export interface Choice {
  readonly state: DealState | undefined;
  readonly range: Range;
  /** The id of a token. */
  readonly assignee: string | undefined;
  readonly contactId: string | undefined;
}

interface Period {
  readonly from_ms?: number;
  /** Exclusive. */
  readonly to_ms?: number;
}

const PAGE_ROWS = 100;
const QUARTER_DAYS = 90;
/** A file of more would be a job for the command line. */
export const FILE_ROWS_MAX = 5_000;
const FILE_PAGE_ROWS = 200;

export function useDeals() {
  const choice = readChoice(query.value);
  const key = [choice.state, choice.range, choice.assignee, choice.contactId];
  const pages = usePages(key, (cursor, options) =>
    api.listDeals({ ...toQuery(choice), limit: PAGE_ROWS, ...cursor }, options),
  );
  const { state: _, ...all } = choice;
  const summary = useLoad(key.slice(1), (signal) =>
    api.summarizeDeals(toQuery({ ...all, state: undefined }), { signal }),
  );
  const reload = (): void => {
    pages.load.reload();
    summary.reload();
  };
  return { choice, ...pages, summary, reload };
}

export function changeChoice(change: Partial<Choice>): void {
  const next = { ...readChoice(query.peek()), ...change };
  const parameters = new URLSearchParams();
  if (next.state !== undefined) parameters.set("state", next.state);
  if (next.range !== "quarter") parameters.set("range", next.range);
  if (next.assignee !== undefined) parameters.set("assignee", next.assignee);
  if (next.contactId !== undefined) parameters.set("dealer", next.contactId);
  setQuery(parameters);
}

/** All deals of the choice, for a file. */
export async function readAllDeals(choice: Choice): Promise<readonly Deal[]> {
  const deals: Deal[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.listDeals({
      ...toQuery(choice),
      limit: FILE_PAGE_ROWS,
      ...(cursor === undefined ? {} : { cursor }),
    });
    deals.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined && deals.length < FILE_ROWS_MAX);
  return deals;
}

export function isAnyChosen({ state, assignee, contactId, range }: Choice): boolean {
  return (
    state !== undefined || assignee !== undefined || contactId !== undefined || range !== "all"
  );
}

function readChoice(parameters: URLSearchParams): Choice {
  return {
    state: STATES.find((state) => state === parameters.get("state")),
    range: RANGES.find((range) => range === parameters.get("range")) ?? "quarter",
    assignee: parameters.get("assignee") ?? undefined,
    contactId: parameters.get("dealer") ?? undefined,
  };
}

function toQuery({ state, range, assignee, contactId }: Choice) {
  return {
    ...(state === undefined ? {} : { state }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(contactId === undefined ? {} : { contact_id: contactId }),
    ...toPeriod(range, new Date()),
  };
}

/** Months and years are those of the browser's time zone, as the reader counts them. */
function toPeriod(range: Range, now: Date): Period {
  const startOf = (monthsBack: number): number =>
    new Date(now.getFullYear(), now.getMonth() - monthsBack, 1).getTime();
  switch (range) {
    case "month":
      return { from_ms: startOf(0) };
    case "last_month":
      return { from_ms: startOf(1), to_ms: startOf(0) };
    case "quarter":
      // From midnight, so that the same question is asked all day.
      return { from_ms: new Date(now).setHours(0, 0, 0, 0) - QUARTER_DAYS * DAY_MS };
    case "year":
      return { from_ms: new Date(now.getFullYear(), 0, 1).getTime() };
    default:
      return {};
  }
}
