import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Table } from "../../parts/table.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { useLoad } from "../../state/load.ts";
import { referenceWords } from "../../words/reference.ts";
import { words } from "../../words/words.ts";
import { REFERENCE_COLUMNS } from "./reference-columns.tsx";
import {
  changeChoice,
  type ReferencePage,
  type References,
  SORTS,
  useReferences,
} from "./references-state.ts";
import { useRowKeys } from "./row-keys.ts";

/** What the market trades: every reference of the last 30 days, with what is asked for it. */
export function ReferencesPage() {
  const references = useReferences();
  useRowKeys();
  return (
    <ScrollArea name="references" label={words.pages.references} class="references">
      <div>
        <PageHeading title={words.pages.references} isHidden />
        <div class="bar">
          <SearchField
            text={references.choice.text}
            label={referenceWords.search}
            keyLabel={referenceWords.search}
            area="references"
            onSearch={(text) => changeChoice({ text: text.trim() })}
          />
          <BrandChoice brand={references.choice.brand} />
          <SortChoice references={references} />
        </div>
        <WhenLoaded load={references.load} rows={14}>
          {(page) => <Rows page={page} references={references} />}
        </WhenLoaded>
      </div>
    </ScrollArea>
  );
}

function Rows(props: { readonly page: ReferencePage; readonly references: References }) {
  const { page, references } = props;
  const { text, brand } = references.choice;
  const isFiltered = text !== "" || brand !== "";
  if (page.items.length === 0 && page.next_cursor === undefined) {
    return (
      <Empty title={isFiltered ? referenceWords.noneFound : referenceWords.none}>
        <p class="soft">{isFiltered ? referenceWords.noneFoundHint : referenceWords.noneHint}</p>
        {isFiltered ? (
          <Button onPress={() => changeChoice({ text: "", brand: "" })}>
            {referenceWords.showAll}
          </Button>
        ) : null}
      </Empty>
    );
  }
  return (
    <>
      <Table
        caption={referenceWords.caption}
        columns={REFERENCE_COLUMNS}
        rows={page.items}
        keyOf={(item) => `${item.brand} ${item.reference_normalized}`}
      />
      <div class="references-foot">
        {page.next_cursor === undefined ? null : (
          <Button onPress={references.loadMore}>{words.more}</Button>
        )}
        <span class="sub">
          {page.is_exact ? referenceWords.period : referenceWords.periodSampled}
        </span>
      </div>
    </>
  );
}

function BrandChoice({ brand }: { readonly brand: string }) {
  const load = useLoad([], async (signal) => {
    const { facets } = await api.countFacets({ facets: ["brand"], limit: 200 }, { signal });
    return (facets["brand"] ?? []).map(({ value }) => value).toSorted();
  });
  const known = load.state.value.value ?? [];
  const brands = brand === "" || known.includes(brand) ? known : [brand, ...known];
  return (
    <select
      class="field"
      aria-label={referenceWords.brand}
      value={brand}
      onChange={(event) => changeChoice({ brand: event.currentTarget.value })}
    >
      <option value="">{referenceWords.allBrands}</option>
      {brands.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function SortChoice({ references }: { readonly references: References }) {
  return (
    <select
      class="field"
      aria-label={referenceWords.sort}
      value={references.choice.sort}
      onChange={(event) => {
        const sort = SORTS.find((each) => each === event.currentTarget.value);
        if (sort !== undefined) changeChoice({ sort });
      }}
    >
      {SORTS.map((sort) => (
        <option key={sort} value={sort}>
          {referenceWords.sorts[sort]}
        </option>
      ))}
    </select>
  );
}
