import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Alert } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { listParts } from "../../filters/clauses.ts";
import { writeFilter } from "../../filters/filter-url.ts";
import { useAfterMatches } from "../../live/changes.ts";
import { Button } from "../../parts/button.tsx";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { query } from "../../router.ts";
import { useLoad } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";
import { type AlertDraft, readDraft, toDraft } from "./alert-draft.ts";
import { readAlert } from "./alert-editing.ts";
import { AlertEditor } from "./alert-editor.tsx";
import { useConfigurationNames } from "./alert-fields.tsx";
import { AlertBar } from "./alert-head.tsx";
import { BackTest, usePreview } from "./back-test.tsx";
import { canTurn, turn } from "./mute.tsx";
import { SendTo } from "./send-to.tsx";

/** One alert: its editor, or, where it cannot be changed, what it is and why. `/alerts/new` begins one. */
export function AlertPage({ id }: { readonly id: string }) {
  return id === "new" ? <NewAlert /> : <StoredAlertPage id={id} />;
}

function NewAlert() {
  const { draft, problems } = useMemo(() => readDraft(query.peek()), []);
  if (!canWrite.value) {
    return (
      <div class="page">
        <PageHeading title={alertsWords.newTitle} />
        <Empty title={alertsWords.readOnlyWhy}>
          <a class="button" href="/alerts">
            {alertsWords.back}
          </a>
        </Empty>
      </div>
    );
  }
  return <AlertEditor stored={undefined} initial={draft} problems={problems} />;
}

function StoredAlertPage({ id }: { readonly id: string }) {
  const load = useLoad([id], (signal) => readAlert(id, signal));
  useAfterMatches(load.reload);
  if (load.state.value.failure?.kind === "missing") {
    return (
      <div class="page">
        <PageHeading title={alertsWords.missing} />
        <Empty title={alertsWords.missingHint}>
          <a class="button" href="/alerts">
            {alertsWords.back}
          </a>
        </Empty>
      </div>
    );
  }
  const stored = load.state.value.value;
  // What is edited stays as it is while it cannot be read again; saving and the back-test tell why.
  if (stored === undefined) return <WhenLoaded load={load}>{() => null}</WhenLoaded>;
  return canWrite.value && stored.alert.managed_by === "api" ? (
    <AlertEditor stored={stored} problems={[]} />
  ) : (
    <AlertView alert={stored.alert} onChange={load.reload} />
  );
}

/** An alert that is not changed here: what it is, why it cannot be changed, and what it would have matched. */
function AlertView(props: { readonly alert: Alert; readonly onChange: () => void }) {
  const { alert } = props;
  const draft = useMemo(() => toDraft(alert), [alert.updated_at_ms, alert.id]);
  const preview = usePreview(draft);
  const nothing = useSignal<readonly string[]>([]);
  return (
    <div class="alert-page">
      <AlertBar title={alert.name} alert={alert}>
        {canTurn(alert) ? <TurnButton alert={alert} onTurn={props.onChange} /> : null}
      </AlertBar>
      <ScrollArea name="alert-form" label={alert.name} class="alert-form">
        <div class="alert-fields">
          <p class="notice">{whyNot(alert)}</p>
          <dl class="alert-facts">
            <Fact term={alertsWords.strategy}>{alertsWords.strategies[draft.strategy]}</Fact>
            {draft.strategy === "price_engine" ? <Configurations draft={draft} /> : null}
            {draft.viewId === undefined ? null : <View id={draft.viewId} />}
            <Fact term={alertsWords.filter}>
              <FilterParts draft={draft} />
            </Fact>
          </dl>
        </div>
        {canWrite.value ? <SendTo alert={alert} chosen={nothing} /> : null}
      </ScrollArea>
      <BackTest draft={draft} preview={preview} alertId={alert.id} />
    </div>
  );
}

function TurnButton(props: { readonly alert: Alert; readonly onTurn: () => void }) {
  const { alert } = props;
  const press = async (): Promise<void> => {
    if (await turn(alert, !alert.enabled)) props.onTurn();
  };
  return (
    <Button isWrite onPress={() => void press().catch(reportError)}>
      {alert.enabled ? alertsWords.turnOff : alertsWords.turnOn}
    </Button>
  );
}

function whyNot({ managed_by, is_system }: Alert): string {
  if (!canWrite.value) return alertsWords.readOnlyWhy;
  return is_system || managed_by === "price_engine"
    ? alertsWords.systemWhy
    : alertsWords.manifestWhy;
}

function Fact(props: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.term}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function FilterParts({ draft }: { readonly draft: AlertDraft }) {
  const parts = listParts(draft.filter);
  if (parts.length === 0) return <>{describeEmpty(draft)}</>;
  return (
    <ul>
      {parts.map(({ id, label, text }) => (
        <li key={id}>
          <span class="soft">{label}</span> <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}

function describeEmpty({ strategy }: AlertDraft): string {
  return strategy === "price_engine" ? alertsWords.noFilterBuys : alertsWords.noFilter;
}

function Configurations({ draft }: { readonly draft: AlertDraft }) {
  const names = useConfigurationNames(draft.configurationIds);
  return (
    <Fact term={alertsWords.configurations}>
      {names.length === 0 ? (
        alertsWords.allConfigurations
      ) : (
        <ul>
          {names.map(({ id, name }) => (
            <li key={id}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Fact>
  );
}

function View({ id }: { readonly id: string }) {
  const load = useLoad([id], (signal) => api.getView({ view_id: id }, { signal }));
  const { value, failure } = load.state.value;
  const isGone = failure?.kind === "missing";
  return (
    <Fact term={alertsWords.view}>
      {isGone ? (
        alertsWords.viewGone
      ) : (
        <a href={`/market?${writeFilter(value?.filters ?? {}, new URLSearchParams({ view: id }))}`}>
          <bdi>{value?.name ?? ""}</bdi>
        </a>
      )}
    </Fact>
  );
}
