/** The alerts with what they matched, as the list shows them: the rows, and what stands in each column. */
import type {
  Alert,
  AlertActivity,
  MatchDay,
  WebhookTarget,
} from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { listParts } from "../../filters/clauses.ts";
import { type Filter, without } from "../../filters/filter.ts";
import { Age } from "../../parts/figures.tsx";
import { type Column, Tag } from "../../parts/table.tsx";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";
import { DAY_MS, formatCount, formatUtcDay } from "../../words/formats.ts";
import { MuteMenu } from "../alert/mute.tsx";
import { isSentTo } from "../alert/send-to.tsx";

export interface AlertRow {
  readonly alert: Alert;
  /** Absent for an alert that was just created. */
  readonly state: AlertActivity | undefined;
}

/** More than one line has no room. */
const PARTS_MAX = 6;
const DAYS = 30;
const STEP = 4;
const BAR = 3;
const HEIGHT = 20;

/** Those that matched last come first, then by name. */
export async function readAlertRows(signal: AbortSignal): Promise<readonly AlertRow[]> {
  const [alerts, states] = await Promise.all([
    api.listAlerts({}, { signal }),
    api.listAlertStates({}, { signal }),
  ]);
  const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const stateOf = new Map(states.items.map((state) => [state.alert_id, state]));
  return alerts.items
    .map((alert) => ({ alert, state: stateOf.get(alert.id) }))
    .toSorted(
      (left, right) =>
        (right.state?.last_matched_at_ms ?? 0) - (left.state?.last_matched_at_ms ?? 0) ||
        names.compare(left.alert.name, right.alert.name),
    );
}

/** The rows in the order that the reader saw first, so that none moves while matches arrive. New ones are on top. */
export function keepOrder(
  rows: readonly AlertRow[],
  places: Map<string, number>,
): readonly AlertRow[] {
  if (places.size === 0) for (const [at, { alert }] of rows.entries()) places.set(alert.id, at);
  const placeOf = ({ alert }: AlertRow): number => places.get(alert.id) ?? -1;
  return rows.toSorted((left, right) => placeOf(left) - placeOf(right));
}

export function withName(rows: readonly AlertRow[], text: string): readonly AlertRow[] {
  const words = text.toLowerCase().split(/\s+/);
  return rows.filter(({ alert }) => {
    const name = alert.name.toLowerCase();
    return words.every((word) => name.includes(word));
  });
}

/** The columns of the list. `change` puts a change into the row at once. */
export function alertColumns(
  change: (row: AlertRow) => void,
  targets: readonly WebhookTarget[] | undefined,
): readonly Column<AlertRow>[] {
  return [
    { id: "alert", title: alertsWords.alert, isWide: true, cell: (row) => <Name row={row} /> },
    { id: "days", title: alertsWords.days, cell: ({ state }) => <Days state={state} /> },
    {
      id: "unseen",
      title: alertsWords.unseen,
      isNumber: true,
      cell: ({ alert, state }) => <Unseen alert={alert} count={state?.unseen_count ?? 0} />,
    },
    {
      id: "all",
      title: alertsWords.all,
      isNumber: true,
      isOptional: true,
      cell: ({ alert, state }) => <All alert={alert} count={state?.total_count ?? 0} />,
    },
    {
      id: "last",
      title: alertsWords.last,
      isNumber: true,
      isOptional: true,
      cell: ({ state }) =>
        state?.last_matched_at_ms === undefined ? (
          <None />
        ) : (
          <Age atMs={state.last_matched_at_ms} />
        ),
    },
    ...(canWrite.value ? [sendsColumn(targets)] : []),
    muteColumn(change),
  ];
}

function sendsColumn(targets: readonly WebhookTarget[] | undefined): Column<AlertRow> {
  return {
    id: "sends",
    title: alertsWords.sends,
    cell: ({ alert }) =>
      targets === undefined ? null : (
        <Sends targets={targets.filter((target) => isSentTo(target, alert.id))} />
      ),
  };
}

function muteColumn(change: (row: AlertRow) => void): Column<AlertRow> {
  return {
    id: "mute",
    title: canWrite.value ? alertsWords.mute : alertsWords.muted,
    isNumber: true,
    cell: (row) => (
      <MuteMenu
        alert={row.alert}
        mutedUntilMs={row.state?.muted_until_ms}
        onMute={(untilMs) => change({ ...row, state: withMute(row, untilMs) })}
        onTurn={(enabled) => change({ ...row, alert: { ...row.alert, enabled } })}
      />
    ),
  };
}

/** Where its matches go. Nowhere is said, because it is rarely wanted. */
function Sends({ targets }: { readonly targets: readonly WebhookTarget[] }) {
  if (targets.length > 0) {
    const names = targets.map(({ name }) => name).join(", ");
    return <bdi title={names}>{names}</bdi>;
  }
  return (
    <span class="sub">
      {alertsWords.nowhere}
      {" · "}
      <a href="/settings?show=notifications&target=new">{alertsWords.addPhone}</a>
    </span>
  );
}

function Name({ row: { alert } }: { readonly row: AlertRow }) {
  return (
    <>
      <div class="alert-line">
        <a class="alert-name" href={`/alerts/${alert.id}`}>
          <b>
            <bdi>{alert.name}</bdi>
          </b>
        </a>
        {alert.enabled ? null : <Tag tone="warn">{alertsWords.off}</Tag>}
        {alert.managed_by === "manifest" ? <Tag>{alertsWords.ofManifest}</Tag> : null}
      </div>
      {alert.is_system ? null : <div class="sub">{describeAlert(alert)}</div>}
    </>
  );
}

/** Such as `Listings · Brand Rolex · Price up to €11,500`. */
function describeAlert({ strategy, filters }: Alert): string {
  const parts = describeFilter(without(filters, ["configuration_ids", "resource"]));
  if (strategy === "price_engine") {
    const ids = filters["configuration_ids"];
    const where =
      Array.isArray(ids) && ids.length > 0
        ? alertsWords.inConfigurations(ids.length)
        : alertsWords.everyBuy;
    return [`${alertsWords.buys} ${where}`, ...parts].join(" · ");
  }
  const noun = filters["resource"] === "messages" ? alertsWords.messages : alertsWords.listings;
  return [noun, ...(parts.length === 0 ? [alertsWords.everything] : parts)].join(" · ");
}

/** A label for all of its values: `Reference 126610LN, 126610LV`. */
function describeFilter(filters: Filter): readonly string[] {
  const texts = new Map<string, string[]>();
  for (const { label, text } of listParts(filters).slice(0, PARTS_MAX)) {
    texts.set(label, [...(texts.get(label) ?? []), text]);
  }
  return [...texts].map(([label, values]) => `${label} ${values.join(", ")}`);
}

function Days({ state }: { readonly state: AlertActivity | undefined }) {
  const days = state?.days ?? [];
  const total = days.reduce((sum, { match_count }) => sum + match_count, 0);
  return (
    <span class="days">
      <MiniBars days={days} />
      <span class="num">{total === 0 ? <None /> : formatCount(total)}</span>
    </span>
  );
}

/** The matches of the last 30 UTC days as small bars, each row by its own highest day. */
function MiniBars({ days }: { readonly days: readonly MatchDay[] }) {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const most = days.reduce<MatchDay | undefined>(
    (best, day) => (day.match_count > (best?.match_count ?? 0) ? day : best),
    undefined,
  );
  const total = days.reduce((sum, { match_count }) => sum + match_count, 0);
  const label =
    most === undefined
      ? alertsWords.barsNone
      : alertsWords.bars({
          total,
          most: most.match_count,
          day: formatUtcDay(most.day_start_ms),
        });
  return (
    <svg class="mini-bars" width={DAYS * STEP} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      <path class="mini-ground" d={`M0 ${HEIGHT - 0.5}H${DAYS * STEP - 1}`} />
      {days.map(({ day_start_ms, match_count }) => {
        const at = DAYS - 1 - Math.round((today - day_start_ms) / DAY_MS);
        const height = Math.max(2, (match_count / (most?.match_count ?? 1)) * HEIGHT);
        return at < 0 || match_count === 0 ? null : (
          <rect key={day_start_ms} x={at * STEP} y={HEIGHT - height} width={BAR} height={height} />
        );
      })}
    </svg>
  );
}

function Unseen({ alert, count }: { readonly alert: Alert; readonly count: number }) {
  if (count === 0) return <None />;
  return (
    <a class="count" href={`/?alert=${alert.id}`}>
      <b>{formatCount(count)}</b>
    </a>
  );
}

function All({ alert, count }: { readonly alert: Alert; readonly count: number }) {
  if (count === 0) return <None />;
  return (
    <a class="count" href={`/?show=all&alert=${alert.id}`}>
      {formatCount(count)}
    </a>
  );
}

function None() {
  return <span class="faint">–</span>;
}

function withMute({ alert, state }: AlertRow, untilMs: number | undefined): AlertActivity {
  const { muted_until_ms: _, ...rest } = state ?? {
    alert_id: alert.id,
    total_count: 0,
    unseen_count: 0,
    days: [],
  };
  return untilMs === undefined ? rest : { ...rest, muted_until_ms: untilMs };
}
