import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/choice.tsx";
import { setQuery } from "../../router.ts";
import { useLoad } from "../../state/load.ts";
import { buysWords } from "../../words/buys.ts";
import { type BuyFilter, type Buys, writeFilter } from "./buys-state.ts";

/** What the list shows, and what is new. */
export function BuysBar({ buys }: { readonly buys: Buys }) {
  const { filter, load, markedIds, freshIds } = buys;
  const counted = load.state.value.value?.unseen_count ?? 0;
  const unseenCount = Math.max(0, counted - markedIds.value.size);
  const freshCount = freshIds.value.size;
  const change = (next: Partial<BuyFilter>): void => setQuery(writeFilter({ ...filter, ...next }));
  return (
    <div class="bar">
      <Chip isOn={!filter.isAll} onToggle={() => change({ isAll: false })}>
        {buysWords.unseen(unseenCount)}
      </Chip>
      <Chip isOn={filter.isAll} onToggle={() => change({ isAll: true })}>
        {buysWords.all}
      </Chip>
      <Chip isOn={filter.isBuysOnly} onToggle={() => change({ isBuysOnly: !filter.isBuysOnly })}>
        {buysWords.buysOnly}
      </Chip>
      <AlertChoice alertId={filter.alertId} onChoose={(alertId) => change({ alertId })} />
      <span class="grow" />
      <span role="status" class="fresh">
        {freshCount === 0 ? null : (
          <Button isMain onPress={buys.renew}>
            {buysWords.fresh(freshCount)}
          </Button>
        )}
      </span>
    </div>
  );
}

/** The alerts that people declared. Each price has one of its own; those are not listed. */
function AlertChoice(props: {
  readonly alertId: string | undefined;
  readonly onChoose: (alertId: string | undefined) => void;
}) {
  const load = useLoad([], (signal) => api.listAlerts({}, { signal }));
  const { value } = load.state.value;
  const alerts = (value?.items ?? []).filter(
    ({ id, is_system }) => !is_system || id === props.alertId,
  );
  const isDeleted = value !== undefined && !alerts.some(({ id }) => id === props.alertId);
  return (
    <select
      class={props.alertId === undefined ? "chip" : "chip is-on"}
      aria-label={buysWords.alert}
      value={props.alertId ?? ""}
      onChange={({ currentTarget: { value } }) => props.onChoose(value === "" ? undefined : value)}
    >
      <option value="">{buysWords.anyAlert}</option>
      {isDeleted && props.alertId !== undefined ? (
        <option value={props.alertId}>{buysWords.deletedAlert}</option>
      ) : null}
      {alerts.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
