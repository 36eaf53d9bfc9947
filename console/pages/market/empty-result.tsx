import { describeMember, memberLabel } from "../../filters/clauses.ts";
import { countFacets } from "../../filters/controls/facet-counts.ts";
import { asksNothing, type Filter, without } from "../../filters/filter.ts";
import { Empty } from "../../parts/empty.tsx";
import { useLoad } from "../../state/load.ts";
import { controlWords } from "../../words/filter-controls.ts";
import { formatCount } from "../../words/formats.ts";
import { marketWords } from "../../words/market.ts";
import { changeFilter } from "./market-state.ts";

/** Each suggestion is one count. */
const SUGGESTIONS_MAX = 8;

/** Says which part of the filter leaves nothing: how many there would be without each of them. */
export function EmptyResult({ filter }: { readonly filter: Filter }) {
  const members = Object.keys(filter).filter((name) => !asksNothing(filter[name]));
  const load = useLoad([filter], (signal) =>
    Promise.all(
      members.slice(0, SUGGESTIONS_MAX).map(async (member) => {
        const rest = without(filter, [member]);
        const { total } = await countFacets(rest, { facets: [], limit: 1 }, signal);
        return { member, rest, total };
      }),
    ),
  );
  if (members.length === 0) {
    return (
      <Empty title={marketWords.noneAtAll}>
        <p class="soft">{marketWords.noneAtAllHint}</p>
      </Empty>
    );
  }
  const suggestions = (load.state.value.value ?? []).toSorted(
    (left, right) => right.total - left.total,
  );
  return (
    <Empty title={marketWords.none}>
      <ul class="suggestions">
        {suggestions.map(({ member, rest, total }) => (
          <li key={member}>
            <button type="button" class="button" onClick={() => changeFilter(rest)}>
              {marketWords.without(memberLabel(member), describeMember(filter, member))}
            </button>
            <span class="soft">
              {total === 0 ? marketWords.noneEither : marketWords.found(formatCount(total))}
            </span>
          </li>
        ))}
      </ul>
      {members.length > 1 ? (
        <button type="button" class="quiet" onClick={() => changeFilter({})}>
          {controlWords.clear}
        </button>
      ) : null}
    </Empty>
  );
}
