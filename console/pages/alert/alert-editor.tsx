import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { listParts } from "../../filters/clauses.ts";
import { EditedFilterContext, useFacetCounts } from "../../filters/edited-filter.ts";
import { type Filter, without } from "../../filters/filter.ts";
import { ChosenParts, FilterSheet, ProblemList, refusedMember } from "../../filters/filter-bar.tsx";
import { WordsField } from "../../filters/filter-fields.tsx";
import { FilterPanel } from "../../filters/filter-panel.tsx";
import { Button } from "../../parts/button.tsx";
import { DeleteButton, LeaveQuestion } from "../../parts/dialog.tsx";
import { isNarrow, ScrollArea } from "../../parts/layout.tsx";
import { setQuery } from "../../router.ts";
import { alertsWords } from "../../words/alerts.ts";
import type { AddressProblem } from "../../words/filters.ts";
import { type AlertDraft, toDraft } from "./alert-draft.ts";
import { type AlertEditing, type StoredAlert, useAlertEditing } from "./alert-editing.ts";
import { AlertFields } from "./alert-fields.tsx";
import { AlertBar, SaveState } from "./alert-head.tsx";
import { BackTest, usePreview } from "./back-test.tsx";
import { removeAlert, SendTo, sendNewAlert } from "./send-to.tsx";

type EditorProps = { readonly problems: readonly AddressProblem[] } & (
  | { readonly stored: StoredAlert }
  | { readonly stored: undefined; readonly initial: AlertDraft }
);

const FIELD_PROBLEM = ".alert-form .problem";

/** An alert with its controls, and beside them what it would have matched. */
export function AlertEditor(props: EditorProps) {
  const initial = props.stored === undefined ? props.initial : toDraft(props.stored.alert);
  const sentTo = useSignal<readonly string[]>([]);
  const editing = useAlertEditing(props.stored, initial, (id) => sendNewAlert(id, sentTo.value));
  const draft = editing.draft.value;
  const preview = usePreview(draft);
  const alert = editing.stored.value;
  const failure = editing.failure.value;
  useEffect(() => {
    if (failure !== undefined)
      document.querySelector(FIELD_PROBLEM)?.scrollIntoView({ block: "nearest" });
  }, [failure]);
  const title = alert?.name ?? alertsWords.newTitle;
  return (
    <div class="alert-page">
      <AlertBar title={title} alert={alert}>
        {alert !== undefined && editing.isDirty.value ? (
          <span class="sub">{alertsWords.unsaved}</span>
        ) : null}
        {alert === undefined ? null : (
          <DeleteButton
            name={alert.name}
            hint={alertsWords.removeHint}
            remove={() => removeAlert(alert.id)}
            onDelete={editing.drop}
            path="/alerts"
          />
        )}
        <Button
          isMain
          isWrite
          isBusy={editing.isSaving.value}
          onPress={() => void editing.save().catch(reportError)}
        >
          {alert === undefined ? alertsWords.createIt : alertsWords.save}
        </Button>
      </AlertBar>
      <SaveState editing={editing} id={alert?.id} />
      <ScrollArea name="alert-form" label={title} class="alert-form">
        <form
          class="alert-fields"
          onSubmit={(event) => {
            event.preventDefault();
            editing.save().catch(reportError);
          }}
        >
          <AlertFields editing={editing} />
        </form>
        <FilterControls
          editing={editing}
          problems={props.problems}
          failure={failure ?? preview.state.value.failure}
          warnings={preview.state.value.value?.warnings}
        />
        <SendTo alert={alert} chosen={sentTo} />
      </ScrollArea>
      <BackTest draft={draft} preview={preview} alertId={alert?.id} />
      <LeaveQuestion isDirty={editing.isDirty} />
    </div>
  );
}

/** The filter with the controls of the market. */
function FilterControls(props: {
  readonly editing: AlertEditing;
  readonly problems: readonly AddressProblem[];
  readonly failure: Parameters<typeof refusedMember>[0];
  readonly warnings: readonly string[] | undefined;
}) {
  const { editing, failure } = props;
  const { filter } = editing.draft.value;
  const edited = useMemo(
    () => ({ filter, change: (next: Filter) => editing.change({ filter: next }) }),
    [filter],
  );
  // Listings know no resource: it says whether the alert is on listings or on messages.
  const counted = useMemo(() => without(filter, ["resource"]), [filter]);
  const facets = useFacetCounts(counted);
  const panel = <FilterPanel facets={facets} failure={failure} />;
  const isAboutFilter = refusedMember(failure) !== undefined;
  const count = listParts(filter).length;
  return (
    <EditedFilterContext.Provider value={edited}>
      <div class="alert-filter">
        <h2>{alertsWords.filter}</h2>
        {count === 0 ? (
          <p class="sub">
            {editing.draft.value.strategy === "price_engine"
              ? alertsWords.noFilterBuys
              : alertsWords.noFilter}
          </p>
        ) : null}
        <ChosenParts />
        <ProblemList
          problems={props.problems}
          onDismiss={() => setQuery(new URLSearchParams())}
          refusal={isAboutFilter ? failure : undefined}
          warnings={props.warnings}
        />
        <WordsField label={alertsWords.words} hint={alertsWords.wordsHint} />
        {isNarrow.value ? (
          <FilterSheet count={count} done={alertsWords.filterDone}>
            {panel}
          </FilterSheet>
        ) : null}
      </div>
      {isNarrow.value ? null : panel}
    </EditedFilterContext.Provider>
  );
}
