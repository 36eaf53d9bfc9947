import { useSignal } from "@preact/signals";
import { useCallback, useMemo } from "preact/hooks";
import type { Deal, DealSummary, Token } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useAnyDealChanged } from "../../live/changes.ts";
import { Button } from "../../parts/button.tsx";
import { saveFile, toCsv } from "../../parts/copy.tsx";
import { PageHeading, ScrollArea, WideArea } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { DealerName } from "../../parts/watch.tsx";
import { useLoad } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { canWrite } from "../../state/session.ts";
import { showToast, tellFailure } from "../../state/toasts.ts";
import { dealsWords } from "../../words/deals.ts";
import { formatCount } from "../../words/formats.ts";
import { watchWords } from "../../words/watch.ts";
import { words } from "../../words/words.ts";
import { dealColumns, toFileRows } from "./deal-columns.tsx";
import { DealEditor } from "./deal-editor.tsx";
import {
  type Choice,
  changeChoice,
  type DealState,
  FILE_ROWS_MAX,
  isAnyChosen,
  RANGES,
  type Range,
  readAllDeals,
  STATES,
  useDeals,
} from "./deals-state.ts";
import { DealsSummary } from "./deals-summary.tsx";

const TOKENS_MAX = 200;

/** What the desk decided about watches, and what that made. */
export function DealsPage() {
  return (
    <ScrollArea name="deals" label={words.pages.deals} class="deals">
      <div>{canWrite.value ? <Deals /> : <Closed />}</div>
    </ScrollArea>
  );
}

function Closed() {
  return (
    <div class="page">
      <PageHeading title={words.pages.deals} />
      <Empty title={dealsWords.closed}>
        <p class="soft">{dealsWords.closedHint}</p>
      </Empty>
    </div>
  );
}

function Deals() {
  const { choice, load, more, summary, reload } = useDeals();
  const people = usePeople();
  const edited = useSignal<Deal | undefined>(undefined);
  // The functions of a load stay the same.
  useAnyDealChanged(useCallback(reload, []));
  const columns = useMemo(
    () =>
      dealColumns(choice.state, (deal) => {
        edited.value = deal;
      }),
    [choice.state],
  );
  return (
    <>
      <PageHeading title={words.pages.deals} isHidden />
      <StateTabs choice={choice} summary={summary.state.value.value} />
      <Bar choice={choice} people={people} />
      <DealsSummary load={summary} />
      <WhenLoaded load={load} rows={10}>
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <NoDeals choice={choice} />
          ) : (
            <>
              <WideArea label={dealsWords.caption}>
                <Table
                  caption={dealsWords.caption}
                  columns={columns}
                  rows={items}
                  keyOf={({ listing_id }) => listing_id}
                />
              </WideArea>
              {next_cursor === undefined ? null : (
                <div class="deals-foot">
                  <Button onPress={more}>{words.more}</Button>
                </div>
              )}
            </>
          )
        }
      </WhenLoaded>
      {edited.value === undefined ? null : (
        <DealEditor
          key={edited.value.listing_id}
          deal={edited.value}
          people={people}
          onSaved={reload}
          onClose={() => {
            edited.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** Those who can work on a deal. */
function usePeople(): readonly Token[] {
  const load = useLoad([], (signal) => api.listTokens({ limit: TOKENS_MAX }, { signal }));
  return (load.state.value.value?.items ?? []).filter(
    ({ role, revoked_at_ms, expires_at_ms = Number.POSITIVE_INFINITY }) =>
      role !== "market" && revoked_at_ms === undefined && expires_at_ms > Date.now(),
  );
}

/** The states as tabs, each with its count in this period. */
function StateTabs(props: { readonly choice: Choice; readonly summary: DealSummary | undefined }) {
  const { choice, summary } = props;
  const countOf = (state: DealState | undefined): number | undefined =>
    summary === undefined
      ? undefined
      : state === undefined
        ? Object.values(summary.by_state).reduce((sum, count) => sum + count, 0)
        : summary.by_state[state];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame and needs a legend that is seen.
    <div class="tabs" role="group" aria-label={dealsWords.states}>
      {[undefined, ...STATES].map((state) => (
        <button
          key={state ?? "all"}
          type="button"
          aria-pressed={choice.state === state}
          onClick={() => changeChoice({ state })}
        >
          {state === undefined ? dealsWords.all : watchWords.state(state)}{" "}
          <span class="faint">{countOf(state)}</span>
        </button>
      ))}
    </div>
  );
}

function Bar(props: { readonly choice: Choice; readonly people: readonly Token[] }) {
  const { choice, people } = props;
  const isKnown = choice.assignee === undefined || people.some(({ id }) => id === choice.assignee);
  return (
    <div class="deals-bar">
      <select
        class="field"
        aria-label={dealsWords.range}
        value={choice.range}
        onChange={(event) => changeChoice({ range: event.currentTarget.value as Range })}
      >
        {RANGES.map((range) => (
          <option key={range} value={range}>
            {dealsWords.ranges[range]}
          </option>
        ))}
      </select>
      <select
        class="field"
        aria-label={dealsWords.assignee}
        value={choice.assignee ?? ""}
        onChange={({ currentTarget: { value } }) =>
          changeChoice({ assignee: value === "" ? undefined : value })
        }
      >
        <option value="">{dealsWords.everyone}</option>
        {isKnown ? null : <option value={choice.assignee}>{dealsWords.unknownPerson}</option>}
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {choice.contactId === undefined ? null : <DealerChip contactId={choice.contactId} />}
      <span class="grow" />
      {isPresenting.value ? null : (
        <Button onPress={() => void saveCsv(choice).catch(tellFailure)}>{dealsWords.csv}</Button>
      )}
    </div>
  );
}

function DealerChip({ contactId }: { readonly contactId: string }) {
  const load = useLoad([contactId], (signal) =>
    api.getContact({ contact_id: contactId }, { signal }),
  );
  return (
    <button type="button" class="chip" onClick={() => changeChoice({ contactId: undefined })}>
      <span class="sr">{words.pick.remove} </span>
      <span class="faint">{dealsWords.dealer}</span>{" "}
      <DealerName sender={load.state.value.value ?? {}} />
      <span aria-hidden="true">×</span>
    </button>
  );
}

function NoDeals({ choice }: { readonly choice: Choice }) {
  if (isAnyChosen(choice)) {
    return (
      <Empty title={dealsWords.noneFits}>
        <Button
          onPress={() =>
            changeChoice({
              state: undefined,
              assignee: undefined,
              contactId: undefined,
              range: "all",
            })
          }
        >
          {dealsWords.showAll}
        </Button>
      </Empty>
    );
  }
  return (
    <Empty title={dealsWords.none}>
      <p class="soft">{dealsWords.noneHint}</p>
      <a class="button main" href="/">
        {dealsWords.toBuys}
      </a>
    </Empty>
  );
}

async function saveCsv(choice: Choice): Promise<void> {
  const deals = await readAllDeals(choice);
  const [columns = [], ...rows] = toFileRows(deals);
  saveFile(toCsv(columns.map(String), rows), dealsWords.csvName);
  if (deals.length >= FILE_ROWS_MAX) showToast(dealsWords.csvCut(formatCount(deals.length)));
}
