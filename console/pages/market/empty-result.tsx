import { countFacets } from "../../filters/edited-filter.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/states.tsx";
import { useLoad } from "../../state/load.ts";
import { controlWords } from "../../words/filters.ts";
import { formatCount } from "../../words/formats.ts";
import { marketWords } from "../../words/market.ts";
import type { MarketRows } from "./market-rows.ts";
import { changeSort, clearMarket, isRanked, listMarketParts } from "./market-state.ts";

/** Each suggestion is one count. */
const SUGGESTIONS_MAX = 8;

/** Says which part leaves nothing: how many there would be without each of them. */
export function EmptyResult({ rows }: { readonly rows: MarketRows }) {
  const { filter, sort } = rows.search;
  const parts = listMarketParts();
  const load = useLoad([filter], async (signal) => {
    const counted = parts.flatMap(({ id, rest }) => (rest === undefined ? [] : [{ id, rest }]));
    const totals = await Promise.all(
      counted.slice(0, SUGGESTIONS_MAX).map(async ({ id, rest }) => {
        const { total } = await countFacets(rest, { facets: [], limit: 1 }, signal);
        return [id, total] as const;
      }),
    );
    return new Map(totals);
  });
  const totals = load.state.value.value;
  if (parts.length === 0) {
    return (
      <Empty title={marketWords.noneAtAll}>
        <p class="soft">{marketWords.noneAtAllHint}</p>
      </Empty>
    );
  }
  const totalOf = (id: string): number => totals?.get(id) ?? Number.POSITIVE_INFINITY;
  const suggestions = parts.toSorted((left, right) => totalOf(right.id) - totalOf(left.id));
  return (
    <Empty title={marketWords.none}>
      <ul class="suggestions">
        {isRanked(sort) ? (
          <li>
            <Button onPress={() => changeSort("newest")}>{marketWords.withoutPrice}</Button>
          </li>
        ) : null}
        {suggestions.map(({ id, label, text, remove }) => (
          <li key={id}>
            <button type="button" class="button" onClick={remove}>
              {marketWords.without(label, text)}
            </button>
            <Found total={totals?.get(id)} />
          </li>
        ))}
      </ul>
      {parts.length > 1 ? (
        <button type="button" class="quiet" onClick={clearMarket}>
          {controlWords.clear}
        </button>
      ) : null}
    </Empty>
  );
}

function Found({ total }: { readonly total: number | undefined }) {
  if (total === undefined) return null;
  return (
    <span class="soft">
      {total === 0 ? marketWords.noneEither : marketWords.found(formatCount(total))}
    </span>
  );
}
