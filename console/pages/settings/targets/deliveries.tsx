import { useSignal } from "@preact/signals";
import type { Delivery } from "../../../../client/assay-client.ts";
import { api, toFailure } from "../../../api.ts";
import { useAfterMatches } from "../../../live/changes.ts";
import { Button } from "../../../parts/button.tsx";
import { Age } from "../../../parts/figures.tsx";
import { Section } from "../../../parts/layout.tsx";
import { WhenLoaded } from "../../../parts/states.tsx";
import { type Column, Table, Tag } from "../../../parts/table.tsx";
import { nowMs } from "../../../state/clock.ts";
import { useLoad } from "../../../state/load.ts";
import { showToast } from "../../../state/toasts.ts";
import { formatAge, formatTime } from "../../../words/formats.ts";
import { targetsWords } from "../../../words/targets.ts";

const FIRST = 50;
const MOST = 200;
const TONES = { pending: "plain", delivered: "good", dead: "bad" } as const;
type Status = keyof typeof TONES;

/** What was sent to a target, and what waits: one row for each match. */
export function Deliveries({ targetId }: { readonly targetId: string }) {
  const limit = useSignal(FIRST);
  const load = useLoad([targetId, limit.value], (signal) =>
    api.listDeliveries({ target_id: targetId, limit: limit.value }, { signal }),
  );
  useAfterMatches(load.reload);
  const retry = async ({ id }: Delivery): Promise<void> => {
    try {
      const delivery = await api.retryDelivery({ delivery_id: id });
      load.change((page) => ({
        ...page,
        items: page.items.map((each) => (each.id === id ? delivery : each)),
      }));
      showToast(targetsWords.retried);
    } catch (error) {
      showToast(toFailure(error).message, { isBad: true });
    }
  };
  return (
    <Section title={targetsWords.deliveries} note={targetsWords.deliveriesHint}>
      <WhenLoaded load={load} rows={4}>
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <p class="soft">{targetsWords.deliveriesNone}</p>
          ) : (
            <div class="deliveries">
              <Table
                caption={targetsWords.deliveries}
                columns={columnsWith((delivery) => void retry(delivery).catch(reportError))}
                rows={items}
                keyOf={({ id }) => id}
              />
              {next_cursor !== undefined && limit.value < MOST ? (
                <Button
                  onPress={() => {
                    limit.value = MOST;
                  }}
                >
                  {targetsWords.more}
                </Button>
              ) : null}
            </div>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function columnsWith(retry: (delivery: Delivery) => void): readonly Column<Delivery>[] {
  return [
    {
      id: "when",
      title: targetsWords.when,
      isNumber: true,
      cell: ({ created_at_ms }) => <Age atMs={created_at_ms} />,
    },
    { id: "alert", title: targetsWords.alert, isWide: true, cell: (each) => <Match {...each} /> },
    { id: "state", title: targetsWords.state, cell: (each) => <State {...each} /> },
    {
      id: "attempts",
      title: targetsWords.attempts,
      isNumber: true,
      isOptional: true,
      cell: ({ attempt_count }) => attempt_count,
    },
    { id: "result", title: targetsWords.result, cell: (each) => <Result {...each} /> },
    {
      id: "retry",
      title: targetsWords.retry,
      cell: (each) =>
        each.status === "delivered" ? null : (
          <Button isWrite onPress={() => retry(each)}>
            {targetsWords.retry}
            <span class="sr"> {each.alert_name}</span>
          </Button>
        ),
    },
  ];
}

function Match({ resource, resource_id, alert_name }: Delivery) {
  if (resource !== "watch_listing") return <bdi>{alert_name}</bdi>;
  return (
    <a href={`/listings/${resource_id}`}>
      <bdi>{alert_name}</bdi>
    </a>
  );
}

function State({ status }: Delivery) {
  const known: Status = status === "delivered" || status === "dead" ? status : "pending";
  return <Tag tone={TONES[known]}>{targetsWords.states[known]}</Tag>;
}

function Result({ last_result, next_attempt_at_ms, status }: Delivery) {
  return (
    <>
      <bdi title={last_result}>{last_result ?? ""}</bdi>
      {status === "pending" && next_attempt_at_ms !== undefined ? (
        <div class="sub" title={formatTime(next_attempt_at_ms)}>
          {describeNext(next_attempt_at_ms - nowMs.value)}
        </div>
      ) : null}
    </>
  );
}

function describeNext(waitMs: number): string {
  return waitMs < 1_000 ? targetsWords.due : targetsWords.next(formatAge(waitMs));
}
