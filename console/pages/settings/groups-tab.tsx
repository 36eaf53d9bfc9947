import { useSignal } from "@preact/signals";
import type { GroupSummary } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/choice.tsx";
import { Section } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { type Column, Table, Tag } from "../../parts/table.tsx";
import { type Load, useLoad, usePages } from "../../state/load.ts";
import { readRates } from "../../state/prices.ts";
import { isOwner } from "../../state/session.ts";
import { offerUndo, tellFailure } from "../../state/toasts.ts";
import { settingsWords } from "../../words/settings.ts";
import { words } from "../../words/words.ts";

const PAGE_ROWS = 20;

type GroupLoad = Load<Awaited<ReturnType<typeof api.listGroups>>>;

/** Undefined leaves a member as it is; an empty currency means none. */
interface Change {
  readonly isIgnored?: boolean;
  readonly currency?: string;
}

/** The groups of the gateway: found by name, ignored or read, with the currency of amounts without one. */
export function GroupsTab() {
  const text = useSignal("");
  const isIgnoredOnly = useSignal(false);
  const q = text.value.trim();
  const { load, more } = usePages([q, isIgnoredOnly.value], (cursor, options) =>
    api.listGroups(
      {
        limit: PAGE_ROWS,
        ...(q === "" ? {} : { q }),
        ...(isIgnoredOnly.value ? { is_ignored: true } : {}),
        ...cursor,
      },
      options,
    ),
  );
  const currencies = useLoad([], async (signal) =>
    ["EUR", ...(await readRates(signal)).map(({ currency }) => currency)].toSorted(),
  );
  return (
    <Section title={settingsWords.groups}>
      <p class="soft">{settingsWords.groupsHint}</p>
      <div class="row">
        <input
          class="field group-search"
          type="search"
          maxLength={200}
          aria-label={settingsWords.findGroup}
          placeholder={settingsWords.findGroup}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <Chip
          isOn={isIgnoredOnly.value}
          onToggle={() => {
            isIgnoredOnly.value = !isIgnoredOnly.value;
          }}
        >
          {settingsWords.onlyIgnored}
        </Chip>
      </div>
      <WhenLoaded load={load} rows={4}>
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <NoGroups hasText={q !== ""} isIgnoredOnly={isIgnoredOnly.value} />
          ) : (
            <>
              {items.some(({ managed_by }) => managed_by === "manifest") ? (
                <p class="sub">{settingsWords.groupsManaged}</p>
              ) : null}
              <GroupTable
                groups={items}
                load={load}
                currencies={currencies.state.value.value ?? []}
              />
              {next_cursor === undefined ? null : <Button onPress={more}>{words.more}</Button>}
            </>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function NoGroups(props: { readonly hasText: boolean; readonly isIgnoredOnly: boolean }) {
  if (props.hasText) return <Empty title={settingsWords.noGroupFits} />;
  if (props.isIgnoredOnly) return <Empty title={settingsWords.noneIgnored} />;
  return (
    <Empty title={settingsWords.noGroups}>
      <p class="soft">{settingsWords.noGroupsHint}</p>
    </Empty>
  );
}

const FACTS: readonly Column<GroupSummary>[] = [
  {
    id: "group",
    title: settingsWords.group,
    isWide: true,
    cell: ({ name, is_ignored }) => (
      <span class={is_ignored ? "soft two-lines" : "two-lines"} title={name}>
        <bdi>{name ?? words.group.unnamed}</bdi>{" "}
        {is_ignored ? <Tag tone="warn">{settingsWords.ignored}</Tag> : null}{" "}
      </span>
    ),
  },
  {
    id: "messages",
    title: settingsWords.messages,
    isNumber: true,
    isOptional: true,
    cell: ({ message_count }) => settingsWords.count(message_count),
  },
  {
    id: "listings",
    title: settingsWords.listings,
    isNumber: true,
    isOptional: true,
    cell: ({ listing_count }) => settingsWords.count(listing_count),
  },
];

function GroupTable(props: {
  readonly groups: readonly GroupSummary[];
  readonly load: GroupLoad;
  readonly currencies: readonly string[];
}) {
  const { load, currencies } = props;
  const columns: readonly Column<GroupSummary>[] = [
    ...FACTS,
    {
      id: "currency",
      title: settingsWords.groupCurrency,
      cell: (group) => <Currency group={group} load={load} currencies={currencies} />,
    },
    {
      id: "change",
      title: settingsWords.change,
      isNumber: true,
      cell: (group) => <Ignore group={group} load={load} />,
    },
  ];
  return (
    <Table
      caption={settingsWords.groupsCaption}
      columns={columns}
      rows={props.groups}
      keyOf={({ id }) => id}
    />
  );
}

function Currency(props: {
  readonly group: GroupSummary;
  readonly load: GroupLoad;
  readonly currencies: readonly string[];
}) {
  const { group, load } = props;
  const current = group.default_currency ?? "";
  if (!isOurs(group)) return <>{current === "" ? settingsWords.noCurrency : current}</>;
  const known = props.currencies.includes(current) || current === "" ? [] : [current];
  return (
    <select
      class="field"
      aria-label={settingsWords.currencyOf(group.name ?? words.group.unnamed)}
      value={current}
      onChange={(event) => {
        const currency = event.currentTarget.value;
        changeGroup(load, group, { currency }).catch(reportError);
      }}
    >
      <option value="">{settingsWords.noCurrency}</option>
      {[...known, ...props.currencies].map((currency) => (
        <option key={currency} value={currency}>
          {currency}
        </option>
      ))}
    </select>
  );
}

function Ignore({ group, load }: { readonly group: GroupSummary; readonly load: GroupLoad }) {
  if (!isOurs(group)) return null;
  const isIgnored = !group.is_ignored;
  return (
    <Button isOwners onPress={() => void changeGroup(load, group, { isIgnored })}>
      {isIgnored ? settingsWords.ignore : settingsWords.unignore}
      <span class="sr"> {group.name}</span>
    </Button>
  );
}

function isOurs({ managed_by }: GroupSummary): boolean {
  return isOwner.value && managed_by !== "manifest";
}

/** Changes a group at once, in the table too, and offers to take it back. */
async function changeGroup(load: GroupLoad, group: GroupSummary, change: Change): Promise<void> {
  const name = group.name ?? words.group.unnamed;
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
