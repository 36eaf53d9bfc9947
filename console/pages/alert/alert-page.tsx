import { useMemo } from "preact/hooks";
import { useAfterMatches } from "../../live/unseen-count.ts";
import { Empty } from "../../parts/empty.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { query } from "../../router.ts";
import { useLoad } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";
import { readDraft } from "./alert-draft.ts";
import { AlertEditor } from "./alert-editor.tsx";
import { AlertView } from "./alert-view.tsx";
import { readAlert } from "./stored-alert.ts";

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
