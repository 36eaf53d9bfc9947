import { useSignal } from "@preact/signals";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/choice.tsx";
import { Section } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { useLoad, usePages } from "../../state/load.ts";
import { readRates } from "../../state/prices.ts";
import { settingsWords } from "../../words/settings.ts";
import { words } from "../../words/words.ts";
import { GroupTable } from "./group-table.tsx";

const PAGE_ROWS = 20;

/** The groups of the gateway: found by name, ignored or read, with the currency of amounts without one. */
export function GroupSection() {
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
