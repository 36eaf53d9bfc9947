import type { GroupSummary } from "../../../../client/assay-client.ts";
import { api } from "../../../api.ts";
import type { Load } from "../../../state/load.ts";
import { tellFailure } from "../../../state/tell-failure.ts";
import { offerUndo } from "../../../state/toasts.ts";
import { settingsWords } from "../../../words/settings.ts";

export type GroupLoad = Load<{ readonly items: readonly GroupSummary[] }>;

/** Undefined leaves a member as it is; an empty currency means none. */
interface Change {
  readonly isIgnored?: boolean;
  readonly currency?: string;
}

/** Changes a group at once, in the table too, and offers to take it back. */
export async function changeGroup(
  load: GroupLoad,
  group: GroupSummary,
  change: Change,
): Promise<void> {
  const name = group.name ?? settingsWords.unnamed;
  if (!(await send(load, group.id, change))) return;
  const before =
    change.currency === undefined
      ? { isIgnored: group.is_ignored }
      : { currency: group.default_currency ?? "" };
  offerUndo(describe(name, change), () => void send(load, group.id, before));
}

async function send(load: GroupLoad, groupId: string, change: Change): Promise<boolean> {
  const { isIgnored, currency } = change;
  try {
    const changed = await api.changeGroup({
      group_id: groupId,
      ...(isIgnored === undefined ? {} : { is_ignored: isIgnored }),
      ...(currency === undefined ? {} : { default_currency: currency === "" ? null : currency }),
    });
    load.change((page) => ({
      ...page,
      items: page.items.map((row) => {
        if (row.id !== groupId) return row;
        const { default_currency: _, ...rest } = row;
        return { ...rest, ...changed };
      }),
    }));
    return true;
  } catch (error) {
    tellFailure(error);
    // A control that was changed shows the value of the service again.
    load.change((page) => ({ ...page, items: page.items.map((row) => ({ ...row })) }));
    return false;
  }
}

function describe(name: string, { isIgnored }: Change): string {
  if (isIgnored === undefined) return settingsWords.changedCurrency(name);
  return isIgnored ? settingsWords.ignoredGroup(name) : settingsWords.readGroup(name);
}
