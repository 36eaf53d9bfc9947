import type { WebhookTarget } from "../../../../client/assay-client.ts";
import { type Column, Table } from "../../../parts/table.tsx";
import { Tag } from "../../../parts/tag.tsx";
import { targetsWords } from "../../../words/targets.ts";
import { toTargetDraft } from "./target-draft.ts";
import { targetPath } from "./target-path.ts";

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

export function TargetTable({ targets }: { readonly targets: readonly WebhookTarget[] }) {
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
      {targetsWords.kinds[toTargetDraft(target).kind]}{" "}
      <bdi class="soft">{target.url ?? target.to ?? target.chat_id ?? ""}</bdi>
    </>
  );
}
