import { useMemo } from "preact/hooks";
import type { MarketReference } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Age, Amount } from "../../parts/figures.tsx";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { type Column, moveRowFocus, Table, Tag } from "../../parts/table.tsx";
import { referencePath } from "../../parts/watch.tsx";
import { useKeys } from "../../state/commands.ts";
import { useLoad } from "../../state/load.ts";
import { formatCount } from "../../words/formats.ts";
import { referenceWords } from "../../words/reference.ts";
import { words } from "../../words/words.ts";
import {
  changeChoice,
  type ReferencePage,
  type References,
  SORTS,
  useReferences,
} from "./references-state.ts";

type PriceMember = "min_price_eur_minor" | "median_price_eur_minor" | "max_price_eur_minor";

const LINKS = "a[data-row]";
const COLUMNS: readonly Column<MarketReference>[] = [
  {
    id: "reference",
    title: referenceWords.reference,
    isWide: true,
    cell: (item) => (
      <>
        <a class="watch" href={referencePath(item)} data-row>
          <b>{item.reference}</b>
        </a>
        <div class="sub">{[item.brand, item.model].filter(Boolean).join(" ")}</div>
      </>
    ),
  },
  {
    id: "watched",
    title: referenceWords.watched,
    cell: ({ configuration_ids }) =>
      configuration_ids.length === 0 ? null : (
        <Tag tone="good">{referenceWords.watchedCount(configuration_ids.length)}</Tag>
      ),
  },
  {
    id: "asks",
    title: referenceWords.asks,
    isNumber: true,
    cell: ({ for_sale_count, want_to_buy_count }) => (
      <>
        {formatCount(for_sale_count)}
        <span class="unit"> {referenceWords.asksUnit}</span>
        {want_to_buy_count === 0 ? null : (
          <div class="sub">{referenceWords.wanted(formatCount(want_to_buy_count))}</div>
        )}
      </>
    ),
  },
  {
    id: "dealers",
    title: referenceWords.dealers,
    isNumber: true,
    isOptional: true,
    cell: ({ contact_count }) => formatCount(contact_count),
  },
  price("lowest", "min_price_eur_minor", true),
  price("median", "median_price_eur_minor", false),
  price("highest", "max_price_eur_minor", true),
  {
    id: "seen",
    title: referenceWords.seen,
    isNumber: true,
    cell: ({ last_seen_at_ms }) => <Age atMs={last_seen_at_ms} />,
  },
];

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
            onSearch={(text) => changeChoice({ text })}
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

/** `j` and `k` move the focus from row to row; Enter then belongs to the link that has it. */
function useRowKeys(): void {
  useKeys(
    useMemo(
      () => [
        { key: "j", label: referenceWords.next, run: () => moveRowFocus(LINKS, 1) },
        { key: "k", label: referenceWords.previous, run: () => moveRowFocus(LINKS, -1) },
      ],
      [],
    ),
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

function Rows(props: { readonly page: ReferencePage; readonly references: References }) {
  const { page, references } = props;
  const { text, brand } = references.choice;
  const isFiltered = text.trim() !== "" || brand !== "";
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
        columns={COLUMNS}
        rows={page.items}
        keyOf={(item) => `${item.brand} ${item.reference_normalized}`}
      />
      <div class="references-foot">
        {page.next_cursor === undefined ? null : (
          <Button onPress={references.more}>{words.more}</Button>
        )}
        <span class="sub">
          {page.is_exact ? referenceWords.period : referenceWords.periodSampled}
        </span>
      </div>
    </>
  );
}

/** What dealers ask is no secret of ours, so presenter mode shows it. */
function price(
  id: "lowest" | "median" | "highest",
  member: PriceMember,
  isOptional: boolean,
): Column<MarketReference> {
  return {
    id,
    title: referenceWords[id],
    isNumber: true,
    isOptional,
    cell: (item) => <Amount minor={item[member]} currency="EUR" kind="price" />,
  };
}
