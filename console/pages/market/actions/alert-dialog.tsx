import { api } from "../../../api.ts";
import { listParts } from "../../../filters/clauses.ts";
import { useLoad } from "../../../state/load.ts";
import { showToast } from "../../../state/toasts.ts";
import { marketWords } from "../../../words/market.ts";
import { market } from "../market-state.ts";
import { NameDialog } from "./name-dialog.tsx";

const NAME_MAX = 80;
const COUNT = new Intl.NumberFormat("en-GB");

/** Makes an alert of the current filter. The number of past matches tells whether it would be too loud. */
export function AlertDialog({ onClose }: { readonly onClose: () => void }) {
  const { filter } = market.value;
  const load = useLoad([filter], (signal) => api.previewAlert({ filters: filter }, { signal }));
  const { value: past, failure } = load.state.value;
  const create = async (name: string): Promise<void> => {
    await api.createAlert({ name, filters: filter });
    showToast(marketWords.alertCreated(name));
  };
  return (
    <NameDialog
      title={marketWords.alertTitle}
      action={marketWords.alertCreate}
      initial={suggestName()}
      onSave={create}
      onClose={onClose}
    >
      <p class="soft">{marketWords.alertHint}</p>
      <p class="soft" role="status">
        {past === undefined
          ? (failure?.message ?? marketWords.counting)
          : marketWords.alertPast(COUNT.format(past.total), past.is_exact)}
      </p>
    </NameDialog>
  );
}

function suggestName(): string {
  return listParts(market.value.filter)
    .map(({ text }) => text)
    .join(", ")
    .slice(0, NAME_MAX);
}
