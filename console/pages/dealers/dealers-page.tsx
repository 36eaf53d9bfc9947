import { useMemo } from "preact/hooks";
import type { Dealer } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Segments } from "../../parts/choice.tsx";
import { Age } from "../../parts/figures.tsx";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { type Column, moveRowFocus, Table, Tag } from "../../parts/table.tsx";
import { DealerCountry, DealerName, Phone } from "../../parts/watch.tsx";
import type { Parameters } from "../../paths.ts";
import { query, setQuery } from "../../router.ts";
import { useKeys } from "../../state/commands.ts";
import { usePages } from "../../state/load.ts";
import { dealersWords } from "../../words/dealers.ts";
import { formatCount } from "../../words/formats.ts";
import { words } from "../../words/words.ts";
import { DealerPage } from "./dealer-page.tsx";

const SORTS = ["buys", "on_offer", "last_seen"] as const;
type Sort = (typeof SORTS)[number];

interface Choice {
  /** As it was typed, with the space at its end: the reader may go on. */
  readonly text: string;
  readonly isBlocked: boolean;
  readonly sort: Sort;
}

const PAGE_ROWS = 50;
const LINKS = "a[data-row]";
const KEYS = [
  { key: "j", label: dealersWords.next, run: () => moveRowFocus(LINKS, 1) },
  { key: "k", label: dealersWords.previous, run: () => moveRowFocus(LINKS, -1) },
] as const;

/** All dealers, or the one that the address names. They are one script, because they have most of their code in common. */
export function DealersPage({ parameters }: { readonly parameters: Parameters }) {
  const id = parameters["contact_id"];
  return id === undefined ? <AllDealers /> : <DealerPage id={id} />;
}

/** Who offers watches, and how often that is a buy. */
function AllDealers() {
  const choice = readChoice(query.value);
  const { text, isBlocked, sort } = choice;
  const asked = text.trim();
  const { load, more } = usePages([asked, isBlocked, sort], (cursor, options) =>
    api.listContacts(
      {
        sort,
        limit: PAGE_ROWS,
        ...(asked === "" ? {} : { q: asked }),
        ...(isBlocked ? { is_blocked: true } : {}),
        ...cursor,
      },
      options,
    ),
  );
  useKeys(KEYS);
  return (
    <ScrollArea name="dealers" label={words.pages.dealers} class="dealers">
      <div>
        <PageHeading title={words.pages.dealers} isHidden />
        <Bar choice={choice} />
        <WhenLoaded load={load} rows={14}>
          {({ items, next_cursor }) =>
            items.length === 0 ? (
              <NoDealers choice={choice} />
            ) : (
              <>
                <Table
                  caption={dealersWords.caption}
                  columns={COLUMNS}
                  rows={items}
                  keyOf={({ id }) => id}
                />
                {next_cursor === undefined ? null : (
                  <div class="dealers-foot">
                    <Button onPress={more}>{words.more}</Button>
                  </div>
                )}
              </>
            )
          }
        </WhenLoaded>
      </div>
    </ScrollArea>
  );
}

function Bar({ choice }: { readonly choice: Choice }) {
  const which = useMemo(
    () => [
      { id: "all", name: dealersWords.all } as const,
      { id: "blocked", name: dealersWords.blockedOnly } as const,
    ],
    [],
  );
  return (
    <div class="bar">
      <SearchField
        text={choice.text}
        label={dealersWords.search}
        keyLabel={dealersWords.search}
        area="dealers"
        onSearch={(text) => changeChoice({ text })}
      />
      <Segments
        label={dealersWords.which}
        options={which}
        chosen={choice.isBlocked ? "blocked" : "all"}
        onChoose={(id) => changeChoice({ isBlocked: id === "blocked" })}
      />
      <select
        class="field"
        aria-label={dealersWords.sort}
        value={choice.sort}
        onChange={(event) => changeChoice({ sort: sortOf(event.currentTarget.value) })}
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {dealersWords.sorts[sort]}
          </option>
        ))}
      </select>
    </div>
  );
}

function NoDealers({ choice: { text, isBlocked } }: { readonly choice: Choice }) {
  const isAnyName = text.trim() === "";
  if (isAnyName && !isBlocked) {
    return (
      <Empty title={dealersWords.none}>
        <p class="soft">{dealersWords.noneHint}</p>
      </Empty>
    );
  }
  const isNobody = isAnyName && isBlocked;
  return (
    <Empty title={isNobody ? dealersWords.noneBlocked : dealersWords.noneFound}>
      {isNobody ? <p class="soft">{dealersWords.noneBlockedHint}</p> : null}
      <Button onPress={() => changeChoice({ text: "", isBlocked: false })}>
        {dealersWords.showAll}
      </Button>
    </Empty>
  );
}

const COLUMNS: readonly Column<Dealer>[] = [
  {
    id: "dealer",
    title: dealersWords.dealer,
    isWide: true,
    cell: (dealer) => (
      <>
        <div class="dealer-line">
          <a class="watch" href={`/dealers/${dealer.id}`} data-row>
            <b>
              <DealerName sender={dealer} />
            </b>
          </a>
          {dealer.is_blocked ? <Tag tone="warn">{dealersWords.blocked}</Tag> : null}
        </div>
        <div class="sub facts">
          {dealer.display_name === undefined ? null : <Phone number={dealer.phone_number} />}
          {dealer.note === undefined ? null : <bdi>{dealer.note}</bdi>}
        </div>
      </>
    ),
  },
  {
    id: "country",
    title: dealersWords.country,
    cell: ({ country_prefix }) => <DealerCountry callingCode={country_prefix} isLong />,
  },
  {
    ...count("offer", dealersWords.onOffer, ({ on_offer_count }) => on_offer_count),
    cell: ({ on_offer_count }) => (
      <>
        {formatCount(on_offer_count)}
        <span class="unit"> {dealersWords.offerUnit}</span>
      </>
    ),
  },
  {
    ...count("buys", dealersWords.buys, ({ buy_count_90d }) => buy_count_90d),
    cell: ({ buy_count_90d }) =>
      buy_count_90d === 0 ? <None /> : <BuyCount count={buy_count_90d} />,
  },
  {
    ...count("reposts", dealersWords.reposts, ({ repost_count_90d }) => repost_count_90d),
    isOptional: true,
  },
  {
    ...count("drops", dealersWords.drops, ({ price_drop_count_90d }) => price_drop_count_90d),
    isOptional: true,
  },
  count("deals", dealersWords.deals, ({ deal_count }) => deal_count ?? 0),
  {
    id: "seen",
    title: dealersWords.seen,
    isNumber: true,
    cell: ({ last_seen_at_ms }) =>
      last_seen_at_ms === undefined ? <None /> : <Age atMs={last_seen_at_ms} />,
  },
];

function count(id: string, title: string, read: (dealer: Dealer) => number): Column<Dealer> {
  return {
    id,
    title,
    isNumber: true,
    cell: (dealer) => (read(dealer) === 0 ? <None /> : formatCount(read(dealer))),
  };
}

function BuyCount({ count }: { readonly count: number }) {
  return (
    <b class="gain">
      {formatCount(count)}
      <span class="unit"> {dealersWords.buysUnit}</span>
    </b>
  );
}

function None() {
  return <span class="faint">–</span>;
}

function sortOf(text: string | null): Sort {
  return SORTS.find((sort) => sort === text) ?? "buys";
}

function readChoice(parameters: URLSearchParams): Choice {
  return {
    text: parameters.get("q") ?? "",
    isBlocked: parameters.get("blocked") === "true",
    sort: sortOf(parameters.get("sort")),
  };
}

function changeChoice(change: Partial<Choice>): void {
  const next = { ...readChoice(query.peek()), ...change };
  const parameters = new URLSearchParams();
  if (next.text !== "") parameters.set("q", next.text);
  if (next.isBlocked) parameters.set("blocked", "true");
  if (next.sort !== "buys") parameters.set("sort", next.sort);
  setQuery(parameters);
}
