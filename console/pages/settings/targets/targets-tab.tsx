import type { Alert, WebhookTarget } from "../../../../client/assay-client.ts";
import { api } from "../../../api.ts";
import { Empty, Loading, WhenLoaded } from "../../../parts/states.tsx";
import { type Column, Table, Tag } from "../../../parts/table.tsx";
import { query } from "../../../router.ts";
import { useLoad } from "../../../state/load.ts";
import { CHANNELS, channelKindOf, targetsWords } from "../../../words/targets.ts";
import { readTargets } from "../../alert/send-to.tsx";
import { addressOf, targetPath } from "./target-draft.ts";
import { TargetEditor } from "./target-editor.tsx";

const COLUMNS: readonly Column<WebhookTarget>[] = [
  { id: "name", title: targetsWords.name, cell: (target) => <Name target={target} /> },
  { id: "where", title: targetsWords.where, isWide: true, cell: (target) => <Where {...target} /> },
  {
    id: "alerts",
    title: targetsWords.alerts,
    cell: ({ alerts }) =>
      alerts === undefined ? targetsWords.allAlerts : targetsWords.alertCount(alerts.length),
  },
  {
    id: "quiet",
    title: targetsWords.quiet,
    isOptional: true,
    cell: ({ quiet_hours }) =>
      quiet_hours === undefined ? (
        <span class="faint">–</span>
      ) : (
        `${quiet_hours.from}–${quiet_hours.to}`
      ),
  },
];

/** The targets, or the one that the address names. */
export function TargetsTab() {
  const load = useLoad([], readTargets);
  const alerts = useLoad([], readAlerts);
  const named = query.value.get("target");
  // Those of the reader come first: they are few, and the likely choice.
  const choices = (alerts.state.value.value ?? [])
    .toSorted((left, right) => Number(left.is_system) - Number(right.is_system))
    .map(({ id, name }) => ({ id, name }));
  if (named === "new") {
    return <TargetEditor key="new" target={undefined} alerts={choices} onChange={load.reload} />;
  }
  return (
    <WhenLoaded load={load} rows={3}>
      {(targets) => {
        const target = targets.find(({ id }) => id === named);
        if (target !== undefined) {
          return (
            <TargetEditor key={target.id} target={target} alerts={choices} onChange={load.reload} />
          );
        }
        if (named !== null) return load.state.value.isLoading ? <Loading /> : <Missing />;
        return targets.length === 0 ? <NoTargets /> : <Targets targets={targets} />;
      }}
    </WhenLoaded>
  );
}

async function readAlerts(signal: AbortSignal): Promise<readonly Alert[]> {
  return (await api.listAlerts({}, { signal })).items;
}

function Targets({ targets }: Parameters<typeof TargetTable>[0]) {
  return (
    <>
      <div class="alerts-bar">
        <CreateLink />
      </div>
      <TargetTable targets={targets} />
    </>
  );
}

function TargetTable({ targets }: { readonly targets: readonly WebhookTarget[] }) {
  return (
    <div class="targets">
      <Table
        caption={targetsWords.caption}
        columns={COLUMNS}
        rows={targets}
        keyOf={({ id }) => id}
      />
    </div>
  );
}

function Name({ target }: { readonly target: WebhookTarget }) {
  return (
    <div class="alert-line">
      <a class="alert-name" href={targetPath(target.id)}>
        <b>
          <bdi>{target.name}</bdi>
        </b>
      </a>
      {target.gone_at_ms === undefined ? null : <Tag tone="bad">{targetsWords.gone}</Tag>}
      {target.managed_by === "manifest" ? <Tag>{targetsWords.ofManifest}</Tag> : null}
    </div>
  );
}

function Where(target: WebhookTarget) {
  return (
    <>
      {CHANNELS[channelKindOf(target.kind)].name} <bdi class="soft">{addressOf(target)}</bdi>
    </>
  );
}

function NoTargets() {
  return (
    <Empty title={targetsWords.none}>
      <p class="soft">{targetsWords.noneHint}</p>
      <CreateLink />
    </Empty>
  );
}

function Missing() {
  return (
    <Empty title={targetsWords.missing}>
      <a class="button" href={targetPath()}>
        {targetsWords.back}
      </a>
    </Empty>
  );
}

function CreateLink() {
  return (
    <a class="button main" href={targetPath("new")}>
      {targetsWords.create}
    </a>
  );
}
